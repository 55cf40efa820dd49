/* SPDX-License-Identifier: MIT
 *
 * stop.h: what an item of a deterministic launch does, as the machine is told before
 * and after; all for the running item. */
#ifndef WEIRI_STOP_H
#define WEIRI_STOP_H

#include "deterministic/livelock.h"
#include "deterministic/turns.h"
#include "exec/event.h"
#include "exec/worker.h"

/** The turns know whether anybody is asked who is next. */
void weiri_stop_init(struct weiri_turns *turns);

/** The running item is before @op. @caller: where its kernel's code goes on */
void weiri_stop_atomic(struct weiri_worker *worker, const struct weiri_atomic_op *op,
                       const void *caller);

/** A stop at which the running item could go on; its code does so at @caller. */
void weiri_stop_slowly(struct weiri_worker *worker, const void *caller);

/** The same in short where nothing is special. */
static inline __attribute__((always_inline)) void weiri_stop_before(
    struct weiri_worker *worker, const void *caller)
{
    struct weiri_turns *turns = worker->turns;
    struct weiri_turn *turn = turns->turn;
    turn->n_stops++;
    if (__builtin_expect(++turns->stretch <= turns->longest
                             && turn->state != WEIRI_ITEM_SPINS
                             && !weiri_turns_must_end(turns),
                         1)) {
        turns->n_decisions += turns->ready.n > 1;
        turns->step++;
    } else {
        weiri_stop_slowly(worker, caller);
    }
}

/** The running item is before a plain access; of enum weiri_access. */
static inline __attribute__((always_inline)) void weiri_stop_access(
    struct weiri_worker *worker, const volatile void *address, size_t bytes,
    unsigned access, const void *pc)
{
    struct weiri_turns *turns = worker->turns;
    struct weiri_turn *turn = turns->turn;
    weiri_livelock_settle(turns);
    if (__builtin_expect(!turns->blocks, 0)) {
        turn->history
            = weiri_trails_after(&turns->trails, turn->history, pc, false, NULL, false);
    }
    bool writes = (access & WEIRI_ACCESS_WRITE) != 0;
    turn->pc = pc;
    turn->site = NULL;
    turn->address = address;
    turn->bytes = (uint32_t)bytes;
    turn->operation = writes ? WEIRI_WRITES : WEIRI_READS;
    turn->effect = writes ? WEIRI_EFFECT_CHANGED : WEIRI_EFFECT_FRUITLESS;
    weiri_stop_before(worker, pc);
}

/** The running item comes to the block of code at @pc, which is no stop. */
void weiri_stop_new_block(struct weiri_turns *turns, const void *pc);

/** The same in short where the one before it came here, too. Returns: whether it did */
static inline bool weiri_stop_block(struct weiri_turns *turns, const void *pc)
{
    struct weiri_turn *turn = turns->turn;
    uint32_t history = weiri_trails_again(&turns->trails, turn->history, pc);
    if (history == UINT32_MAX || !turns->begun) {
        return false;
    }
    turn->history = history;
    turn->pc = pc;
    return true;
}

/** An item has returned from its kernel, whose code told @turn->pc last. */
void weiri_stop_return(struct weiri_turns *turns, struct weiri_turn *turn);

/** The running item has done its operation: whether that was a store, and whether it
 *  changed memory. */
static inline void weiri_stop_did(struct weiri_turns *turns, bool stored, bool changed)
{
    turns->turn->effect = changed ? WEIRI_EFFECT_CHANGED
        : stored                  ? WEIRI_EFFECT_NONE
                                  : WEIRI_EFFECT_FRUITLESS;
}

/** The running item's latest operation, which the compiler's code did, has left memory
 *  as it was. */
void weiri_stop_fruitless(struct weiri_worker *worker);

/** The running item has come to a rendezvous. @caller: where the call of it returns to
 *  in the kernel. Returns: by which path; see history.h */
uint32_t weiri_stop_arrive(struct weiri_worker *worker, uint64_t op,
                           const struct weir_site *site, const void *caller);

#endif
