/* SPDX-License-Identifier: MIT
 *
 * deterministic.c: the scheduler of a deterministic launch, a client of the hub.
 *
 *      weiri_deterministic_run(): admit groups, until none is left
 *          decide(): the policy picks one of the items that are ready
 *          weiri_hub_run(): runs that item to its next stop
 *          update_ready(): which items can run after that stop
 *
 * For most stops the hub calls next(), on the stack of the item that stopped. It does
 * the same, update_ready() and decide(), and the hub switches to the next item at once.
 * weiri_hub_run() returns only for work that is not possible there: the end of an item,
 * a group of which no item can go on, and the end of the launch.
 *
 * A policy that never preempts an item which can go on (in-order, reverse) is not asked
 * before an operation: the hub is granted steps. Recorded schedules count steps in the
 * same way with and without such grants.
 *
 * Spinning: an item that repeats a fruitless operation sleeps until another item
 * changes the address. So the others make progress under every policy, and a spin costs
 * next to nothing. See livelock.h.
 *
 * Invariants: the running item is ready. An item that sleeps is not. */
#include "config.h"

#include "deterministic/deterministic.h"

#include "deterministic/hub.h"
#include "deterministic/in-step.h"
#include "deterministic/livelock.h"
#include "deterministic/lockstep.h"
#include "deterministic/policy.h"
#include "deterministic/replay.h"
#include "deterministic/stuck.h"
#include "exec/cluster.h"
#include "exec/divergence.h"
#include "exec/gate.h"
#include "exec/grid.h"
#include "exec/item-finding.h"
#include "exec/lanes.h"
#include "exec/named.h"
#include "exec/resident.h"

/* Steps that an item takes in a row while others could run. An item that spins and
 * changes memory, as one that takes a lock and gives it back, must not keep them
 * waiting for ever. */
enum { LONGEST_STRETCH = 16384 };
/* A stretch is longer than that by up to this many steps, and by one more each time, so
 * that it does not always end while the item holds the same lock. */
enum { LONGER = 61 };
/* Steps of a group from barrier to barrier while items of other groups could run. Each
 * of its items waits now and then, but the group may wait for the others. */
enum { LONGEST_RUN = 1 << 20 };

struct scheduler {
    struct weiri_hub hub;
    struct weiri_livelock livelock;
    struct weiri_policy policy;
    struct weiri_id_set ready; /* items that can run, including those not started */
    struct weiri_switch here;  /* where the launch is, for recording and replay */
    bool traces;               /* the schedule is recorded or followed: @here is kept */
    bool in_lockstep;          /* @lockstep is used */
    bool notes;                /* @traces or @in_lockstep: stops take the long way */
    bool ascends;              /* in order, and not @notes; see next_waiting() */
    bool asks;                 /* the policy may preempt an item that can go on */
    bool goes_on;              /* the running item can go on */
    uint64_t granted;          /* steps in a row for an item that is not alone */
    uint64_t n_tired;          /* stretches that were cut */
    uint32_t runs;             /* slot of the group that has passed a barrier last, */
    uint64_t runs_since;       /* and the step at which its run began */
    struct weiri_lockstep lockstep;
    bool in_step; /* with @in_lockstep: @steps is used, too */
    struct weiri_in_step steps;
};

/* ---- Which items can run ------------------------------------------------- */

static inline void add_ready(struct scheduler *self, uint32_t id)
{
    weiri_id_set_add(&self->ready, id);
    if (self->policy.added != NULL) {
        self->policy.added(self->policy.self, id);
    }
}

static inline void remove_ready(struct scheduler *self, uint32_t id)
{
    weiri_id_set_remove(&self->ready, id);
    if (self->policy.removed != NULL) {
        self->policy.removed(self->policy.self, id);
    }
}

/* The running item is no longer alone, if it was; see limit_stretch(). */
static inline void limit_grant(struct scheduler *self)
{
    self->hub.has_choice = self->ready.n > 1;
    self->hub.granted = self->granted;
}

