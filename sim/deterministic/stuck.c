/* SPDX-License-Identifier: MIT
 *
 * stuck.c: see stuck.h. An item that does not go on waits for something, and the
 * report names it: the site of a rendezvous, or the memory that the item reads, its
 * value, and the item that wrote it last. */
#include "config.h"

#include "deterministic/stuck.h"

#include "base/assert.h"
#include "exec/finding.h"
#include "exec/memory.h"
#include "exec/resident.h"
#include "finding/names.h"

#include <string.h>

/* Elements that items of one line spin on and that are places of their own; more are
 * joined to one. */
enum { MOST_ALIKE = 8 };

/* ---- Places -------------------------------------------------------------- */

/* Items of one or more groups that are stopped at one place in one state. */
struct place {
    enum weir_state state;
    const struct weir_site *site;
    const void *pc; /* if the place has no site */
    const char *operation;
    const struct weiri_stop *first;  /* of its items */
    const struct weiri_group *group; /* of the first */
    GArray *items;                   /* of that group, of uint32_t */
    GArray *groups;                  /* linear indices, of uint32_t */
    uint64_t n_items;                /* in all groups */
};

static bool is_waiting(const struct weiri_stop *stop)
{
    return stop->operation == WEIRI_OPERATION_MEET;
}

/* C's own atomics, of stdatomic.h, are those without a site. */
static const char *atomic_name(enum weir_language language,
                               const struct weir_site *site, unsigned kind)
{
    return site == NULL && language == WEIR_LANGUAGE_C
        ? "atomic operation"
        : weiri_named(site, weiri_atomic_name(language, kind));
}

static const char *operation_of(enum weir_language language,
                                const struct weiri_stop *stop)
{
    return is_waiting(stop)
        ? weiri_named(stop->site, weiri_operation_name(language, stop->op))
        : stop->operation == WEIRI_OPERATION_READ ? "read"
        : stop->operation == WEIRI_OPERATION_WRITE
        ? "write"
        : atomic_name(language, stop->site, stop->operation);
}

static void free_place(void *data)
{
    struct place *place = data;
    g_array_unref(place->items);
    g_array_unref(place->groups);
    g_free(place);
}

/* Whether two items look at one element, or at the same one of their local arrays. */
static bool same_element(const struct weiri_group *group_a, const volatile char *a,
                         const struct weiri_group *group_b, const volatile char *b)
{
    ptrdiff_t offset = a - group_a->local_memory;
    return a == b
        || (offset >= 0 && (size_t)offset < group_a->local_bytes
            && b - group_b->local_memory == offset);
}

/* The place of an item, which is added where it is new. */
static struct place *place_for(GPtrArray *places, const struct weiri_hub *hub,
                               const struct weiri_group *group,
                               const struct weiri_stop *stop, enum weir_state state)
{
    const char *operation = operation_of(hub->launch->kernel->language, stop);
    const void *pc = stop->site == NULL ? stop->pc : NULL;
    struct place *alike = NULL;
    uint32_t n_alike = 0;
    for (guint i = 0; i < places->len; i++) {
        struct place *place = g_ptr_array_index(places, i);
        if (place->state == state && place->site == stop->site && place->pc == pc
            && place->operation == operation) {
            if (is_waiting(stop)
                || same_element(place->group, place->first->address, group,
                                stop->address)) {
                return place;
            }
            alike = place;
            n_alike++;
        }
    }
    if (n_alike >= MOST_ALIKE) {
        return alike;
    }
    struct place *place = g_new0(struct place, 1);
    *place = (struct place){ .state = state,
                             .site = stop->site,
                             .pc = pc,
                             .operation = operation,
                             .first = stop,
                             .group = group,
                             .items = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                             .groups = g_array_new(FALSE, FALSE, sizeof(uint32_t)) };
    g_ptr_array_add(places, place);
    return place;
}

/* The places of all items that are stopped: of those that spin, then of those that
 * wait. */
