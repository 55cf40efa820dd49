/* SPDX-License-Identifier: MIT
 *
 * id-set.h: sets of items of a deterministic launch.
 *
 * An item's id is slot << shift | local linear id. The slot is the index of its group
 * in the hub's @slots; a group keeps it while it is resident. */
#ifndef WEIRI_ID_SET_H
#define WEIRI_ID_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No item's id: it stands for "no item". */
enum { WEIRI_NO_ITEM = UINT32_MAX };

/* Items of resident groups, a bit each. Members are ordered by group, and in a group by
 * local linear id. Groups are in the order in which they became resident, which is the
 * order of their linear ids. */
struct weiri_id_set {
    uint32_t shift;      /* id >> shift is the slot */
    uint32_t word_shift; /* id >> word_shift is the index in @bits; at most 6 */
    uint32_t bit_mask;   /* id & bit_mask is the bit in that word */
    uint32_t words;      /* of @bits for each slot */
    uint32_t n;          /* members */
    uint32_t n_slots;
    uint32_t *count; /* by slot: members */
    uint64_t *bits;  /* by slot, @words each */
    uint32_t *near;  /* the word of @bits in which the first member was found; greater
                        than any if members have been added since */
    uint32_t *low;   /* by slot: its words before this one have no members */
    uint32_t *order; /* the slots in use, the oldest group first */
    uint32_t n_order;
};

void weiri_id_set_init(struct weiri_id_set *set, uint32_t n_slots, uint32_t items);
void weiri_id_set_clear(struct weiri_id_set *set);

/** A group gets @slot, as the youngest one; or the group there leaves, and its items
 *  are no longer members. */
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

/** Adds @id, which is not a member. */
static inline void weiri_id_set_add(struct weiri_id_set *set, uint32_t id)
{
    uint32_t slot = id >> set->shift, word = weiri_id_set_item(set, id) / 64;
    set->bits[id >> set->word_shift] |= 1ull << (id & set->bit_mask);
    set->low[slot] = word < set->low[slot] ? word : set->low[slot];
    *set->near = UINT32_MAX;
    set->count[slot]++;
    set->n++;
}

/** Removes @id, which is a member. */
static inline void weiri_id_set_remove(struct weiri_id_set *set, uint32_t id)
{
    set->bits[id >> set->word_shift] &= ~(1ull << (id & set->bit_mask));
    set->count[id >> set->shift]--;
    set->n--;
}

/** Adds the first @n items of a slot; some may be members already. */
void weiri_id_set_add_all(struct weiri_id_set *set, uint32_t slot, uint32_t n);

/** The first member, the last one, and number @k, from 0, of more than @k members. */
uint32_t weiri_id_set_first(const struct weiri_id_set *set);
uint32_t weiri_id_set_last(const struct weiri_id_set *set);
uint32_t weiri_id_set_nth(const struct weiri_id_set *set, uint32_t k);

/** The first member, which is mostly in the word of @id, a member until now. */
static inline uint32_t weiri_id_set_first_near(const struct weiri_id_set *set,
                                               uint32_t id)
{
    uint32_t word = id >> set->word_shift;
    uint64_t bits = set->bits[word];
    return __builtin_expect(bits != 0 && *set->near == word, 1)
        ? word << set->word_shift | (uint32_t)__builtin_ctzll(bits)
        : weiri_id_set_first(set);
}

/** Whether @id is the first member. */
static inline bool weiri_id_set_is_first(const struct weiri_id_set *set, uint32_t id)
{
    uint32_t word = id >> set->word_shift;
    return *set->near == word
        ? (set->bits[word] & -set->bits[word]) == 1ull << (id & set->bit_mask)
        : weiri_id_set_first(set) == id;
}

/** Whether @id is the first member and @id + 1 the second, as far as one word of bits
 *  shows it. */
static inline bool weiri_id_set_is_first_but_one(const struct weiri_id_set *set,
                                                 uint32_t id)
{
    uint32_t word = id >> set->word_shift;
    uint64_t bits = set->bits[word], bit = 1ull << (id & set->bit_mask);
    return (bits & (bit << 1)) != 0 && (bits & -bits) == bit && *set->near == word;
}

/** The first member after @id, which need not be one; after the last, the first. */
uint32_t weiri_id_set_after(const struct weiri_id_set *set, uint32_t id);

#endif
