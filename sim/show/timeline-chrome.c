/* SPDX-License-Identifier: MIT
 *
 * timeline-chrome.c: a trace in the Trace Event Format, which Perfetto and the viewer
 * of Chromium open. A group is a process and an item a thread; a time is a microsecond.
 * Slices nest: an item, its phases between rendezvous, the accesses in them. A wait
 * lies between phases. Events that synchronise are joined by a flow, and findings are
 * instants. */
#include "config.h"

#include "report/record.h"
#include "show/timeline-draw.h"

#include <inttypes.h>

struct writer {
    GString *out;
    const struct weiri_traced_launch *launch;
    uint64_t first_process; /* of the launch */
    guint number;           /* of the launch, from 1 */
    bool several;           /* launches */
    uint64_t *n_flows;
};

static void begin(struct writer *writer, const char *phase, const char *name,
                  uint64_t item, uint64_t time)
{
    size_t items = writer->launch->timeline->group_items;
    g_string_append_printf(writer->out, "%s\n{\"ph\":\"%s\",\"name\":",
                           writer->out->str[writer->out->len - 1] == '[' ? "" : ",",
                           phase);
    weiri_record_add_text(writer->out, name);
    g_string_append_printf(writer->out,
                           ",\"ts\":%" PRIu64 ",\"pid\":%" PRIu64 ",\"tid\":%" PRIu64,
                           time, writer->first_process + item / items, item % items);
}

static void end(struct writer *writer)
{
    g_string_append_c(writer->out, '}');
}

static void add_slice(struct writer *writer, const char *name, uint64_t item,
                      uint64_t from, uint64_t to)
{
    begin(writer, "X", name, item, from);
    g_string_append_printf(writer->out, ",\"dur\":%" PRIu64, MAX(to, from + 1) - from);
}

static void add_text_member(struct writer *writer, const char *name, const char *text)
{
    g_string_append_printf(writer->out, "\"%s\":", name);
    weiri_record_add_text(writer->out, text);
}

/* ---- Names ----------------------------------------------------------------------- */

static void add_name(struct writer *writer, const char *what, uint64_t item,
                     const char *name)
{
    begin(writer, "M", what, item, 0);
    g_string_append(writer->out, ",\"args\":{");
    add_text_member(writer, "name", name);
    g_string_append_c(writer->out, '}');
    end(writer);
}

/* @seen: a bit for each item */
static void add_names(struct writer *writer, uint64_t item, GHashTable *seen)
{
    size_t items = writer->launch->timeline->group_items;
    uint64_t group = item / items;
    if (g_hash_table_add(seen, GUINT_TO_POINTER(group + 1))) {
        g_autofree char *name = writer->several
            ? g_strdup_printf("launch %u: %s, group %" PRIu64, writer->number,
                              writer->launch->kernel, group)
            : g_strdup_printf("%s, group %" PRIu64, writer->launch->kernel, group);
        add_name(writer, "process_name", item, name);
    }
    g_autofree char *name = g_strdup_printf("item %" PRIu64, item % items);
    add_name(writer, "thread_name", item, name);
}

/* ---- Events ---------------------------------------------------------------------- */

/* "scratch[3] = 7" */
static char *access_name(const struct weiri_timeline *timeline,
                         const struct weiri_act *act)
{
    const struct weiri_act_site *site = weiri_act_site_of(timeline, act);
    g_autofree char *place = weiri_act_place(timeline, act);
    const char *what = site != NULL ? site->operation : "access";
    if (place == NULL) {
        return g_strdup(what);
    }
    g_autofree char *read = weiri_act_value(timeline, act, act->read);
    g_autofree char *wrote = weiri_act_value(timeline, act, act->wrote);
    return weiri_act_reads(act) && weiri_act_writes(act)
        ? g_strdup_printf("%s %s: %s to %s", what, place, read, wrote)
        : g_strdup_printf("%s %s = %s", what, place,
                          weiri_act_writes(act) ? wrote : read);
}

static void add_access(struct writer *writer, guint index)
{
    const struct weiri_timeline *timeline = writer->launch->timeline;
    const struct weiri_act *act = weiri_act_at(timeline, index);
    const struct weiri_act_site *site = weiri_act_site_of(timeline, act);
    g_autofree char *name = access_name(timeline, act);
    add_slice(writer, name, act->item, act->time, act->time + 1);
    g_string_append_printf(
        writer->out, ",\"cat\":\"%s\",\"args\":{\"event\":%u,\"step\":%" PRIu64,
        weiri_act_is_atomic(act) ? "atomic" : "access", index, act->step);
    if (site != NULL && site->file != NULL) {
        g_autofree char *place = g_strdup_printf("%s:%u", site->file, site->line);
        g_string_append_c(writer->out, ',');
        add_text_member(writer, "line", place);
    }
    if (site != NULL && site->order != NULL) {
        g_string_append_c(writer->out, ',');
        add_text_member(writer, "order", site->order);
        g_string_append_c(writer->out, ',');
        add_text_member(writer, "scope", site->scope);
    }
    if (act->from > 0) {
        g_string_append_printf(writer->out, ",\"reads_from\":%u", act->from - 1);
    }
    g_string_append_c(writer->out, '}');
    end(writer);
}

/* An item so far. */
struct progress {
    uint64_t start, phase_start, arrival; /* times; 0: none */
    uint64_t phase;
    guint arrived; /* the event, plus 1 */
    bool over;
};

