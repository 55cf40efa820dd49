/* SPDX-License-Identifier: MIT
 *
 * mode.h: the parts of the machine that differ in a deterministic launch, which runs on
 * the hub, and in a fast one. No other file of the machine knows the hub; a few ask
 * launch->deterministic.
 *
 * In the comments "it" is the running item of @worker. */
#ifndef WEIRI_MODE_H
#define WEIRI_MODE_H

#include "deterministic/deterministic.h"
#include "deterministic/evidence.h"
#include "deterministic/hub.h"
#include "exec/fast.h"
#include "exec/worker.h"

/** Whether no other thread runs items of the launch, as the hub runs them all. */
static inline bool weiri_mode_is_alone(const struct weiri_worker *worker)
{
    return worker->hub != NULL;
}

/** Runs the worker's launch. @stack: one that the worker has acquired */
static inline void weiri_mode_run(struct weiri_worker *worker, uint32_t stack)
{
    if (worker->launch->drive != NULL) {
        weiri_stacks_release(&worker->stacks, stack);
        worker->launch->drive(worker->launch->driver, worker);
    } else if (worker->launch->deterministic) {
        weiri_stacks_release(&worker->stacks, stack);
        weiri_deterministic_run(worker);
    } else {
        weiri_fast_run(worker, stack);
    }
}

/* ---- Items --------------------------------------------------------------- */

/** The loop around the kernel's body, which runs on its stack, has reached @item: it
 *  enters the body. */
static inline void weiri_mode_begin_item(struct weiri_worker *worker, size_t item)
{
    struct weiri_hub *hub = worker->hub;
    if (hub != NULL) {
        if (hub->chains && item != weiri_hub_running(hub)) {
            weiri_hub_chain(hub);
        }
        hub->begun = true;
    }
}

/** The item on @stack goes no further. */
static inline _Noreturn void weiri_mode_end_item(struct weiri_worker *worker,
                                                 uint32_t stack,
                                                 enum weiri_stop_kind kind)
{
    if (worker->hub != NULL) {
        weiri_hub_end_item(worker->hub, kind);
    }
    weiri_fast_end_item(worker, stack, kind);
}

/** It has done a fruitless operation. Returns: whether it goes on regardless, since the
 *  hub knows of it */
static inline bool weiri_mode_is_fruitless(struct weiri_worker *worker)
{
    if (worker->hub == NULL) {
        return false;
    }
    worker->hub->item->effect = WEIRI_EFFECT_FRUITLESS;
    return true;
}

/** Calls @call, under the hub on the thread's own stack: to look up symbols needs more
 *  room than an item's stack has. */
static inline void weiri_mode_call(struct weiri_worker *worker,
                                   void (*call)(void *data), void *data)
{
    if (worker->hub != NULL && weiri_worker_owns(worker, __builtin_frame_address(0))) {
        weiri_hub_call(worker->hub, call, data);
    } else {
        call(data);
    }
}

/* ---- Accesses and atomics ------------------------------------------------ */

/** Whether the code that runs may be the body's, and not the loop's around it. */
static inline bool weiri_mode_may_be_body(const struct weiri_worker *worker)
{
    return worker->hub == NULL || worker->hub->begun;
}

/** Whether it is certainly the body's. In fast mode that is not known, since the
 *  machine starts groups on the stacks of items. */
static inline bool weiri_mode_is_body(const struct weiri_worker *worker)
{
    return worker->hub != NULL && worker->hub->begun;
}

/** It is before a plain access. @access: of enum weiri_access_bit */
static inline __attribute__((always_inline)) void weiri_mode_before_access(
    struct weiri_worker *worker, const volatile void *address, size_t bytes,
    unsigned access, const void *pc)
{
    if (worker->hub != NULL) {
        weiri_hub_before_access(worker->hub, address, bytes, access, pc);
    }
}

/** The same for an access that is a stop at which it certainly goes on, if it is one of
 *  the frequent ones. Returns: false, having done nothing, for others. @what: see
 *  weiri_access_what() */
static inline __attribute__((always_inline)) bool weiri_mode_passes_access(
    struct weiri_worker *worker, const volatile void *address, uint64_t what,
    const void *pc)
{
    return worker->hub != NULL
        && weiri_hub_passes_access(worker->hub, address, what, pc);
}

