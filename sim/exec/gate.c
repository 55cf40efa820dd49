/* SPDX-License-Identifier: MIT
 *
 * gate.c: see gate.h.
 *
 * An item that arrives at a different rendezvous than the others of its gate is a
 * stray. Nothing can release it, since the gate needs it; it is kept so that the report
 * has the place of every item. */
#include "config.h"

#include "exec/gate.h"

#include "exec/algo.h"
#include "exec/copy.h"
#include "exec/divergence.h"
#include "exec/finding.h"
#include "exec/item-finding.h"
#include "exec/mode.h"
#include "finding/names.h"

/* ---- Results ------------------------------------------------------------- */

/* An item gets a poison value in place of another item's. @why: the end of the
 * message. (transfer full) */
static void report_outside(struct weiri_worker *worker, struct weiri_group *group,
                           uint64_t op, const struct weir_site *site, uint32_t item,
                           char *why)
{
    const struct weiri_shape *shape = &group->public.shape;
    if (!weiri_report_again(worker->launch->report, WEIR_FINDING_UNSUPPORTED, site,
                            NULL, shape->group_linear)) {
        const struct weir_kernel *kernel = worker->launch->kernel;
        const char *operation
            = weiri_named(site, weiri_operation_name(kernel->language, op));
        char *message = g_strdup_printf("%s in kernel '%s', group (%zu,%zu,%zu): %s",
                                        operation, kernel->name, shape->group[0],
                                        shape->group[1], shape->group[2], why);
        weiri_item_finding_add(worker, WEIR_FINDING_UNSUPPORTED, site, NULL,
                               WEIR_STATE_RUNNING, item, operation, message);
    }
    g_free(why);
}

static const char *level_name(uint64_t op)
{
    return WEIRI_OP_LEVEL(op) == WEIRI_LEVEL_GROUP ? "group" : "sub-group";
}

static bool is_shift(uint64_t op)
{
    return WEIRI_OP_KIND(op) == WEIRI_SHIFT_LEFT
        || WEIRI_OP_KIND(op) == WEIRI_SHIFT_RIGHT;
}

/* A group's last sub-group may have fewer items than the others. */
static uint32_t most_members(const struct weiri_group *group, uint64_t op)
{
    return WEIRI_OP_LEVEL(op) == WEIRI_LEVEL_GROUP ? group->gate.n_members
                                                   : group->sub_gates[0].n_members;
}

/* @n_members: of the item's own group or sub-group; @got: what the item got */
static void report_source(struct weiri_worker *worker, struct weiri_group *group,
                          uint64_t op, const struct weir_site *site, uint32_t n_members,
                          uint32_t item, const char *got)
{
    report_outside(worker, group, op, site, item,
                   g_strdup_printf("the source of item %u lies outside the %s of %u "
                                   "items; it got %s value",
                                   item, level_name(op), n_members, got));
}

static void report_shift(struct weiri_worker *worker, struct weiri_group *group,
                         uint64_t op, const struct weir_site *site, uint32_t item)
{
    report_outside(worker, group, op, site, item,
                   g_strdup_printf("the distance %u leaves no source for any item of "
                                   "the %s of %u items; what they got is unspecified",
                                   WEIRI_OP_ARGUMENT(op), level_name(op),
                                   most_members(group, op)));
}

/* A group or sub-group of one item leaves no source either, but no shift can ask for
 * less than 1. */
static bool leaves_no_source(const struct weiri_group *group, uint64_t op)
{
    return is_shift(op) && WEIRI_OP_ARGUMENT(op) > 1
        && WEIRI_OP_ARGUMENT(op) >= most_members(group, op);
}

void weiri_move_outside(uint64_t op, const struct weir_site *site, size_t item)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    const struct weiri_gate *gate = weiri_group_gate(group, op, (uint32_t)item);
    if (!is_shift(op)) {
        report_source(worker, group, op, site, gate->n_members, (uint32_t)item,
                      "its own");
    } else if (leaves_no_source(group, op) && item == gate->first) {
        report_shift(worker, group, op, site, (uint32_t)item);
    }
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
 * scan; where values are moved, the value of an item that has returned is poison. */
static void compute_for_living(struct weiri_group *group, struct weiri_gate *gate)
{
    bool moves = moves_values(WEIRI_OP_KIND(gate->op));
    g_autofree union weiri_value *values = g_new(union weiri_value, gate->n_members);
    g_autofree size_t *sources = g_new0(size_t, gate->n_members);
    uint32_t n = 0;
    for (uint32_t i = gate->first; i < gate->first + gate->n_members; i++) {
        if (is_living(group, i)) {
            sources[n] = group->public.sources[i];
            values[n++] = group->public.values[i];
        } else if (moves) {
            values[n++].bits = WEIRI_ALGO_POISON;
        }
    }
    weiri_algo(gate->op, values, sources, n);
    n = 0;
    for (uint32_t i = gate->first; i < gate->first + gate->n_members; i++) {
        if (is_living(group, i)) {
            group->public.values[i] = values[n++];
        } else if (moves) {
            n++;
        }
    }
}

