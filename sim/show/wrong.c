/* SPDX-License-Identifier: MIT
 *
 * wrong.c: see wrong.h. The finding states by which switches its run parts from the
 * in-order one, and which access of an item comes too late by one of them.
 *
 * The schedule is followed strictly, and its steps are listed. A switch leaves an item
 * just before an access. If the item had read that memory before, and another item
 * writes it before the first one goes on, then this access works with an old value: its
 * item and that other item are the parties. */
#include "config.h"

#include "show/wrong.h"

#include "deterministic/trace.h"
#include "report/record.h"
#include "report/report.h"
#include "report/symbol.h"

#include <inttypes.h>
#include <json-glib/json-glib.h>
#include <string.h>

/* The most switches that the sentence names; --record has all. */
enum { MOST_NAMED = 4 };

/* A switch, and what happens around it. */
struct around {
    size_t launch; /* from 1 */
    const struct weiri_launch_record *record;
    const struct weiri_traced *traced;
    const struct weiri_switch *at;
    const struct weir_step *late;  /* the next access of the item that is left */
    const struct weir_step *other; /* what another item does before that: a write of the
                                      same memory, if there is one */
    const struct weir_step *read;  /* of the same memory, by the item before; or NULL */
};

static bool same_memory(const struct weir_step *a, const struct weir_step *b)
{
    return a->object != NULL && b->object != NULL && a->index == b->index
        && strcmp(a->object, b->object) == 0;
}

static bool is_by(const struct weir_step *step, uint64_t group, uint32_t item)
{
    return step->group == group && step->item == item;
}

/* A read-modify-write that writes nothing has the same value before and after. */
static bool writes(const struct weir_step *step)
{
    return step->after != NULL && g_strcmp0(step->before, step->after) != 0;
}

static void look_around(struct around *around)
{
    const struct weiri_launch_record *record = around->record;
    const struct weiri_switch *at = around->at;
    for (size_t i = 0; i < record->n_listed; i++) {
        const struct weir_step *step = &record->steps[i];
        if (step->step >= at->step && at->stop > 0 && around->late == NULL
            && is_by(step, at->group, at->item)) {
            around->late = step;
        }
    }
    for (size_t i = 0; i < record->n_listed; i++) {
        const struct weir_step *step = &record->steps[i];
        bool own = is_by(step, at->group, at->item);
        bool same = around->late != NULL && same_memory(step, around->late);
        if (own && step->step < at->step && same && step->before != NULL) {
            around->read = step;
        }
        bool between = !own && step->step >= at->step
            && (around->late == NULL || step->step < around->late->step);
        bool better = same && writes(step)
            && (around->other == NULL || !same_memory(around->other, around->late)
                || !writes(around->other));
        if (between
            && (better
                || (around->other == NULL && is_by(step, at->to_group, at->to_item)))) {
            around->other = step;
        }
    }
}

/* Whether the item goes on with a value that is not there any more. */
static bool is_late(const struct around *around)
{
    return around->late != NULL && around->other != NULL && around->read != NULL
        && same_memory(around->late, around->other) && writes(around->other)
        && around->late->after != NULL;
}

/* ---- Parties --------------------------------------------------------------------- */

/* The place of the @linear-th of @sizes, "16 x 4": the last is the fastest. */
static void place_in(uint64_t linear, const size_t n[3], uint32_t dim, bool turned,
                     size_t at[3])
{
    for (uint32_t d = dim; d-- > 0;) {
        at[turned ? dim - 1 - d : d] = linear % n[d];
        linear /= n[d];
    }
}

static uint32_t read_sizes(const char *text, size_t sizes[3])
{
    uint32_t dim = 0;
    g_auto(GStrv) words = g_strsplit(text, " x ", 3);
    for (; words[dim] != NULL; dim++) {
        sizes[dim] = MAX((size_t)g_ascii_strtoull(words[dim], NULL, 10), 1);
    }
    return dim;
}

