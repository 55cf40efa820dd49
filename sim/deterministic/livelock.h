/* SPDX-License-Identifier: MIT
 *
 * livelock.h: items that spin sleep until the memory that they poll changes; and the
 * proof that they would spin for ever. */
#ifndef WEIRI_LIVELOCK_H
#define WEIRI_LIVELOCK_H

#include "base/id-set.h"
#include "deterministic/hub.h"

/* An item's repetitions, as Brent's method finds them. */
struct weiri_proof {
    uint64_t epoch; /* the hub's n_changes when @fingerprint was taken */
    uint64_t fingerprint;
    uint64_t power; /* fruitless steps until the next fingerprint is kept */
    uint64_t lambda;
    bool proven; /* the item was seen to repeat itself */
};

struct weiri_livelock {
    struct weiri_hub *hub;
    struct weiri_id_set asleep;
    struct weiri_proof *proofs; /* by id */
    uint32_t n_proven;          /* of @asleep */
    uint64_t confirming;        /* the hub's n_changes when all were proven last */
    uint64_t memory;            /* the fingerprint of all memory at that time */
    void (*wake)(void *self, uint32_t id); /* the item can run */
    void *self;
};

void weiri_livelock_init(struct weiri_livelock *livelock, struct weiri_hub *hub,
                         void (*wake)(void *self, uint32_t id), void *self);
void weiri_livelock_clear(struct weiri_livelock *livelock);

/** A group has become resident, or is about to end. */
void weiri_livelock_admit(struct weiri_livelock *livelock,
                          const struct weiri_group *group);
void weiri_livelock_dismiss(struct weiri_livelock *livelock,
                            const struct weiri_group *group);

/** The item spins and sleeps. @fingerprint: of its registers and stack */
void weiri_livelock_sleep(struct weiri_livelock *livelock, uint32_t id,
                          uint64_t fingerprint);

/** The running item has taken too many steps in a row while others could run: it counts
 *  as spinning, and sleeps until no other item can run. */
void weiri_livelock_tire(struct weiri_livelock *livelock);

/** The item, which does not run, sleeps until no other item can run. */
void weiri_livelock_rest(struct weiri_livelock *livelock, uint32_t id);

/** The item at @by has changed memory: wakes those that sleep on it. */
void weiri_livelock_changed(struct weiri_livelock *livelock,
                            const struct weiri_stop *by);

/** No item can run: wakes those that sleep, for a look at each. Returns: false where
 *  they would spin for ever, or none sleeps */
bool weiri_livelock_wake(struct weiri_livelock *livelock);

/** Memory may have changed without an item: those that sleep have proved nothing. */
void weiri_livelock_again(struct weiri_livelock *livelock);

#endif
