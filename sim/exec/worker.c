/* SPDX-License-Identifier: MIT
 *
 * worker.c: how one thread runs groups.
 *
 * All kernel code runs on pooled stacks. A fresh coroutine takes a group and
 * calls the kernel's entry, a loop over the group's items. As long as no item
 * blocks, that loop ends, the coroutine takes the next group, and nothing is
 * ever switched. An item that blocks is parked with its loop, which becomes
 * that item's stack, and a fresh coroutine goes on with the next item. So the
 * entry returns in two cases, told apart by the group's `end`:
 *
 *   end set    the starting loop has run out: all items have started
 *   end NULL   a parked item was resumed and has returned; its loop, finding
 *              no further item, ended with it
 *
 * Who runs next, in this order: an item of the group that has not started; one
 * that is runnable; where there is none and somebody waits, the group is stuck
 * and ends with a finding; where the group is done, another one.
 *
 * Spinning: an item that gives way goes to the end of the queue. Where a whole
 * round of turns was fruitless the worker turns to another resident group or
 * starts one, as long as the device has room, so that groups which wait for
 * each other make progress.
 *
 * Invariants: a group never leaves its worker, so thread-local addresses that
 * the compiler keeps across a switch stay right. While items have not started,
 * no parked item runs. */
#include "config.h"

#include "exec/worker.h"

#include "base/assert.h"
#include "deterministic/stop.h"
#include "deterministic/turns.h"
#include "exec/collective.h"
#include "exec/divergence.h"
#include "exec/event.h"
#include "exec/failure.h"
#include "exec/finding.h"
#include "exec/launch.h"
#include "exec/local.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

/* Fruitless atomics of an item before it gives way: long enough that a kernel
 * which loads atomically without spinning hardly notices (a switch costs as
 * much as some ten loads), short enough that a spin costs little. */
enum { PATIENCE = 256 };
/* Changes of memory before it does: kernels that only count in global memory make
 * many, and few spins consist of them. */
enum { STAMINA = 16384 };

/* Stacks that the process keeps between launches: half of what one launch may
 * have, so that both together stay under Linux's limit with room for others. */
enum { MOST_STACKS_KEPT = WEIRI_MAX_RESIDENT_ITEMS / 2 };
static _Atomic uint32_t n_stacks_kept;

_Thread_local struct weiri_self weiri_self __attribute__((tls_model("initial-exec")));

static void fiber_main(void);

static void emit(struct weiri_worker *worker, enum weiri_event_kind kind,
                 struct weiri_group *group, size_t item)
{
    if ((worker->launch->audience.kinds >> kind & 1) != 0) {
        worker->inside++;
        weiri_emit(&worker->launch->audience,
                   &(struct weiri_event){ .kind = kind,
                                          .kernel = worker->launch->kernel,
                                          .group = &group->public,
                                          .item = item });
        worker->inside--;
    }
}

/* ---- Groups -------------------------------------------------------------- */

/* An error has ended the launch: resident groups are dropped, none is taken. */
static bool has_stopped(const struct weiri_launch *launch)
{
    return atomic_load_explicit(&launch->stopped, memory_order_relaxed); /* a hint */
}

static bool was_timed_out(const struct weiri_launch *launch)
{
    return atomic_load_explicit(&launch->stopped, memory_order_relaxed) /* a hint */
        == WEIRI_STOPPED_BY_TIME;
}

/* The limit of time ends the running group, or keeps others from starting where there
 * is none. @at: the code that its running item was interrupted in, or NULL where this
 * is called on that item's stack */
static void report_limit(struct weiri_worker *worker, const void *at)
{
    const struct weiri_launch *launch = worker->launch;
    const struct weiri_group *group = worker->group;
    worker->inside++;
    char *why
        = g_strdup_printf("kernel '%s' was ended at the limit of %g seconds",
                          launch->kernel->name, (double)launch->time_limit_ms / 1000);
    if (group == NULL) {
        weiri_report_cut_short(launch->report, why, NULL, NULL);
    } else {
        uint32_t item = (uint32_t)(size_t)group->public.at;
        struct weir_party party
            = weiri_party_new(WEIR_STATE_RUNNING, &group->public.shape, NULL, NULL,
                              group->gate.phase, &item, 1);
        struct weiri_backtrace calls;
        if (at == NULL
            && weiri_backtrace_capture(&calls, NULL, (const void *)launch->entry)) {
            at = calls.pc[calls.n - 1];
        }
        weiri_report_cut_short(launch->report, why, &party,
                               &(struct weiri_trail){ .at = { at } });
    }
    worker->inside--;
}