static struct weir_party party_of(const struct around *around, uint64_t group,
                                  uint32_t item, const char *file, uint32_t line,
                                  const struct weir_step *step)
{
    struct weir_party party = { .state = WEIR_STATE_RUNNING };
    size_t global[3] = { 1, 1, 1 }, local[3] = { 1, 1, 1 }, groups[3];
    uint32_t dim = read_sizes(around->traced->global, global);
    bool turned = file != NULL && g_str_has_suffix(file, ".cl");
    read_sizes(around->traced->local, local);
    for (uint32_t d = 0; d < 3; d++) {
        groups[d] = (global[d] + local[d] - 1) / local[d];
    }
    place_in(group, groups, dim, turned, party.group);
    place_in(item, local, dim, turned, party.item);
    g_autofree char *items = g_strdup_printf("%u", item);
    party.items = g_intern_string(items);
    party.file = g_intern_string(file);
    party.line = line;
    party.source = file != NULL ? weiri_symbol_source(file, line) : NULL;
    if (step != NULL) {
        party.access = step->access;
        party.operation = g_intern_string(step->operation);
        party.order = g_intern_string(step->order);
        party.scope = g_intern_string(step->scope);
    }
    return party;
}

static struct weir_party party_of_step(const struct around *around,
                                       const struct weir_step *step)
{
    return party_of(around, step->group, (uint32_t)step->item, step->file, step->line,
                    step);
}

static void add_parties(struct weir_finding *finding, const struct around *around)
{
    const struct weiri_switch *at = around->at;
    struct weir_party *parties = g_new0(struct weir_party, 2);
    size_t n = 0;
    if (around->late != NULL && around->late->line > 0) {
        parties[n++] = party_of_step(around, around->late);
    } else if (at->stop > 0 && at->file != NULL) {
        parties[n++] = party_of(around, at->group, at->item, at->file, at->line, NULL);
    }
    if (around->other != NULL && around->other->line > 0) {
        parties[n++] = party_of_step(around, around->other);
    }
    finding->parties = parties;
    finding->n_parties = n;
    if (is_late(around)) {
        finding->object = g_intern_string(around->late->object);
        finding->index = around->late->index;
    }
}

/* ---- The sentence ---------------------------------------------------------------- */

static void add_item(GString *text, uint64_t group, uint64_t item)
{
    g_string_append_printf(text, "item %" PRIu64 " of group %" PRIu64, item, group);
}

static void add_switch(GString *text, const struct weiri_switch *at)
{
    if (at->stop > 0) {
        g_string_append(text, "after ");
        add_item(text, at->group, at->item);
        if (at->file != NULL) {
            g_autofree char *base = g_path_get_basename(at->file);
            g_string_append_printf(text, " reached %s:%u, ", base, at->line);
        } else {
            g_string_append_printf(text, " reached its stop %" PRIu64 ", ", at->stop);
        }
    }
    add_item(text, at->to_group, at->to_item);
    g_string_append(text, at->stop > 0 ? " runs" : " runs first");
}

/* "; item 3 of group 0 had read max[0] = 9, item 6 of group 0 wrote 13 there, and item
 * 3 of group 0 then wrote 10" */
static void add_old_value(GString *text, const struct around *around)
{
    const struct weir_step *read = around->read, *other = around->other;
    g_string_append(text, "; ");
    add_item(text, read->group, read->item);
    g_string_append_printf(text, " had read %s[%" PRId64 "] = %s, ", read->object,
                           read->index, read->before);
    add_item(text, other->group, other->item);
    g_string_append_printf(text, " wrote %s, and ", other->after);
    add_item(text, read->group, read->item);
    g_string_append_printf(text, " then wrote %s", around->late->after);
}

/* The switches of all launches. Returns: of struct around */
static GArray *switches_of(const GPtrArray *launches, struct weir_schedule *schedule)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(struct around));
    const struct weiri_traced *traced;
    schedule->next = 0;
    for (size_t i = 0; (traced = weiri_trace_next(schedule)) != NULL; i++) {
        for (guint k = 0; k < traced->switches->len && i < launches->len; k++) {
            struct around around
                = { .launch = i + 1,
                    .record = g_ptr_array_index((GPtrArray *)launches, i),
                    .traced = traced,
                    .at = &g_array_index(traced->switches, struct weiri_switch, k) };
            look_around(&around);
            g_array_append_val(all, around);
        }
    }
    schedule->next = 0;
    return all;
}