static GPtrArray *find_places(const struct weiri_hub *hub,
                              const struct weiri_id_set *residents)
{
    GPtrArray *places = g_ptr_array_new_with_free_func(free_place);
    for (int waiting = 0; waiting < 2; waiting++) {
        for (uint32_t g = 0; g < residents->n_order; g++) {
            const struct weiri_group *group = hub->slots[residents->order[g]];
            uint32_t linear = (uint32_t)group->public.shape.group_linear;
            for (uint32_t i = 0; i < group->items; i++) {
                const struct weiri_hub_item *item = &group->hub_items[i];
                const struct weiri_stop *stop = &item->stop;
                if (item->state == WEIRI_ITEM_RETURNED || is_waiting(stop) != waiting) {
                    continue;
                }
                struct place *place
                    = place_for(places, hub, group, stop,
                                waiting ? WEIR_STATE_WAITING : WEIR_STATE_SPINNING);
                place->n_items++;
                if (place->group == group) {
                    g_array_append_val(place->items, i);
                }
                if (place->groups->len == 0
                    || g_array_index(place->groups, uint32_t, place->groups->len - 1)
                        != linear) {
                    g_array_append_val(place->groups, linear);
                }
            }
        }
    }
    return places;
}

static char *value_at(const struct weiri_stop *stop)
{
    int32_t narrow;
    int64_t wide;
    if (stop->bytes == sizeof(narrow)) {
        memcpy(&narrow, (const void *)stop->address, sizeof(narrow));
        return g_strdup_printf("%d", narrow);
    }
    if (stop->bytes == sizeof(wide)) {
        memcpy(&wide, (const void *)stop->address, sizeof(wide));
        return g_strdup_printf("%" G_GINT64_FORMAT, wide);
    }
    return NULL;
}

static char *writer_of(const struct weiri_hub *hub, const volatile void *address)
{
    const struct weiri_writer *writer = weiri_writers_find(&hub->writers, address);
    if (writer == NULL) {
        return NULL;
    }
    struct weiri_shape shape = hub->launch->shape;
    weiri_group_place(&shape, writer->group);
    g_autofree char *group = weiri_place_text(&shape, shape.group);
    enum weir_language language = hub->launch->kernel->language;
    const struct weir_site *site = writer->is_site ? writer->place : NULL;
    const char *file = site != NULL ? site->file : NULL;
    uint32_t line = site != NULL ? site->line : 0;
    if (site == NULL && language != WEIR_LANGUAGE_C) {
        line = hub->launch->symbols->line(writer->place, &file);
    }
    const char *name = atomic_name(language, site, writer->operation);
    return file != NULL
        ? g_strdup_printf("item %u of group %s, %s at %s:%u", writer->item, group, name,
                          file, line)
        : g_strdup_printf("item %u of group %s, %s", writer->item, group, name);
}

static void add_party(struct weiri_draft *draft, const struct weiri_hub *hub,
                      const struct place *place)
{
    const struct weiri_stop *stop = place->first;
    struct weir_party party = weiri_party_new(
        place->state, &place->group->public.shape, place->site, place->operation,
        place->group->gate.phase, (const uint32_t *)(void *)place->items->data,
        place->items->len);
    if (place->groups->len > 1) {
        party.groups = weiri_ranges((const uint32_t *)(void *)place->groups->data,
                                    place->groups->len);
    }
    if (!is_waiting(stop) && stop->address != NULL) {
        party.object = weiri_memory_name(hub->launch->device, place->group,
                                         stop->address, &party.index, &party.space);
        party.value = value_at(stop);
        party.writer = writer_of(hub, stop->address);
    }
    struct weiri_trail trail = { .at = { place->pc } };
    if (is_waiting(stop)) {
        trail.calls = *weiri_history_calls(&hub->histories, stop->path);
    }
    weiri_draft_take(draft, &party, &trail);
}

