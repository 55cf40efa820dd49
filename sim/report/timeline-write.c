/* SPDX-License-Identifier: MIT
 *
 * timeline-write.c: see timeline.h. Events are columns of integers, which are small and
 * which every reader of JSON parses fast. */
#include "config.h"

#include "report/record.h"
#include "report/symbol.h"
#include "report/timeline.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* Lines of source around the lines of the sites, and the most of a file. */
enum { LINES_AROUND = 4, MOST_LINES = 400 };

static void add_member(GString *out, const char *name, const char *text)
{
    g_string_append_printf(out, "\"%s\":", name);
    weiri_record_add_text(out, text);
}

/* snprintf() would take most of the time of a large trace. */
static void add_integer(GString *out, int64_t value)
{
    char digits[24];
    char *at = digits + sizeof(digits);
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0) {
        *--at = '-';
    }
    g_string_append_len(out, at, digits + sizeof(digits) - at);
}

static void add_sizes(GString *out, const char *name, const size_t *sizes, uint32_t n)
{
    g_string_append_printf(out, ",\"%s\":[", name);
    for (uint32_t d = 0; d < n; d++) {
        g_string_append_printf(out, "%s%zu", d > 0 ? "," : "", sizes[d]);
    }
    g_string_append_c(out, ']');
}

static const struct weiri_act *act_at(const struct weiri_timeline *timeline, guint i)
{
    return &g_array_index(timeline->acts, struct weiri_act, i);
}

static const struct weiri_act_site *site_at(const struct weiri_timeline *timeline,
                                            guint i)
{
    return &g_array_index(timeline->sites, struct weiri_act_site, i);
}

static const struct weiri_act_object *object_at(const struct weiri_timeline *timeline,
                                                guint i)
{
    return &g_array_index(timeline->objects, struct weiri_act_object, i);
}

/* ---- Tables ---------------------------------------------------------------------- */

static void add_sites(GString *out, const struct weiri_timeline *timeline)
{
    g_string_append(out, ",\"sites\":[");
    for (guint i = 0; i < timeline->sites->len; i++) {
        const struct weiri_act_site *site = site_at(timeline, i);
        g_string_append(out, i > 0 ? ",{" : "{");
        add_member(out, "file", site->file);
        g_string_append_printf(out, ",\"line\":%u,", site->line);
        add_member(out, "function", site->function);
        g_string_append_c(out, ',');
        add_member(out, "operation", site->operation);
        g_string_append_c(out, ',');
        add_member(out, "order", site->order);
        g_string_append_c(out, ',');
        add_member(out, "scope", site->scope);
        g_string_append_c(out, ',');
        add_member(out, "type", site->type);
        g_string_append_printf(out, ",\"bytes\":%u,", site->bytes);
        add_member(out, "source", site->source);
        g_string_append_c(out, '}');
    }
    g_string_append_c(out, ']');
}

static void add_objects(GString *out, const struct weiri_timeline *timeline)
{
    g_string_append(out, ",\"objects\":[");
    for (guint i = 0; i < timeline->objects->len; i++) {
        const struct weiri_act_object *object = object_at(timeline, i);
        g_string_append(out, i > 0 ? ",{" : "{");
        add_member(out, "name", object->name);
        g_string_append_c(out, ',');
        add_member(out, "variable", object->variable);
        g_string_append_printf(out,
                               ",\"space\":\"%s\",\"first\":%" PRId64
                               ",\"element_bytes\":%" PRIu64 ",\"bytes\":%" PRIu64 "}",
                               object->local ? "local" : "global", object->first,
                               object->element_bytes, object->bytes);
    }
    g_string_append_c(out, ']');
}

/* ---- Source ---------------------------------------------------------------------- */

/* The lines from @first to @last of a text, from 1. */
static void add_lines(GString *out, const char *text, uint32_t first, uint32_t last)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (uint32_t line = 1; lines[line - 1] != NULL && line <= last; line++) {
        if (line >= first) {
            g_string_append(out, line > first ? "," : "");
            weiri_record_add_text(out, lines[line - 1]);
        }
    }
}