/* Why the run ends as it does. @shown: the switch that has the parties, or NULL */
static char *why_of(const GArray *all, const struct around *shown, size_t n_launches,
                    bool fails, bool cut)
{
    GString *text = g_string_new(fails ? "" : "in order it fails; it is correct if ");
    size_t launch = 0;
    for (guint i = 0; i < all->len && i < MOST_NAMED; i++) {
        const struct around *around = &g_array_index(all, struct around, i);
        g_string_append(text, i > 0 ? "; " : "");
        if (n_launches > 1 && around->launch != launch) {
            g_string_append_printf(text, "in launch %zu, ", around->launch);
        }
        launch = around->launch;
        add_switch(text, around->at);
    }
    if (all->len > MOST_NAMED) {
        g_string_append_printf(text, "; and %u more switches", all->len - MOST_NAMED);
    }
    g_string_append(text, fails ? "; everything else runs in order" : "");
    if (shown != NULL && fails) {
        add_old_value(text, shown);
    }
    g_string_append(text, cut ? "; fewer switches were not found" : "");
    return g_string_free(text, FALSE);
}

struct weir_finding *weiri_wrong_finding(const GPtrArray *launches,
                                         struct weir_schedule *schedule,
                                         const char *program, bool fails,
                                         const char *end, bool cut, size_t *launch)
{
    g_autoptr(GArray) all = switches_of(launches, schedule);
    const struct around *first
        = all->len > 0 ? &g_array_index(all, struct around, 0) : NULL,
        *late = NULL;
    for (guint i = all->len; i-- > 0 && late == NULL;) {
        const struct around *one = &g_array_index(all, struct around, i);
        late = is_late(one) ? one : NULL;
    }
    const struct around *shown = late != NULL ? late : first;
    *launch = shown != NULL ? shown->launch : 1;
    const struct weiri_launch_record *record
        = g_ptr_array_index((GPtrArray *)launches, *launch - 1);
    struct weir_finding *finding = g_new0(struct weir_finding, 1);
    finding->kind = WEIR_FINDING_WRONG_RESULT;
    finding->kernel = g_intern_string(record->kernel);
    finding->message = g_strdup_printf("wrong result of kernel '%s': %s %s, and with "
                                       "status 0 under other schedules",
                                       finding->kernel, program, end);
    if (shown != NULL) {
        add_parties(finding, shown);
    }
    g_autofree char *why = why_of(all, late, launches->len, fails, cut);
    finding->why = g_intern_string(why);
    return finding;
}

/* ---- JSON ------------------------------------------------------------------------ */

void weiri_wrong_switches_json(JsonBuilder *builder, struct weir_schedule *schedule)
{
    const struct weiri_traced *traced;
    schedule->next = 0;
    weiri_json_array(builder, "switches");
    for (uint64_t launch = 1; (traced = weiri_trace_next(schedule)) != NULL; launch++) {
        for (guint i = 0; i < traced->switches->len; i++) {
            const struct weiri_switch *at
                = &g_array_index(traced->switches, struct weiri_switch, i);
            weiri_json_object(builder, NULL);
            weiri_json_int(builder, "launch", launch);
            weiri_json_int(builder, "step", at->step);
            weiri_json_int(builder, "group", at->group);
            weiri_json_int(builder, "item", at->item);
            weiri_json_int(builder, "stop", at->stop);
            weiri_json_text(builder, "file", at->file);
            weiri_json_int(builder, "line", at->line);
            weiri_json_int(builder, "to_group", at->to_group);
            weiri_json_int(builder, "to_item", at->to_item);
            json_builder_end_object(builder);
        }
    }
    json_builder_end_array(builder);
    schedule->next = 0;
}
