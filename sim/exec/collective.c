/* SPDX-License-Identifier: MIT
 *
 * collective.c: how items meet.
 *
 * An item that comes to a rendezvous joins its gate and parks; the last one
 * computes the result for all, puts them into the queue in order of arrival and
 * lets the first of them go. In a group whose items keep in step each arrival
 * is one comparison of the site, one of the arguments, and a switch to the next
 * item: weiri_barrier() holds just that, with the switch in tail position, and
 * leaves everything else to meet().
 *
 * An item that comes to a different rendezvous than the others of its gate is a
 * stray. Nothing can release it, since the gate needs it; it is kept so that the
 * report has the place of every item. */
#include "config.h"

#include "exec/collective.h"

#include "base/assert.h"
#include "exec/algo.h"
#include "exec/atomic.h"
#include "exec/divergence.h"
#include "exec/finding.h"
#include "exec/item-finding.h"
#include "exec/leave.h"
#include "exec/mode.h"
#include "exec/names.h"
#include "exec/override.h"

#include <string.h>

/* ---- Arriving and leaving ------------------------------------------------ */

/* Whether the group may use the short ways of weir_barrier() for this kind of it. */
static bool may_be_fast(const struct weiri_worker *worker,
                        const struct weiri_group *group, uint64_t op, uint32_t path)
{
    return path == 0 && WEIRI_OP_LEVEL(op) == WEIRI_LEVEL_GROUP
        && WEIRI_OP_SCOPE(op) <= memory_scope_work_group
        && weiri_mode_keeps_step(worker, group);
}

static void report_shuffle(struct weiri_worker *worker, struct weiri_group *group,
                           const struct weiri_gate *gate, uint32_t item)
{
    if (weiri_report_again(worker->launch->report, WEIR_FINDING_UNSUPPORTED, gate->site,
                           group->public.shape.group_linear)) {
        return;
    }
    char *message = g_strdup_printf(
        "%s in kernel '%s', group (%zu,%zu,%zu): the source of item %u lies outside "
        "the %s of %u items; it got a poison value",
        weiri_operation_name(gate->op), worker->launch->kernel->name,
        group->public.shape.group[0], group->public.shape.group[1],
        group->public.shape.group[2], item,
        WEIRI_OP_LEVEL(gate->op) == WEIRI_LEVEL_GROUP ? "group" : "sub-group",
        gate->n_members);
    weiri_item_finding_add(worker, WEIR_FINDING_UNSUPPORTED, gate->site,
                           WEIR_STATE_RUNNING, item, weiri_operation_name(gate->op),
                           message);
}

static bool is_living(const struct weiri_group *group, uint32_t item)
{
    return group->returns[item].serial != group->serial;
}

/* Collectives that move values name items and lanes by the ids from the start. */
static bool moves_values(enum weiri_collective kind)
{
    return kind == WEIRI_BROADCAST || kind == WEIRI_SHUFFLE || kind == WEIRI_SHUFFLE_XOR
        || kind == WEIRI_SHIFT_LEFT || kind == WEIRI_SHIFT_RIGHT;
}

/* compute() where members have returned. The others make up the group of a reduction or
 * scan; where values are moved, that of an item that has returned is
 * poison. */
static void compute_for_living(struct weiri_group *group, struct weiri_gate *gate)
{
    bool moves = moves_values(WEIRI_OP_KIND(gate->op));
    g_autofree union weiri_value *values = g_new(union weiri_value, gate->n_members);
    g_autofree size_t *sources = g_new0(size_t, gate->n_members);
    uint32_t n = 0;
    for (uint32_t i = gate->first; i < gate->first + gate->n_members; i++) {
        if (is_living(group, i)) {
            sources[n] = group->sources[i];
            values[n++] = group->values[i];
        } else if (moves) {
            values[n++].bits = WEIRI_ALGO_POISON;
        }
    }
    weiri_algo(gate->op, values, sources, n);
    n = 0;
    for (uint32_t i = gate->first; i < gate->first + gate->n_members; i++) {
        if (is_living(group, i)) {
            group->values[i] = values[n++];
        } else if (moves) {
            n++;
        }
    }
}

/* A shift past the end is unspecified and harmless; other sources are mistakes. */
static void compute(struct weiri_worker *worker, struct weiri_group *group,
                    struct weiri_gate *gate)
{
    if (gate->n_exited > 0) {
        compute_for_living(group, gate);
        return;
    }
    size_t outside = weiri_algo(gate->op, group->values + gate->first,
                                group->sources + gate->first, gate->n_members);
    enum weiri_collective kind = WEIRI_OP_KIND(gate->op);
    if (outside < gate->n_members && kind != WEIRI_SHIFT_LEFT
        && kind != WEIRI_SHIFT_RIGHT) {
        report_shuffle(worker, group, gate, gate->first + (uint32_t)outside);
    }
}

/* The group has met at a site: the report needs that where an item is missing the next
 * time. */
static void note_met(struct weiri_group *group, const struct weiri_gate *gate)
{
    group->last_met = gate->site;
    for (guint i = 0; i < group->met->len; i++) {
        if (g_array_index(group->met, struct weiri_met, i).site == gate->site) {
            return;
        }
    }
    struct weiri_met met = { gate->site, gate->phase };
    g_array_append_val(group->met, met);
}