/* Takes a number of groups at once; false where none is left. */
static bool take_chunk(struct weiri_worker *worker)
{
    struct weiri_launch *launch = worker->launch;
    if (has_stopped(launch)) {
        return false;
    }
    /* relaxed: hands out numbers and nothing else */
    size_t first = atomic_fetch_add_explicit(&launch->next_group, launch->chunk,
                                             memory_order_relaxed);
    if (first >= launch->n_groups) {
        return false;
    }
    worker->chunk_next = first;
    worker->chunk_end = MIN(first + launch->chunk, launch->n_groups);
    return true;
}

bool weiri_worker_groups_are_left(const struct weiri_worker *worker)
{
    /* relaxed: a hint; take_chunk() decides */
    return worker->chunk_next < worker->chunk_end
        || atomic_load_explicit(&worker->launch->next_group, memory_order_relaxed)
        < worker->launch->n_groups;
}

bool weiri_worker_start_group(struct weiri_worker *worker)
{
    if (has_stopped(worker->launch)) {
        if (was_timed_out(worker->launch) && weiri_worker_groups_are_left(worker)) {
            report_limit(worker, NULL);
        }
        return false;
    }
    if (worker->chunk_next == worker->chunk_end && !take_chunk(worker)) {
        return false;
    }
    struct weiri_launch *launch = worker->launch;
    struct weiri_group *group = worker->spare;
    if (group != NULL) {
        worker->spare = group->next_group;
    } else {
        group = weiri_group_new((uint32_t)launch->shape.items,
                                launch->shape.sub_group_size,
                                launch->device->local_mem_size);
    }
    weiri_group_start(group, &launch->shape, launch->args, worker->chunk_next++,
                      launch->kernel->hierarchical);
    if (worker->group == NULL) {
        group->next_group = group;
    } else {
        group->next_group = worker->group->next_group;
        worker->group->next_group = group;
    }
    worker->group = group;
    emit(worker, WEIRI_EVENT_GROUP_BEGIN, group, 0);
    return true;
}

/* The running group is over; stacks that its items still have are given back. */
void weiri_worker_end_group(struct weiri_worker *worker, bool cancelled)
{
    struct weiri_group *group = worker->group;
    if (cancelled) {
        for (uint32_t i = 0; group->live > 0 && i < group->items; i++) {
            if (group->stack[i] != WEIRI_NO_STACK) {
                weiri_stacks_release(&worker->stacks, group->stack[i]);
                group->stack[i] = WEIRI_NO_STACK;
                group->live--;
            }
        }
    }
    if (group->n_locals > 0) {
        weiri_local_end_group(worker, group, cancelled);
    }
    weiri_assert_slow(group->live == 0);
    emit(worker, WEIRI_EVENT_GROUP_END, group, 0);
    if (group->next_group == group) {
        worker->group = NULL;
    } else {
        /* relaxed: a count of what is allowed, nothing is published by it */
        atomic_fetch_add_explicit(&worker->launch->extra_left, 1, memory_order_relaxed);
        struct weiri_group *before = group->next_group;
        while (before->next_group != group) {
            before = before->next_group;
        }
        before->next_group = group->next_group;
        worker->group = group->next_group;
    }
    group->next_group = worker->spare;
    worker->spare = group;
}

/* ---- Who runs next ------------------------------------------------------- */

/* Whether one more group may be resident here: the device has room, groups are
 * left, and there are stacks for all of its items. */
static bool may_start_another(struct weiri_worker *worker)
{
    struct weiri_launch *launch = worker->launch;
    const struct weiri_stacks *stacks = &worker->stacks;
    uint32_t in_use = stacks->n_mapped - stacks->n_free;
    if (!weiri_worker_groups_are_left(worker)
        || stacks->capacity - in_use < (uint32_t)launch->shape.items + 1) {
        return false;
    }
    /* relaxed: a count of what is allowed, nothing is published by it */
    if (atomic_fetch_sub_explicit(&launch->extra_left, 1, memory_order_relaxed) <= 0) {
        atomic_fetch_add_explicit(&launch->extra_left, 1, memory_order_relaxed);
        return false;
    }
    return true;
}