/* The lines of each file from the first site to the last one. */
static void add_sources(GString *out, const struct weiri_timeline *timeline)
{
    g_string_append(out, ",\"sources\":[");
    bool any = false;
    for (guint i = 0; i < timeline->sites->len; i++) {
        const char *file = site_at(timeline, i)->file;
        uint32_t first = UINT32_MAX, last = 0;
        bool again = file == NULL;
        for (guint k = 0; k < timeline->sites->len && !again; k++) {
            const struct weiri_act_site *other = site_at(timeline, k);
            if (g_strcmp0(other->file, file) == 0) {
                again = k < i;
                first = MIN(first, other->line);
                last = MAX(last, other->line);
            }
        }
        size_t bytes;
        const char *text = again ? NULL : weiri_symbol_text(file, &bytes);
        if (text == NULL) {
            continue;
        }
        first = first > LINES_AROUND ? first - LINES_AROUND : 1;
        last = MIN(last + LINES_AROUND, first + MOST_LINES - 1);
        g_string_append(out, any ? ",{" : "{");
        add_member(out, "file", file);
        g_string_append_printf(out, ",\"first\":%u,\"lines\":[", first);
        add_lines(out, text, first, last);
        g_string_append(out, "]}");
        any = true;
    }
    g_string_append_c(out, ']');
}

/* ---- Findings -------------------------------------------------------------------- */

/* @shown: indices as reports have them */
static uint64_t linear(const struct weiri_timeline *timeline, const size_t shown[3],
                       const size_t sizes[3])
{
    uint64_t sum = 0;
    for (uint32_t d = 0; d < 3; d++) {
        bool turned = timeline->reversed && d < timeline->dim;
        sum = sum * sizes[d] + shown[turned ? timeline->dim - 1 - d : d];
    }
    return sum;
}

static bool is_read_only(const struct weiri_act *act)
{
    return act->kind == WEIRI_ACT_READ || act->kind == WEIRI_ACT_ATOMIC_READ;
}

/* Whether an event is what the finding reports of a party. */
static bool is_of(const struct weiri_timeline *timeline, const struct weiri_act *act,
                  const struct weir_finding *finding, const struct weir_party *party)
{
    if (act->site == 0) {
        return party->state == WEIR_STATE_RETURNED && act->kind == WEIRI_ACT_END;
    }
    const struct weiri_act_site *site = site_at(timeline, act->site - 1);
    if (act->kind == WEIRI_ACT_LEAVE || party->state == WEIR_STATE_RETURNED
        || site->line != party->line || g_strcmp0(site->file, party->file) != 0) {
        return false;
    }
    if (party->access == WEIR_ACCESS_NONE) {
        return true;
    }
    if (act->object == 0 || finding->object == NULL) {
        return !is_read_only(act) || party->access == WEIR_ACCESS_READ;
    }
    const struct weiri_act_object *object = object_at(timeline, act->object - 1);
    return is_read_only(act) == (party->access == WEIR_ACCESS_READ)
        && g_strcmp0(object->name, finding->object) == 0
        && object->first + (int64_t)(act->offset / object->element_bytes)
        == finding->index;
}

/* Where a party did its part: the first such access, the last such wait, or else the
 * item's last event before its group ended. Returns: the event; or 0 */
static guint find_event(const struct weiri_timeline *timeline,
                        const struct weir_finding *finding,
                        const struct weir_party *party)
{
    uint64_t item
        = linear(timeline, party->group, timeline->groups) * timeline->group_items
        + linear(timeline, party->item, timeline->local);
    guint found = 0, last = 0;
    for (guint i = 0; i < timeline->acts->len; i++) {
        const struct weiri_act *act = act_at(timeline, i);
        if (act->item != item) {
            continue;
        }
        if (act->kind != WEIRI_ACT_CUT) {
            last = i + 1;
        }
        if ((found == 0 || party->access == WEIR_ACCESS_NONE)
            && is_of(timeline, act, finding, party)) {
            found = i + 1;
        }
    }
    return found != 0 ? found : last;
}

static void add_findings(GString *out, const struct weiri_timeline *timeline,
                         const struct weir_report *report)
{
    g_string_append(out, ",\"findings\":[");
    for (size_t i = 0; i < weir_report_n_findings(report); i++) {
        const struct weir_finding *finding = weir_report_finding(report, i);
        g_string_append(out, i > 0 ? ",{\"events\":[" : "{\"events\":[");
        for (size_t k = 0; k < finding->n_parties; k++) {
            guint event = find_event(timeline, finding, &finding->parties[k]);
            g_string_append(out, k > 0 ? "," : "");
            add_integer(out, (int64_t)event - 1);
        }
        g_string_append(out, "],\"finding\":");
        weiri_record_add_finding(out, finding);
        g_string_append_c(out, '}');
    }
    g_string_append_c(out, ']');
}

/* ---- Events ---------------------------------------------------------------------- */

enum column {
    KIND,
    ITEM,
    STEP,
    TIME,
    SITE,
    OBJECT,
    OFFSET,
    READ,
    WROTE,
    FROM,
    N_COLUMNS
};

