/* SPDX-License-Identifier: MIT
 *
 * race_draft.h: a program that is being drawn: what its items are to do, a line of
 * steps each, before their order among each other is known. */
#ifndef WEIR_TESTS_RACE_DRAFT_H
#define WEIR_TESTS_RACE_DRAFT_H

#include "race_program.h"
#include "support.h"

enum {
    MOST_LINES = 96, /* of an item */
    MOST_PLACES = 2 * MOST_OBJECTS * MOST_OBJECT_BYTES / 8,
};

/* A location for atomics, which all agree about its size. */
struct place {
    unsigned object, offset, bytes;
    memory_scope scope; /* which its users should take */
};

/* A step, and what it waits for beside those before it. */
struct line {
    struct step step;
    uint64_t waits; /* for messages: a bit each */
    uint64_t sends; /* the same */
    unsigned takes; /* a lock, from 1; or 0 */
    unsigned gives; /* the same */
};

/* How good the habits of a program's authors are. */
enum scoping { SCOPES_WIDE, SCOPES_FITTING, SCOPES_ANY };
enum ordering { ORDERS_STRONG, ORDERS_BY_FENCES, ORDERS_ANY };

struct draft {
    struct program *program;
    uint64_t random;
    bool wild; /* races are welcome, and few pieces make them stand out */
    enum scoping scoping;
    enum ordering ordering;
    unsigned n_places;
    struct place places[MOST_PLACES];
    bool atomic[MOST_OBJECTS][MOST_OBJECT_BYTES]; /* bytes of places */
    unsigned n_messages, n_locks;
    unsigned n_lines[MOST_ITEMS];
    struct line lines[MOST_ITEMS][MOST_LINES];
};

TEST_HELPER unsigned below(struct draft *draft, unsigned n)
{
    return (unsigned)random_between(&draft->random, 0, n - 1);
}

/* True once in @n times. */
TEST_HELPER bool once_in(struct draft *draft, unsigned n)
{
    return below(draft, n) == 0;
}

/* A legal order of a load or store, @half of acquire and release. */
TEST_HELPER memory_order legal(memory_order order, memory_order half)
{
    return order == memory_order_relaxed || order == memory_order_seq_cst ? order
                                                                          : half;
}

/** Draws everything: items, objects, and what the items do. */
void draft_draw(struct draft *draft);

/** A plain access of @item, which seldom hits a place of atomics. Returns: it; of no
 *  bytes, where there is none */
struct step draft_add_plain(struct draft *draft, unsigned item);

memory_order draft_order(struct draft *draft);

#endif
