/* SPDX-License-Identifier: MIT
 *
 * lane-collective.c: the collectives of lanes, named barriers and the barrier of all
 * groups, as weir-machinery-shared.h declares them to kernels. An item that calls one
 * joins its meeting (lanes.c, grid.c) and parks. */
#include "config.h"

#include "exec/combine.h"
#include "exec/grid.h"
#include "exec/item-finding.h"
#include "exec/lanes.h"
#include "exec/leave.h"
#include "exec/mode.h"
#include "exec/named.h"
#include "finding/names.h"

/* The running item arrives, and waits or completes the meeting. @caller: where the call
 * of the operation returns to */
static void meet(struct weiri_worker *worker, uint64_t op, uint64_t detail,
                 const struct weir_site *site, const void *caller)
{
    struct weiri_group *group = worker->group;
    uint32_t self = (uint32_t)(size_t)group->public.at;
    weiri_combine_publish();
    if (weiri_mode_meet_apart(worker, op, site, caller)) {
        return;
    }
    (void)weiri_mode_arrive(worker, op, site, caller);
    bool last = weiri_lanes_join(worker, group, self, op, detail, site);
    weiri_mode_wait_some(worker, group, self, last);
}

/* A finding of the running item, which is abandoned. Takes @why */
static _Noreturn void refuse_as(enum weir_finding_kind kind,
                                struct weiri_worker *worker, uint64_t op,
                                const struct weir_site *site, char *why)
{
    weiri_item_finding_of_op(worker, kind, op, site, why);
    weiri_leave(worker, WEIRI_STOP_ABANDONED);
}

static _Noreturn void refuse(struct weiri_worker *worker, uint64_t op,
                             const struct weir_site *site, char *why)
{
    refuse_as(WEIR_FINDING_BARRIER_DIVERGENCE, worker, op, site, why);
}

static bool is_vote(uint32_t kind)
{
    return kind == WEIRI_ANY || kind == WEIRI_ALL || kind == WEIRI_BALLOT
        || kind == WEIRI_UNIFORM;
}

uint64_t weiri_lanes_meet(uint32_t kind, uint32_t type, uint32_t mask, uint64_t value,
                          uint32_t source, uint32_t bounds,
                          const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    uint32_t self = (uint32_t)(size_t)group->public.at;
    uint32_t lane = self & (group->public.shape.sub_group_size - 1);
    uint64_t op = WEIRI_LANES_OP(kind, type, mask);
    if (worker->launch->kernel->hierarchical) {
        refuse(worker, op, site,
               g_strdup("a group kernel has no lanes: its items run one after the "
                        "other"));
    }
    if ((mask >> lane & 1) == 0) {
        refuse(worker, op, site,
               g_strdup_printf("lane %u of sub-group %u calls it with the mask 0x%08x, "
                               "which does not name that lane",
                               lane, self >> group->public.shape.sub_group_shift,
                               mask));
    }
    bool wide
        = type == WEIRI_TYPE_i64 || type == WEIRI_TYPE_u64 || type == WEIRI_TYPE_f64;
    group->public.values[self].bits = is_vote(kind) ? value != 0
        : wide                                      ? value
                                                    : (uint32_t)value;
    group->public.sources[self] = source | (uint64_t)bounds << 32;
    meet(worker, op, 0, site, __builtin_return_address(0));
    value = group->public.values[self].bits;
    return wide ? value : (uint32_t)value;
}

void weiri_lanes_stop(uint64_t op, const struct weir_site *site)
{
    meet(weiri_self.worker, op, 0, site, __builtin_return_address(0));
}

uint32_t weiri_lanes_active(const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    uint32_t self = (uint32_t)(size_t)group->public.at;
    if (worker->launch->kernel->hierarchical) {
        return 1;
    }
    meet(worker, WEIRI_LANES_OP(WEIRI_ACTIVE, WEIRI_TYPE_u32, 0), 0, site,
         __builtin_return_address(0));
    return (uint32_t)group->public.values[self].bits;
}

/* ---- Named barriers -------------------------------------------------------------- */

/* The number of items that the barrier waits for, where @count is what was given.
 * Sub-groups count as if they were full. Does not return if it is wrong */
