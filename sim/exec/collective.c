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
 * stray. Nothing can free it, for the gate needs it; it is kept so that the
 * report can say where everybody was. */
#include "config.h"

#include "exec/collective.h"

#include "base/assert.h"
#include "exec/algo.h"
#include "exec/event.h"
#include "exec/finding.h"
#include "exec/launch.h"
#include "exec/worker.h"

#include <string.h>

/* ---- Arriving and leaving ------------------------------------------------ */

/* Whether the group may use the fast path for barriers of this kind. */
static bool may_be_fast(const struct weiri_worker *worker,
                        const struct weiri_group *group, uint64_t op)
{
    return group->public.end == NULL && weiri_self.watch == NULL
        && worker->launch->policy == NULL && WEIRI_OP_LEVEL(op) == WEIRI_LEVEL_GROUP
        && WEIRI_OP_SCOPE(op) <= memory_scope_work_group;
}

static void emit(struct weiri_worker *worker, enum weiri_event_kind kind, uint32_t item,
                 uint64_t op, const struct weir_site *site)
{
    if (worker->launch->observers != NULL) {
        weiri_emit(worker->launch->observers,
                   &(struct weiri_event){ .kind = kind,
                                          .kernel = worker->launch->kernel,
                                          .group = &worker->group->public,
                                          .item = item,
                                          .site = site,
                                          .op = op });
    }
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
    weiri_worker_find(worker, WEIR_FINDING_UNSUPPORTED, gate->site, "running", item,
                      weiri_operation_name(gate->op), message);
}

/* A shift past the end is unspecified and harmless; other sources are mistakes. */
static void compute(struct weiri_worker *worker, struct weiri_group *group,
                    struct weiri_gate *gate)
{
    size_t outside = weiri_algo(gate->op, group->values + gate->first,
                                group->sources + gate->first, gate->n_members);
    enum weiri_collective kind = WEIRI_OP_KIND(gate->op);
    if (outside < gate->n_members && kind != WEIRI_SHIFT_LEFT
        && kind != WEIRI_SHIFT_RIGHT) {
        report_shuffle(worker, group, gate, gate->first + (uint32_t)outside);
    }
}

/* Everybody has arrived, the caller @self last: all become runnable. */
static void release_all(struct weiri_group *group, struct weiri_gate *gate,
                        uint32_t self)
{
    gate->waiting[gate->n_waiting++] = self;
    struct weiri_queue *queue = &group->queue;
    if (gate == &group->gate && queue->head == queue->tail) {
        uint32_t *empty = queue->items;
        queue->items = gate->waiting;
        queue->head = 0;
        queue->tail = gate->n_waiting;
        gate->waiting = empty;
    } else {
        for (uint32_t i = 0; i < gate->n_waiting; i++) {
            weiri_queue_push(queue, gate->waiting[i]);
        }
    }
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
    weiri_worker_find(worker, WEIR_FINDING_BARRIER_DIVERGENCE, site, "running", item,
                      weiri_operation_name(op), message);
    weiri_worker_abandon(worker);
}

/* The gate of an item that arrives; the first one to do so says what it is. */
static struct weiri_gate *arrive(struct weiri_worker *worker, struct weiri_group *group,
                                 uint32_t self, uint64_t op,
                                 const struct weir_site *site)
{
    struct weiri_gate *gate = weiri_group_gate(group, op, self);
    if (gate->n_waiting == 0) {
        gate->site = site;
        gate->op = op;
        if (gate == &group->gate) {
            group->fast_site = may_be_fast(worker, group, op) ? site : NULL;
            group->fast_op = op;
        }
    }
    emit(worker, WEIRI_EVENT_ARRIVE, self, op, site);
    return gate;
}

/* Parking is in tail position, so that an item which is resumed returns to its
 * kernel at once. */