static void wake(void *data, uint32_t id)
{
    add_ready(data, id);
    limit_grant(data);
}

/* The same for an item that slept, or that lockstep has masked. */
static void wake_spinning(void *data, uint32_t id)
{
    struct scheduler *self = data;
    if (self->in_step) {
        weiri_in_step_alone(&self->steps, id);
    }
    wake(self, id);
}

static void wake_masked(void *data, uint32_t id)
{
    struct scheduler *self = data;
    if (self->in_step && self->lockstep.held == NULL) {
        weiri_in_step_stray(&self->steps, id);
    } else {
        wake_spinning(self, id);
    }
}

static void changed(void *data, const struct weiri_stop *stop)
{
    struct scheduler *self = data;
    weiri_livelock_changed(&self->livelock, stop);
    if (self->in_lockstep) {
        weiri_lockstep_changed(&self->lockstep, stop);
    }
}

static void place(void *data, const void *pc)
{
    struct scheduler *self = data;
    weiri_lockstep_place(&self->lockstep, pc);
}

/* The group is beyond a barrier. If it has run for too long, an item that waited there
 * sleeps: the group comes no further than its next barrier, and others get a turn. */
static void limit_run(struct scheduler *self, const struct weiri_group *group)
{
    if (group->slot != self->runs) {
        self->runs = group->slot;
        self->runs_since = self->hub.n_steps;
        return;
    }
    uint32_t id = weiri_hub_id(&self->hub, group, 0);
    id += id == self->hub.current;
    if (self->hub.n_steps - self->runs_since > LONGEST_RUN
        && self->ready.n > self->ready.count[group->slot]
        && weiri_id_set_has(&self->ready, id)) {
        self->runs_since = self->hub.n_steps;
        remove_ready(self, id);
        weiri_livelock_rest(&self->livelock, id);
    }
}

static void released(void *data, struct weiri_group *group, const uint32_t *items,
                     uint32_t n)
{
    struct scheduler *self = data;
    limit_grant(self);
    if (items == NULL) {
        weiri_id_set_add_all(&self->ready, group->slot, n);
        if (self->policy.added_but != NULL) {
            self->policy.added_but(self->policy.self,
                                   weiri_hub_id(&self->hub, group, 0), n,
                                   self->hub.current);
        }
        limit_run(self, group);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t id = weiri_hub_id(&self->hub, group, items[i]);
        if (!weiri_id_set_has(&self->ready, id)) {
            add_ready(self, id);
        }
    }
}

/* ---- Steps --------------------------------------------------------------- */

static inline __attribute__((always_inline)) void count_step(struct scheduler *self)
{
    bool has_choice = self->ready.n > 1;
    self->hub.has_choice = has_choice;
    self->hub.n_choices += has_choice;
    self->hub.n_steps++;
}

/* The id of the item that takes the next step. The call of the policy is in tail
 * position: most stops come here, and each cache line of the item's stack counts. */
static inline __attribute__((always_inline)) uint32_t decide(struct scheduler *self)
{
    count_step(self);
    return self->policy.pick(self->policy.self, &self->ready,
                             self->goes_on ? self->hub.current : WEIRI_NO_ITEM);
}

/* The same where the schedule is recorded or followed. */
static uint32_t decide_traced(struct scheduler *self)
{
    uint32_t current = self->goes_on ? self->hub.current : WEIRI_NO_ITEM;
    uint32_t id = self->policy.pick(self->policy.self, &self->ready, current);
    weiri_replay_record(&self->hub, &self->here, id,
                        current != WEIRI_NO_ITEM ? current
                                                 : weiri_id_set_first(&self->ready));
    count_step(self);
    return id;
}

/* The running item is before an operation, and has taken the steps that it was granted.
 * If no other item is left, it may take any number of them. If it has taken too many in
 * a row, it sleeps, and the others get their turn. */