/* Every turn of the last round was fruitless: gives another group a chance.
 * Returns whether worker->group is to be started. */
static bool turn_to_another(struct weiri_worker *worker)
{
    worker->group->idle = 0;
    if (may_start_another(worker)) {
        if (weiri_worker_start_group(worker)) {
            return true;
        }
        atomic_fetch_add_explicit(&worker->launch->extra_left, 1, memory_order_relaxed);
    }
    struct weiri_group *other = worker->group->next_group;
    if (other == worker->group) {
        sched_yield(); /* whoever is waited for runs on another thread */
    }
    worker->group = other;
    return false;
}

/* The context of the item that runs next on this worker; its group becomes the
 * running one. NULL: the running group's next item is to be started, or, where
 * there is no group, one is to be taken. */
static struct weiri_co *choose(struct weiri_worker *worker)
{
    for (;;) {
        struct weiri_group *group = worker->group;
        if (group != NULL && has_stopped(worker->launch)) {
            if (was_timed_out(worker->launch)) {
                report_limit(worker, NULL);
            }
            weiri_worker_end_group(worker, true);
            continue;
        }
        if (group == NULL || group->public.end != NULL) {
            return NULL;
        }
        uint32_t n_runnable = weiri_queue_count(&group->queue);
        if (n_runnable > 0) {
            if (group->idle >= n_runnable && turn_to_another(worker)) {
                return NULL;
            }
            group = worker->group;
            if (weiri_queue_count(&group->queue) == 0) {
                continue;
            }
            uint32_t item = weiri_queue_pop(&group->queue);
            group->public.at = (void *)(size_t)item;
            return &group->context[item];
        }
        if (group->live > 0) {
            weiri_divergence_find(worker, group);
        }
        weiri_worker_end_group(worker, group->live > 0);
    }
}

/* ---- Coroutines ---------------------------------------------------------- */

static void prepare(struct weiri_worker *worker, uint32_t stack)
{
    size_t bytes;
    void *low = weiri_stacks_bounds(&worker->stacks, stack, &bytes);
    worker->starting = stack;
    weiri_co_init(&worker->fresh, low, bytes, fiber_main);
}

void weiri_worker_park(struct weiri_worker *worker, struct weiri_group *group,
                       uint32_t self)
{
    if (group->public.end != NULL) {
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
            weiri_worker_abandon(worker);
        }
        prepare(worker, stack);
        weiri_co_start(&group->context[self], &worker->fresh); /* in tail position */
    } else if (next != &group->context[self]) {
        weiri_co_switch(&group->context[self], next); /* in tail position */
    }
}

void weiri_give_way(void)
{
    struct weiri_worker *worker = weiri_self.worker;
    if (worker != NULL && worker->turns != NULL) {
        weiri_self.patience = 1; /* every fruitless operation comes here */
        weiri_self.stamina = LONG_MAX;
        weiri_stop_fruitless(worker);
        return;
    }
    weiri_self.patience = PATIENCE;
    weiri_self.stamina = STAMINA;
    if (worker == NULL) {
        sched_yield(); /* the host spins */
        return;
    }
    struct weiri_group *group = worker->group;
    uint32_t self
        = worker->launch->kernel->hierarchical ? 0 : (uint32_t)(size_t)group->public.at;
    void *at = group->public.at; /* of a group kernel: which item of its loop */
    group->idle++;
    weiri_queue_push(&group->queue, self);
    weiri_worker_park(worker, group, self);
    group->public.at = at;
}

_Noreturn void weiri_worker_restart(struct weiri_worker *worker, uint32_t stack)
{
    worker->inside = 0;
    if (worker->turns != NULL) {
        enum weiri_came came = worker->overflowed ? WEIRI_CAME_OVERFLOWED
            : worker->faulted                     ? WEIRI_CAME_FAULTED
            : worker->interrupted                 ? WEIRI_CAME_INTERRUPTED
                                                  : WEIRI_CAME_ABANDONED;
        worker->overflowed = worker->faulted = worker->interrupted = false;
        weiri_turns_leave(worker, came);
    }
    prepare(worker, stack);
    weiri_co_jump(&worker->fresh);
}

