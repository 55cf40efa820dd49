/* SPDX-License-Identifier: MIT
 *
 * stuck.c: see stuck.h. An item that does not go on waits for something, and the
 * report names it: the site of a rendezvous, or the memory that it looks at, what that
 * holds, and who changed it last. */
#include "config.h"

#include "deterministic/stuck.h"

#include "base/assert.h"
#include "deterministic/livelock.h"
#include "exec/finding.h"
#include "exec/launch.h"
#include "exec/memory.h"
#include "exec/names.h"
#include "exec/worker.h"

#include <string.h>

/* Elements that items of one line spin on, each told apart; more are told as one. */
enum { MOST_ALIKE = 8 };

/* ---- Places -------------------------------------------------------------- */

/* Items of one or more groups that are stopped at one place in one state. */
struct place {
    enum weir_state state;
    const struct weir_site *site;
    const void *pc; /* where there is no site */
    const char *operation;
    const struct weiri_turn *first;
    const struct weiri_group *group; /* of the first */
    GArray *items;                   /* of that group, of uint32_t */
    GArray *groups;                  /* linear indices, of uint32_t */
    uint64_t n_items;                /* in all groups */
};

static const char *operation_of(const struct weiri_turn *turn)
{
    return turn->operation == WEIRI_MEETS ? weiri_operation_name(turn->op)
        : turn->operation == WEIRI_READS  ? "read"
        : turn->operation == WEIRI_WRITES ? "write"
        : turn->site == NULL              ? "atomic operation"
                                          : weiri_atomic_name(turn->operation);
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
static struct place *place_for(GPtrArray *places, const struct weiri_group *group,
                               const struct weiri_turn *turn, enum weir_state state)
{
    const char *operation = operation_of(turn);
    const void *pc = turn->site == NULL ? turn->pc : NULL;
    struct place *alike = NULL;
    uint32_t n_alike = 0;
    for (guint i = 0; i < places->len; i++) {
        struct place *place = g_ptr_array_index(places, i);
        if (place->state == state && place->site == turn->site && place->pc == pc
            && place->operation == operation) {
            if (same_element(place->group, place->first->address, group,
                             turn->address)) {
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
                             .site = turn->site,
                             .pc = pc,
                             .operation = operation,
                             .first = turn,
                             .group = group,
                             .items = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                             .groups = g_array_new(FALSE, FALSE, sizeof(uint32_t)) };
    g_ptr_array_add(places, place);
    return place;
}

/* Everybody who is stopped; those who spin before those who wait. */
static GPtrArray *find_places(const struct weiri_turns *turns)
{
    GPtrArray *places = g_ptr_array_new_with_free_func(free_place);
    for (int waiting = 0; waiting < 2; waiting++) {
        for (uint32_t g = 0; g < turns->ready.n_order; g++) {
            const struct weiri_group *group = turns->slots[turns->ready.order[g]];
            uint32_t linear = (uint32_t)group->public.shape.group_linear;
            for (uint32_t i = 0; i < group->items; i++) {
                const struct weiri_turn *turn = &group->turn[i];
                if (turn->state == WEIRI_ITEM_RETURNED
                    || (turn->operation == WEIRI_MEETS) != waiting) {
                    continue;
                }
                struct place *place
                    = place_for(places, group, turn,
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

static char *value_at(const struct weiri_turn *turn)
{
    int32_t narrow;
    int64_t wide;
    if (turn->bytes == sizeof(narrow)) {
        memcpy(&narrow, (const void *)turn->address, sizeof(narrow));
        return g_strdup_printf("%d", narrow);
    }
    if (turn->bytes == sizeof(wide)) {
        memcpy(&wide, (const void *)turn->address, sizeof(wide));
        return g_strdup_printf("%" G_GINT64_FORMAT, wide);
    }
    return NULL;
}

static char *writer_of(const struct weiri_turns *turns, const volatile void *address)
{
    const struct weiri_writer *writer = weiri_livelock_writer(turns, address);
    if (writer == NULL) {
        return NULL;
    }
    struct weiri_shape shape = turns->launch->shape;
    weiri_group_place(&shape, writer->group);
    g_autofree char *group = weiri_coordinates(shape.group);
    const struct weir_site *site = writer->is_site ? writer->place : NULL;
    return site != NULL
        ? g_strdup_printf("item %u of group %s, %s at %s:%u", writer->item, group,
                          weiri_atomic_name(writer->operation), site->file, site->line)
        : g_strdup_printf("item %u of group %s, atomic operation", writer->item, group);
}

static void add_party(struct weiri_draft *draft, const struct weiri_turns *turns,
                      const struct place *place)
{
    const struct weiri_turn *turn = place->first;
    struct weir_party party = weiri_party_new(
        place->state, &place->group->public.shape, place->site, place->operation,
        place->group->gate.phase, (const uint32_t *)(void *)place->items->data,
        place->items->len);
    if (place->groups->len > 1) {
        party.groups = weiri_ranges((const uint32_t *)(void *)place->groups->data,
                                    place->groups->len);
    }
    if (turn->operation != WEIRI_MEETS && turn->address != NULL) {
        party.object = weiri_memory_name(turns->launch->device, place->group,
                                         turn->address, &party.index);
        party.value = value_at(turn);
        party.writer = writer_of(turns, turn->address);
    }
    struct weiri_trail trail = { .at = { place->pc } };
    if (turn->operation == WEIRI_MEETS) {
        trail.calls = *weiri_trails_calls(&turns->trails, turn->path);
    }
    weiri_draft_take(draft, &party, &trail);
}

/* The groups that never started. */
static void add_missing(struct weiri_draft *draft, const struct weiri_turns *turns,
                        uint64_t first)
{
    const struct weiri_launch *launch = turns->launch;
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

void weiri_stuck_find(struct weiri_turns *turns)
{
    const struct weiri_launch *launch = turns->launch;
    g_autoptr(GPtrArray) places = find_places(turns);
    uint64_t spinning = 0, waiting = 0;
    for (guint i = 0; i < places->len; i++) {
        const struct place *place = g_ptr_array_index(places, i);
        *(place->first->operation == WEIRI_MEETS ? &waiting : &spinning)
            += place->n_items;
    }
    weiri_assert(spinning > 0);
    const struct place *first = g_ptr_array_index(places, 0);
    const struct weiri_shape *shape = &first->group->public.shape;
    uint64_t next = turns->worker->chunk_next;
    bool missing = weiri_worker_groups_are_left(turns->worker);
    struct weiri_draft draft = { .kind = missing || waiting > 0 ? WEIR_FINDING_DEADLOCK
                                                                : WEIR_FINDING_LIVELOCK,
                                 .kernel = launch->kernel,
                                 .group_linear = shape->group_linear };
    weiri_draft_init(&draft);
    g_autofree char *group = weiri_coordinates(shape->group);
    const char *items = spinning == 1 ? "item spins" : "items spin";
    if (missing) {
        draft.message = g_strdup_printf(
            "deadlock in kernel '%s': %" G_GUINT64_FORMAT " %s, and %" G_GUINT64_FORMAT
            " of %zu groups never started: device '%s' holds %u of these groups at "
            "once, and none of them ends. No device promises that all groups of a "
            "range are resident together, so a group that waits for another one is not "
            "portable",
            launch->kernel->name, spinning, items, launch->n_groups - next,
            launch->n_groups, launch->device->name, turns->n_slots);
    } else if (waiting > 0) {
        draft.message = g_strdup_printf(
            "deadlock in kernel '%s', group %s: %" G_GUINT64_FORMAT
            " %s on memory that nobody left will write, and %" G_GUINT64_FORMAT
            " wait%s at a barrier for %s",
            launch->kernel->name, group, spinning, items, waiting,
            waiting == 1 ? "s" : "", spinning == 1 ? "it" : "them");
        draft.form = "incomplete";
    } else {
        draft.message = g_strdup_printf("livelock in kernel '%s', group %s: "
                                        "%" G_GUINT64_FORMAT " %s for ever on memory "
                                        "that nobody left will write",
                                        launch->kernel->name, group, spinning, items);
    }
    for (guint i = 0; i < places->len; i++) {
        add_party(&draft, turns, g_ptr_array_index(places, i));
    }
    if (missing) {
        add_missing(&draft, turns, next);
    }
    weiri_report_add(launch->report, &draft);
}

/* ---- Limits -------------------------------------------------------------- */

void weiri_stuck_cut_short(struct weiri_turns *turns, bool by_time)
{
    const struct weiri_launch *launch = turns->launch;
    g_autofree char *limit = by_time
        ? g_strdup_printf("%g seconds", (double)launch->time_limit_ms / 1000)
        : g_strdup_printf("%" G_GUINT64_FORMAT " steps", launch->step_limit);
    char *why = g_strdup_printf("kernel '%s' was ended at the limit of %s",
                                launch->kernel->name, limit);
    if (turns->current == WEIRI_NO_ITEM
        || turns->slots[turns->current >> turns->ready.shift] == NULL) {
        weiri_report_cut_short(launch->report, why, NULL, NULL);
        return;
    }
    const struct weiri_group *group
        = turns->slots[turns->current >> turns->ready.shift];
    uint32_t item = turns->current & ((1u << turns->ready.shift) - 1);
    const struct weiri_turn *turn = &group->turn[item];
    bool interrupted = turns->came == WEIRI_CAME_INTERRUPTED;
    struct weir_party party = weiri_party_new(
        WEIR_STATE_RUNNING, &group->public.shape, interrupted ? NULL : turn->site,
        interrupted ? NULL : operation_of(turn), group->gate.phase, &item, 1);
    struct weiri_trail trail
        = { .at
            = { interrupted ? turns->worker->interrupted_at : turn->pc, turn->pc } };
    weiri_report_cut_short(launch->report, why, &party, &trail);
}
