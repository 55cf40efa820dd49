/* SPDX-License-Identifier: MIT
 *
 * formula.h: short names for the operators of relation.h, for files that define models:
 *
 *     a | b   either(k, a, b)     a ; b   then(k, a, b)   [S] ; a  from(k, S, a)
 *     a & b   both(k, a, b)       a?      maybe(k, a)     a ; [T]  to(k, a, T)
 *     a \ b   without(k, a, b)    a+      steps(k, a)     S & T    in_both(k, S, T)
 *
 * k is an algebra. Only files with formulas include this header. */
#ifndef WEIRI_FORMULA_H
#define WEIRI_FORMULA_H

#include "model/relation.h"

#define WEIRI_FORMULA static inline __attribute__((unused))

typedef struct weiri_relation relation;
typedef struct weiri_event_set set;

WEIRI_FORMULA relation either(struct weiri_algebra *k, relation a, relation b)
{
    return weiri_relation_union(k, a, b);
}

WEIRI_FORMULA relation both(struct weiri_algebra *k, relation a, relation b)
{
    return weiri_relation_intersection(k, a, b);
}

WEIRI_FORMULA relation without(struct weiri_algebra *k, relation a, relation b)
{
    return weiri_relation_difference(k, a, b);
}

WEIRI_FORMULA relation then(struct weiri_algebra *k, relation a, relation b)
{
    return weiri_relation_compose(k, a, b);
}

WEIRI_FORMULA relation maybe(struct weiri_algebra *k, relation a)
{
    return weiri_relation_optional(k, a);
}

WEIRI_FORMULA relation steps(struct weiri_algebra *k, relation a)
{
    return weiri_relation_closure(k, a);
}

WEIRI_FORMULA relation from(struct weiri_algebra *k, set s, relation a)
{
    return weiri_relation_from(k, s, a);
}

WEIRI_FORMULA relation to(struct weiri_algebra *k, relation a, set t)
{
    return weiri_relation_to(k, a, t);
}

WEIRI_FORMULA set in_both(struct weiri_algebra *k, set s, set t)
{
    return weiri_event_set_intersection(k, s, t);
}

WEIRI_FORMULA set in_either(struct weiri_algebra *k, set s, set t)
{
    return weiri_event_set_union(k, s, t);
}

#endif