/** It is at @pc, at an access that is not a stop. */
static inline void weiri_mode_see(struct weiri_worker *worker, const void *pc)
{
    if (worker->hub != NULL) {
        worker->hub->item->stop.pc = pc;
    }
}

/** It compares two values at @pc, which the client may ask for. */
static inline void weiri_mode_compare(struct weiri_worker *worker, const void *pc)
{
    struct weiri_hub *hub = worker->hub;
    if (hub != NULL && hub->client.place != NULL) {
        worker->inside = 1;
        hub->client.place(hub->client.self, pc);
        worker->inside = 0;
        weiri_hub_at_block(hub, pc);
    }
}

/** It enters the block of code at @pc. */
static inline void weiri_mode_block(struct weiri_worker *worker, const void *pc)
{
    if (worker->hub != NULL && worker->inside == 0
        && !weiri_hub_same_block(worker->hub, pc)) {
        worker->inside = 1; /* a loop of nothing but blocks never stops */
        weiri_hub_new_block(worker->hub, pc);
        worker->inside = 0;
        weiri_hub_at_block(worker->hub, pc);
    }
}

/** It is before @op. @caller: where its kernel's code goes on */
static inline void weiri_mode_before_atomic(struct weiri_worker *worker,
                                            const struct weiri_atomic_op *op,
                                            const void *caller)
{
    if (worker->hub != NULL) {
        weiri_hub_before_atomic(worker->hub, op, caller);
    }
}

/** The same for an operation that has a site, or else a pc, as
 *  weiri_mode_passes_access(). */
static inline __attribute__((always_inline)) bool weiri_mode_passes_atomic(
    struct weiri_worker *worker, const volatile void *address, uint32_t bytes,
    enum weiri_atomic kind, const struct weir_site *site, const void *pc)
{
    return worker->hub != NULL
        && weiri_hub_passes_atomic(worker->hub, address, bytes, kind, site, pc);
}

/** It has done its operation: whether that was a store, and whether it changed
 *  memory. */
static inline void weiri_mode_after_atomic(struct weiri_worker *worker, bool stored,
                                           bool changed)
{
    if (worker->hub != NULL) {
        weiri_hub_after_atomic(worker->hub, stored, changed);
    }
}

/** The calls that it is in, as a node of the launch's call tree; 0 where they are not
 *  known. */
static inline uint32_t weiri_mode_calls(const struct weiri_worker *worker)
{
    return worker->hub != NULL ? weiri_hub_calls(worker->hub) : 0;
}

/** Where that node is kept, or WEIRI_CALLS_OUTSIDE; NULL where it is not. */
static inline uint32_t *weiri_mode_call_node(struct weiri_worker *worker)
{
    const struct weiri_hub *hub = worker->hub;
    return hub != NULL && hub->calls != NULL && worker->inside == 0
        ? &hub->calls[hub->current]
        : NULL;
}

/* ---- Rendezvous ---------------------------------------------------------- */

/** Whether an item that arrives at the barrier where others of its group wait need only
 *  wait, too: nothing observes it. */
static inline bool weiri_mode_keeps_step(const struct weiri_worker *worker,
                                         const struct weiri_group *group)
{
    return worker->hub != NULL
        ? (worker->launch->audience.kinds & WEIRI_EVENT_BIT(ARRIVE)) == 0
        : group->public.end == NULL && weiri_self.watch == NULL;
}

/** Waits at the barrier at which other items of the group wait already, by a short
 *  path. @caller: see weiri_mode_arrive(). Returns: false where that cannot be taken */
static inline bool weiri_mode_join(struct weiri_worker *worker,
                                   struct weiri_group *group, uint64_t op,
                                   const struct weir_site *site, const void *caller)
{
    const struct weiri_gate *gate = &group->gate;
    if (worker->hub == NULL || site != group->fast_site || op != group->fast_op
        || gate->n_waiting == 0
        || gate->n_waiting + 1 >= gate->n_members - gate->n_exited
        || (gate->path != 0 && !weiri_hub_comes_by(worker->hub, caller, gate->path))) {
        return false;
    }
    weiri_hub_join(worker->hub, group);
    return true;
}