/* Ends the running group, on the stack of the item that ends it. */
static void cancel(struct weiri_worker *worker, uint32_t stack)
{
    struct weiri_group *group = worker->group;
    for (uint32_t i = 0; i < group->items; i++) {
        if (group->stack[i] == stack) {
            group->stack[i] = WEIRI_NO_STACK;
            group->live--;
        }
    }
    weiri_worker_end_group(worker, true);
}

_Noreturn void weiri_worker_abandon(struct weiri_worker *worker)
{
    worker->inside = 0;
    if (worker->turns != NULL) {
        weiri_turns_leave(worker, WEIRI_CAME_ABANDONED);
    }
    uint32_t stack
        = weiri_stacks_find(&worker->stacks, __builtin_frame_address(0), NULL);
    cancel(worker, stack);
    weiri_worker_restart(worker, stack);
}

/* The item that did what a signal tells of. */
static uint32_t item_at_fault(const struct weiri_group *group)
{
    size_t at = (size_t)group->public.at;
    /* behind the loop of a group kernel it is nobody in particular */
    return at < group->public.shape.items ? (uint32_t)at : 0;
}

/* A loop that calls nothing may keep the number of the item that runs in a register:
 * then the group knows of an earlier one. Not where the machine has given the item its
 * turn, and not in checked loops, which call it for each. */
static bool is_item_known(const struct weiri_worker *worker)
{
    const struct weiri_launch *launch = worker->launch;
    bool in_turn = worker->turns != NULL || worker->group->public.end == NULL;
    return launch->entry == launch->kernel->checked
        || (in_turn && !launch->kernel->hierarchical);
}

/* Adds a finding of what the worker's @fault tells, with @party, whose place it has. */
static void add_fault(struct weiri_worker *worker, struct weiri_draft *draft,
                      const struct weir_party *party)
{
    const struct weiri_backtrace *calls = &worker->fault.calls;
    struct weiri_trail trail
        = { .calls = *calls, .at = { calls->n > 0 ? calls->pc[0] : NULL } };
    weiri_draft_take(draft, party, &trail);
    weiri_report_add(worker->launch->report, draft);
}

void weiri_worker_report_fault(struct weiri_worker *worker)
{
    const struct weiri_launch *launch = worker->launch;
    const struct weiri_shape *shape = &worker->group->public.shape;
    uint32_t first = item_at_fault(worker->group);
    uint32_t n = is_item_known(worker) ? 1 : (uint32_t)shape->items - first;
    struct weiri_draft draft = { .kind = WEIR_FINDING_FAULT,
                                 .kernel = launch->kernel,
                                 .group_linear = shape->group_linear };
    worker->inside++;
    weiri_draft_init(&draft);
    g_autofree uint32_t *items = g_new(uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        items[i] = first + i;
    }
    struct weir_party party = weiri_party_new(WEIR_STATE_RUNNING, shape, NULL, NULL,
                                              worker->group->gate.phase, items, n);
    g_autofree char *group = weiri_coordinates(party.group);
    g_autofree char *item = weiri_coordinates(party.item);
    draft.message = n == 1
        ? g_strdup_printf("fault in kernel '%s', group %s, item %s: the item %s",
                          launch->kernel->name, group, item, worker->fault.what)
        : g_strdup_printf("fault in kernel '%s', group %s: one of the items from %s on "
                          "%s; weir check tells which",
                          launch->kernel->name, group, item, worker->fault.what);
    add_fault(worker, &draft, &party);
    worker->inside--;
}

void weiri_worker_report_overflow(struct weiri_worker *worker)
{
    const struct weiri_launch *launch = worker->launch;
    const struct weiri_shape *shape = &worker->group->public.shape;
    uint32_t first = item_at_fault(worker->group);
    struct weiri_draft draft = { .kind = WEIR_FINDING_STACK_OVERFLOW,
                                 .kernel = launch->kernel,
                                 .group_linear = shape->group_linear };
    worker->inside++;
    weiri_draft_init(&draft);
    struct weir_party party = weiri_party_new(WEIR_STATE_RUNNING, shape, NULL, NULL,
                                              worker->group->gate.phase, &first, 1);
    g_autofree char *group = weiri_coordinates(party.group);
    g_autofree char *item = weiri_coordinates(party.item);
    draft.message = g_strdup_printf(
        "stack overflow in kernel '%s', group %s, item %s: the item's stack has %zu "
        "bytes: give --stack-bytes %zu, or set the launch option stack_bytes",
        launch->kernel->name, group, item, launch->stack_bytes,
        2 * launch->stack_bytes);
    add_fault(worker, &draft, &party);
    worker->inside--;
}