/* The groups that never started. */
static void add_missing(struct weiri_draft *draft, const struct weiri_hub *hub,
                        uint64_t first)
{
    const struct weiri_launch *launch = hub->launch;
    struct weiri_shape shape = launch->shape;
    weiri_group_place(&shape, first);
    struct weir_party party
        = weiri_party_new(WEIR_STATE_NOT_STARTED, &shape, NULL, NULL, 0, NULL, 0);
    g_free((char *)party.items);
    party.items
        = shape.items == 1 ? g_strdup("0") : g_strdup_printf("0-%zu", shape.items - 1);
    party.groups = first + 1 == launch->n_groups
        ? g_strdup_printf("%" G_GUINT64_FORMAT, first)
        : g_strdup_printf("%" G_GUINT64_FORMAT "-%zu", first, launch->n_groups - 1);
    weiri_draft_take(draft, &party, &(struct weiri_trail){ 0 });
}

/* ---- Deadlock and livelock ----------------------------------------------- */

void weiri_stuck_find(const struct weiri_hub *hub, const struct weiri_id_set *residents)
{
    const struct weiri_launch *launch = hub->launch;
    g_autoptr(GPtrArray) places = find_places(hub, residents);
    uint64_t spinning = 0, waiting = 0;
    for (guint i = 0; i < places->len; i++) {
        const struct place *place = g_ptr_array_index(places, i);
        *(is_waiting(place->first) ? &waiting : &spinning) += place->n_items;
    }
    weiri_assert(spinning > 0);
    const struct place *first = g_ptr_array_index(places, 0);
    const struct weiri_shape *shape = &first->group->public.shape;
    uint64_t next = hub->worker->chunk_next;
    bool missing = weiri_resident_are_left(hub->worker);
    struct weiri_draft draft = { .kind = missing || waiting > 0 ? WEIR_FINDING_DEADLOCK
                                                                : WEIR_FINDING_LIVELOCK,
                                 .kernel = launch->kernel,
                                 .group_linear = shape->group_linear };
    const struct weiri_maker maker
        = { draft.group_linear, g_array_index(first->items, uint32_t, 0), 0 };
    weiri_finding_made(draft.kind, &maker, NULL);
    weiri_draft_init(&draft);
    g_autofree char *group = weiri_place_text(shape, shape->group);
    const char *items = spinning == 1 ? "item spins" : "items spin";
    if (missing) {
        draft.message = g_strdup_printf(
            "deadlock in kernel '%s': %" G_GUINT64_FORMAT " %s, and %" G_GUINT64_FORMAT
            " of %zu groups never started: device '%s' holds %u of these groups at "
            "once, and none of them ends. No device promises that all groups of a "
            "range are resident together, so a group that waits for another one is not "
            "portable",
            launch->kernel->name, spinning, items, launch->n_groups - next,
            launch->n_groups, launch->device->name, hub->n_slots);
    } else if (waiting > 0) {
        draft.message = g_strdup_printf(
            "deadlock in kernel '%s', group %s: %" G_GUINT64_FORMAT
            " %s on memory that no remaining item will write, and %" G_GUINT64_FORMAT
            " wait%s at a barrier for %s",
            launch->kernel->name, group, spinning, items, waiting,
            waiting == 1 ? "s" : "", spinning == 1 ? "it" : "them");
        draft.form = "incomplete";
    } else {
        draft.message = g_strdup_printf("livelock in kernel '%s', group %s: "
                                        "%" G_GUINT64_FORMAT " %s for ever on memory "
                                        "that no remaining item will write",
                                        launch->kernel->name, group, spinning, items);
    }
    for (guint i = 0; i < places->len; i++) {
        add_party(&draft, hub, g_ptr_array_index(places, i));
    }
    if (missing) {
        add_missing(&draft, hub, next);
    }
    weiri_report_add(launch->report, &draft);
}

/* ---- Lockstep ------------------------------------------------------------ */

static void add_item(GPtrArray *places, const struct weiri_hub *hub,
                     const struct weiri_stop *stop, enum weir_state state)
{
    const struct weiri_group *group = weiri_hub_group(hub, stop->id);
    uint32_t item = weiri_hub_index(hub, stop->id);
    uint32_t linear = (uint32_t)group->public.shape.group_linear;
    struct place *place = place_for(places, hub, group, stop, state);
    g_array_append_val(place->items, item);
    if (place->groups->len == 0) {
        g_array_append_val(place->groups, linear);
    }
}