static inline void limit_stretch(struct scheduler *self)
{
    if (self->ready.n + self->livelock.asleep.n + self->lockstep.masked.n == 1) {
        self->hub.granted = self->asks ? 0 : UINT64_MAX;
    } else if (__builtin_expect(self->hub.stretch > LONGEST_STRETCH, 0)
               && self->hub.stretch > LONGEST_STRETCH + self->n_tired % LONGER) {
        self->n_tired++;
        self->granted = self->asks ? 0 : LONGEST_STRETCH + self->n_tired % LONGER;
        self->hub.granted = self->granted;
        weiri_livelock_tire(&self->livelock);
    }
}

/* Whether the running item is still ready after this stop. */
static inline __attribute__((always_inline)) void update_ready(
    struct scheduler *self, const struct weiri_stop *stop)
{
    uint32_t id = stop->id;
    self->goes_on = false;
    if (stop->kind == WEIRI_STOP_WAITS || stop->kind == WEIRI_STOP_RETURNED) {
        remove_ready(self, id);
    } else if (stop->kind < WEIRI_STOP_WAITS) { /* before an operation */
        limit_stretch(self);
        if (__builtin_expect(self->hub.item->state == WEIRI_ITEM_SPINS, 0)) {
            remove_ready(self, id);
            weiri_livelock_sleep(&self->livelock, id,
                                 weiri_hub_fingerprint(&self->hub));
        } else {
            self->goes_on = true;
        }
    }
}

/* Whether the next item cannot be chosen on the stack of the item that stopped. */
static inline bool needs_hub(const struct scheduler *self,
                             const struct weiri_stop *stop)
{
    return self->ready.count[stop->id >> self->hub.shift] == 0
        || weiri_hub_must_end(&self->hub);
}

/* The running item waits for its turn among those of its sub-group; during a trial of
 * lockstep, all go on by themselves. */
static void pause_item(struct scheduler *self, uint32_t id)
{
    weiri_in_step_note(&self->steps, id);
    if (self->lockstep.held != NULL) {
        weiri_in_step_alone(&self->steps, id);
    } else if (weiri_id_set_has(&self->ready, id)) {
        remove_ready(self, id);
        self->goes_on = false;
        weiri_in_step_pause(&self->steps, id);
    }
}

/* The same for items that lockstep masks; called on either stack. */
static void update_masked(struct scheduler *self, const struct weiri_stop *stop)
{
    bool before = stop->kind < WEIRI_STOP_WAITS;
    if (before && weiri_lockstep_before(&self->lockstep, stop)) {
        remove_ready(self, stop->id);
        self->goes_on = false;
    }
    if (self->in_step && (before || stop->kind == WEIRI_STOP_AT_BLOCK)) {
        pause_item(self, stop->id);
    }
    weiri_lockstep_settle(&self->lockstep, stop);
    if (self->in_step) {
        weiri_in_step_settle(&self->steps, stop->id);
    }
}

/* next() where the schedule is recorded or followed, or sub-groups advance together. */
static __attribute__((noinline)) uint32_t next_noted(struct scheduler *self,
                                                     const struct weiri_stop *stop)
{
    if (self->traces) {
        weiri_replay_note(&self->here, &self->hub, stop);
    }
    update_ready(self, stop);
    if (self->in_lockstep) {
        update_masked(self, stop);
    }
    return needs_hub(self, stop) || self->lockstep.found ? WEIRI_NO_ITEM
        : self->traces                                   ? decide_traced(self)
                                                         : decide(self);
}

/* next() in order, where the item waits: it was mostly the first of those that are
 * ready, and its successor is in the same word of bits. */
static inline __attribute__((always_inline)) uint32_t next_waiting(
    struct scheduler *self, const struct weiri_stop *stop)
{
    uint32_t id = stop->id;
    weiri_id_set_remove(&self->ready, id);
    self->goes_on = false;
    if (needs_hub(self, stop)) {
        return WEIRI_NO_ITEM;
    }
    count_step(self);
    return weiri_id_set_first_near(&self->ready, id);
}

