/* SPDX-License-Identifier: MIT
 *
 * lane-collective.c: the collectives of lanes, as weir-machinery-shared.h declares them
 * to kernels. An item that calls one joins its meeting (lanes.c) and parks. */
#include "config.h"

#include "exec/combine.h"
#include "exec/item-finding.h"
#include "exec/lanes.h"
#include "exec/leave.h"
#include "exec/mode.h"
#include "finding/names.h"

/* The running item arrives, and waits or completes the meeting. @caller: where the call
 * of the operation returns to */
static void meet(struct weiri_worker *worker, uint64_t op, const struct weir_site *site,
                 const void *caller)
{
    struct weiri_group *group = worker->group;
    uint32_t self = (uint32_t)(size_t)group->public.at;
    weiri_combine_publish();
    if (weiri_mode_meet_apart(worker, op, site, caller)) {
        return;
    }
    (void)weiri_mode_arrive(worker, op, site, caller);
    bool last = weiri_lanes_join(worker, group, self, op, site);
    weiri_mode_wait_some(worker, group, self, last);
}

static _Noreturn void refuse(struct weiri_worker *worker, struct weiri_group *group,
                             uint64_t op, const struct weir_site *site, char *why)
{
    const struct weir_kernel *kernel = worker->launch->kernel;
    const char *operation = weiri_operation_name(kernel->language, op);
    uint32_t self = (uint32_t)(size_t)group->public.at;
    worker->inside++;
    g_autofree char *at
        = weiri_place_text(&group->public.shape, group->public.shape.group);
    char *message = g_strdup_printf("%s in kernel '%s', group %s: %s", operation,
                                    kernel->name, at, why);
    g_free(why);
    weiri_item_finding_add(worker, WEIR_FINDING_BARRIER_DIVERGENCE, site, NULL,
                           WEIR_STATE_RUNNING, self, operation, message);
    worker->inside--;
    weiri_leave(worker, WEIRI_STOP_ABANDONED);
}

static bool is_vote(uint32_t kind)
{
    return kind == WEIRI_ANY || kind == WEIRI_ALL || kind == WEIRI_BALLOT
        || kind == WEIRI_UNIFORM;
}

static uint64_t op_of(uint32_t kind, uint32_t type, uint32_t mask)
{
    return WEIRI_OP(kind, type, WEIRI_LEVEL_LANES, memory_scope_sub_group,
                    WEIR_LOCAL | WEIR_GLOBAL, 0)
        | (uint64_t)mask << 32; /* all bits: no number of an item */
}

uint64_t weiri_lanes_meet(uint32_t kind, uint32_t type, uint32_t mask, uint64_t value,
                          uint32_t source, uint32_t bounds,
                          const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    uint32_t self = (uint32_t)(size_t)group->public.at;
    uint32_t lane = self & (group->public.shape.sub_group_size - 1);
    uint64_t op = op_of(kind, type, mask);
    if (worker->launch->kernel->hierarchical) {
        refuse(worker, group, op, site,
               g_strdup("a group kernel has no lanes: its items run one after the "
                        "other"));
    }
    if ((mask >> lane & 1) == 0) {
        refuse(worker, group, op, site,
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
    meet(worker, op, site, __builtin_return_address(0));
    value = group->public.values[self].bits;
    return wide ? value : (uint32_t)value;
}

uint32_t weiri_lanes_active(const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    uint32_t self = (uint32_t)(size_t)group->public.at;
    if (worker->launch->kernel->hierarchical) {
        return 1;
    }
    meet(worker, op_of(WEIRI_ACTIVE, WEIRI_TYPE_u32, 0), site,
         __builtin_return_address(0));
    return (uint32_t)group->public.values[self].bits;
}
