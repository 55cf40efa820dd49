/* SPDX-License-Identifier: MIT
 *
 * brute_relation.h: sets of events and relations between them, as bits, with the
 * operators that definitions of memory models are written in:
 *
 *     a | b   either(a, b)      a ; b   then(a, b)       [S] ; a   from(S, a)
 *     a & b   both(a, b)        a?      maybe(a)         a ; [S]   to(a, S)
 *     a \ b   without(a, b)     a+      steps(a)         S * T     product(n, S, T)
 *     a^-1    inverse(a)        [S]     identity(n, S) */
#ifndef WEIR_TESTS_BRUTE_RELATION_H
#define WEIR_TESTS_BRUTE_RELATION_H

#include <stdbool.h>
#include <stdint.h>

#define BRUTE_INLINE static inline __attribute__((unused))

enum { BRUTE_EVENTS = 64 };

typedef uint64_t brute_set;

/* Between the first @n events: row[i] are those that i is before. */
struct relation {
    unsigned n;
    brute_set row[BRUTE_EVENTS];
};

BRUTE_INLINE brute_set brute_bit(unsigned i)
{
    return UINT64_C(1) << i;
}

BRUTE_INLINE struct relation empty(unsigned n)
{
    struct relation made = { .n = n };
    return made;
}

BRUTE_INLINE void relate(struct relation *a, unsigned i, unsigned j)
{
    a->row[i] |= brute_bit(j);
}

BRUTE_INLINE bool related(const struct relation *a, unsigned i, unsigned j)
{
    return a->row[i] >> j & 1;
}

BRUTE_INLINE struct relation product(unsigned n, brute_set s, brute_set t)
{
    struct relation made = { .n = n };
    t &= n < 64 ? brute_bit(n) - 1 : ~UINT64_C(0);
    for (unsigned i = 0; i < n; i++) {
        made.row[i] = s >> i & 1 ? t : 0;
    }
    return made;
}

BRUTE_INLINE struct relation identity(unsigned n, brute_set s)
{
    struct relation made = { .n = n };
    for (unsigned i = 0; i < n; i++) {
        made.row[i] = s & brute_bit(i);
    }
    return made;
}

BRUTE_INLINE struct relation either(struct relation a, struct relation b)
{
    for (unsigned i = 0; i < a.n; i++) {
        a.row[i] |= b.row[i];
    }
    return a;
}

BRUTE_INLINE struct relation both(struct relation a, struct relation b)
{
    for (unsigned i = 0; i < a.n; i++) {
        a.row[i] &= b.row[i];
    }
    return a;
}

BRUTE_INLINE struct relation without(struct relation a, struct relation b)
{
    for (unsigned i = 0; i < a.n; i++) {
        a.row[i] &= ~b.row[i];
    }
    return a;
}

BRUTE_INLINE struct relation from(brute_set s, struct relation a)
{
    for (unsigned i = 0; i < a.n; i++) {
        a.row[i] = s >> i & 1 ? a.row[i] : 0;
    }
    return a;
}

BRUTE_INLINE struct relation to(struct relation a, brute_set s)
{
    for (unsigned i = 0; i < a.n; i++) {
        a.row[i] &= s;
    }
    return a;
}

BRUTE_INLINE struct relation then(struct relation a, struct relation b)
{
    struct relation made = { .n = a.n };
    for (unsigned i = 0; i < a.n; i++) {
        for (brute_set left = a.row[i]; left != 0; left &= left - 1) {
            made.row[i] |= b.row[__builtin_ctzll(left)];
        }
    }
    return made;
}

BRUTE_INLINE struct relation maybe(struct relation a)
{
    for (unsigned i = 0; i < a.n; i++) {
        a.row[i] |= brute_bit(i);
    }
    return a;
}

BRUTE_INLINE struct relation inverse(struct relation a)
{
    struct relation made = { .n = a.n };
    for (unsigned i = 0; i < a.n; i++) {
        for (brute_set left = a.row[i]; left != 0; left &= left - 1) {
            relate(&made, (unsigned)__builtin_ctzll(left), i);
        }
    }
    return made;
}

/* One step or more: Warshall's algorithm. */
BRUTE_INLINE struct relation steps(struct relation a)
{
    for (unsigned k = 0; k < a.n; k++) {
        for (unsigned i = 0; i < a.n && a.row[k] != 0; i++) {
            a.row[i] |= a.row[i] >> k & 1 ? a.row[k] : 0;
        }
    }
    return a;
}

BRUTE_INLINE bool irreflexive(struct relation a)
{
    for (unsigned i = 0; i < a.n; i++) {
        if (related(&a, i, i)) {
            return false;
        }
    }
    return true;
}

BRUTE_INLINE bool acyclic(struct relation a)
{
    return irreflexive(steps(a));
}

BRUTE_INLINE bool is_empty(struct relation a)
{
    for (unsigned i = 0; i < a.n; i++) {
        if (a.row[i] != 0) {
            return false;
        }
    }
    return true;
}

#endif
