/* SPDX-License-Identifier: MIT
 *
 * gate.c: see gate.h.
 *
 * An item that comes to a different rendezvous than the others of its gate is a
 * stray. Nothing can release it, since the gate needs it; it is kept so that the
 * report has the place of every item. */
#include "config.h"

#include "exec/gate.h"

#include "exec/algo.h"
#include "exec/copy.h"
#include "exec/divergence.h"
#include "exec/finding.h"
#include "exec/item-finding.h"
#include "exec/mode.h"
#include "exec/names.h"

/* ---- Results ------------------------------------------------------------- */

static void report_shuffle(struct weiri_worker *worker, struct weiri_group *group,
                           const struct weiri_gate *gate, uint32_t item)
{
    if (weiri_report_again(worker->launch->report, WEIR_FINDING_UNSUPPORTED, gate->site,
                           NULL, group->public.shape.group_linear)) {
        return;
    }
    const struct weir_kernel *kernel = worker->launch->kernel;
    const char *operation = weiri_operation_name(kernel->language, gate->op);
    char *message = g_strdup_printf(
        "%s in kernel '%s', group (%zu,%zu,%zu): the source of item %u lies outside "
        "the %s of %u items; it got a poison value",
        operation, kernel->name, group->public.shape.group[0],
        group->public.shape.group[1], group->public.shape.group[2], item,
        WEIRI_OP_LEVEL(gate->op) == WEIRI_LEVEL_GROUP ? "group" : "sub-group",
        gate->n_members);
    weiri_item_finding_add(worker, WEIR_FINDING_UNSUPPORTED, gate->site, NULL,
                           WEIR_STATE_RUNNING, item, operation, message);
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

/* A shift past the end is unspecified and harmless; other sources are mistakes. */
static void compute(struct weiri_worker *worker, struct weiri_group *group,
                    struct weiri_gate *gate)
{
    if (gate->n_exited > 0) {
        compute_for_living(group, gate);
        return;
    }
    size_t outside = weiri_algo(gate->op, group->public.values + gate->first,
                                group->public.sources + gate->first, gate->n_members);
    enum weiri_collective kind = WEIRI_OP_KIND(gate->op);
    if (outside < gate->n_members && kind != WEIRI_SHIFT_LEFT
        && kind != WEIRI_SHIFT_RIGHT) {
        report_shuffle(worker, group, gate, gate->first + (uint32_t)outside);
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
    if (gate->mixed || gate->n_exited > 0) {
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