/* Every coroutine of a fast launch: see the opening comment. */
static void fiber_main(void)
{
    weiri_co_entered();
    struct weiri_worker *worker = weiri_self.worker;
    uint32_t stack = worker->starting;
    if (worker->overflowed) {
        worker->overflowed = false;
        weiri_worker_report_overflow(worker);
        cancel(worker, stack);
    }
    if (worker->faulted) {
        worker->faulted = false;
        weiri_worker_report_fault(worker);
        cancel(worker, stack);
    }
    if (worker->interrupted) {
        worker->interrupted = false;
        report_limit(worker, worker->interrupted_at);
        cancel(worker, stack);
    }
    for (;;) {
        struct weiri_group *group = worker->group;
        if (group == NULL || group->public.end == NULL) {
            struct weiri_co *next = choose(worker);
            if (next == NULL && worker->group == NULL
                && !weiri_worker_start_group(worker)) {
                next = &worker->host;
            }
            if (next != NULL) {
                weiri_stacks_release(&worker->stacks, stack);
                weiri_co_jump(next);
            }
            group = worker->group;
        }
        worker->looping = stack;
        worker->launch->entry(&group->public, group->next);
        group = worker->group; /* another one, where this loop was parked meanwhile */
        if (group->public.end != NULL) {
            group->public.end = NULL;
            group->next = group->items;
        } else {
            uint32_t item = worker->launch->kernel->hierarchical
                ? 0
                : (uint32_t)(size_t)group->public.at - 1;
            weiri_assert_slow(group->stack[item] == stack);
            group->stack[item] = WEIRI_NO_STACK;
            group->live--;
            group->returns[item]
                = (struct weiri_return){ group->serial, group->gate.phase };
        }
        group->idle = 0;
    }
}

/* ---- The worker itself --------------------------------------------------- */

void weiri_worker_find(struct weiri_worker *worker, enum weir_finding_kind kind,
                       const struct weir_site *site, enum weir_state state,
                       uint32_t item, const char *operation, char *message)
{
    const struct weiri_group *group = worker->group;
    struct weiri_draft draft = { .kind = kind,
                                 .kernel = worker->launch->kernel,
                                 .group_linear = group->public.shape.group_linear,
                                 .message = message };
    worker->inside++;
    weiri_draft_init(&draft);
    struct weir_party party = weiri_party_new(state, &group->public.shape, site,
                                              operation, group->gate.phase, &item, 1);
    weiri_draft_take(&draft, &party, NULL);
    weiri_report_add(worker->launch->report, &draft);
    worker->inside--;
}

void weiri_item_begin(size_t local_linear)
{
    struct weiri_worker *worker = weiri_self.worker;
    if (worker->turns != NULL) {
        worker->turns->begun = true;
    }
    emit(worker, WEIRI_EVENT_ITEM_BEGIN, worker->group, local_linear);
}

static void tell_what_runs(void)
{
    struct weiri_worker *worker = weiri_self.worker;
    if (worker != NULL && worker->group != NULL) {
        fprintf(stderr, "weir: in kernel '%s', group %zu, item %zu\n",
                worker->launch->kernel->name, worker->group->public.shape.group_linear,
                (size_t)worker->group->public.at);
    }
}

struct weiri_worker *weiri_worker_new(void)
{
    size_t unit = _Alignof(struct weiri_worker);
    size_t bytes = (sizeof(struct weiri_worker) + unit - 1) / unit * unit;
    struct weiri_worker *worker = aligned_alloc(unit, bytes);
    weiri_assert(worker != NULL);
    *worker = (struct weiri_worker){ 0 };
    return worker;
}