static __attribute__((noinline)) void meet(uint64_t op, const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    if (worker->launch->kernel->hierarchical) {
        refuse_in_loop(worker, group, op, site);
    }
    uint32_t self = (uint32_t)(size_t)group->public.at;
    struct weiri_gate *gate = arrive(worker, group, self, op, site);
    if (gate->site != site || gate->op != op) {
        struct weiri_stray stray = { self, site, op, gate->phase };
        g_array_append_val(group->strays, stray);
    } else if (gate->n_waiting + 1 < gate->n_members) {
        gate->waiting[gate->n_waiting++] = self;
    } else {
        compute(worker, group, gate);
        emit(worker, WEIRI_EVENT_RELEASE, self, op, site);
        if (gate->n_members == 1) {
            gate->phase++;
            return;
        }
        release_all(group, gate, self);
    }
    weiri_worker_park(worker, group, self);
}

/* ---- What kernels call --------------------------------------------------- */

union weiri_value weiri_collect(uint64_t op, union weiri_value value,
                                const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    size_t self = (size_t)group->public.at;
    group->values[self] = value;
    meet(op, site);
    return group->values[self];
}

void weiri_shuffle_source(size_t source)
{
    struct weiri_group *group = ((struct weiri_worker *)weiri_self.worker)->group;
    group->sources[(size_t)group->public.at] = source;
}

void weiri_barrier(uint64_t op, const struct weir_site *site)
{
    /* Nothing here is read from the item, which lies on its stack: so the
     * processor can run ahead into the next switches while lines of stacks that
     * are far apart are still on their way. */
    struct weiri_group *group = ((struct weiri_worker *)weiri_self.worker)->group;
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
    if (__builtin_expect(WEIRI_OP_SCOPE(op) > memory_scope_work_group, 0)) {
        if (weiri_self.watch != NULL) {
            weiri_atomic_begin(
                &(struct weiri_atomic_op){ .site = site,
                                           .kind = WEIRI_ATOMIC_FENCE,
                                           .order = memory_order_acq_rel,
                                           .failure = memory_order_acq_rel,
                                           .scope = WEIRI_OP_SCOPE(op),
                                           .space = WEIRI_OP_FLAGS(op),
                                           .legal = true });
        }
        /* release, acquire: pair with fences of that scope outside the group */
        atomic_thread_fence(memory_order_release);
        meet(op, site);
        atomic_thread_fence(memory_order_acquire);
        return;
    }
    meet(op, site);
}

/* ---- Divergence ---------------------------------------------------------- */

const char *weiri_operation_name(uint64_t op)
{
    static const char *const names[2][32] = {
        {
#define X(name, text) [WEIRI_##name] = "weir_group_" text,
            WEIRI_COLLECTIVES(X)
#undef X
        },
        {
#define X(name, text) [WEIRI_##name] = "weir_sub_group_" text,
            WEIRI_COLLECTIVES(X)
#undef X
        },
    };
    if (WEIRI_OP_KIND(op) == WEIRI_BARRIER && WEIRI_OP_LEVEL(op) == WEIRI_LEVEL_GROUP) {
        return "weir_barrier";
    }
    return names[WEIRI_OP_LEVEL(op)][WEIRI_OP_KIND(op)];
}

/* Where one item waits; `site` is NULL for those that have returned. */
struct place {
    const struct weir_site *site;
    uint64_t op;
    uint64_t phase;
};

static void find_places(const struct weiri_group *group, struct place *places)
{
    for (uint32_t i = 0; i < group->items; i++) {
        const struct weiri_return *last = &group->returns[i];
        if (last->serial == group->serial) {
            places[i].phase = last->phase;
        }
    }
    const struct weiri_gate *gate = &group->gate;
    for (uint32_t i = 0; i < gate->n_waiting; i++) {
        places[gate->waiting[i]] = (struct place){ gate->site, gate->op, gate->phase };
    }
    for (uint32_t s = 0; s < group->n_sub_gates; s++) {
        gate = &group->sub_gates[s];
        for (uint32_t i = 0; i < gate->n_waiting; i++) {
            places[gate->waiting[i]]
                = (struct place){ gate->site, gate->op, gate->phase };
        }
    }
    for (guint i = 0; i < group->strays->len; i++) {
        const struct weiri_stray *stray
            = &g_array_index(group->strays, struct weiri_stray, i);
        places[stray->item] = (struct place){ stray->site, stray->op, stray->phase };
    }
}

