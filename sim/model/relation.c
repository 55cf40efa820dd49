/* SPDX-License-Identifier: MIT
 *
 * relation.c: see relation.h. All operators are loops over rows. An execution has some
 * tens of events, so that a row is a word and an operator some tens of instructions.
 *
 * Memory is a list of blocks that only grows. Nothing is freed individually: an algebra
 * returns to a mark or to its beginning. */
#include "config.h"

#include "model/relation.h"

#include "base/assert.h"

#include <glib.h>
#include <string.h>

typedef struct weiri_algebra algebra;
typedef struct weiri_relation relation;
typedef struct weiri_event_set set;

/* Words of a block: enough for all that a model computes on some tens of events. */
enum { BLOCK_WORDS = 1 << 14 };

struct weiri_algebra_block {
    struct weiri_algebra_block *next;
    size_t n_words;
    uint64_t words[];
};

/* ---- Memory ---------------------------------------------------------------------- */

void weiri_algebra_clear(algebra *k)
{
    for (struct weiri_algebra_block *block = k->first, *next; block != NULL;
         block = next) {
        next = block->next;
        g_free(block);
    }
    *k = (algebra){ 0 };
}

void weiri_algebra_begin(algebra *k, uint32_t n)
{
    k->n = n;
    k->words = (n + 63) / 64;
    k->block = k->first;
    k->used = 0;
}

struct weiri_algebra_mark weiri_algebra_mark(const algebra *k)
{
    return (struct weiri_algebra_mark){ k->block, k->used };
}

void weiri_algebra_return(algebra *k, struct weiri_algebra_mark mark)
{
    k->block = mark.block != NULL ? mark.block : k->first;
    k->used = mark.used;
}

/* Appends a block with room for @n words after the blocks in use. */
static void add_block(algebra *k, size_t n)
{
    struct weiri_algebra_block **end = k->block != NULL ? &k->block->next : &k->first;
    if (*end == NULL || (*end)->n_words < n) {
        size_t n_words = MAX(n, (size_t)BLOCK_WORDS);
        struct weiri_algebra_block *block
            = g_malloc(sizeof(*block) + n_words * sizeof(uint64_t));
        block->n_words = n_words;
        block->next = *end;
        *end = block;
    }
    k->block = *end;
    k->used = 0;
}

/* Returns: words that are not cleared */
static uint64_t *take(algebra *k, size_t n)
{
    if (k->block == NULL || k->block->n_words - k->used < n) {
        add_block(k, n);
    }
    uint64_t *words = k->block->words + k->used;
    k->used += n;
    return words;
}

static size_t matrix_words(const algebra *k)
{
    return (size_t)k->n * k->words;
}

static relation take_relation(algebra *k)
{
    return (relation){ take(k, matrix_words(k)) };
}

static uint64_t *row(const algebra *k, relation a, uint32_t event)
{
    return a.rows + (size_t)event * k->words;
}

/* ---- Sets ------------------------------------------------------------------------ */

set weiri_event_set_new(algebra *k)
{
    set made = { take(k, k->words) };
    memset(made.bits, 0, k->words * sizeof(uint64_t));
    return made;
}

set weiri_event_set_union(algebra *k, set a, set b)
{
    set made = { take(k, k->words) };
    for (uint32_t w = 0; w < k->words; w++) {
        made.bits[w] = a.bits[w] | b.bits[w];
    }
    return made;
}

set weiri_event_set_intersection(algebra *k, set a, set b)
{
    set made = { take(k, k->words) };
    for (uint32_t w = 0; w < k->words; w++) {
        made.bits[w] = a.bits[w] & b.bits[w];
    }
    return made;
}

set weiri_event_set_difference(algebra *k, set a, set b)
{
    set made = { take(k, k->words) };
    for (uint32_t w = 0; w < k->words; w++) {
        made.bits[w] = a.bits[w] & ~b.bits[w];
    }
    return made;
}

bool weiri_event_set_is_empty(const algebra *k, set a)
{
    for (uint32_t w = 0; w < k->words; w++) {
        if (a.bits[w] != 0) {
            return false;
        }
    }
    return true;
}

/* ---- Relations ------------------------------------------------------------------- */

relation weiri_relation_new(algebra *k)
{
    relation made = take_relation(k);
    memset(made.rows, 0, matrix_words(k) * sizeof(uint64_t));
    return made;
}

static relation copy(algebra *k, relation a)
{
    relation made = take_relation(k);
    memcpy(made.rows, a.rows, matrix_words(k) * sizeof(uint64_t));
    return made;
}

relation weiri_relation_product(algebra *k, set from, set to)
{
    relation made = weiri_relation_new(k);
    for (uint32_t i = 0; i < k->n; i++) {
        if (weiri_event_set_has(from, i)) {
            memcpy(row(k, made, i), to.bits, k->words * sizeof(uint64_t));
        }
    }
    return made;
}

relation weiri_relation_union(algebra *k, relation a, relation b)
{
    relation made = take_relation(k);
    for (size_t w = 0, n = matrix_words(k); w < n; w++) {
        made.rows[w] = a.rows[w] | b.rows[w];
    }
    return made;
}

relation weiri_relation_intersection(algebra *k, relation a, relation b)
{
    relation made = take_relation(k);
    for (size_t w = 0, n = matrix_words(k); w < n; w++) {
        made.rows[w] = a.rows[w] & b.rows[w];
    }
    return made;
}

relation weiri_relation_difference(algebra *k, relation a, relation b)
{
    relation made = take_relation(k);
    for (size_t w = 0, n = matrix_words(k); w < n; w++) {
        made.rows[w] = a.rows[w] & ~b.rows[w];
    }
    return made;
}