/* The hub's question after a stop, on the stack of the item that stopped. */
static uint32_t next(void *data, const struct weiri_stop *stop)
{
    struct scheduler *self = data;
    if (__builtin_expect(self->ascends && stop->kind == WEIRI_STOP_WAITS, 1)) {
        return next_waiting(self, stop);
    }
    if (__builtin_expect(self->notes, 0)) {
        return next_noted(self, stop);
    }
    update_ready(self, stop);
    return needs_hub(self, stop) ? WEIRI_NO_ITEM : decide(self);
}

/* The hub's question where an item has returned, on its stack: end_item() and decide()
 * for the next item of the group. It is the policy's choice if the item that has
 * returned was the first of those that are ready. */
static bool follows(void *data)
{
    struct scheduler *self = data;
    struct weiri_hub *hub = &self->hub;
    uint32_t id = hub->current;
    bool is_next = weiri_id_set_is_first_but_one(&self->ready, id)
        || (weiri_id_set_is_first(&self->ready, id)
            && weiri_id_set_has(&self->ready, id + 1));
    if (!is_next || weiri_hub_must_end(hub) || hub->item[1].state != WEIRI_ITEM_FRESH) {
        return false;
    }
    weiri_id_set_remove(&self->ready, id); /* in order: no policy keeps a set */
    self->goes_on = false;
    count_step(self);
    return true;
}

/* ---- Groups -------------------------------------------------------------- */

/* Whether the device has room for the next group; of a cluster, for all of its groups,
 * which are admitted one after the other. */
static bool has_room(const struct scheduler *self)
{
    const struct weiri_worker *worker = self->hub.worker;
    uint32_t size = weiri_cluster_size(&worker->launch->shape);
    uint32_t room = self->hub.n_slots - self->hub.n_resident;
    return room >= (worker->chunk_next % size == 0 ? size : 1);
}

/* Starts groups, in order, while the device has room for them. */
static void admit(struct scheduler *self)
{
    while (has_room(self) && weiri_resident_start(self->hub.worker)) {
        struct weiri_group *group = self->hub.worker->group;
        weiri_hub_admit(&self->hub, group);
        weiri_id_set_admit(&self->ready, group->slot);
        weiri_livelock_admit(&self->livelock, group);
        if (self->in_lockstep) {
            weiri_lockstep_admit(&self->lockstep, group);
        }
        if (self->in_step) {
            weiri_in_step_admit(&self->steps, group);
        }
        uint32_t first = weiri_hub_id(&self->hub, group, 0);
        if (self->policy.entered != NULL) {
            self->policy.entered(self->policy.self, first, group->items);
        }
        weiri_id_set_add_all(&self->ready, group->slot, group->items);
        if (self->policy.added_but != NULL) {
            self->policy.added_but(self->policy.self, first, group->items,
                                   WEIRI_NO_ITEM);
        }
        limit_grant(self);
    }
}

/* @group is over, or cancelled: what its items still have is given back. */
static void dismiss(struct scheduler *self, struct weiri_group *group)
{
    uint32_t first = weiri_hub_id(&self->hub, group, 0);
    bool any = self->ready.count[group->slot] > 0;
    for (uint32_t id = first; any && id < first + group->items; id++) {
        if (weiri_id_set_has(&self->ready, id)) {
            remove_ready(self, id);
        }
    }
    weiri_livelock_dismiss(&self->livelock, group);
    if (self->in_lockstep) {
        weiri_lockstep_dismiss(&self->lockstep, group);
    }
    if (self->in_step) {
        weiri_in_step_dismiss(&self->steps, group);
    }
    weiri_id_set_dismiss(&self->ready, group->slot);
    weiri_hub_dismiss(&self->hub, group);
    self->goes_on = false;
    weiri_resident_end(self->hub.worker, group->live > 0);
}

static bool has_masked(const struct scheduler *self, const struct weiri_group *group)
{
    return self->in_lockstep && self->lockstep.masked.count[group->slot] > 0;
}