/* All items that were to come have come: they can run. */
static void release_all(struct weiri_worker *worker, struct weiri_group *group,
                        struct weiri_gate *gate)
{
    if (gate == &group->gate && group->last_met != gate->site) {
        note_met(group, gate);
    }
    weiri_mode_release(worker, group, gate);
    gate->n_waiting = 0;
    gate->phase++;
    group->idle = 0;
}

static void refuse_in_loop(struct weiri_worker *worker, struct weiri_group *group,
                           uint64_t op, const struct weir_site *site)
{
    uint32_t item = (uint32_t)(size_t)group->public.at;
    char *message = g_strdup_printf(
        "%s inside weir_for_each_item in kernel '%s', group (%zu,%zu,%zu): the items "
        "of this loop run one after the other; end the loop instead, that is a barrier",
        weiri_operation_name(op), worker->launch->kernel->name,
        group->public.shape.group[0], group->public.shape.group[1],
        group->public.shape.group[2]);
    weiri_item_finding_add(worker, WEIR_FINDING_BARRIER_DIVERGENCE, site,
                           WEIR_STATE_RUNNING, item, weiri_operation_name(op), message);
    weiri_leave(worker, WEIRI_STOP_ABANDONED);
}

/* The gate of an item that arrives; the first item to do so sets what it is for. */
static struct weiri_gate *arrive(struct weiri_worker *worker, struct weiri_group *group,
                                 uint32_t self, uint64_t op,
                                 const struct weir_site *site, uint32_t path)
{
    struct weiri_gate *gate = weiri_group_gate(group, op, self);
    if (gate->n_waiting == 0) {
        gate->site = site;
        gate->op = op;
        gate->path = path;
        gate->mixed = false;
        if (gate == &group->gate) {
            group->fast_site = may_be_fast(worker, group, op, path) ? site : NULL;
            group->fast_op = op;
        }
    }
    weiri_worker_emit(worker, WEIRI_EVENT_ARRIVE, self, op, site);
    return gate;
}

/* Whether an arrival is one at the rendezvous that the gate is for. */
static bool belongs(const struct weiri_worker *worker, struct weiri_gate *gate,
                    uint64_t op, const struct weir_site *site, uint32_t path)
{
    if (gate->site == site && gate->op == op && gate->path == path) {
        return true;
    }
    if (worker->launch->pairing == WEIR_PAIRING_COUNT) {
        gate->mixed = true;
        return true;
    }
    return false;
}

/* A rendezvous is complete, which its last item @self, or the last one that returned,
 * makes so. */
static void complete(struct weiri_worker *worker, struct weiri_group *group,
                     struct weiri_gate *gate, uint32_t self)
{
    if (gate->mixed || gate->n_exited > 0) {
        weiri_divergence_note(worker, group, gate);
    }
    compute(worker, group, gate);
    weiri_worker_emit(worker, WEIRI_EVENT_RELEASE, self, gate->op, gate->site);
    release_all(worker, group, gate);
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
    struct weiri_gate *gate = arrive(worker, group, self, op, site, path);
    bool last = false;
    if (!belongs(worker, gate, op, site, path)) {
        struct weiri_stray stray = { self, path, site, op, gate->phase };
        g_array_append_val(group->strays, stray);
    } else {
        gate->waiting[gate->n_waiting++] = self;
        last = gate->n_waiting == gate->n_members - gate->n_exited;
        if (last) {
            complete(worker, group, gate, self);
        }
    }
    weiri_mode_wait(worker, group, gate, self, last);
}

void weiri_collective_left(struct weiri_worker *worker, struct weiri_group *group,
                           uint32_t item)
{
    struct weiri_gate *gates[2] = {
        &group->gate,
        &group->sub_gates[item >> group->public.shape.sub_group_shift],
    };
    for (unsigned i = 0; i < 2; i++) {
        struct weiri_gate *gate = gates[i];
        gate->n_exited++;
        if (gate->n_waiting > 0
            && gate->n_waiting == gate->n_members - gate->n_exited) {
            complete(worker, group, gate, gate->waiting[gate->n_waiting - 1]);
        }
    }
}

void weiri_collective_release(struct weiri_worker *worker, struct weiri_group *group)
{
    if (group->gate.n_waiting > 0) {
        release_all(worker, group, &group->gate);
    }
    for (uint32_t s = 0; s < group->n_sub_gates; s++) {
        if (group->sub_gates[s].n_waiting > 0) {
            release_all(worker, group, &group->sub_gates[s]);
        }
    }
    for (guint i = 0; i < group->strays->len; i++) {
        uint32_t item = g_array_index(group->strays, struct weiri_stray, i).item;
        weiri_mode_release_stray(worker, group, item);
    }
    g_array_set_size(group->strays, 0);
}

/* ---- What kernels call --------------------------------------------------- */

union weiri_value weiri_collect(uint64_t op, union weiri_value value,
                                const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    size_t self = (size_t)group->public.at;
    group->values[self] = value;
    meet(op, site, __builtin_return_address(0));
    return group->values[self];
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
    group->sources[(size_t)group->public.at] = source;
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
    if (weiri_mode_join(worker, worker->group, op, site)) {
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