/* One party for each different place, in order of its least item; those that
 * have returned come last. */
static GArray *parties_at(const struct weiri_group *group, const struct place *places)
{
    GArray *parties = weiri_parties_new();
    g_autofree bool *told = g_new0(bool, group->items);
    g_autofree uint32_t *items = g_new(uint32_t, group->items);
    for (int returned = 0; returned < 2; returned++) {
        for (uint32_t i = 0; i < group->items; i++) {
            if (told[i] || (places[i].site == NULL) != returned) {
                continue;
            }
            size_t n = 0;
            for (uint32_t j = i; j < group->items; j++) {
                if (places[j].site == places[i].site && places[j].op == places[i].op
                    && places[j].phase == places[i].phase) {
                    told[j] = true;
                    items[n++] = j;
                }
            }
            struct weir_party party = weiri_party_new(
                returned ? "returned" : "waiting", &group->public.shape, places[i].site,
                returned ? NULL : weiri_operation_name(places[i].op), places[i].phase,
                items, n);
            g_array_append_val(parties, party);
        }
    }
    return parties;
}

/* The gate that waits: the group's own, or the first sub-group's that does. */
static const struct weiri_gate *waiting_gate(const struct weiri_group *group)
{
    const struct weiri_gate *gate = &group->gate;
    for (uint32_t s = 0; gate->n_waiting == 0 && s < group->n_sub_gates; s++) {
        gate = &group->sub_gates[s];
    }
    weiri_assert(gate->n_waiting > 0);
    return gate;
}

static const char *reason(const struct weiri_group *group,
                          const struct weiri_gate *gate, const struct place *places)
{
    bool returned = false;
    for (uint32_t i = gate->first; i < gate->first + gate->n_members; i++) {
        const struct place *place = &places[i];
        if (place->site == gate->site && place->op != gate->op) {
            return "their arguments differ";
        }
        if (place->site != NULL && place->site != gate->site) {
            return WEIRI_OP_KIND(place->op) == WEIRI_OP_KIND(gate->op)
                ? "others wait at a different one"
                : "others wait at a different operation";
        }
        returned |= place->site == NULL;
    }
    weiri_assert(returned || group->items == 0);
    return "the others have returned";
}

void weiri_collective_stuck(struct weiri_worker *worker, struct weiri_group *group)
{
    g_autofree struct place *places = g_new0(struct place, group->items);
    find_places(group, places);
    const struct weiri_gate *gate = waiting_gate(group);
    const struct weiri_shape *shape = &group->public.shape;
    const char *operation = weiri_operation_name(gate->op);
    bool sub_group = gate != &group->gate;
    g_autofree char *where = sub_group
        ? g_strdup_printf(", sub-group %u", gate->first / shape->sub_group_size)
        : g_strdup("");
    struct weiri_draft draft = {
        .kind = WEIR_FINDING_BARRIER_DIVERGENCE,
        .kernel = worker->launch->kernel,
        .group_linear = shape->group_linear,
        .parties = parties_at(group, places),
        .message = g_strdup_printf(
            "barrier divergence in kernel '%s', group (%zu,%zu,%zu)%s, phase "
            "%" G_GUINT64_FORMAT ": %u of %u items are at the %s; %s",
            worker->launch->kernel->name, shape->group[0], shape->group[1],
            shape->group[2], where, gate->phase, gate->n_waiting, gate->n_members,
            WEIRI_OP_KIND(gate->op) == WEIRI_BARRIER ? "barrier" : operation,
            reason(group, gate, places)),
    };
    weiri_report_add(worker->launch->report, &draft);
}
