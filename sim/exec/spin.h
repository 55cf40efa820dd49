/* SPDX-License-Identifier: MIT
 *
 * spin.h: items that spin, in a deterministic launch: when they sleep, who wakes them,
 * and when it is certain that they will spin for ever. */
#ifndef WEIRI_SPIN_H
#define WEIRI_SPIN_H

#include "exec/turns.h"

void weiri_spin_init(struct weiri_turns *turns);
void weiri_spin_clear(struct weiri_turns *turns);

/** What the latest operation of an item has done is known: draws the consequences. */
void weiri_spin_settle(struct weiri_turns *turns, struct weiri_group *group,
                       uint32_t item);

/** The item got somewhere. */
static inline void weiri_spin_progress(struct weiri_turns *turns,
                                       struct weiri_group *group, uint32_t item)
{
    turns->epoch++;
    turns->confirming = false;
    if (group->turn[item].state == WEIRI_ITEM_SPINS) {
        group->turn[item].state = WEIRI_ITEM_RUNS;
    }
    if (group->turn[item].anchored) {
        group->turn[item].anchored = false;
        group->spin[item].hits = 0;
    }
}

/** The item has run for long without a break, and others could: it sleeps until none of
 *  them is left that can. */
void weiri_spin_tire(struct weiri_group *group, uint32_t item);

/**
 * weiri_spin_repeats:
 * @fingerprint: of the item's registers and stack
 *
 * Returns: whether it is in a state in which it has been before, with nothing but
 *          fruitless turns of anybody in between
 */
bool weiri_spin_repeats(const struct weiri_turns *turns, struct weiri_spin *spin,
                        uint64_t fingerprint);

/** Nobody is ready: wakes who sleeps. Returns: false where nothing can come of it */
bool weiri_spin_wake(struct weiri_turns *turns);

/** The bit of an address in struct weiri_turns' sleep_filter. */
uint64_t weiri_spin_filter(const volatile void *address);

/** Who changed @address last by an atomic operation, or %NULL. */
const struct weiri_writer *weiri_spin_writer(const struct weiri_turns *turns,
                                             const volatile void *address);

/** In turns.c: an item that sleeps can run. */
void weiri_turns_wake(struct weiri_turns *turns, uint32_t id);

#endif