static uint32_t expected_items(struct weiri_worker *worker, struct weiri_group *group,
                               uint64_t op, uint32_t id, uint32_t count,
                               enum weiri_collective kind, const struct weir_site *site)
{
    const struct weiri_shape *shape = &group->public.shape;
    uint32_t all = group->n_sub_gates * shape->sub_group_size;
    uint32_t expected = count != 0 ? count : all;
    if (id >= WEIRI_NAMED_BARRIERS) {
        refuse(worker, op, site,
               g_strdup_printf("barrier %u does not exist: their numbers are 0 to %d",
                               id, WEIRI_NAMED_BARRIERS - 1));
    }
    if (expected % shape->sub_group_size != 0) {
        refuse(worker, op, site,
               g_strdup_printf("barrier %u for %u items: the number is not a multiple "
                               "of the size of a sub-group, %u",
                               id, count, shape->sub_group_size));
    }
    if (count == 0 && WEIRI_OP_KIND(op) == WEIRI_NAMED_ARRIVE) {
        refuse(worker, op, site,
               g_strdup_printf("barrier %u: an arrival must state the number of items",
                               id));
    }
    if (expected > all) {
        refuse(worker, op, site,
               g_strdup_printf("barrier %u for %u items: the group has %zu", id, count,
                               shape->items));
    }
    const struct weiri_named_barrier *named = weiri_named_at(group, id);
    if (named != NULL && named->arrived > 0 && named->expected != expected) {
        refuse(worker, op, site,
               g_strdup_printf("barrier %u for %u items, and other items have reached "
                               "it for %u",
                               id, expected, named->expected));
    }
    if (named != NULL && named->arrived > 0 && WEIRI_OP_KIND(op) == WEIRI_NAMED_SYNC
        && named->waiting->len > 0 && named->kind != kind) {
        refuse(
            worker, op, site,
            g_strdup_printf("barrier %u: others wait there for another operation", id));
    }
    return expected;
}

static void meet_at_named(enum weiri_collective at, uint32_t id, uint32_t count,
                          enum weiri_collective kind, const struct weir_site *site,
                          const void *caller)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    uint64_t op = WEIRI_LANES_OP(at, WEIRI_TYPE_none, UINT32_MAX);
    if (worker->launch->kernel->hierarchical) {
        refuse(worker, op, site,
               g_strdup("a group kernel has no named barriers: its items run one "
                        "after the other"));
    }
    uint32_t expected = expected_items(worker, group, op, id, count, kind, site);
    meet(worker, op, WEIRI_NAMED_DETAIL(id, expected, kind), site, caller);
}

void weiri_named_sync(uint32_t id, uint32_t count, const struct weir_site *site)
{
    meet_at_named(WEIRI_NAMED_SYNC, id, count, WEIRI_BARRIER, site,
                  __builtin_return_address(0));
}

void weiri_named_arrive(uint32_t id, uint32_t count, const struct weir_site *site)
{
    meet_at_named(WEIRI_NAMED_ARRIVE, id, count, WEIRI_BARRIER, site,
                  __builtin_return_address(0));
}

uint32_t weiri_named_reduce(uint32_t id, uint32_t count, uint32_t kind,
                            uint32_t predicate, const struct weir_site *site)
{
    struct weiri_group *group = ((struct weiri_worker *)weiri_self.worker)->group;
    uint32_t self = (uint32_t)(size_t)group->public.at;
    group->public.values[self].bits = predicate != 0;
    meet_at_named(WEIRI_NAMED_SYNC, id, count, kind, site, __builtin_return_address(0));
    return (uint32_t)group->public.values[self].bits;
}

/* ---- The barrier of all groups --------------------------------------------------- */

void weiri_grid_sync(const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    uint32_t self = (uint32_t)(size_t)group->public.at;
    const void *caller = __builtin_return_address(0);
    if (!worker->launch->all_resident || worker->launch->kernel->hierarchical) {
        refuse_as(WEIR_FINDING_UNSUPPORTED, worker, weiri_grid_op(), site,
                  g_strdup("the groups of this launch need not be resident at once, so "
                           "they cannot wait for each other: launch it with all of "
                           "them resident"));
    }
    weiri_combine_publish();
    if (weiri_mode_meet_apart(worker, weiri_grid_op(), site, caller)) {
        return;
    }
    (void)weiri_mode_arrive(worker, weiri_grid_op(), site, caller);
    bool last = weiri_grid_join(worker, group, self, site);
    weiri_mode_wait_some(worker, group, self, last);
}