/* Dismisses the group where it is over, or where no item of it can run any more: then
 * there is a finding, after which the waiting items may be released. */
static void check_over(struct scheduler *self, struct weiri_group *group)
{
    if (self->ready.count[group->slot] + self->livelock.asleep.count[group->slot] > 0
        || has_masked(self, group)) {
        return;
    }
    struct weiri_worker *worker = self->hub.worker;
    worker->group = group;
    if (group->live == 0) {
        dismiss(self, group);
        return;
    }
    if (weiri_lanes_settle(worker, group)
        || weiri_divergence_is_of_groups(worker, group)) {
        return;
    }
    weiri_divergence_find(worker, group);
    if (self->hub.launch->after == WEIR_AFTER_RELEASE) {
        weiri_gate_release_all(worker, group);
        weiri_lanes_release_all(worker, group);
        weiri_named_release_all(worker, group);
    } else {
        dismiss(self, group);
    }
}

/* No item can run, though some may spin: those that wait for nothing in particular go
 * on. Returns: whether there were any */
static bool settle_lanes(struct scheduler *self)
{
    bool any = false;
    for (uint32_t i = 0; i < self->ready.n_order; i++) {
        struct weiri_group *group = self->hub.slots[self->ready.order[i]];
        self->hub.worker->group = group;
        any |= weiri_lanes_settle(self->hub.worker, group);
    }
    return any;
}

/* The stop of an item that has ended; its group may be over, too. */
static void end_item(struct scheduler *self, const struct weiri_stop *stop)
{
    struct weiri_worker *worker = self->hub.worker;
    struct weiri_group *group = weiri_hub_group(&self->hub, stop->id);
    if (self->traces) {
        weiri_replay_note(&self->here, &self->hub, stop);
    }
    update_ready(self, stop);
    if (self->in_lockstep) {
        weiri_lockstep_settle(&self->lockstep, stop);
    }
    if (self->in_step) {
        weiri_in_step_settle(&self->steps, stop->id);
    }
    switch ((enum weiri_stop_kind)stop->kind) {
    case WEIRI_STOP_RETURNED:
        if (self->hub.launch->exited == WEIR_EXITED_ALIVE_ONLY
            && !self->hub.hierarchical) {
            weiri_gate_leave(worker, group, weiri_hub_index(&self->hub, stop->id));
            weiri_lanes_leave(worker, group, weiri_hub_index(&self->hub, stop->id));
        }
        return;
    case WEIRI_STOP_OVERFLOWED:
        weiri_item_finding_overflow(worker);
        break;
    case WEIRI_STOP_FAULTED:
        weiri_item_finding_fault(worker);
        break;
    case WEIRI_STOP_INTERRUPTED: /* the launch has stopped; is_cut_short() reports it */
        return;
    default:
        break;
    }
    dismiss(self, group);
}

/* ---- The launch ---------------------------------------------------------- */

static void init(struct scheduler *self, struct weiri_worker *worker)
{
    struct weiri_launch *launch = worker->launch;
    *self = (struct scheduler){ .in_lockstep = weiri_lockstep_wanted(launch),
                                .traces
                                = launch->script != NULL || launch->record != NULL };
    self->notes = self->traces || self->in_lockstep;
    self->in_step = self->in_lockstep && weiri_in_step_wanted(launch);
    self->ascends = launch->schedule.kind == WEIRI_SCHEDULE_IN_ORDER && !self->notes;
    bool chains = self->ascends && launch->exited != WEIR_EXITED_ALIVE_ONLY;
    const struct weiri_hub_client client
        = { .next = next,
            .released = released,
            .changed = changed,
            .place = self->in_lockstep ? place : NULL,
            .stops_at_blocks = self->in_step,
            .follows = chains ? follows : NULL,
            .in_order = self->ascends ? &self->ready : NULL,
            .self = self };
    weiri_hub_init(&self->hub, worker, &client);
    weiri_livelock_init(&self->livelock, &self->hub, wake_spinning, self);
    if (self->in_step) {
        weiri_in_step_init(&self->steps, &self->hub, &self->ready, wake, self);
    }
    if (self->in_lockstep) {
        weiri_lockstep_init(
            &self->lockstep, &self->hub, &self->ready, &self->livelock.asleep,
            self->in_step ? &self->steps.paused : NULL, wake_masked, self);
    }
    weiri_id_set_init(&self->ready, self->hub.n_slots, 1u << self->hub.shift);
    self->policy = launch->script != NULL
        ? weiri_replay_policy(&self->hub, &self->here)
        : weiri_policy_new(&launch->schedule, launch->seed,
                           self->hub.n_slots << self->hub.shift);
    self->asks = self->policy.preemptive || self->in_lockstep;
    self->granted = self->hub.granted = self->asks ? 0 : LONGEST_STRETCH;
}

