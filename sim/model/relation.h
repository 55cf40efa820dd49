/* SPDX-License-Identifier: MIT
 *
 * relation.h: sets of events and relations between events, with the operators in which
 * memory models are written. A relation on n events is n rows of n bits; row a contains
 * the events that a is related to.
 *
 *     a | b   weiri_relation_union           a ; b     weiri_relation_compose
 *     a & b   weiri_relation_intersection    a?        weiri_relation_optional
 *     a \ b   weiri_relation_difference      a+        weiri_relation_closure
 *     a^-1    weiri_relation_inverse         [S] ; a   weiri_relation_from
 *     S * T   weiri_relation_product         a ; [S]   weiri_relation_to
 *
 * Every operator returns a new relation and leaves its operands unchanged. Results
 * belong to a struct weiri_algebra, which reuses its memory when it begins anew. */
#ifndef WEIRI_RELATION_H
#define WEIRI_RELATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sets and relations are made by an algebra, and valid until it forgets them. */
struct weiri_relation {
    uint64_t *rows; /* n of them, of algebra->words each */
};
struct weiri_event_set {
    uint64_t *bits; /* algebra->words */
};

struct weiri_algebra_block;

/**
 * weiri_algebra:
 * @n: events
 * @words: in a row of n bits
 * @first: memory, owned; @block: in use now, of which @used words are taken
 */
struct weiri_algebra {
    uint32_t n;
    uint32_t words;
    struct weiri_algebra_block *first, *block;
    size_t used;
};

/* A state of an algebra to return to. */
struct weiri_algebra_mark {
    struct weiri_algebra_block *block;
    size_t used;
};

/** Frees its memory. All zeros is an algebra of no events. */
void weiri_algebra_clear(struct weiri_algebra *algebra);

/** Forgets everything; from then on the algebra is about @n events. */
void weiri_algebra_begin(struct weiri_algebra *algebra, uint32_t n);

/** Returns: a mark; weiri_algebra_return() forgets everything made after it */
struct weiri_algebra_mark weiri_algebra_mark(const struct weiri_algebra *algebra);
void weiri_algebra_return(struct weiri_algebra *algebra,
                          struct weiri_algebra_mark mark);

/* ---- Sets ------------------------------------------------------------------------ */

/** Returns: an empty set */
struct weiri_event_set weiri_event_set_new(struct weiri_algebra *algebra);

static inline void weiri_event_set_add(struct weiri_event_set set, uint32_t event)
{
    set.bits[event / 64] |= UINT64_C(1) << event % 64;
}

static inline bool weiri_event_set_has(struct weiri_event_set set, uint32_t event)
{
    return (set.bits[event / 64] >> event % 64 & 1) != 0;
}

struct weiri_event_set weiri_event_set_union(struct weiri_algebra *algebra,
                                             struct weiri_event_set a,
                                             struct weiri_event_set b);
struct weiri_event_set weiri_event_set_intersection(struct weiri_algebra *algebra,
                                                    struct weiri_event_set a,
                                                    struct weiri_event_set b);

struct weiri_event_set weiri_event_set_difference(struct weiri_algebra *algebra,
                                                  struct weiri_event_set a,
                                                  struct weiri_event_set b);

bool weiri_event_set_is_empty(const struct weiri_algebra *algebra,
                              struct weiri_event_set a);

/* ---- Relations ------------------------------------------------------------------- */

/** Returns: an empty relation */
struct weiri_relation weiri_relation_new(struct weiri_algebra *algebra);

static inline void weiri_relation_add(const struct weiri_algebra *algebra,
                                      struct weiri_relation a, uint32_t from,
                                      uint32_t to)
{
    a.rows[(size_t)from * algebra->words + to / 64] |= UINT64_C(1) << to % 64;
}

static inline void weiri_relation_remove(const struct weiri_algebra *algebra,
                                         struct weiri_relation a, uint32_t from,
                                         uint32_t to)
{
    a.rows[(size_t)from * algebra->words + to / 64] &= ~(UINT64_C(1) << to % 64);
}

static inline bool weiri_relation_has(const struct weiri_algebra *algebra,
                                      struct weiri_relation a, uint32_t from,
                                      uint32_t to)
{
    return (a.rows[(size_t)from * algebra->words + to / 64] >> to % 64 & 1) != 0;
}

struct weiri_relation weiri_relation_product(struct weiri_algebra *algebra,
                                             struct weiri_event_set from,
                                             struct weiri_event_set to);
struct weiri_relation weiri_relation_union(struct weiri_algebra *algebra,
                                           struct weiri_relation a,
                                           struct weiri_relation b);
struct weiri_relation weiri_relation_intersection(struct weiri_algebra *algebra,
                                                  struct weiri_relation a,
                                                  struct weiri_relation b);
struct weiri_relation weiri_relation_difference(struct weiri_algebra *algebra,
                                                struct weiri_relation a,
                                                struct weiri_relation b);
struct weiri_relation weiri_relation_compose(struct weiri_algebra *algebra,
                                             struct weiri_relation a,
                                             struct weiri_relation b);
struct weiri_relation weiri_relation_inverse(struct weiri_algebra *algebra,
                                             struct weiri_relation a);
struct weiri_relation weiri_relation_optional(struct weiri_algebra *algebra,
                                              struct weiri_relation a);
struct weiri_relation weiri_relation_closure(struct weiri_algebra *algebra,
                                             struct weiri_relation a);
struct weiri_relation weiri_relation_from(struct weiri_algebra *algebra,
                                          struct weiri_event_set from,
                                          struct weiri_relation a);
struct weiri_relation weiri_relation_to(struct weiri_algebra *algebra,
                                        struct weiri_relation a,
                                        struct weiri_event_set to);

bool weiri_relation_is_empty(const struct weiri_algebra *algebra,
                             struct weiri_relation a);

/** Finds the pair with the smallest first event, and of these the smallest second one.
 *  Returns: false if the relation is empty. @from, @to: (out): set if it is not */
bool weiri_relation_first(const struct weiri_algebra *algebra, struct weiri_relation a,
                          uint32_t *from, uint32_t *to);
bool weiri_relation_is_irreflexive(const struct weiri_algebra *algebra,
                                   struct weiri_relation a);

/** Whether no event leads back to itself. Leaves nothing in the algebra. */
bool weiri_relation_is_acyclic(struct weiri_algebra *algebra, struct weiri_relation a);

/**
 * weiri_relation_cycle:
 * @events: (out): a shortest cycle: each event is related to the next one, and the last
 *          one to the first. If there are several, it is the one with the smallest
 *          first event. Room for algebra->n
 *
 * Returns: the length of the cycle; 0 without a cycle
 */
uint32_t weiri_relation_cycle(struct weiri_algebra *algebra, struct weiri_relation a,
                              uint32_t *events);

#endif