static const char *const column_names[N_COLUMNS]
    = { "kind",   "item",   "step", "time",  "site",
        "object", "offset", "read", "wrote", "reads_from" };

/* Steps are differences, and the write that an event reads is a distance back: small
 * numbers. */
static int64_t cell(const struct weiri_timeline *timeline, guint i, enum column column)
{
    const struct weiri_act *act = act_at(timeline, i);
    switch (column) {
    case KIND:
        return act->kind;
    case ITEM:
        return (int64_t)act->item;
    case STEP:
        return (int64_t)(act->step - (i > 0 ? act_at(timeline, i - 1)->step : 0));
    case TIME:
        return act->time;
    case SITE:
        return (int64_t)act->site - 1;
    case OBJECT:
        return (int64_t)act->object - 1;
    case OFFSET:
        return (int64_t)act->offset;
    case READ:
        return (int64_t)act->read;
    case WROTE:
        return (int64_t)act->wrote;
    default:
        return act->from > 0 ? (int64_t)i + 1 - act->from : 0;
    }
}

static void add_events(GString *out, const struct weiri_timeline *timeline)
{
    g_string_append_printf(out,
                           ",\"n_events\":%u,\"left_out\":%" PRIu64 ",\"events\":{",
                           timeline->acts->len, timeline->n_more);
    for (int column = 0; column < N_COLUMNS; column++) {
        g_string_append_printf(out, "%s\"%s\":[", column > 0 ? "," : "",
                               column_names[column]);
        for (guint i = 0; i < timeline->acts->len; i++) {
            if (i > 0) {
                g_string_append_c(out, ',');
            }
            add_integer(out, cell(timeline, i, (enum column)column));
        }
        g_string_append_c(out, ']');
    }
    g_string_append(out, "},\"synchronises\":{");
    for (int to = 0; to < 2; to++) {
        g_string_append(out, to ? ",\"to\":[" : "\"from\":[");
        for (guint i = 0; i < timeline->edges->len; i++) {
            const struct weiri_act_edge *edge
                = &g_array_index(timeline->edges, struct weiri_act_edge, i);
            g_string_append(out, i > 0 ? "," : "");
            add_integer(out, (int64_t)(to ? edge->to : edge->from) - 1);
        }
        g_string_append_c(out, ']');
    }
    g_string_append_c(out, '}');
}

/* ---- A launch -------------------------------------------------------------------- */

static GString *to_line(const struct weiri_timeline *timeline,
                        const struct weiri_timeline_launch *launch)
{
    GString *out = g_string_new("{");
    add_member(out, "kernel", launch->kernel);
    g_string_append_c(out, ',');
    add_member(out, "device", launch->device);
    g_string_append_c(out, ',');
    add_member(out, "schedule", launch->schedule);
    g_string_append_printf(out, ",\"seed\":%" PRId64 ",\"instrumented\":%s",
                           (int64_t)launch->seed,
                           launch->instrumented ? "true" : "false");
    add_sizes(out, "global", timeline->global, timeline->dim);
    add_sizes(out, "local", timeline->local, timeline->dim);
    g_string_append_printf(
        out,
        ",\"sub_group\":%u,\"n_groups\":%zu,\"group_items\":%zu,\"n_steps\":%" PRIu64
        ",",
        timeline->sub_group_size, timeline->n_groups, timeline->group_items,
        weir_report_n_steps(launch->report));
    add_member(out, "incomplete", weir_report_incomplete(launch->report));
    g_string_append(out, ",\"kinds\":[");
#define X(name, text) "\"" text "\","
    g_string_append(out, WEIRI_ACTS(X));
#undef X
    g_string_truncate(out, out->len - 1);
    g_string_append(out, "]");
    add_sites(out, timeline);
    add_objects(out, timeline);
    add_sources(out, timeline);
    add_findings(out, timeline, launch->report);
    add_events(out, timeline);
    g_string_append_c(out, '}');
    g_string_append_c(out, '\n');
    return out;
}

bool weiri_timeline_append(const char *path, const struct weiri_timeline *timeline,
                           const struct weiri_timeline_launch *launch, GError **error)
{
    g_autoptr(GString) line = to_line(timeline, launch);
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    ssize_t written = fd < 0 ? -1 : write(fd, line->str, line->len);
    int why = errno;
    if (fd >= 0) {
        close(fd);
    }
    if (written != (ssize_t)line->len) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_RESOURCE,
                    "cannot write the trace to %s: %s", path,
                    written < 0 ? g_strerror(why) : "the disk is full");
    }
    return written == (ssize_t)line->len;
}