/* Where some items of a shift have a source, the others get an unspecified value, which
 * correct kernels leave unused. Other sources outside are mistakes. */
static void compute(struct weiri_worker *worker, struct weiri_group *group,
                    struct weiri_gate *gate)
{
    if (leaves_no_source(group, gate->op)) {
        report_shift(worker, group, gate->op, gate->site, gate->first);
    }
    if (gate->n_exited > 0) {
        compute_for_living(group, gate);
        return;
    }
    size_t outside = weiri_algo(gate->op, group->public.values + gate->first,
                                group->public.sources + gate->first, gate->n_members);
    if (outside < gate->n_members && !is_shift(gate->op)) {
        report_source(worker, group, gate->op, gate->site, gate->n_members,
                      gate->first + (uint32_t)outside, "a poison");
    }
}

void weiri_gate_judge_source(struct weiri_worker *worker, struct weiri_group *group,
                             uint32_t item, uint64_t op, const struct weir_site *site)
{
    if (WEIRI_OP_LEVEL(op) == WEIRI_LEVEL_LANES) {
        return; /* its argument is a mask; the explorer does not know it */
    }
    const struct weiri_gate *gate = weiri_group_gate(group, op, item);
    if (leaves_no_source(group, op)) {
        report_shift(worker, group, op, site, gate->first);
    } else if (moves_values(WEIRI_OP_KIND(op)) && !is_shift(op)
               && weiri_algo_source(op, group->public.sources + gate->first,
                                    item - gate->first)
                   >= gate->n_members) {
        report_source(worker, group, op, site, gate->n_members, item, "a poison");
    }
}

/* ---- Arriving and leaving ------------------------------------------------ */

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

/* Whether the group may use the short ways of weir_barrier() for this kind of it. */
static bool may_be_fast(const struct weiri_worker *worker,
                        const struct weiri_group *group, uint64_t op, uint32_t path)
{
    return (path == 0 || weiri_mode_is_alone(worker)) && worker->launch->split == NULL
        && WEIRI_OP_LEVEL(op) == WEIRI_LEVEL_GROUP
        && WEIRI_OP_SCOPE(op) <= memory_scope_work_group
        && weiri_mode_keeps_step(worker, group);
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
    if (gate->mixed || (gate->n_exited > 0 && worker->launch->deterministic)) {
        weiri_divergence_note(worker, group, gate);
    }
    compute(worker, group, gate);
    if (WEIRI_OP_KIND(gate->op) == WEIRI_COPY && !gate->mixed && gate->n_exited == 0) {
        weiri_copy_asked(worker, group, self);
    }
    weiri_worker_emit(worker, WEIRI_EVENT_RELEASE, self, gate->op, gate->site);
    release_all(worker, group, gate);
}

bool weiri_gate_join(struct weiri_worker *worker, struct weiri_group *group,
                     uint32_t item, uint64_t op, const struct weir_site *site,
                     uint32_t path)
{
    struct weiri_gate *gate = arrive(worker, group, item, op, site, path);
    if (!belongs(worker, gate, op, site, path)) {
        struct weiri_stray stray = { item, path, site, op, gate->phase };
        g_array_append_val(group->strays, stray);
        return false;
    }
    gate->waiting[gate->n_waiting++] = item;
    bool last = gate->n_waiting == gate->n_members - gate->n_exited;
    if (last) {
        complete(worker, group, gate, item);
    }
    return last;
}

/* The same for all members of @gate at once, none of which is parked. */
static void pass(struct weiri_worker *worker, struct weiri_group *group,
                 struct weiri_gate *gate, uint64_t op, const struct weir_site *site)
{
    gate->site = site;
    gate->op = op;
    compute(worker, group, gate);
    if (gate == &group->gate && group->last_met != site) {
        note_met(group, gate);
    }
    gate->phase++;
}

void weiri_gate_meet_all(struct weiri_worker *worker, struct weiri_group *group,
                         uint64_t op, const struct weir_site *site)
{
    if (WEIRI_OP_LEVEL(op) == WEIRI_LEVEL_GROUP) {
        pass(worker, group, &group->gate, op, site);
    } else {
        for (uint32_t s = 0; s < group->n_sub_gates; s++) {
            pass(worker, group, &group->sub_gates[s], op, site);
        }
    }
}

void weiri_gate_leave(struct weiri_worker *worker, struct weiri_group *group,
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

void weiri_gate_set_exited(struct weiri_worker *worker, struct weiri_group *group,
                           struct weiri_gate *gate, const bool *waits)
{
    gate->n_exited = 0;
    for (uint32_t i = gate->first; i < gate->first + gate->n_members; i++) {
        gate->n_exited += !waits[i];
    }
    if (gate->n_waiting > 0 && gate->n_waiting == gate->n_members - gate->n_exited) {
        complete(worker, group, gate, gate->waiting[gate->n_waiting - 1]);
    }
}

void weiri_gate_release_all(struct weiri_worker *worker, struct weiri_group *group)
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
