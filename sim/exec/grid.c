/* SPDX-License-Identifier: MIT
 *
 * grid.c: see grid.h.
 *
 * An item that arrives waits outside of all gates. The last item of the launch
 * releases the items of all groups. A group whose items all wait there is not stuck: in
 * fast mode its worker turns to another one or starts it (fast.c). If no item of any
 * group can run, the missing items have returned, which is a divergence.
 *
 * Order: when the barrier is complete, the items of each group meet, item 0 of each
 * gives what they know and takes what all have given, and they meet once more. */
#include "config.h"

#include "exec/grid.h"

#include "exec/divergence.h"
#include "exec/finding.h"
#include "exec/mode.h"
#include "finding/names.h"

/* Groups of which a finding lists the places. */
enum { MOST_LISTED = 8 };

struct arrival {
    struct weiri_group *group;
    uint32_t item;
    const struct weir_site *site;
};

static const struct arrival *arrival_at(const struct weiri_worker *worker, guint i)
{
    return &g_array_index(worker->grid, struct arrival, i);
}

static guint n_arrivals(const struct weiri_worker *worker)
{
    return worker->grid != NULL ? worker->grid->len : 0;
}

static size_t n_items_of_launch(const struct weiri_launch *launch)
{
    const struct weiri_shape *shape = &launch->shape;
    return shape->global[0] * shape->global[1] * shape->global[2];
}

/* Calls @visit for each group that has items there, with these, as the worker's running
 * group. */
static void for_each_group(struct weiri_worker *worker,
                           void (*visit)(struct weiri_worker *worker,
                                         struct weiri_group *group,
                                         const uint32_t *items, uint32_t n))
{
    struct weiri_group *running = worker->group;
    g_autofree uint32_t *items = g_new(uint32_t, n_arrivals(worker));
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < n_arrivals(worker); i++) {
        struct weiri_group *group = arrival_at(worker, i)->group;
        if (!g_hash_table_add(seen, group)) {
            continue;
        }
        uint32_t n = 0;
        for (guint k = i; k < n_arrivals(worker); k++) {
            if (arrival_at(worker, k)->group == group) {
                items[n++] = arrival_at(worker, k)->item;
            }
        }
        worker->group = group;
        visit(worker, group, items, n);
    }
    worker->group = running;
}

static void give(struct weiri_worker *worker, struct weiri_group *group,
                 const uint32_t *items, uint32_t n)
{
    (void)group;
    (void)n;
    weiri_worker_emit(worker, WEIRI_EVENT_RELEASE, items[0], weiri_grid_op(),
                      arrival_at(worker, 0)->site);
    weiri_worker_emit(worker, WEIRI_EVENT_GIVE, 0, worker->grid_channel, NULL);
}

static void take(struct weiri_worker *worker, struct weiri_group *group,
                 const uint32_t *items, uint32_t n)
{
    weiri_worker_emit(worker, WEIRI_EVENT_TAKE, 0, worker->grid_channel, NULL);
    weiri_worker_emit(worker, WEIRI_EVENT_RELEASE, items[0], weiri_grid_op(),
                      arrival_at(worker, 0)->site);
    group->n_meetings++;
    group->idle = 0;
    weiri_mode_release_some(worker, group, items, n);
}

static void complete(struct weiri_worker *worker)
{
    worker->inside++;
    worker->grid_channel = weiri_worker_new_channel(worker);
    for_each_group(worker, give);
    for_each_group(worker, take);
    weiri_worker_emit(worker, WEIRI_EVENT_FORGET, 0, worker->grid_channel, NULL);
    g_array_set_size(worker->grid, 0);
    worker->inside--;
}

