/* SPDX-License-Identifier: MIT
 *
 * fast.c: how one thread runs groups in fast mode.
 *
 * All kernel code runs on pooled stacks. A fresh coroutine takes a group and calls the
 * kernel's entry, a loop over the group's items (WEIRI_ITEM_LOOP in weir-machinery.h).
 * As long as no item blocks, that loop ends, the coroutine takes the next group, and
 * nothing is ever switched. An item that blocks is parked with its loop, which becomes
 * that item's stack, and a fresh coroutine goes on with the next item. So the entry
 * returns in two cases, which the group's `end` distinguishes:
 *
 *   end set    the starting loop has run out: all items have started
 *   end NULL   a parked item was resumed and has returned; its loop, finding
 *              no further item, ended with it
 *
 * What runs next, in this order: an item of the group that has not started; an item
 * that is runnable; if no item is runnable but some wait, the group is stuck and ends
 * with a finding; if the group is done, another group.
 *
 * Spinning: an item that gives way goes to the end of the queue. Where a whole round of
 * turns was fruitless, or items have changed memory for long, the worker turns to
 * another resident group or starts one, as long as the device has room, so that groups
 * which wait for each other make progress. weir_atomic_*() counts fruitless atomics
 * (weiri_fruitless()), and calls weiri_give_way() after some of them.
 *
 * In a stackless launch the entry also returns when items stop at a rendezvous, and
 * `end` is set while a pass is under way: see split.h. An item is parked with its
 * stack only if it waits in a function that was not inlined into the kernel, or spins.
 *
 * Invariants: a group never leaves its worker, so thread-local addresses that
 * the compiler keeps across a switch stay valid. While items have not started, or a
 * pass is under way, no parked item runs. */
#include "config.h"

#include "exec/fast.h"

#include "base/assert.h"
#include "exec/cluster.h"
#include "exec/combine.h"
#include "exec/divergence.h"
#include "exec/exited.h"
#include "exec/failure.h"
#include "exec/grid.h"
#include "exec/item-finding.h"
#include "exec/lanes.h"
#include "exec/leave.h"
#include "exec/mode.h"
#include "exec/resident.h"
#include "exec/split.h"

#include <limits.h>
#include <sched.h>

/* ---- Which item runs next ------------------------------------------------ */

/* Groups that are started together. */
static int together(const struct weiri_launch *launch)
{
    return (int)weiri_cluster_size(&launch->shape);
}

/* Takes another group of the launch, which becomes the running one; of a cluster, all
 * of its groups, of which the last one does. The others wait for their turn. */
static bool start_group(struct weiri_worker *worker)
{
    int n = together(worker->launch);
    bool alone = worker->group == NULL; /* the first of these needs no extra room */
    for (int i = 0; i < n; i++) {
        if (!weiri_resident_start(worker)) {
            return i > 0;
        }
    }
    if (alone && n > 1) {
        atomic_fetch_sub_explicit(&worker->launch->extra_left, n - 1,
                                  memory_order_relaxed);
    }
    if (worker->launch->split != NULL) {
        weiri_split_start(worker->launch->split, worker->group);
    }
    return true;
}

/* The first item for the loop that is to run. An item that runs alone goes on at the
 * place in its frame. */
static uint32_t next_item(struct weiri_worker *worker, struct weiri_group *group)
{
    uint32_t item = worker->alone;
    if (item == WEIRI_NONE_ALONE) {
        return group->next;
    }
    worker->alone = WEIRI_NONE_ALONE;
    group->public.place = WEIRI_SPLIT_ANY;
    return item;
}

/* Whether one more group may be resident here: the device has room, groups are
 * left, and there are stacks for all of its items. */
static bool may_start_another(struct weiri_worker *worker)
{
    struct weiri_launch *launch = worker->launch;
    const struct weiri_stacks *stacks = &worker->stacks;
    uint32_t in_use = stacks->n_mapped - stacks->n_free;
    if (!weiri_resident_are_left(worker)
        || stacks->capacity - in_use
            < (uint32_t)together(launch) * (uint32_t)launch->shape.items + 1) {
        return false;
    }
    /* relaxed: a count of what is allowed, nothing is published by it */
    int n = together(launch);
    if (atomic_fetch_sub_explicit(&launch->extra_left, n, memory_order_relaxed) < n) {
        atomic_fetch_add_explicit(&launch->extra_left, n, memory_order_relaxed);
        return false;
    }
    return true;
}

/* It did not start, after all. */
static void give_back_room(struct weiri_launch *launch)
{
    atomic_fetch_add_explicit(&launch->extra_left, together(launch),
                              memory_order_relaxed);
}

/* Every turn of the last round was fruitless, or too many were not: gives another group
 * a chance.
 * Returns whether worker->group is to be started. */
