/* SPDX-License-Identifier: MIT
 *
 * turns.c: the hub of a deterministic launch; turns.h says what a turn is.
 *
 *      hub: admit groups, decide, switch ----> item: does its operation, runs on,
 *           settle what the turn did   <----        comes to its next stop
 *
 * A policy that never interrupts an item which can go on (in-order, reverse) is not
 * asked at an operation: the step is counted where the item is, and no switch is made.
 * What a schedule's file says of steps is the same either way.
 *
 * Spinning: an item that repeats a fruitless operation sleeps until somebody changes
 * the address. So the others come forward under every policy, and a spin costs next to
 * nothing. Where all that could run are asleep they are woken for a turn each, until
 * one of them makes progress or all are proven to repeat themselves: see livelock.h.
 *
 * Invariants: the running item is a member of `ready`. An item that sleeps is no member
 * of it. Every change of memory that the launch knows of is settled before anybody else
 * has a turn. */
#include "config.h"

#include "deterministic/turns.h"

#include "base/assert.h"
#include "deterministic/livelock.h"
#include "deterministic/replay.h"
#include "deterministic/stop.h"
#include "deterministic/stuck.h"
#include "exec/collective.h"
#include "exec/divergence.h"
#include "exec/failure.h"
#include "exec/finding.h"
#include "exec/launch.h"
#include "exec/worker.h"

static struct weiri_group *group_of(const struct weiri_turns *turns, uint32_t id)
{
    return turns->slots[id >> turns->ready.shift];
}

static uint32_t item_of(const struct weiri_turns *turns, uint32_t id)
{
    return id & ((1u << turns->ready.shift) - 1);
}

static uint32_t id_of(const struct weiri_turns *turns, const struct weiri_group *group,
                      uint32_t item)
{
    return group->slot << turns->ready.shift | item;
}

static struct weiri_spin *spin_of(const struct weiri_turns *turns, uint32_t id)
{
    return &group_of(turns, id)->spin[item_of(turns, id)];
}

/* ---- Who can run --------------------------------------------------------- */

static inline void add_ready(struct weiri_turns *turns, uint32_t id)
{
    weiri_id_set_add(&turns->ready, id);
    if (turns->policy.added != NULL) {
        turns->policy.added(turns->policy.self, id);
    }
}

static inline void remove_ready(struct weiri_turns *turns, uint32_t id)
{
    weiri_id_set_remove(&turns->ready, id);
    if (turns->policy.removed != NULL) {
        turns->policy.removed(turns->policy.self, id);
    }
}

void weiri_turns_free(struct weiri_worker *worker, struct weiri_group *group,
                      uint32_t item)
{
    struct weiri_turns *turns = worker->turns;
    group->turn[item].history = WEIRI_HISTORY_START;
    uint32_t id = id_of(turns, group, item);
    if (!weiri_id_set_has(&turns->ready, id)) {
        add_ready(turns, id);
    }
}

void weiri_turns_free_all(struct weiri_turns *turns, struct weiri_group *group)
{
    uint32_t first = id_of(turns, group, 0);
    for (uint32_t i = 0; i < group->items; i++) {
        group->turn[i].history = WEIRI_HISTORY_START;
    }
    weiri_id_set_add_all(&turns->ready, group->slot, group->items);
    if (turns->policy.added_but != NULL) {
        turns->policy.added_but(turns->policy.self, first, group->items,
                                turns->current);
    }
}

void weiri_turns_wake(struct weiri_turns *turns, uint32_t id)
{
    weiri_id_set_remove(&turns->asleep, id);
    turns->n_proven -= spin_of(turns, id)->proven;
    spin_of(turns, id)->proven = false;
    add_ready(turns, id);
}

static void fall_asleep(struct weiri_turns *turns, uint32_t id)
{
    struct weiri_spin *spin = spin_of(turns, id);
    remove_ready(turns, id);
    weiri_id_set_add(&turns->asleep, id);
    turns->sleep_filter |= weiri_livelock_filter(spin->anchor_address);
    spin->proven = weiri_livelock_repeats(turns, spin, turns->fingerprint);
    turns->n_proven += spin->proven;
}

/* ---- Groups -------------------------------------------------------------- */

