/* SPDX-License-Identifier: MIT
 *
 * fast.h: fast mode: how a worker runs groups as fast as it can. */
#ifndef WEIRI_FAST_H
#define WEIRI_FAST_H

#include "exec/group.h"
#include "exec/stop.h"
#include "exec/worker.h"

/* Fruitless atomics of an item before it gives way: long enough that a kernel which
 * loads atomically without spinning hardly notices (a switch costs as much as some ten
 * loads), short enough that a spin costs little. */
enum { WEIRI_FAST_PATIENCE = 256 };
/* Atomics of a worker's items that change global memory before its group gives way:
 * kernels that only count make many of them, and few spins do. It is a prime number,
 * since a loop that always gave way where it holds a lock would keep others from it. */
enum { WEIRI_FAST_STAMINA = 16381 };
/* Times that a group's items give way before the group does: others of it may go on,
 * from barrier to barrier, while the one that gives way waits for another group. */
enum { WEIRI_FAST_WAITS = 1024 };

/** Takes groups of the launch and runs them until none is left. Called on the thread's
 *  own stack. @stack: the first one for coroutines, which the worker has acquired */
void weiri_fast_run(struct weiri_worker *worker, uint32_t stack);

/**
 * weiri_fast_park:
 * @self: the running item, which the caller has put where it waits
 *
 * Runs others; returns when @self runs again.
 */
void weiri_fast_park(struct weiri_worker *worker, struct weiri_group *group,
                     uint32_t self);

/** Makes the worker's fresh coroutine one that starts on @stack. */
static inline void weiri_fast_prepare(struct weiri_worker *worker, uint32_t stack)
{
    size_t bytes;
    void *low = weiri_stacks_bounds(&worker->stacks, stack, &bytes);
    worker->starting = stack;
    weiri_co_init(&worker->fresh, low, bytes, worker->main);
}

/** The item on @stack is over: a new coroutine starts on that stack, and ends the
 *  group. */
static inline _Noreturn void weiri_fast_end_item(struct weiri_worker *worker,
                                                 uint32_t stack,
                                                 enum weiri_stop_kind kind)
{
    worker->left = kind;
    weiri_fast_prepare(worker, stack);
    weiri_co_jump(&worker->fresh);
}

/** The items that wait at @gate can run. */
static inline void weiri_fast_release(struct weiri_group *group,
                                      struct weiri_gate *gate)
{
    struct weiri_queue *queue = &group->queue;
    if (gate->n_members == 1) {
        ; /* the item goes on at once */
    } else if (gate == &group->gate && queue->head == queue->tail) {
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
}

#endif
