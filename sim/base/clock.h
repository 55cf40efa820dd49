/* SPDX-License-Identifier: MIT
 *
 * clock.h: vector clocks: up to which time an item knows every other item.
 *
 * Timelines are in groups of equal size. A clock maps each timeline to the time up to
 * which it is known, and each group to a floor: all its timelines are known up to
 * there. A group whose items are in step needs only its floor.
 *
 * A shared clock never changes. Raising it makes another clock, which shares all parts
 * that are equal. So a copy is a reference, and joining two clocks costs as much as
 * they differ. The structure is that of Okasaki's persistent maps: a radix tree of 16
 * branches, groups above timelines.
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

/* The allocator of clocks of one size. */
struct weiri_clocks {
    unsigned item_bits; /* of a key, for the timeline in its group; */
    unsigned key_bits;  /* all bits of a key; both are multiples of 4 */
    uint64_t n_nodes;   /* in use */
    void *spare_inner;  /* lists of free nodes, linked by their first word */
    void *spare_leaf;
};

/** For @n_groups groups of @n_items timelines. */
void weiri_clocks_init(struct weiri_clocks *clocks, uint64_t n_groups,
                       uint64_t n_items);

/** All clocks must have been unreferenced. */
void weiri_clocks_clear(struct weiri_clocks *clocks);

struct weiri_clock *weiri_clock_ref(struct weiri_clock *clock);
void weiri_clock_unref(struct weiri_clocks *clocks, struct weiri_clock *clock);

/** The time up to which all of @group is known, or 0. */
uint32_t weiri_clock_floor(const struct weiri_clocks *clocks,
                           const struct weiri_clock *clock, uint64_t group);

/** The time up to which the timeline is known, or 0. */
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

/** The union of two clocks. Takes @clock; @other is borrowed. Returns: (transfer
 *  full) */
struct weiri_clock *weiri_clock_join(struct weiri_clocks *clocks,
                                     struct weiri_clock *clock,
                                     struct weiri_clock *other);

#endif