/* Starts groups, in order, while the device has room for them. */
static void admit(struct weiri_turns *turns)
{
    while (turns->n_resident < turns->n_slots
           && weiri_worker_start_group(turns->worker)) {
        struct weiri_group *group = turns->worker->group;
        uint32_t slot = 0;
        while (turns->slots[slot] != NULL) {
            slot++;
        }
        turns->slots[slot] = group;
        turns->n_resident++;
        group->slot = slot;
        group->next = group->items; /* who has started is told by the turns */
        group->public.end = NULL;
        weiri_group_make_turns(group, sizeof(*group->turn), sizeof(*group->spin));
        weiri_id_set_admit(&turns->ready, slot);
        weiri_id_set_admit(&turns->asleep, slot);
        uint32_t first = id_of(turns, group, 0);
        if (turns->policy.entered != NULL) {
            turns->policy.entered(turns->policy.self, first, group->items);
        }
        for (uint32_t i = 0; i < group->items; i++) {
            add_ready(turns, first + i);
        }
        turns->epoch++;
    }
}

/* @group is over, or cancelled: what its items still have is given back. */
static void dismiss(struct weiri_turns *turns, struct weiri_group *group)
{
    uint32_t first = id_of(turns, group, 0);
    for (uint32_t id = first; id < first + group->items; id++) {
        if (weiri_id_set_has(&turns->ready, id)) {
            remove_ready(turns, id);
        }
        turns->n_proven -= spin_of(turns, id)->proven;
    }
    group->gate.n_exited = 0; /* a fast launch may have the object next */
    for (uint32_t i = 0; i < group->n_sub_gates; i++) {
        group->sub_gates[i].n_exited = 0;
    }
    weiri_id_set_dismiss(&turns->ready, group->slot);
    weiri_id_set_dismiss(&turns->asleep, group->slot);
    turns->slots[group->slot] = NULL;
    turns->n_resident--;
    turns->epoch++;
    turns->goes_on = false;
    turns->worker->group = group;
    weiri_worker_end_group(turns->worker, group->live > 0);
}

static void dismiss_all(struct weiri_turns *turns)
{
    while (turns->n_resident > 0) {
        dismiss(turns, turns->slots[turns->ready.order[0]]);
    }
}

/* ---- The hub: who is next ------------------------------------------------ */

/* Who has the next turn. */
static inline __attribute__((always_inline)) uint32_t decide(struct weiri_turns *turns)
{
    uint32_t current = turns->goes_on ? turns->current : WEIRI_NO_ITEM;
    uint32_t chosen = __builtin_expect(turns->traces, 0)
        ? weiri_replay_choose(turns, current)
        : turns->policy.pick(turns->policy.self, &turns->ready, current);
    turns->n_decisions += turns->ready.n > 1;
    turns->step++;
    return chosen;
}

/* ---- The hub: a turn ----------------------------------------------------- */

/* Every coroutine of a deterministic launch: one item. */
static void item_main(void)
{
    weiri_co_entered();
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    size_t item = (size_t)group->public.at;
    group->public.end = (void *)(item + 1);
    worker->launch->entry(&group->public, item);
    weiri_turns_leave(worker, WEIRI_CAME_RETURNED);
}

_Noreturn void weiri_turns_leave(struct weiri_worker *worker, enum weiri_came came)
{
    worker->turns->came = came;
    weiri_co_jump(&worker->host);
}

/* A coroutine for an item that has not started, or NULL. */
static struct weiri_co *start(struct weiri_turns *turns, struct weiri_group *group,
                              uint32_t item)
{
    struct weiri_worker *worker = turns->worker;
    uint32_t stack = weiri_stacks_acquire(&worker->stacks);
    if (stack == WEIRI_NO_STACK) {
        weiri_failure_set(turns->launch, WEIR_ERROR_RESOURCE,
                          "cannot map a stack for item %u of a group: this worker has "
                          "%u: give smaller groups, or raise vm.max_map_count",
                          item, worker->stacks.n_mapped);
        return NULL;
    }
    group->stack[item] = stack;
    group->live++;
    group->turn[item].state = WEIRI_ITEM_RUNS;
    bool instrumented = turns->launch->entry == turns->launch->kernel->checked;
    turns->begun = turns->hierarchical || !instrumented;
    if (turns->calls != NULL) {
        turns->calls[turns->current] = instrumented ? WEIRI_CALLS_OUTSIDE : 0;
    }
    size_t bytes;
    void *low = weiri_stacks_bounds(&worker->stacks, stack, &bytes);
    weiri_co_init(&worker->fresh, low, bytes, item_main);
    return &worker->fresh;
}