static void clear(struct scheduler *self)
{
    self->policy.free(self->policy.self);
    weiri_id_set_clear(&self->ready);
    weiri_livelock_clear(&self->livelock);
    if (self->in_lockstep) {
        weiri_lockstep_clear(&self->lockstep);
    }
    if (self->in_step) {
        weiri_in_step_clear(&self->steps);
    }
    weiri_hub_clear(&self->hub);
}

/* Whether a limit or an error ends the launch; reports which. */
static bool is_cut_short(const struct scheduler *self)
{
    if (!weiri_hub_must_end(&self->hub)) {
        return false;
    }
    int stopped
        = atomic_load_explicit(&self->hub.launch->stopped, memory_order_relaxed);
    if (stopped != WEIRI_STOPPED_BY_ERROR) {
        weiri_stuck_cut_short(&self->hub, stopped == WEIRI_STOPPED_BY_TIME);
    }
    return true;
}

/* Whether something outside of the launch may have changed the memory that its items
 * wait for. */
static bool looks_again(struct scheduler *self)
{
    struct weiri_launch *launch = self->hub.launch;
    if (launch->outside == NULL || self->livelock.asleep.n == 0) {
        return false;
    }
    launch->was_outside = true;
    bool again = launch->outside(launch->outside_data);
    if (again) {
        weiri_livelock_again(&self->livelock);
    }
    return again;
}

void weiri_deterministic_run(struct weiri_worker *worker)
{
    struct scheduler self;
    init(&self, worker);
    for (admit(&self); self.hub.n_resident > 0; admit(&self)) {
        if (is_cut_short(&self)) {
            break;
        }
        if (self.ready.n == 0) {
            if ((self.in_step && weiri_in_step_settle_all(&self.steps))
                || settle_lanes(&self) || weiri_livelock_wake(&self.livelock)
                || (self.in_lockstep && weiri_lockstep_try(&self.lockstep))
                || looks_again(&self)) {
                continue;
            }
            bool asleep = self.livelock.asleep.n > 0;
            if (!asleep && weiri_cluster_waits(worker, NULL)) {
                weiri_cluster_find(worker);
            } else if (!asleep && weiri_grid_waits(worker, NULL)) {
                weiri_grid_find(worker);
            } else {
                weiri_stuck_find(&self.hub, &self.ready);
            }
            break;
        }
        struct weiri_stop stop = weiri_hub_run(
            &self.hub, self.traces ? decide_traced(&self) : decide(&self));
        if (weiri_stop_is_end(&stop)) {
            end_item(&self, &stop);
        }
        if (self.lockstep.found) {
            weiri_lockstep_report(&self.lockstep);
            break;
        }
        struct weiri_group *group = weiri_hub_group(&self.hub, stop.id);
        if (group != NULL) {
            check_over(&self, group);
        }
    }
    while (self.hub.n_resident > 0) {
        dismiss(&self, self.hub.slots[self.ready.order[0]]);
    }
    worker->launch->n_steps = self.hub.n_steps;
    worker->launch->n_decisions = self.hub.n_choices;
    if (worker->launch->script != NULL) {
        weiri_replay_end(&self.policy);
    }
    clear(&self);
}
