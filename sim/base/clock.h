/* SPDX-License-Identifier: MIT
 *
 * clock.h: vector clocks: what somebody knows of everybody's time.
 *
 * Timelines lie in groups of equal size. A clock maps each timeline to the time up to
 * which it is known, and each group to a floor: all its timelines are known up to
 * there. Groups in step need nothing but their floor.
 *
 * A clock never changes once it is shared: knowing more makes another clock, which
 * shares all that is the same. So a copy is a reference, and joining two clocks costs
 * what they differ in. Reckoned in the manner of Okasaki's persistent maps: a radix
 * tree of 16 branches, group above timeline.
 *
 * The clock that knows nothing is NULL. Times start at 1; "known up to T" means all
 * that was done before time T.
 *
 * Threads: one, for all clocks of a struct weiri_clocks. */
#ifndef WEIRI_CLOCK_H
#define WEIRI_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct weiri_clock;

/* Where clocks of one size come from. */
struct weiri_clocks {
    unsigned item_bits; /* of a key, for the timeline in its group, */
    unsigned key_bits;  /* and in all; multiples of 4 */
    uint64_t n_nodes;   /* that live */
    void *spare_inner;  /* lists of free nodes, linked by their first word */
    void *spare_leaf;
};

/** For @n_groups groups of @n_items timelines. */
void weiri_clocks_init(struct weiri_clocks *clocks, uint64_t n_groups,
                       uint64_t n_items);

/** All clocks must have been given up. */
void weiri_clocks_clear(struct weiri_clocks *clocks);

struct weiri_clock *weiri_clock_ref(struct weiri_clock *clock);
void weiri_clock_unref(struct weiri_clocks *clocks, struct weiri_clock *clock);

/** Up to which time all of @group is known; 0 where it is not. */
uint32_t weiri_clock_floor(const struct weiri_clocks *clocks,
                           const struct weiri_clock *clock, uint64_t group);

/** Up to which time that timeline is known; 0 where it is not. */
uint32_t weiri_clock_time(const struct weiri_clocks *clocks,
                          const struct weiri_clock *clock, uint64_t group,
                          uint32_t item);

/** Raises the floor of @group to at least @time. Takes @clock.
 *  Returns: (transfer full) */
struct weiri_clock *weiri_clock_raise(struct weiri_clocks *clocks,
                                      struct weiri_clock *clock, uint64_t group,
                                      uint32_t time);

/** Raises one timeline to at least @time. Takes @clock. Returns: (transfer full) */
struct weiri_clock *weiri_clock_raise_item(struct weiri_clocks *clocks,
                                           struct weiri_clock *clock, uint64_t group,
                                           uint32_t item, uint32_t time);

/** What either knows. Takes @clock; @other is borrowed. Returns: (transfer full) */
struct weiri_clock *weiri_clock_join(struct weiri_clocks *clocks,
                                     struct weiri_clock *clock,
                                     struct weiri_clock *other);

#endif