static void add_parties(struct weiri_draft *draft, const struct weiri_hub *hub,
                        const GPtrArray *places)
{
    for (guint i = 0; i < places->len; i++) {
        add_party(draft, hub, g_ptr_array_index(places, i));
    }
}

void weiri_stuck_begin_lockstep(const struct weiri_hub *hub, const GArray *spinning,
                                struct weiri_draft *draft)
{
    g_autoptr(GPtrArray) places = g_ptr_array_new_with_free_func(free_place);
    for (guint i = 0; i < spinning->len; i++) {
        add_item(places, hub, &g_array_index(spinning, struct weiri_stop, i),
                 WEIR_STATE_SPINNING);
    }
    const struct place *first = g_ptr_array_index(places, 0);
    const struct weiri_shape *shape = &first->group->public.shape;
    g_autofree char *group = weiri_place_text(shape, shape->group);
    *draft = (struct weiri_draft){
        .kind = WEIR_FINDING_DEADLOCK,
        .kernel = hub->launch->kernel,
        .group_linear = shape->group_linear,
        .form = "lockstep",
        .message = g_strdup_printf("deadlock in kernel '%s', group %s, where the items "
                                   "of a sub-group advance together: %u item%s",
                                   hub->launch->kernel->name, group, spinning->len,
                                   spinning->len == 1 ? " spins" : "s spin"),
    };
    weiri_draft_init(draft);
    add_parties(draft, hub, places);
}

void weiri_stuck_end_lockstep(const struct weiri_hub *hub, struct weiri_draft *draft,
                              const GArray *masked, const struct weiri_stop *write)
{
    g_autoptr(GPtrArray) places = g_ptr_array_new_with_free_func(free_place);
    g_autoptr(GArray) items = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (guint i = 0; i < masked->len; i++) {
        const struct weiri_stop *stop = &g_array_index(masked, struct weiri_stop, i);
        uint32_t item = weiri_hub_index(hub, stop->id);
        g_array_append_val(items, item);
        if (write == NULL) {
            add_item(places, hub, stop, WEIR_STATE_MASKED);
        }
    }
    if (write != NULL) {
        add_item(places, hub, write, WEIR_STATE_MASKED);
    }
    g_autofree char *who
        = weiri_ranges((const uint32_t *)(void *)items->data, items->len);
    g_autofree char *before = draft->message;
    bool one = items->len == 1;
    draft->message = g_strdup_printf(
        "%s in a loop that item%s %s ha%s left; a sub-group goes on after a loop only "
        "when its last item has left the loop, so the write that would end the loop is "
        "never reached",
        before, one ? "" : "s", who, one ? "s" : "ve");
    add_parties(draft, hub, places);
    weiri_report_add(hub->launch->report, draft);
}

/* ---- Limits -------------------------------------------------------------- */

void weiri_stuck_cut_short(const struct weiri_hub *hub, bool by_time)
{
    const struct weiri_launch *launch = hub->launch;
    g_autofree char *limit = by_time
        ? g_strdup_printf("%g seconds", (double)launch->time_limit_ms / 1000)
        : g_strdup_printf("%" G_GUINT64_FORMAT " steps", launch->step_limit);
    char *why = g_strdup_printf("kernel '%s' was ended at the limit of %s",
                                launch->kernel->name, limit);
    const struct weiri_group *group
        = hub->current != WEIRI_NO_ITEM ? weiri_hub_group(hub, hub->current) : NULL;
    if (group == NULL) {
        weiri_report_cut_short(launch->report, why, NULL, NULL);
        return;
    }
    uint32_t item = weiri_hub_running(hub);
    const struct weiri_stop *stop = &group->hub_items[item].stop;
    bool interrupted = stop->kind == WEIRI_STOP_INTERRUPTED;
    struct weir_party party = weiri_party_new(
        WEIR_STATE_RUNNING, &group->public.shape, interrupted ? NULL : stop->site,
        interrupted ? NULL : operation_of(launch->kernel->language, stop),
        group->gate.phase, &item, 1);
    struct weiri_trail trail
        = { .at = { interrupted ? hub->worker->interrupted_at : stop->pc, stop->pc } };
    weiri_report_cut_short(launch->report, why, &party, &trail);
}