/* Adds the rows in @a of all events in @of to @to. */
static void add_rows(const algebra *k, uint64_t *to, const uint64_t *of, relation a)
{
    for (uint32_t w = 0; w < k->words; w++) {
        for (uint64_t left = of[w]; left != 0; left &= left - 1) {
            const uint64_t *more = row(k, a, w * 64 + (uint32_t)__builtin_ctzll(left));
            for (uint32_t v = 0; v < k->words; v++) {
                to[v] |= more[v];
            }
        }
    }
}

relation weiri_relation_compose(algebra *k, relation a, relation b)
{
    relation made = weiri_relation_new(k);
    for (uint32_t i = 0; i < k->n; i++) {
        add_rows(k, row(k, made, i), row(k, a, i), b);
    }
    return made;
}

relation weiri_relation_inverse(algebra *k, relation a)
{
    relation made = weiri_relation_new(k);
    for (uint32_t i = 0; i < k->n; i++) {
        for (uint32_t w = 0; w < k->words; w++) {
            for (uint64_t left = row(k, a, i)[w]; left != 0; left &= left - 1) {
                weiri_relation_add(k, made, w * 64 + (uint32_t)__builtin_ctzll(left),
                                   i);
            }
        }
    }
    return made;
}

relation weiri_relation_optional(algebra *k, relation a)
{
    relation made = copy(k, a);
    for (uint32_t i = 0; i < k->n; i++) {
        weiri_relation_add(k, made, i, i);
    }
    return made;
}

/* Warshall's algorithm. */
relation weiri_relation_closure(algebra *k, relation a)
{
    relation made = copy(k, a);
    for (uint32_t middle = 0; middle < k->n; middle++) {
        const uint64_t *onward = row(k, made, middle);
        for (uint32_t i = 0; i < k->n; i++) {
            if (weiri_relation_has(k, made, i, middle)) {
                uint64_t *from = row(k, made, i);
                for (uint32_t w = 0; w < k->words; w++) {
                    from[w] |= onward[w];
                }
            }
        }
    }
    return made;
}

relation weiri_relation_from(algebra *k, set from, relation a)
{
    relation made = weiri_relation_new(k);
    for (uint32_t i = 0; i < k->n; i++) {
        if (weiri_event_set_has(from, i)) {
            memcpy(row(k, made, i), row(k, a, i), k->words * sizeof(uint64_t));
        }
    }
    return made;
}

relation weiri_relation_to(algebra *k, relation a, set to)
{
    relation made = take_relation(k);
    for (uint32_t i = 0; i < k->n; i++) {
        for (uint32_t w = 0; w < k->words; w++) {
            row(k, made, i)[w] = row(k, a, i)[w] & to.bits[w];
        }
    }
    return made;
}

/* ---- What they are --------------------------------------------------------------- */

bool weiri_relation_is_empty(const algebra *k, relation a)
{
    for (size_t w = 0, n = matrix_words(k); w < n; w++) {
        if (a.rows[w] != 0) {
            return false;
        }
    }
    return true;
}

bool weiri_relation_first(const algebra *k, relation a, uint32_t *from, uint32_t *to)
{
    for (uint32_t one = 0; one < k->n; one++) {
        for (uint32_t other = 0; other < k->n; other++) {
            if (weiri_relation_has(k, a, one, other)) {
                *from = one;
                *to = other;
                return true;
            }
        }
    }
    return false;
}

bool weiri_relation_is_irreflexive(const algebra *k, relation a)
{
    for (uint32_t i = 0; i < k->n; i++) {
        if (weiri_relation_has(k, a, i, i)) {
            return false;
        }
    }
    return true;
}

bool weiri_relation_is_acyclic(algebra *k, relation a)
{
    struct weiri_algebra_mark mark = weiri_algebra_mark(k);
    bool is = weiri_relation_is_irreflexive(k, weiri_relation_closure(k, a));
    weiri_algebra_return(k, mark);
    return is;
}

/* Computes, for each event that is reachable from @start, its predecessor on a shortest
 * way, breadth first in the order of event numbers. Returns: the last event of the
 * shortest way back to @start, or algebra->n */
static uint32_t search(const algebra *k, relation a, uint32_t start, uint32_t *before,
                       uint32_t *queue)
{
    uint32_t n_queued = 1;
    memset(before, 0xff, k->n * sizeof(*before));
    queue[0] = start;
    for (uint32_t next = 0; next < n_queued; next++) {
        uint32_t from = queue[next];
        if (weiri_relation_has(k, a, from, start)) {
            return from;
        }
        for (uint32_t to = 0; to < k->n; to++) {
            if (before[to] == UINT32_MAX && to != start
                && weiri_relation_has(k, a, from, to)) {
                before[to] = from;
                queue[n_queued++] = to;
            }
        }
    }
    return k->n;
}

uint32_t weiri_relation_cycle(algebra *k, relation a, uint32_t *events)
{
    uint32_t shortest = 0;
    g_autofree uint32_t *before = g_new(uint32_t, MAX(k->n, 1));
    g_autofree uint32_t *queue = g_new(uint32_t, MAX(k->n, 1));
    for (uint32_t start = 0; start < k->n; start++) {
        uint32_t last = search(k, a, start, before, queue), length = 1;
        if (last == k->n) {
            continue;
        }
        for (uint32_t at = last; at != start; at = before[at]) {
            length++;
        }
        if (shortest != 0 && length >= shortest) {
            continue;
        }
        shortest = length;
        for (uint32_t at = last, i = length; i-- > 0; at = before[at]) {
            events[i] = at;
        }
    }
    return shortest;
}