/* Makes @id the running item. Returns: its context, or that of a fresh coroutine where
 * it starts, which is told in the turns; NULL where there is no stack for that */
static inline __attribute__((always_inline)) struct weiri_co *enter(
    struct weiri_turns *turns, uint32_t id)
{
    struct weiri_worker *worker = turns->worker;
    struct weiri_group *group = group_of(turns, id);
    uint32_t item = item_of(turns, id);
    struct weiri_turn *turn = &group->turn[item];
    worker->group = group;
    group->public.at = turns->hierarchical ? turn->at : (void *)(size_t)item;
    group->public.end = NULL;
    turns->stretch = id == turns->current ? turns->stretch : 0;
    turns->current = id;
    turns->turn = turn;
    turns->spin = &group->spin[item];
    turns->starts = turn->state == WEIRI_ITEM_FRESH;
    struct weiri_co *next
        = turns->starts ? start(turns, group, item) : &group->context[item];
    worker->own_low = (uintptr_t)worker->stacks.base
        + group->stack[item] * worker->stacks.stride + worker->stacks.guard_bytes;
    return next;
}

/* Gives @id its turn; returns when somebody, it or one after it, comes to the hub. */
static void give_turn(struct weiri_turns *turns, uint32_t id)
{
    struct weiri_worker *worker = turns->worker;
    struct weiri_co *next = enter(turns, id);
    if (next == NULL) {
        turns->came = WEIRI_CAME_ABANDONED;
    } else if (turns->starts) {
        weiri_co_start(&worker->host, next);
    } else {
        weiri_co_switch(&worker->host, next);
    }
    while (turns->came == WEIRI_CAME_CALLS) {
        turns->call(turns->call_data);
        weiri_co_switch(
            &worker->host,
            &group_of(turns, turns->current)->context[item_of(turns, turns->current)]);
    }
}

/* @item is the one who stopped last. */
static void note_stop(struct weiri_turns *turns, const struct weiri_group *group,
                      uint32_t item)
{
    turns->last_group = group->public.shape.group_linear;
    turns->last_item = item;
    turns->last_stop = group->turn[item].n_stops;
    turns->last_site = group->turn[item].site;
    turns->last_pc = group->turn[item].pc;
}

/* Nobody of @group can run and nobody sleeps, but it is not over. */
static void check_stuck(struct weiri_turns *turns, struct weiri_group *group)
{
    if (turns->ready.count[group->slot] + turns->asleep.count[group->slot] > 0) {
        return;
    }
    turns->worker->group = group;
    if (group->live == 0) {
        dismiss(turns, group);
        return;
    }
    weiri_divergence_find(turns->worker, group);
    if (turns->launch->after == WEIR_AFTER_RELEASE) {
        weiri_collective_release(turns->worker, group);
    } else {
        dismiss(turns, group);
    }
}

static void settle_return(struct weiri_turns *turns, struct weiri_group *group,
                          uint32_t item)
{
    weiri_stop_return(turns, &group->turn[item]);
    weiri_livelock_settle(turns);
    weiri_livelock_progress(turns);
    remove_ready(turns, id_of(turns, group, item));
    weiri_stacks_release(&turns->worker->stacks, group->stack[item]);
    group->stack[item] = WEIRI_NO_STACK;
    group->live--;
    group->turn[item].state = WEIRI_ITEM_RETURNED;
    group->turn[item].n_stops++;
    group->returns[item] = (struct weiri_return){ group->serial, group->gate.phase };
    turns->last_stop = group->turn[item].n_stops;
    turns->last_site = NULL;
    turns->last_pc = NULL;
    if (turns->launch->exited == WEIR_EXITED_ALIVE_ONLY && !turns->hierarchical) {
        weiri_collective_left(turns->worker, group, item);
    }
}