/* Makes what the worker kept from earlier launches fit this one. */
static bool fit(struct weiri_worker *worker, struct weiri_launch *launch)
{
    weiri_assert_context = tell_what_runs;
    if (worker->spare != NULL
        && (worker->spare->capacity != launch->shape.items
            || worker->spare->local_bytes != launch->device->local_mem_size
            || worker->spare_sub_group_size != launch->shape.sub_group_size)) {
        while (worker->spare != NULL) {
            struct weiri_group *next = worker->spare->next_group;
            weiri_group_free(worker->spare);
            worker->spare = next;
        }
    }
    worker->spare_sub_group_size = launch->shape.sub_group_size;
    uint64_t groups = MIN(launch->n_groups, 1 + (uint64_t)launch->n_extra);
    uint64_t wanted = MIN(groups * launch->shape.items, WEIRI_MAX_RESIDENT_ITEMS) + 1;
    if (worker->stacks.base != NULL
        && (worker->stacks.stack_bytes != launch->stack_bytes
            || worker->stacks.capacity < wanted)) {
        weiri_stacks_clear(&worker->stacks);
    }
    const char *reason;
    if (worker->stacks.base == NULL
        && !weiri_stacks_init(&worker->stacks, launch->stack_bytes, (uint32_t)wanted,
                              &reason)) {
        weiri_failure_set(launch, WEIR_ERROR_RESOURCE,
                          "cannot reserve %" G_GUINT64_FORMAT
                          " stacks of %zu bytes: %s",
                          wanted, launch->stack_bytes, reason);
        return false;
    }
    return true;
}

/* Workers keep their stacks for the next launch, but not so many that those of a
 * later one, on other workers, find no room in the process. */
static void give_back_stacks(struct weiri_worker *worker)
{
    /* relaxed: an estimate; nothing is published by it */
    uint32_t n_here = worker->stacks.n_mapped;
    uint32_t n_before = worker->n_counted;
    uint32_t n_in_all = atomic_fetch_add_explicit(&n_stacks_kept, n_here - n_before,
                                                  memory_order_relaxed)
        + n_here - n_before;
    worker->n_counted = n_here;
    if (n_in_all > MOST_STACKS_KEPT) {
        weiri_stacks_clear(&worker->stacks);
        atomic_fetch_sub_explicit(&n_stacks_kept, n_here, memory_order_relaxed);
        worker->n_counted = 0;
    }
}

void weiri_worker_run(struct weiri_worker *worker, struct weiri_launch *launch)
{
    if (!fit(worker, launch)) {
        return;
    }
    uint32_t stack = weiri_stacks_acquire(&worker->stacks);
    if (stack == WEIRI_NO_STACK) {
        weiri_failure_set(launch, WEIR_ERROR_RESOURCE,
                          "cannot map the first stack of a worker");
        return;
    }
    worker->launch = launch;
    worker->group = NULL;
    worker->chunk_next = worker->chunk_end = 0;
    worker->restricted = !weiri_device_unrestricted(launch->device);
    bool watched
        = launch->deterministic || launch->observers != NULL || worker->restricted;
    weiri_self
        = (struct weiri_self){ .watch = watched ? worker : NULL,
                               .solo = launch->n_workers == 1 ? worker : NULL,
                               .worker = worker,
                               .patience = launch->deterministic ? 1 : PATIENCE,
                               .stamina = launch->deterministic ? LONG_MAX : STAMINA };
    if (launch->objects != NULL) {
        weiri_objects_set_stacks(launch->objects, &worker->stacks);
    }
    worker->access
        = (struct weiri_event){ .kind = WEIRI_EVENT_ACCESS, .kernel = launch->kernel };
    worker->atomic
        = (struct weiri_event){ .kind = WEIRI_EVENT_ATOMIC, .kernel = launch->kernel };
    if (launch->deterministic) {
        weiri_stacks_release(&worker->stacks, stack);
        weiri_turns_run(worker);
    } else {
        worker->own_low = (uintptr_t)worker->stacks.base;
        worker->own_bytes = worker->stacks.capacity * worker->stacks.stride;
        prepare(worker, stack);
        weiri_co_start(&worker->host, &worker->fresh);
    }
    weiri_self = (struct weiri_self){ .patience = PATIENCE, .stamina = STAMINA };
    worker->launch = NULL;
    weiri_assert(worker->group == NULL);
    give_back_stacks(worker);
}
