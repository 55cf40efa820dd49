/* SPDX-License-Identifier: MIT
 *
 * named.c: see named.h.
 *
 * The lanes of a sub-group first meet each other (lanes.c); then the sub-group arrives
 * as a whole. It counts as a full one, even if it is the last one and smaller. So a
 * sub-group that reaches a barrier in part is a divergence, with the places of its
 * lanes, and a barrier that too few sub-groups reach is a deadlock.
 *
 * Memory: an arrival releases, and an item that waits acquires from all arrivals of the
 * phase. An arrival that does not wait acquires nothing.
 *
 * Follows barrier.sync, barrier.arrive and barrier.red of [PTX]. */
#include "config.h"

#include "exec/named.h"

#include "exec/divergence.h"
#include "exec/lanes.h"
#include "exec/mode.h"

static void begin_phase(struct weiri_worker *worker, struct weiri_named_barrier *named,
                        uint64_t detail)
{
    named->expected = (uint32_t)(detail >> 32);
    named->kind = WEIRI_BARRIER;
    named->channel = weiri_worker_new_channel(worker);
    if (named->waiting == NULL) {
        named->waiting = g_array_new(FALSE, FALSE, sizeof(struct weiri_named_arrival));
    }
}

static const struct weiri_named_arrival *arrival_at(
    const struct weiri_named_barrier *named, guint i)
{
    return &g_array_index(named->waiting, struct weiri_named_arrival, i);
}

static void compute(struct weiri_group *group, const struct weiri_named_barrier *named)
{
    uint32_t n_true = 0, n = named->waiting->len;
    for (guint i = 0; i < n; i++) {
        n_true += group->public.values[arrival_at(named, i)->item].bits != 0;
    }
    uint32_t result = named->kind == WEIRI_ANY ? n_true > 0
        : named->kind == WEIRI_ALL             ? n_true == n
                                               : n_true;
    for (guint i = 0; i < n; i++) {
        group->public.values[arrival_at(named, i)->item].bits = result;
    }
}

/* RELEASE for those of each sub-group that wait. */
static void emit_release(struct weiri_worker *worker, const struct weiri_group *group,
                         const struct weiri_named_barrier *named)
{
    uint32_t shift = group->public.shape.sub_group_shift;
    for (guint i = 0, end; i < named->waiting->len; i = end) {
        const struct weiri_named_arrival *first = arrival_at(named, i);
        uint32_t mask = 0;
        for (end = i; end < named->waiting->len
             && arrival_at(named, end)->item >> shift == first->item >> shift;
             end++) {
            uint32_t in_sub_group = (1u << shift) - 1;
            mask |= 1u << (arrival_at(named, end)->item & in_sub_group);
        }
        weiri_worker_emit(worker, WEIRI_EVENT_RELEASE, first->item,
                          (first->op & UINT32_MAX) | (uint64_t)mask << 32, first->site);
    }
}

/* The phase is over: all that wait can run. */
static void complete(struct weiri_worker *worker, struct weiri_group *group,
                     struct weiri_named_barrier *named)
{
    if (named->kind != WEIRI_BARRIER) {
        compute(group, named);
    }
    emit_release(worker, group, named);
    worker->inside++;
    uint32_t n = named->waiting->len;
    g_autofree uint32_t *items = g_new(uint32_t, n);
    worker->inside--;
    for (guint i = 0; i < n; i++) {
        items[i] = arrival_at(named, i)->item;
        weiri_worker_emit(worker, WEIRI_EVENT_TAKE, items[i], named->channel, NULL);
    }
    weiri_worker_emit(worker, WEIRI_EVENT_FORGET, 0, named->channel, NULL);
    named->arrived = 0;
    worker->inside++;
    g_array_set_size(named->waiting, 0);
    worker->inside--;
    if (n > 0) {
        weiri_mode_release_some(worker, group, items, n);
    }
}

bool weiri_named_join(struct weiri_worker *worker, struct weiri_group *group,
                      const struct weiri_lanes *lanes)
{
    bool waits = WEIRI_OP_KIND(lanes->op) == WEIRI_NAMED_SYNC;
    uint32_t items[WEIRI_MOST_LANES];
    worker->inside++;
    if (group->named == NULL) {
        group->named = g_new0(struct weiri_named_barrier, WEIRI_NAMED_BARRIERS);
    }
    struct weiri_named_barrier *named = &group->named[lanes->detail & 0xff];
    if (named->arrived == 0) {
        begin_phase(worker, named, lanes->detail);
    }
    named->arrived += group->public.shape.sub_group_size;
    named->kind
        = waits ? (enum weiri_collective)(lanes->detail >> 8 & 0xff) : named->kind;
    for (uint32_t i = 0; i < lanes->n; i++) {
        items[i] = lanes->waiting[i].item;
        struct weiri_named_arrival arrival
            = { items[i], lanes->op, lanes->waiting[i].site };
        if (waits) {
            g_array_append_val(named->waiting, arrival);
        }
    }
    worker->inside--;
    for (uint32_t i = 0; i < lanes->n; i++) {
        weiri_worker_emit(worker, WEIRI_EVENT_GIVE, items[i], named->channel, NULL);
    }
    if (!waits) {
        weiri_mode_release_some(worker, group, items, lanes->n);
    }
    bool last = named->arrived >= named->expected;
    if (last) {
        complete(worker, group, named);
    }
    return last || !waits;
}

const struct weiri_named_barrier *weiri_named_waiting(const struct weiri_group *group,
                                                      uint32_t *id)
{
    for (*id = 0; group->named != NULL && *id < WEIRI_NAMED_BARRIERS; ++*id) {
        const struct weiri_named_barrier *named = &group->named[*id];
        if (named->arrived > 0 && named->waiting->len > 0) {
            return named;
        }
    }
    return NULL;
}

void weiri_named_find_places(const struct weiri_group *group,
                             struct weiri_whereabouts *places)
{
    for (uint32_t id = 0; group->named != NULL && id < WEIRI_NAMED_BARRIERS; id++) {
        const struct weiri_named_barrier *named = &group->named[id];
        for (guint i = 0; named->arrived > 0 && i < named->waiting->len; i++) {
            const struct weiri_named_arrival *arrival = arrival_at(named, i);
            places[arrival->item].site = arrival->site;
            places[arrival->item].op = arrival->op;
        }
    }
}

void weiri_named_release_all(struct weiri_worker *worker, struct weiri_group *group)
{
    for (uint32_t id = 0; group->named != NULL && id < WEIRI_NAMED_BARRIERS; id++) {
        if (group->named[id].arrived > 0) {
            complete(worker, group, &group->named[id]);
        }
    }
}