/* What the turn of the item that came to the hub has come to. */
static void settle(struct weiri_turns *turns)
{
    uint32_t id = turns->current;
    struct weiri_group *group = group_of(turns, id);
    uint32_t item = item_of(turns, id);
    turns->goes_on = false;
    if (turns->came == WEIRI_CAME_ABANDONED || turns->came == WEIRI_CAME_OVERFLOWED
        || turns->came == WEIRI_CAME_FAULTED) {
        group->turn[item].n_stops++; /* to end is a stop of its own */
    }
    note_stop(turns, group, item);
    switch (turns->came) {
    case WEIRI_CAME_STOPPED:
        if (group->turn[item].state == WEIRI_ITEM_SPINS) {
            fall_asleep(turns, id);
        } else {
            turns->goes_on = true;
        }
        return;
    case WEIRI_CAME_WAITS:
        remove_ready(turns, id);
        break;
    case WEIRI_CAME_RETURNED:
        settle_return(turns, group, item);
        break;
    case WEIRI_CAME_OVERFLOWED:
        turns->worker->group = group;
        weiri_worker_report_overflow(turns->worker);
        dismiss(turns, group);
        return;
    case WEIRI_CAME_FAULTED:
        turns->worker->group = group;
        weiri_worker_report_fault(turns->worker);
        dismiss(turns, group);
        return;
    case WEIRI_CAME_INTERRUPTED: /* the launch has stopped: run() sees that */
        return;
    case WEIRI_CAME_ABANDONED:
        dismiss(turns, group);
        return;
    case WEIRI_CAME_RELEASED:
    case WEIRI_CAME_CALLS:
        break;
    }
    check_stuck(turns, group);
}

/* ---- Stops --------------------------------------------------------------- */

/* What settle() does where it is little, and others can run: then no more than the
 * next one's context is needed, and the hub is left out. */
static bool settle_here(struct weiri_turns *turns, struct weiri_group *group,
                        uint32_t item, enum weiri_came came)
{
    uint32_t n_after = turns->ready.count[group->slot] - (came == WEIRI_CAME_WAITS);
    if (came > WEIRI_CAME_RELEASED || n_after == 0
        || group->turn[item].state == WEIRI_ITEM_SPINS || weiri_turns_must_end(turns)) {
        return false;
    }
    turns->goes_on = came == WEIRI_CAME_STOPPED;
    if (turns->traces) {
        note_stop(turns, group, item);
    }
    if (came == WEIRI_CAME_WAITS) {
        remove_ready(turns, turns->current);
    }
    return true;
}

/* The running item has come to a stop; returns when it has a turn again. Switches are
 * in tail position, so that it then returns to its kernel at once. */
void weiri_turns_stop(struct weiri_worker *worker, struct weiri_group *group,
                      uint32_t item, enum weiri_came came)
{
    struct weiri_turns *turns = worker->turns;
    struct weiri_co *self = &group->context[item];
    group->public.end = NULL;
    group->turn[item].at = group->public.at;
    if (!settle_here(turns, group, item, came)) {
        turns->came = came;
        weiri_co_switch(self, &worker->host);
        return;
    }
    struct weiri_co *next = enter(turns, decide(turns));
    if (next == NULL) {
        weiri_turns_leave(worker, WEIRI_CAME_ABANDONED);
    }
    if (turns->starts) {
        weiri_co_start(self, next);
    } else if (next != self) {
        weiri_co_switch(self, next);
    }
}

void weiri_turns_meet(struct weiri_turns *turns, struct weiri_group *group)
{
    uint32_t item = (uint32_t)(size_t)group->public.at;
    struct weiri_turn *turn = &group->turn[item];
    struct weiri_co *self = &group->context[item];
    turn->n_stops++;
    turn->site = group->gate.site;
    turn->op = group->gate.op;
    turn->path = 0;
    turn->pc = NULL;
    turn->address = NULL;
    turn->operation = WEIRI_MEETS;
    turns->epoch++;
    group->gate.waiting[group->gate.n_waiting++] = item;
    turns->goes_on = false;
    remove_ready(turns, turns->current);
    struct weiri_co *next = enter(turns, decide(turns));
    if (next == NULL) {
        weiri_turns_leave(turns->worker, WEIRI_CAME_ABANDONED);
    }
    if (turns->starts) {
        weiri_co_start(self, next);
    } else {
        weiri_co_switch(self, next);
    }
}

