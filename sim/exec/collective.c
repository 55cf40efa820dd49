/* SPDX-License-Identifier: MIT
 *
 * collective.c: barriers and group algorithms, as weir-collective.h declares them to
 * kernels.
 *
 * An item that arrives at a rendezvous joins its gate (gate.c) and parks; the last one
 * computes the result for all, puts them into the queue in order of arrival and lets
 * the first of them go. In a group whose items keep in step each arrival is one
 * comparison of the site, one of the arguments, and a switch to the next item:
 * weiri_barrier() holds just that, with the switch in tail position, and leaves
 * everything else to meet(). */
#include "config.h"

#include "exec/atomic.h"
#include "exec/combine.h"
#include "exec/gate.h"
#include "exec/item-finding.h"
#include "exec/lanes.h"
#include "exec/leave.h"
#include "exec/mode.h"
#include "exec/override.h"
#include "finding/names.h"

static void refuse_in_loop(struct weiri_worker *worker, struct weiri_group *group,
                           uint64_t op, const struct weir_site *site)
{
    uint32_t item = (uint32_t)(size_t)group->public.at;
    const struct weir_kernel *kernel = worker->launch->kernel;
    const char *operation
        = weiri_named(site, weiri_operation_name(kernel->language, op));
    char *message = g_strdup_printf(
        "%s inside %s in kernel '%s', group (%zu,%zu,%zu): the items "
        "of this loop run one after the other; end the loop instead, that is a barrier",
        operation, weiri_name(kernel->language, WEIRI_NAME_ITEM_LOOP), kernel->name,
        group->public.shape.group[0], group->public.shape.group[1],
        group->public.shape.group[2]);
    weiri_item_finding_add(worker, WEIR_FINDING_BARRIER_DIVERGENCE, site, NULL,
                           WEIR_STATE_RUNNING, item, operation, message);
    weiri_leave(worker, WEIRI_STOP_ABANDONED);
}

/* Parking is in tail position, so that an item which is resumed returns to its
 * kernel at once. @caller: where the call of the operation returns to. */
static __attribute__((noinline)) void meet(uint64_t op, const struct weir_site *site,
                                           const void *caller)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    if (worker->launch->kernel->hierarchical) {
        refuse_in_loop(worker, group, op, site);
    }
    if (weiri_mode_meet_apart(worker, op, site, caller)) {
        return;
    }
    uint32_t self = (uint32_t)(size_t)group->public.at;
    uint32_t path = weiri_mode_arrive(worker, op, site, caller);
    bool last = weiri_gate_join(worker, group, self, op, site, path);
    weiri_mode_wait(worker, group, weiri_group_gate(group, op, self), self, last);
}

/* ---- What kernels call --------------------------------------------------- */

union weiri_value weiri_collect(uint64_t op, union weiri_value value,
                                const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    size_t self = (size_t)group->public.at;
    group->public.values[self] = value;
    meet(op, site, __builtin_return_address(0));
    return group->public.values[self];
}

void weiri_loop_barrier(struct weir_group *public)
{
    struct weiri_worker *worker = weiri_self.worker;
    public->at = NULL; /* what lies around the loops is item 0's */
    weiri_worker_emit(worker, WEIRI_EVENT_RELEASE, 0,
                      WEIRI_OP(WEIRI_BARRIER, WEIRI_TYPE_none, WEIRI_LEVEL_GROUP,
                               memory_scope_work_group, WEIR_LOCAL | WEIR_GLOBAL, 0),
                      NULL);
}

void weiri_shuffle_source(size_t source)
{
    struct weiri_group *group = ((struct weiri_worker *)weiri_self.worker)->group;
    group->public.sources[(size_t)group->public.at] = source;
}

/* Each of the following is a function of its own, so that what is common saves no
 * registers for what is rare. */

static __attribute__((noinline)) void meet_as_fence(uint64_t op,
                                                    const struct weir_site *site,
                                                    const void *caller)
{
    const struct weiri_atomic_op fence = { .site = site,
                                           .kind = WEIRI_ATOMIC_FENCE,
                                           .order = memory_order_acq_rel,
                                           .failure = memory_order_acq_rel,
                                           .scope = WEIRI_OP_SCOPE(op),
                                           .space = WEIRI_OP_FLAGS(op),
                                           .legal = true };
    weiri_combine_publish(); /* not after the fence, when the item parks */
    if (weiri_self.watch != NULL) {
        weiri_atomic_begin(&fence);
    }
    /* release, acquire: pair with fences of that scope outside the group */
    atomic_thread_fence(memory_order_release);
    meet(op, site, caller);
    atomic_thread_fence(memory_order_acquire);
    if (weiri_self.watch != NULL) {
        weiri_atomic_fenced(&fence);
    }
}

static __attribute__((noinline)) void meet_at_barrier(uint64_t op,
                                                      const struct weir_site *site,
                                                      const void *caller)
{
    struct weiri_worker *worker = weiri_self.worker;
    if (weiri_mode_join(worker, worker->group, op, site, caller)) {
        return;
    }
    if (__builtin_expect(WEIRI_OP_SCOPE(op) > memory_scope_work_group, 0)) {
        meet_as_fence(op, site, caller);
    } else {
        meet(op, site, caller);
    }
}

static __attribute__((noinline)) void meet_overridden(uint64_t op,
                                                      const struct weir_site *site,
                                                      const void *caller)
{
    meet_at_barrier(weiri_override_barrier(weiri_self.worker, op, site), site, caller);
}

void weiri_barrier(uint64_t op, const struct weir_site *site)
{
    /* Nothing here is read from the item, which lies on its stack: so the
     * processor can run ahead into the next switches while lines of stacks that
     * are far apart are still on their way. */
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    struct weiri_queue *queue = &group->queue;
    if (__builtin_expect(site == group->fast_site && op == group->fast_op
                             && queue->head != queue->tail,
                         1)) {
        uint32_t self = (uint32_t)(size_t)group->public.at;
        uint32_t next = weiri_queue_pop(queue);
        group->gate.waiting[group->gate.n_waiting++] = self;
        group->public.at = (void *)(size_t)next;
        weiri_co_switch(&group->context[self], &group->context[next]);
        return;
    }
    const void *caller = __builtin_return_address(0);
    if (__builtin_expect(worker->launch->overrides != NULL, 0)) {
        meet_overridden(op, site, caller);
    } else {
        meet_at_barrier(op, site, caller);
    }
}

/* For an item that runs without a stack of its own: the function that waits was not
 * made a part of the kernel's coroutine. */
int weiri_split_stop(struct weir_group *group, const struct weir_site *site,
                     uint64_t op)
{
    (void)group;
    if (WEIRI_OP_LEVEL(op) == WEIRI_LEVEL_LANES) {
        weiri_lanes_stop(op, site);
    } else {
        weiri_barrier(op, site);
    }
    return 0;
}

/* No coroutine ends outside the kernels: they call what weir-split puts there. */
_Noreturn void weiri_split_leave(void)
{
    __builtin_trap();
}
