/* SPDX-License-Identifier: MIT
 *
 * observed.h: the atomic writes that strong reads have observed, for the rules of PTX.
 * There an atomic write X of a location happens before an access Y of it if a strong
 * read Z has observed X, directly or through read-modify-writes, and Z happens before
 * Y: a relaxed count of blocks orders the last block's reset of the counter. It orders
 * no other memory. (PTX ISA, "Causality order": observation order is taken once, and
 * then base causality order.)
 *
 * The atomic writes of a location are numbered from 1. Those which the latest one
 * continues are a chain: a range of numbers. An observation is a strong read, by item
 * and time, and the range that it has observed. */
#ifndef WEIRI_OBSERVED_H
#define WEIRI_OBSERVED_H

#include "watch/order.h"

/* An atomic write. All zero: another access. */
struct weiri_numbered {
    uint32_t number;
    uint32_t chain; /* the first number of its chain */
};

/* The atomic writes of all locations of a launch. */
struct weiri_observed {
    struct weiri_happens_before *order; /* borrowed */
    GHashTable *locations;              /* message -> struct location, owned */
};

void weiri_observed_init(struct weiri_observed *observed,
                         struct weiri_happens_before *order);
void weiri_observed_clear(struct weiri_observed *observed);

/* A range of numbers; all zero: none. */
struct weiri_observation {
    uint32_t first, last;
};

/** The writes that an atomic read of the actor observes, before the access: the latest
 *  write of the location is in @message. */
struct weiri_observation weiri_observed_by(struct weiri_observed *observed,
                                           const struct weiri_message *message,
                                           const struct weiri_actor *actor,
                                           memory_scope scope, uint32_t bytes);

/** The numbers of an atomic write of the location. @continues: it is of a
 *  read-modify-write that has observed the latest write */
struct weiri_numbered weiri_observed_write(struct weiri_observed *observed,
                                           const struct weiri_message *message,
                                           uint32_t bytes, bool continues);

/** Adds what the actor has observed, at the time @time, for later accesses. */
void weiri_observed_add(struct weiri_observed *observed,
                        const struct weiri_message *message,
                        const struct weiri_actor *actor, enum weiri_memory_space space,
                        uint32_t time, struct weiri_observation observation);

/** Whether a read has observed the location's write of that number, and happens before
 *  what the actor does now. */
bool weiri_observed_before(const struct weiri_observed *observed,
                           const struct weiri_message *message,
                           const struct weiri_actor *actor,
                           enum weiri_memory_space space, uint32_t number);

/** Forgets the location: its memory is another group's. */
void weiri_observed_forget(struct weiri_observed *observed,
                           const struct weiri_message *message);

#endif