void weiri_turns_wait(struct weiri_worker *worker, bool released)
{
    weiri_turns_stop(worker, worker->group, weiri_turns_item(worker->turns),
                     released ? WEIRI_CAME_RELEASED : WEIRI_CAME_WAITS);
}

void weiri_turns_on_hub(struct weiri_worker *worker, void (*call)(void *data),
                        void *data)
{
    worker->turns->call = call;
    worker->turns->call_data = data;
    weiri_turns_stop(worker, worker->group, weiri_turns_item(worker->turns),
                     WEIRI_CAME_CALLS);
}

/* ---- The hub ------------------------------------------------------------- */

static void init(struct weiri_turns *turns, struct weiri_worker *worker)
{
    struct weiri_launch *launch = worker->launch;
    bool hierarchical = launch->kernel->hierarchical != 0;
    uint32_t items = hierarchical ? 1 : (uint32_t)launch->shape.items;
    uint64_t room = MIN(launch->device->compute_units,
                        MAX(1, WEIRI_MAX_RESIDENT_ITEMS / launch->shape.items));
    *turns = (struct weiri_turns){
        .worker = worker,
        .launch = launch,
        .stopped = &launch->stopped,
        .n_slots = (uint32_t)MIN(room, launch->n_groups),
        .current = WEIRI_NO_ITEM,
        .hierarchical = hierarchical,
        .traces = launch->script != NULL || launch->record != NULL,
        .last_step = launch->step_limit == 0 ? UINT64_MAX : launch->step_limit
    };
    weiri_id_set_init(&turns->ready, turns->n_slots, items);
    weiri_id_set_init(&turns->asleep, turns->n_slots, items);
    turns->slots = g_new0(struct weiri_group *, turns->n_slots);
    turns->policy = weiri_policy_new(&launch->schedule, launch->seed,
                                     turns->n_slots << turns->ready.shift);
    turns->asks = turns->policy.preemptive || launch->script != NULL;
    weiri_stop_init(turns);
    turns->calls = launch->callers != NULL
        ? g_new0(uint32_t, turns->n_slots << turns->ready.shift)
        : NULL;
    worker->own_bytes = worker->stacks.stride - worker->stacks.guard_bytes;
    weiri_trails_init(&turns->trails);
    weiri_livelock_init(turns);
    weiri_replay_init(turns);
}

static void clear(struct weiri_turns *turns)
{
    turns->policy.free(turns->policy.self);
    weiri_id_set_clear(&turns->ready);
    weiri_id_set_clear(&turns->asleep);
    weiri_trails_clear(&turns->trails);
    weiri_livelock_clear(turns);
    g_free(turns->slots);
    g_free(turns->calls);
    weiri_replay_clear(turns);
}

/* Whether the launch ends here, before its end; says why. */
static bool is_cut_short(struct weiri_turns *turns)
{
    if (!weiri_turns_must_end(turns)) {
        return false;
    }
    int stopped = atomic_load_explicit(&turns->launch->stopped, memory_order_relaxed);
    if (stopped != WEIRI_STOPPED_BY_ERROR) {
        weiri_stuck_cut_short(turns, stopped == WEIRI_STOPPED_BY_TIME);
    }
    return true;
}

void weiri_turns_run(struct weiri_worker *worker)
{
    struct weiri_turns turns;
    init(&turns, worker);
    worker->turns = &turns;
    for (admit(&turns); turns.n_resident > 0; admit(&turns)) {
        if (is_cut_short(&turns)) {
            break;
        }
        if (turns.ready.n == 0) {
            if (weiri_livelock_wake(&turns)) {
                continue;
            }
            weiri_stuck_find(&turns);
            break;
        }
        give_turn(&turns, decide(&turns));
        settle(&turns);
    }
    dismiss_all(&turns);
    weiri_replay_end(&turns);
    worker->turns = NULL;
    worker->own_bytes = 0;
    clear(&turns);
}
