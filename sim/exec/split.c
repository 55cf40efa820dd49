/* SPDX-License-Identifier: MIT
 *
 * split.c: see split.h. An item's frame has all that it keeps from one stop to the
 * next, and frames of a group are one block, so that an item in step costs no list
 * entry and no switch. An item is put into gates and the queue (set_apart()) only when
 * it can no longer be in step; `live` counts exactly these items.
 *
 * Invariant: while a pass is under way, the items from `next` up to the one that runs
 * have stopped at `met` in this part of the pass, and are in no list. */
#include "config.h"

#include "exec/split.h"

#include "exec/gate.h"
#include "exec/lanes.h"

#include <stdlib.h>
#include <string.h>

/* Frames begin at cache lines. */
enum { ALIGNMENT = 64 };

/* Begins a part of the pass with item @from; or, after the last item, ends the pass. */
static void begin_part(struct weiri_group *group, uint32_t from)
{
    group->next = from;
    group->public.met = WEIRI_SPLIT_UNKNOWN;
    group->public.odd = NULL;
    group->public.end = (void *)(size_t)group->items;
    if (from == group->items) {
        group->public.end = NULL;
        group->public.ran = NULL;
    }
}

void weiri_split_start(const struct weiri_split *split, struct weiri_group *group)
{
    size_t frames = WEIRI_SPLIT_CAPACITY(group->items) * split->frame_bytes();
    size_t bytes = (frames + split->own_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (group->frames_bytes < bytes) {
        free(group->public.frames);
        group->public.frames = aligned_alloc(ALIGNMENT, bytes);
        if (group->public.frames == NULL) {
            g_error("cannot allocate %zu bytes", bytes);
        }
        group->frames_bytes = bytes;
    }
    if (split->own_bytes != 0) {
        void *own = (char *)group->public.frames + frames;
        memcpy(own, group->public.args, split->own_bytes);
        group->public.args = own;
    }
    group->public.place = 0; /* the start of the body */
    group->public.apart = group->public.together = group->public.ran = NULL;
    begin_part(group, 0);
}

/* ---- Items that are not in step ------------------------------------------ */

/* @item, which is counted in @live, has stopped at @site; or, if that is NULL, has
 * returned. */
static void set_apart(struct weiri_worker *worker, struct weiri_group *group,
                      uint32_t item, const struct weir_site *site, uint64_t op)
{
    if (site == NULL) {
        group->live--;
        group->returns[item]
            = (struct weiri_return){ group->serial, group->gate.phase };
        return;
    }
    if (WEIRI_OP_LEVEL(op) == WEIRI_LEVEL_LANES) {
        (void)weiri_lanes_join(worker, group, item, op, 0, site);
        return;
    }
    if (WEIRI_OP_SCOPE(op) > memory_scope_work_group) {
        /* pairs with fences of that scope outside the group */
        atomic_thread_fence(memory_order_acq_rel);
    }
    weiri_gate_join(worker, group, item, op, site, 0);
    if (weiri_group_gate(group, op, item)->n_members == 1) {
        /* weiri_fast_release() does not queue a sole member: with a stack, it goes on
         * at once. */
        weiri_queue_push(&group->queue, item);
    }
}

/* Sets apart the items of this part of the pass that are before @end: all have stopped
 * at @met. */
static void scatter(struct weiri_worker *worker, struct weiri_group *group,
                    uint32_t end)
{
    struct weir_group *public = &group->public;
    public->apart = public;
    for (uint32_t item = group->next; item < end; item++) {
        group->live++;
        set_apart(worker, group, item, public->met, public->met_op);
    }
}

void weiri_split_park(struct weiri_worker *worker, struct weiri_group *group,
                      uint32_t self)
{
    if (group->public.end != NULL) {
        scatter(worker, group, self);
        group->live++;
        begin_part(group, self + 1);
    }
    if (group->stack[self] == WEIRI_NO_STACK) {
        group->stack[self] = worker->looping;
    }
}

/* ---- Passes -------------------------------------------------------------- */

/* All items of the group have stopped at one site, or have returned. */
static void begin_next_pass(struct weiri_worker *worker, struct weiri_group *group)
{
    struct weir_group *public = &group->public;
    if (public->met_place == WEIRI_SPLIT_ANY) {
        public->apart = public;
    }
    if (public->met == NULL) {
        public->end = NULL;
        return;
    }
    /* For barriers with a scope that is wider than the group: see set_apart(). */
    atomic_thread_fence(memory_order_acq_rel);
    if (WEIRI_OP_LEVEL(public->met_op) == WEIRI_LEVEL_LANES) {
        weiri_lanes_meet_all(worker, group, public->met_op, public->met);
    } else {
        weiri_gate_meet_all(worker, group, public->met_op, public->met);
    }
    public->place = public->met_place;
    public->ran = NULL;
    begin_part(group, 0);
}

void weiri_split_ended(struct weiri_worker *worker, struct weiri_group *group)
{
    struct weir_group *public = &group->public;
    uint32_t item = (uint32_t)(size_t) public->at;
    if (public->end == NULL) {
        group->stack[item] = WEIRI_NO_STACK;
        set_apart(worker, group, item, public->stop, public->stop_op);
        return;
    }
    bool odd = public->odd != NULL; /* @item has stopped elsewhere: not of this part */
    uint32_t end = odd ? item : item + 1;
    if (group->next == 0 && end == group->items) {
        begin_next_pass(worker, group);
        return;
    }
    scatter(worker, group, end);
    if (odd) {
        group->live++;
        set_apart(worker, group, item, public->stop, public->stop_op);
    }
    begin_part(group, item + 1);
}

bool weiri_split_gather(struct weiri_group *group)
{
    if (weiri_queue_count(&group->queue) != group->items) {
        return false;
    }
    for (uint32_t item = 0; item < group->items; item++) {
        if (group->stack[item] != WEIRI_NO_STACK) {
            return false;
        }
    }
    group->queue.head = group->queue.tail = 0;
    group->live = 0;
    group->public.place = WEIRI_SPLIT_ANY; /* each at its own */
    begin_part(group, 0);
    return true;
}