bool weiri_grid_join(struct weiri_worker *worker, struct weiri_group *group,
                     uint32_t item, const struct weir_site *site)
{
    worker->inside++;
    if (worker->grid == NULL) {
        worker->grid = g_array_new(FALSE, FALSE, sizeof(struct arrival));
    }
    struct arrival arrival = { group, item, site };
    g_array_append_val(worker->grid, arrival);
    worker->inside--;
    weiri_worker_emit(worker, WEIRI_EVENT_ARRIVE, item, weiri_grid_op(), site);
    bool last = n_arrivals(worker) == n_items_of_launch(worker->launch);
    if (last) {
        complete(worker);
    }
    return last;
}

bool weiri_grid_waits(const struct weiri_worker *worker,
                      const struct weiri_group *group)
{
    for (guint i = 0; i < n_arrivals(worker); i++) {
        if (group == NULL || arrival_at(worker, i)->group == group) {
            return true;
        }
    }
    return false;
}

void weiri_grid_find_places(const struct weiri_worker *worker,
                            const struct weiri_group *group,
                            struct weiri_whereabouts *places)
{
    for (guint i = 0; i < n_arrivals(worker); i++) {
        const struct arrival *arrival = arrival_at(worker, i);
        if (arrival->group == group) {
            places[arrival->item].site = arrival->site;
            places[arrival->item].op = weiri_grid_op();
        }
    }
}

void weiri_grid_cancel(struct weiri_worker *worker, const struct weiri_group *group)
{
    worker->grid_broken = true;
    for (guint i = n_arrivals(worker); i-- > 0;) {
        if (arrival_at(worker, i)->group == group) {
            g_array_remove_index_fast(worker->grid, i);
        }
    }
}

void weiri_grid_reset(struct weiri_worker *worker)
{
    worker->grid_broken = false;
    if (worker->grid != NULL) {
        g_array_set_size(worker->grid, 0);
    }
}

/* ---- Divergence ------------------------------------------------------------------ */

/* The items of the group at one site. */
static void add_party(struct weiri_worker *worker, struct weiri_draft *draft,
                      const struct weiri_group *group, guint from)
{
    const struct weir_site *site = arrival_at(worker, from)->site;
    g_autofree uint32_t *items = g_new(uint32_t, group->items);
    uint32_t n = 0;
    for (guint i = from; i < n_arrivals(worker); i++) {
        const struct arrival *one = arrival_at(worker, i);
        if (one->group == group && one->site == site) {
            items[n++] = one->item;
        }
    }
    const char *operation = weiri_named(
        site, weiri_operation_name(draft->kernel->language, weiri_grid_op()));
    struct weir_party party
        = weiri_party_new(WEIR_STATE_WAITING, &group->public.shape, site, operation,
                          group->gate.phase, items, n);
    weiri_draft_take(draft, &party, &(struct weiri_trail){ 0 });
}

void weiri_grid_find(struct weiri_worker *worker)
{
    if (worker->grid_broken) {
        return; /* by a group that was cancelled for another reason */
    }
    const struct weiri_launch *launch = worker->launch;
    const struct arrival *first = arrival_at(worker, 0);
    struct weiri_draft draft = {
        .kind = WEIR_FINDING_BARRIER_DIVERGENCE,
        .kernel = launch->kernel,
        .group_linear = first->group->public.shape.group_linear,
        .form = "exited item",
        .message = g_strdup_printf(
            "barrier divergence in kernel '%s': %u of %zu items of the launch are at "
            "the barrier of all groups; the others have returned",
            launch->kernel->name, n_arrivals(worker), n_items_of_launch(launch)),
    };
    weiri_finding_made(
        draft.kind, &(struct weiri_maker){ draft.group_linear, first->item, 0 }, NULL);
    weiri_draft_init(&draft);
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < n_arrivals(worker); i++) {
        const struct arrival *one = arrival_at(worker, i);
        bool fresh = g_hash_table_add(
            seen, (gpointer)((uintptr_t)one->group ^ (uintptr_t)one->site));
        if (fresh && g_hash_table_size(seen) <= MOST_LISTED) {
            add_party(worker, &draft, one->group, i);
        }
    }
    weiri_report_add(launch->report, &draft);
}