/** It has arrived at a rendezvous. @caller: the return address of that call in the
 *  kernel. Returns: the path by which it arrived; see history.h */
static inline uint32_t weiri_mode_arrive(struct weiri_worker *worker, uint64_t op,
                                         const struct weir_site *site,
                                         const void *caller)
{
    return worker->hub != NULL ? weiri_hub_arrive(worker->hub, op, site, caller) : 0;
}

/** Whether each item goes through its rendezvous alone; see @apart of struct
 *  weiri_hub_client. */
static inline bool weiri_mode_is_apart(const struct weiri_worker *worker)
{
    return worker->hub != NULL && worker->hub->client.apart;
}

/** If items meet apart, it waits at the rendezvous until it has the result. Returns:
 *  false if items meet each other */
static inline bool weiri_mode_meet_apart(struct weiri_worker *worker, uint64_t op,
                                         const struct weir_site *site,
                                         const void *caller)
{
    if (!weiri_mode_is_apart(worker)) {
        return false;
    }
    weiri_hub_meet_apart(worker->hub, op, site, caller);
    return true;
}

/** Item @self has joined @gate, and @completed the rendezvous or waits. */
static inline void weiri_mode_wait(struct weiri_worker *worker,
                                   struct weiri_group *group,
                                   const struct weiri_gate *gate, uint32_t self,
                                   bool completed)
{
    if (worker->hub != NULL) {
        weiri_hub_wait(worker->hub, completed);
    } else if (gate->n_members > 1) {
        weiri_fast_park(worker, group, self);
    }
}

/** The items that wait at @gate can run. */
static inline void weiri_mode_release(struct weiri_worker *worker,
                                      struct weiri_group *group,
                                      struct weiri_gate *gate)
{
    if (worker->hub != NULL) {
        bool all = gate == &group->gate && gate->n_waiting == group->items;
        weiri_hub_release(worker->hub, group, all ? NULL : gate->waiting,
                          gate->n_waiting);
    } else {
        weiri_fast_release(group, gate);
    }
}

/** Items of @group that wait at no gate can run; the running one may be among them. */
static inline void weiri_mode_release_some(struct weiri_worker *worker,
                                           struct weiri_group *group,
                                           const uint32_t *items, uint32_t n)
{
    if (worker->hub != NULL) {
        weiri_hub_release_some(worker->hub, group, items, n);
    } else {
        for (uint32_t i = 0; i < n; i++) {
            weiri_queue_push(&group->queue, items[i]);
        }
    }
}

/** Item @self, which runs, waits at no gate, until it is released; it has @completed
 *  the rendezvous or waits. */
static inline void weiri_mode_wait_some(struct weiri_worker *worker,
                                        struct weiri_group *group, uint32_t self,
                                        bool completed)
{
    if (worker->hub != NULL) {
        weiri_hub_wait(worker->hub, completed);
    } else {
        weiri_fast_park(worker, group, self);
    }
}

/** In a deterministic launch: the number of its latest stop. */
static inline uint64_t weiri_mode_ordinal(const struct weiri_worker *worker)
{
    return worker->hub->item->stop.ordinal;
}

/** Item @item, which waits at no gate, can run. Deterministic launches only. */
static inline void weiri_mode_release_stray(struct weiri_worker *worker,
                                            struct weiri_group *group, uint32_t item)
{
    weiri_hub_release(worker->hub, group, &item, 1);
}

/** Adds what the hub knows to @places, where the items of the group are. */
static inline void weiri_mode_add_evidence(const struct weiri_worker *worker,
                                           const struct weiri_group *group,
                                           struct weiri_whereabouts *places)
{
    if (worker->hub != NULL) {
        weiri_evidence_add(worker->hub, group, places);
    }
}

/** Sets in the draft the last place that all members of @gate passed, if it is known.
 *  */
static inline void weiri_mode_set_parting(const struct weiri_worker *worker,
                                          const struct weiri_group *group,
                                          const struct weiri_gate *gate,
                                          const struct weiri_whereabouts *places,
                                          struct weiri_draft *draft)
{
    if (worker->hub != NULL) {
        weiri_evidence_set_parting(worker->hub, group, gate, places, draft);
    }
}

#endif
