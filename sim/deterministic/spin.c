/* SPDX-License-Identifier: MIT
 *
 * spin.c: see spin.h. A fruitless operation at the anchor's address and place is a hit;
 * enough hits in a row make the item one that spins. Other fruitless operations are
 * misses, and too many of them in a row replace the anchor, so that an item which has
 * left its loop soon counts the operations of its next one. */
#include "config.h"

#include "deterministic/spin.h"

#include "deterministic/hub.h"

/* Fruitless atomics before an item counts as spinning: a kernel that looks at a flag
 * now and then is not held up, and a spin of a thousand items costs some thousand
 * steps. */
enum { PATIENCE = 8 };
/* The same for plain reads, which mostly repeat for better reasons. */
enum { PLAIN_PATIENCE = 1000 };

void weiri_spin_count(struct weiri_spin *spin, struct weiri_hub_item *item)
{
    const struct weiri_stop *stop = &item->stop;
    const void *place = stop->site != NULL ? (const void *)stop->site : stop->pc;
    uint32_t patience
        = stop->operation < WEIRI_OPERATION_READ ? PATIENCE : PLAIN_PATIENCE;
    if (spin->hits > 0 && stop->address == spin->anchor_address
        && place == spin->anchor_place) {
        spin->misses = 0;
        if (++spin->hits >= patience) {
            item->state = WEIRI_ITEM_SPINS;
        }
    } else if (spin->hits == 0 || ++spin->misses > WEIRI_SPIN_MAX_MISSES) {
        weiri_spin_anchor(spin, stop->address, place);
        item->anchored = true;
    }
}