static bool turn_to_another(struct weiri_worker *worker)
{
    worker->group->idle = 0;
    worker->group->waits = 0;
    worker->group->tired = false;
    if (may_start_another(worker)) {
        if (start_group(worker)) {
            return true;
        }
        give_back_room(worker->launch);
    }
    struct weiri_group *other = worker->group->next_group;
    if (other == worker->group) {
        sched_yield(); /* the item that is waited for runs on another thread */
    }
    worker->group = other;
    return false;
}

/* All items of the running group wait for other groups: another one becomes the running
 * one. If none can run, that is a finding, and all groups end. Returns whether
 * worker->group is to be started. */
static bool turn_at_grid(struct weiri_worker *worker)
{
    struct weiri_group *group = worker->group;
    for (struct weiri_group *other = group->next_group; other != group;
         other = other->next_group) {
        if (weiri_queue_count(&other->queue) > 0 || other->public.end != NULL) {
            worker->group = other;
            return false;
        }
    }
    if (may_start_another(worker)) {
        if (start_group(worker)) {
            return true;
        }
        give_back_room(worker->launch);
    }
    if (worker->launch->exited == WEIR_EXITED_ALIVE_ONLY
        && weiri_cluster_forget_exited(worker)) {
        return false;
    }
    if (weiri_cluster_waits(worker, NULL)) {
        weiri_cluster_find(worker);
    } else {
        weiri_grid_find(worker);
    }
    while (worker->group != NULL) {
        weiri_resident_end(worker, true);
    }
    return false;
}

/* The context of the item that runs next on this worker; its group becomes the
 * running one. NULL: the loop of the running group goes on with its next item, or with
 * the worker's @alone, or, if no group is running, a new one is to be started. */
static struct weiri_co *choose(struct weiri_worker *worker)
{
    for (;;) {
        struct weiri_group *group = worker->group;
        if (group != NULL && weiri_resident_must_end(worker)) {
            if (weiri_resident_is_timed_out(worker)) {
                weiri_item_finding_limit(worker, NULL);
            }
            weiri_resident_end(worker, true);
            continue;
        }
        if (group == NULL || group->public.end != NULL) {
            return NULL;
        }
        uint32_t n_runnable = weiri_queue_count(&group->queue);
        if (n_runnable > 0) {
            if (group->idle >= n_runnable && weiri_lanes_settle(worker, group)) {
                continue;
            }
            if ((group->tired || group->idle >= n_runnable)
                && turn_to_another(worker)) {
                return NULL;
            }
            group = worker->group;
            if (weiri_queue_count(&group->queue) == 0) {
                continue;
            }
            if (worker->launch->split != NULL && weiri_split_gather(group)) {
                return NULL;
            }
            uint32_t item = weiri_queue_pop(&group->queue);
            group->public.at = (void *)(size_t)item;
            if (worker->launch->split != NULL && group->stack[item] == WEIRI_NO_STACK) {
                worker->alone = item;
                return NULL;
            }
            return &group->context[item];
        }
        if (group->live > 0) {
            if (weiri_lanes_settle(worker, group)) {
                continue;
            }
            if (weiri_divergence_is_of_groups(worker, group)) {
                if (turn_at_grid(worker)) {
                    return NULL;
                }
                continue;
            }
            if (worker->launch->exited == WEIR_EXITED_ALIVE_ONLY
                && weiri_exited_forget(worker, group)) {
                continue;
            }
            weiri_divergence_find(worker, group);
        }
        weiri_resident_end(worker, group->live > 0);
    }
}

/* ---- Coroutines ---------------------------------------------------------- */

void weiri_fast_park(struct weiri_worker *worker, struct weiri_group *group,
                     uint32_t self)
{
    if (__builtin_expect(weiri_self.sums != NULL, 0)) {
        weiri_combine_stop();
    }
    if (worker->launch->split != NULL) {
        weiri_split_park(worker, group, self);
    } else if (group->public.end != NULL) {
        /* Blocks for the first time: this stack is the item's from here on. */
        group->stack[self] = worker->looping;
        group->live++;
        group->next = self + 1;
        if (group->next == group->items) {
            group->public.end = NULL;
        }
    }
    struct weiri_co *next = group->public.end != NULL ? NULL : choose(worker);
    if (next == NULL) {
        uint32_t stack = weiri_stacks_acquire(&worker->stacks);
        if (stack == WEIRI_NO_STACK) {
            weiri_failure_set(
                worker->launch, WEIR_ERROR_RESOURCE,
                "cannot map a stack for item %u of a group: this worker has %u: "
                "give fewer workers, smaller groups, or raise "
                "vm.max_map_count",
                group->next, worker->stacks.n_mapped);
            weiri_leave(worker, WEIRI_STOP_ABANDONED);
        }
        weiri_fast_prepare(worker, stack);
        weiri_co_start(&group->context[self], &worker->fresh); /* in tail position */
    } else if (next != &group->context[self]) {
        weiri_co_switch(&group->context[self], next); /* in tail position */
    }
}

