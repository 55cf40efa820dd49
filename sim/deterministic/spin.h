/* SPDX-License-Identifier: MIT
 *
 * spin.h: an item spins where it repeats one fruitless operation. The operation that it
 * repeats is its *anchor*; a few others may lie between two repetitions. */
#ifndef WEIRI_SPIN_H
#define WEIRI_SPIN_H

#include <stdbool.h>
#include <stdint.h>

struct weiri_hub_item;

struct weiri_spin {
    uint32_t hits;   /* fruitless operations like the anchor's, in a row */
    uint32_t misses; /* other fruitless ones since the latest of these */
    const volatile void *anchor_address; /* NULL: the item is tired; see livelock.h */
    const void *anchor_place;            /* a struct weir_site, or a return address */
};

/* Operations of other kinds in the body of a spin, at most. */
enum { WEIRI_SPIN_MAX_MISSES = 16 };

/** The operation at @address and @place becomes the anchor. */
static inline void weiri_spin_anchor(struct weiri_spin *spin,
                                     const volatile void *address, const void *place)
{
    /* member by member: gcc would clear the whole by a string instruction first */
    spin->hits = 1;
    spin->misses = 0;
    spin->anchor_address = address;
    spin->anchor_place = place;
}

/** Counts a fruitless operation at @address as one between two of the anchor's.
 *  Returns: false at the anchor's address, without an anchor, or after too many
 *  */
static inline bool weiri_spin_misses(struct weiri_spin *spin,
                                     const volatile void *address)
{
    if (spin->hits > 0 && address != spin->anchor_address
        && spin->misses < WEIRI_SPIN_MAX_MISSES) {
        spin->misses++;
        return true;
    }
    return false;
}

/** Counts any other fruitless operation, which is the item's latest stop. After enough
 *  of them the item's state is WEIRI_ITEM_SPINS. */
void weiri_spin_count(struct weiri_spin *spin, struct weiri_hub_item *item);

#endif
