/* SPDX-License-Identifier: MIT
 *
 * livelock.h: items that spin in a deterministic launch: when they sleep, what wakes
 * them, and when it is certain that they will spin for ever. */
#ifndef WEIRI_LIVELOCK_H
#define WEIRI_LIVELOCK_H

#include "deterministic/turns.h"

void weiri_livelock_init(struct weiri_turns *turns);
void weiri_livelock_clear(struct weiri_turns *turns);

/** The running item got somewhere. */
static inline void weiri_livelock_progress(struct weiri_turns *turns)
{
    struct weiri_turn *turn = turns->turn;
    turns->epoch++;
    turns->confirming = false;
    if (turn->state == WEIRI_ITEM_SPINS) {
        turn->state = WEIRI_ITEM_RUNS;
    }
    if (turn->anchored) {
        turn->anchored = false;
        turns->spin->hits = 0;
    }
}

/* Operations of other kinds within the body of a spin, at most. */
enum { WEIRI_LIVELOCK_MOST_MISSES = 16 };

/** The latest operation of an item left memory as it was. */
void weiri_livelock_count(struct weiri_turn *turn, struct weiri_spin *spin);

/** The latest operation of the running item was atomic and changed memory. */
void weiri_livelock_note(struct weiri_turns *turns);

/** Some sleep while an item changes memory. */
void weiri_livelock_stir(struct weiri_turns *turns, const struct weiri_turn *turn);

/** What the latest operation of the running item has done is known: draws the
 *  consequences. In line for what most operations are: one that nobody waits for, and
 *  no turn of a spin. */
static inline __attribute__((always_inline)) void weiri_livelock_settle(
    struct weiri_turns *turns)
{
    struct weiri_turn *turn = turns->turn;
    enum weiri_effect effect = turn->effect;
    turn->effect = WEIRI_EFFECT_NONE;
    if (effect == WEIRI_EFFECT_FRUITLESS) {
        struct weiri_spin *spin = turns->spin;
        if (spin->hits > 0 && turn->address != spin->anchor_address
            && spin->misses < WEIRI_LIVELOCK_MOST_MISSES) {
            spin->misses++;
        } else {
            weiri_livelock_count(turn, spin);
        }
    } else if (effect == WEIRI_EFFECT_CHANGED) {
        weiri_livelock_progress(turns);
        if (turn->operation < WEIRI_READS) {
            weiri_livelock_note(turns);
        }
        if (turns->asleep.n > 0) {
            weiri_livelock_stir(turns, turn);
        }
    }
}

/** The item has run for long without a break, and others could: it sleeps until none of
 *  them is left that can. */
void weiri_livelock_tire(struct weiri_group *group, uint32_t item);

/**
 * weiri_livelock_repeats:
 * @fingerprint: of the item's registers and stack
 *
 * Returns: whether it is in a state in which it has been before, with nothing but
 *          fruitless turns of anybody in between
 */
bool weiri_livelock_repeats(const struct weiri_turns *turns, struct weiri_spin *spin,
                            uint64_t fingerprint);

/** Nobody is ready: wakes who sleeps. Returns: false where nothing can come of it */
bool weiri_livelock_wake(struct weiri_turns *turns);

/** The bit of an address in struct weiri_turns' sleep_filter. */
uint64_t weiri_livelock_filter(const volatile void *address);

/** Who changed @address last by an atomic operation, or %NULL. */
const struct weiri_writer *weiri_livelock_writer(const struct weiri_turns *turns,
                                                 const volatile void *address);

/** In turns.c: an item that sleeps can run. */
void weiri_turns_wake(struct weiri_turns *turns, uint32_t id);

#endif