/* The running item of the running group goes to the end of the queue. */
static void queue_up(struct weiri_worker *worker, struct weiri_group *group)
{
    void *at = group->public.at; /* of a group kernel: which item of its loop */
    uint32_t self = worker->launch->kernel->hierarchical ? 0 : (uint32_t)(size_t)at;
    weiri_queue_push(&group->queue, self);
    weiri_fast_park(worker, group, self);
    group->public.at = at;
}

void weiri_give_way(void)
{
    struct weiri_worker *worker = weiri_self.worker;
    if (worker != NULL && weiri_mode_is_fruitless(worker)) {
        weiri_self.patience = 1; /* every fruitless operation comes here */
        weiri_self.stamina = LONG_MAX;
        return;
    }
    bool fruitless = weiri_self.patience <= 0;
    weiri_self.patience = WEIRI_FAST_PATIENCE;
    bool tired = weiri_self.stamina <= 0;
    if (tired) {
        weiri_self.stamina = WEIRI_FAST_STAMINA;
    }
    if (worker == NULL) {
        sched_yield(); /* the host spins */
        return;
    }
    struct weiri_group *group = worker->group;
    group->idle++;
    group->tired |= tired || ++group->waits > WEIRI_FAST_WAITS;
    if (fruitless) { /* an item that goes on changing memory need not wait */
        worker->gave_way_at = __builtin_return_address(0);
        worker->gave_way_item = (size_t)group->public.at;
        worker->n_gave_way++;
    }
    queue_up(worker, group);
}

/* An item that takes turns may wait for another group, for all that is known here. */
void weiri_take_turn(void)
{
    struct weiri_worker *worker = weiri_self.worker;
    if (worker == NULL || worker->hub != NULL) {
        return;
    }
    if (--weiri_self.stamina <= 0) {
        weiri_give_way();
        return;
    }
    queue_up(worker, worker->group);
}

/* Ends the running group, on the stack of the item that ends it. */
static void cancel(struct weiri_worker *worker, uint32_t stack)
{
    struct weiri_group *group = worker->group;
    worker->alone = WEIRI_NONE_ALONE;
    for (uint32_t i = 0; i < group->items; i++) {
        if (group->stack[i] == stack) {
            group->stack[i] = WEIRI_NO_STACK;
            group->live--;
        }
    }
    weiri_resident_end(worker, true);
}

/* Reports how the item that ran on this stack has ended, and with it its group. */
static void report_left(struct weiri_worker *worker)
{
    enum weiri_stop_kind kind = worker->left;
    worker->left = WEIRI_STOP_NONE;
    if (kind == WEIRI_STOP_OVERFLOWED) {
        weiri_item_finding_overflow(worker);
    } else if (kind == WEIRI_STOP_FAULTED) {
        weiri_item_finding_fault(worker);
    } else if (kind == WEIRI_STOP_INTERRUPTED) {
        weiri_item_finding_limit(worker, worker->interrupted_at);
    }
}

/* The loop that has run on @stack is over. */
static void end_loop(const struct weiri_worker *worker, struct weiri_group *group,
                     uint32_t stack)
{
    if (group->public.end != NULL) {
        group->public.end = NULL;
        group->next = group->items;
        return;
    }
    uint32_t item = worker->launch->kernel->hierarchical
        ? 0
        : (uint32_t)(size_t)group->public.at - 1;
    weiri_assert_slow(group->stack[item] == stack);
    group->stack[item] = WEIRI_NO_STACK;
    group->live--;
    group->returns[item] = (struct weiri_return){ group->serial, group->gate.phase };
}

/* Every coroutine of a fast launch: see the opening comment. */
static void coroutine_main(void)
{
    weiri_co_entered();
    struct weiri_worker *worker = weiri_self.worker;
    uint32_t stack = worker->starting;
    if (worker->left != WEIRI_STOP_NONE) {
        report_left(worker);
        cancel(worker, stack);
    }
    for (;;) {
        struct weiri_group *group = worker->group;
        if (worker->alone == WEIRI_NONE_ALONE
            && (group == NULL || group->public.end == NULL)) {
            struct weiri_co *next = choose(worker);
            if (next == NULL && worker->group == NULL && !start_group(worker)) {
                next = &worker->host;
            }
            if (next != NULL) {
                weiri_stacks_release(&worker->stacks, stack);
                weiri_co_jump(next);
            }
            group = worker->group;
        }
        worker->looping = stack;
        worker->launch->entry(&group->public, next_item(worker, group));
        group = worker->group; /* another one, where this loop was parked meanwhile */
        if (worker->launch->split != NULL) {
            weiri_split_ended(worker, group);
        } else {
            end_loop(worker, group, stack);
        }
        group->idle = 0;
    }
}

void weiri_fast_run(struct weiri_worker *worker, uint32_t stack)
{
    worker->main = coroutine_main;
    worker->alone = WEIRI_NONE_ALONE;
    worker->own_low = (uintptr_t)worker->stacks.base;
    worker->own_bytes = worker->stacks.capacity * worker->stacks.stride;
    weiri_fast_prepare(worker, stack);
    weiri_co_start(&worker->host, &worker->fresh);
}