static void end_phase(struct writer *writer, struct progress *item, uint64_t id,
                      uint64_t time)
{
    if (item->phase_start > 0 && time > item->phase_start) {
        g_autofree char *name = g_strdup_printf("phase %" PRIu64, item->phase);
        add_slice(writer, name, id, item->phase_start, time);
        g_string_append(writer->out, ",\"cat\":\"phase\"");
        end(writer);
    }
    item->phase_start = 0;
}

static void end_wait(struct writer *writer, struct progress *item, uint64_t id,
                     uint64_t time)
{
    if (item->arrival == 0) {
        return;
    }
    const struct weiri_timeline *timeline = writer->launch->timeline;
    const struct weiri_act_site *site
        = weiri_act_site_of(timeline, weiri_act_at(timeline, item->arrived - 1));
    g_autofree char *name
        = g_strdup_printf("wait: %s", site != NULL ? site->operation : "rendezvous");
    add_slice(writer, name, id, item->arrival, time);
    g_string_append(writer->out, ",\"cat\":\"wait\"");
    end(writer);
    item->arrival = 0;
}

static void end_item(struct writer *writer, struct progress *item, uint64_t id,
                     uint64_t time)
{
    end_phase(writer, item, id, time);
    end_wait(writer, item, id, time);
    add_slice(writer, writer->launch->kernel, id, item->start, time);
    g_string_append(writer->out, ",\"cat\":\"item\"");
    end(writer);
    item->over = true;
}

static void take(struct writer *writer, struct progress *item, guint index)
{
    const struct weiri_act *act = weiri_act_at(writer->launch->timeline, index);
    switch ((enum weiri_act_kind)act->kind) {
    case WEIRI_ACT_START:
        item->start = item->phase_start = act->time;
        break;
    case WEIRI_ACT_END:
    case WEIRI_ACT_CUT:
        end_item(writer, item, act->item, act->time);
        break;
    case WEIRI_ACT_ARRIVE:
        end_phase(writer, item, act->item, act->time);
        item->arrival = act->time;
        item->arrived = index + 1;
        break;
    case WEIRI_ACT_LEAVE:
        end_wait(writer, item, act->item, act->time);
        item->phase++;
        item->phase_start = act->time;
        break;
    default:
        add_access(writer, index);
    }
}

static void add_flow(struct writer *writer, const struct weiri_act_edge *edge)
{
    const uint32_t ends[] = { edge->from, edge->to };
    for (int i = 0; i < 2; i++) {
        const struct weiri_act *act
            = weiri_act_at(writer->launch->timeline, ends[i] - 1);
        begin(writer, i == 0 ? "s" : "f", "synchronises", act->item, act->time);
        g_string_append_printf(writer->out,
                               ",\"cat\":\"synchronises\",\"id\":%" PRIu64 "%s",
                               *writer->n_flows, i == 0 ? "" : ",\"bp\":\"e\"");
        end(writer);
    }
    ++*writer->n_flows;
}

static void add_findings(struct writer *writer)
{
    for (guint i = 0; i < writer->launch->findings->len; i++) {
        const struct weiri_traced_finding *finding
            = &g_array_index(writer->launch->findings, struct weiri_traced_finding, i);
        for (guint k = 0; k < finding->events->len; k++) {
            uint32_t event = g_array_index(finding->events, uint32_t, k);
            if (event == 0) {
                continue;
            }
            const struct weiri_act *act
                = weiri_act_at(writer->launch->timeline, event - 1);
            begin(writer, "i", finding->kind, act->item, act->time);
            g_string_append(writer->out, ",\"s\":\"t\",\"cat\":\"finding\",\"args\":{");
            add_text_member(writer, "message", finding->message);
            g_string_append_c(writer->out, '}');
            end(writer);
        }
    }
}

static void add_launch(struct writer *writer)
{
    const struct weiri_timeline *timeline = writer->launch->timeline;
    g_autoptr(GHashTable) groups = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) items
        = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    uint64_t last = 0;
    for (guint i = 0; i < timeline->acts->len; i++) {
        const struct weiri_act *act = weiri_act_at(timeline, i);
        struct progress *item = g_hash_table_lookup(items, &act->item);
        if (item == NULL) {
            item = g_new0(struct progress, 1);
            item->start = item->phase_start = act->time;
            g_hash_table_insert(items, g_memdup2(&act->item, sizeof(act->item)), item);
            add_names(writer, act->item, groups);
        }
        last = MAX(last, act->time);
        take(writer, item, i);
    }
    for (guint i = 0; i < timeline->acts->len; i++) { /* where events are left out */
        const struct weiri_act *act = weiri_act_at(timeline, i);
        struct progress *item = g_hash_table_lookup(items, &act->item);
        if (!item->over) {
            end_item(writer, item, act->item, last + 1);
        }
    }
    for (guint i = 0; i < timeline->edges->len; i++) {
        add_flow(writer, &g_array_index(timeline->edges, struct weiri_act_edge, i));
    }
    add_findings(writer);
}

char *weiri_timeline_to_chrome(const struct weiri_traced_file *file)
{
    GString *out = g_string_new("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    uint64_t n_flows = 1, first = 1;
    for (guint i = 0; i < file->launches->len; i++) {
        struct writer writer = { .out = out,
                                 .launch = weiri_traced_launch_at(file, i),
                                 .first_process = first,
                                 .number = i + 1,
                                 .several = file->launches->len > 1,
                                 .n_flows = &n_flows };
        add_launch(&writer);
        first += writer.launch->timeline->n_groups;
    }
    g_string_append(out, "\n]}\n");
    return g_string_free(out, FALSE);
}
