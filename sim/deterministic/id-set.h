/* SPDX-License-Identifier: MIT
 *
 * id-set.h: sets of items of a deterministic launch.
 *
 * An item's id is slot << shift | local linear id, where the slot is the place of its
 * group among the resident ones. */
#ifndef WEIRI_ID_SET_H
#define WEIRI_ID_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the place of an id: no item. */
enum { WEIRI_NO_ITEM = UINT32_MAX };

/* Items of resident groups, a bit each. Groups are ordered by when they became
 * resident, which is by linear id, and items in a group by local linear id. */
struct weiri_id_set {
    uint32_t shift;      /* of an id, to get its slot, */
    uint32_t word_shift; /* to get its word of @bits, at most 6, */
    uint32_t bit_mask;   /* and to get its bit there */
    uint32_t words;      /* of bits, a slot */
    uint32_t n;          /* members */
    uint32_t n_slots;    /* that there are */
    uint32_t *count;     /* by slot: members */
    uint64_t *bits;      /* by slot, @words each */
    uint32_t *low;   /* by slot: in the words before this one there are no members */
    uint32_t *order; /* the slots in use, the oldest group first */
    uint32_t n_order;
};

void weiri_id_set_init(struct weiri_id_set *set, uint32_t n_slots, uint32_t items);
void weiri_id_set_clear(struct weiri_id_set *set);

/** A group comes to @slot, as the youngest; or the group there leaves, and its items
 *  are no members any more. */
void weiri_id_set_admit(struct weiri_id_set *set, uint32_t slot);
void weiri_id_set_dismiss(struct weiri_id_set *set, uint32_t slot);

static inline uint32_t weiri_id_set_item(const struct weiri_id_set *set, uint32_t id)
{
    return id & ((1u << set->shift) - 1);
}

static inline bool weiri_id_set_has(const struct weiri_id_set *set, uint32_t id)
{
    return (set->bits[id >> set->word_shift] >> (id & set->bit_mask) & 1) != 0;
}

/** Adds @id, which was no member. */
static inline void weiri_id_set_add(struct weiri_id_set *set, uint32_t id)
{
    uint32_t slot = id >> set->shift, word = weiri_id_set_item(set, id) / 64;
    set->bits[id >> set->word_shift] |= 1ull << (id & set->bit_mask);
    set->low[slot] = word < set->low[slot] ? word : set->low[slot];
    set->count[slot]++;
    set->n++;
}

/** Removes @id, which was one. */
static inline void weiri_id_set_remove(struct weiri_id_set *set, uint32_t id)
{
    set->bits[id >> set->word_shift] &= ~(1ull << (id & set->bit_mask));
    set->count[id >> set->shift]--;
    set->n--;
}

/** All of the first @n items of a slot are members from here on. */
void weiri_id_set_add_all(struct weiri_id_set *set, uint32_t slot, uint32_t n);

/** The first, the last, and number @k of a set that has more than @k members. */
uint32_t weiri_id_set_first(const struct weiri_id_set *set);
uint32_t weiri_id_set_last(const struct weiri_id_set *set);
uint32_t weiri_id_set_nth(const struct weiri_id_set *set, uint32_t k);

/** The next after @id, which need not be a member; after the last the first. */
uint32_t weiri_id_set_after(const struct weiri_id_set *set, uint32_t id);

#endif
