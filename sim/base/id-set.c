/* SPDX-License-Identifier: MIT
 *
 * id-set.c: see id-set.h. Each slot has a row of bits, a count of members, and a lower
 * bound of the first word with a member, so that a search of the first member passes no
 * empty slot and few empty words. Order among groups is a list of slots: groups come
 * and go rarely, and members all the time. */
#include "config.h"

#include "base/id-set.h"

#include "base/assert.h"

#include <glib.h>
#include <string.h>

void weiri_id_set_init(struct weiri_id_set *set, uint32_t n_slots, uint32_t items)
{
    uint32_t shift = 0;
    while (1u << shift < items) {
        shift++;
    }
    uint32_t word_shift = MIN(shift, 6);
    *set = (struct weiri_id_set){ .shift = shift,
                                  .word_shift = word_shift,
                                  .bit_mask = (1u << word_shift) - 1,
                                  .words = 1u << (shift - word_shift),
                                  .n_slots = n_slots };
    set->count = g_new0(uint32_t, n_slots);
    set->bits = g_new0(uint64_t, (size_t)n_slots * set->words);
    set->low = g_new0(uint32_t, n_slots);
    set->near = g_new(uint32_t, 1);
    *set->near = UINT32_MAX;
    set->order = g_new0(uint32_t, n_slots);
}

void weiri_id_set_clear(struct weiri_id_set *set)
{
    g_free(set->count);
    g_free(set->bits);
    g_free(set->low);
    g_free(set->near);
    g_free(set->order);
    *set = (struct weiri_id_set){ 0 };
}

void weiri_id_set_admit(struct weiri_id_set *set, uint32_t slot)
{
    weiri_assert(set->n_order < set->n_slots && set->count[slot] == 0);
    set->order[set->n_order++] = slot;
}

void weiri_id_set_dismiss(struct weiri_id_set *set, uint32_t slot)
{
    uint32_t at = 0;
    while (set->order[at] != slot) {
        at++;
    }
    set->n_order--;
    memmove(set->order + at, set->order + at + 1,
            (set->n_order - at) * sizeof(*set->order));
    set->n -= set->count[slot];
    set->count[slot] = 0;
    set->low[slot] = 0;
    memset(set->bits + (size_t)slot * set->words, 0, set->words * sizeof(*set->bits));
}

void weiri_id_set_add_all(struct weiri_id_set *set, uint32_t slot, uint32_t n)
{
    uint64_t *bits = set->bits + (size_t)slot * set->words;
    for (uint32_t at = 0; at < set->words; at++) {
        uint32_t left = n - MIN(n, at * 64);
        bits[at] = left >= 64 ? ~0ull : (1ull << left) - 1;
    }
    set->low[slot] = 0;
    *set->near = UINT32_MAX;
    set->n += n - set->count[slot];
    set->count[slot] = n;
}

/* Member number @k of a slot with more than @k members. */
static uint32_t nth_of_slot(const struct weiri_id_set *set, uint32_t slot, uint32_t k)
{
    const uint64_t *bits = set->bits + (size_t)slot * set->words;
    uint32_t at = 0;
    for (uint32_t here; k >= (here = (uint32_t)__builtin_popcountll(bits[at])); at++) {
        k -= here;
    }
    uint64_t word = bits[at];
    while (k-- > 0) {
        word &= word - 1;
    }
    return slot << set->shift | (at * 64 + (uint32_t)__builtin_ctzll(word));
}

static uint32_t first_of_slot(const struct weiri_id_set *set, uint32_t slot)
{
    const uint64_t *bits = set->bits + (size_t)slot * set->words;
    uint32_t at = set->low[slot];
    while (bits[at] == 0) {
        at++;
    }
    set->low[slot] = at;
    return slot << set->shift | (at * 64 + (uint32_t)__builtin_ctzll(bits[at]));
}

uint32_t weiri_id_set_first(const struct weiri_id_set *set)
{
    weiri_assert_slow(set->n > 0);
    uint32_t at = 0;
    while (set->count[set->order[at]] == 0) {
        at++;
    }
    uint32_t id = first_of_slot(set, set->order[at]);
    *set->near = id >> set->word_shift;
    return id;
}

uint32_t weiri_id_set_last(const struct weiri_id_set *set)
{
    weiri_assert_slow(set->n > 0);
    uint32_t at = set->n_order - 1;
    while (set->count[set->order[at]] == 0) {
        at--;
    }
    uint32_t slot = set->order[at];
    const uint64_t *bits = set->bits + (size_t)slot * set->words;
    uint32_t word = set->words - 1;
    while (bits[word] == 0) {
        word--;
    }
    return slot << set->shift
        | (word * 64 + 63 - (uint32_t)__builtin_clzll(bits[word]));
}

uint32_t weiri_id_set_nth(const struct weiri_id_set *set, uint32_t k)
{
    weiri_assert_slow(k < set->n);
    uint32_t at = 0;
    for (; k >= set->count[set->order[at]]; at++) {
        k -= set->count[set->order[at]];
    }
    return nth_of_slot(set, set->order[at], k);
}

uint32_t weiri_id_set_after(const struct weiri_id_set *set, uint32_t id)
{
    weiri_assert_slow(set->n > 0);
    uint32_t slot = id >> set->shift, item = weiri_id_set_item(set, id);
    uint32_t place = 0;
    while (place + 1 < set->n_order && set->order[place] != slot) {
        place++;
    }
    if (set->order[place] == slot && set->count[slot] > 0) {
        const uint64_t *bits = set->bits + (size_t)slot * set->words;
        uint64_t word
            = item % 64 == 63 ? 0 : bits[item / 64] & ~0ull << (item % 64 + 1);
        for (uint32_t at = item / 64;;) {
            if (word != 0) {
                return slot << set->shift | (at * 64 + (uint32_t)__builtin_ctzll(word));
            }
            if (++at == set->words) {
                break;
            }
            word = bits[at];
        }
    }
    for (uint32_t i = 1; i <= set->n_order; i++) {
        uint32_t next = set->order[(place + i) % set->n_order];
        if (set->count[next] > 0) {
            return first_of_slot(set, next);
        }
    }
    return weiri_id_set_first(set);
}
