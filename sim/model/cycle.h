/* SPDX-License-Identifier: MIT
 *
 * cycle.h: why an axiom is violated: events, each with the name of what leads it to the
 * next one, and from the last one back to the first.
 *
 *     W y  -rf->  R y  -sb->  R x  -rb->  W x  -sb->  (W y)
 *
 * Relations of which axioms speak are made of others: a way through named relations, in
 * stages, is what stands behind one pair of such a relation. */
#ifndef WEIRI_CYCLE_H
#define WEIRI_CYCLE_H

#include "model/relation.h"

/* @name is a constant text. */
struct weiri_edge {
    uint32_t from;
    uint32_t to;
    const char *name;
};

/* All zeros is an empty one. */
struct weiri_cycle {
    uint32_t n;
    struct weiri_edge *edges; /* owned */
};

struct weiri_named {
    const char *name;
    struct weiri_relation relation;
};

/* How many steps a stage of a way has. */
enum weiri_often {
    WEIRI_ONCE,
    WEIRI_MAYBE,    /* one or none */
    WEIRI_REPEATED, /* one or more */
};

/* A part of a way: steps in any of some relations. */
struct weiri_stage {
    const struct weiri_named *named;
    uint32_t n_named;
    enum weiri_often often;
};

void weiri_cycle_clear(struct weiri_cycle *cycle);
void weiri_cycle_add(struct weiri_cycle *cycle, uint32_t from, uint32_t to,
                     const char *name);
void weiri_cycle_copy(struct weiri_cycle *to, const struct weiri_cycle *from);

/** Puts @from where @to was if it is shorter, or if @to is empty. Takes @from. */
void weiri_cycle_take_shorter(struct weiri_cycle *to, struct weiri_cycle *from);

/**
 * weiri_cycle_add_way:
 * @stages: not all of them %WEIRI_MAYBE
 *
 * Adds a shortest way; of a pair that is in more than one relation, the first one
 * named.
 *
 * Returns: false where there is none, and nothing is added
 */
bool weiri_cycle_add_way(struct weiri_cycle *cycle, const struct weiri_algebra *algebra,
                         const struct weiri_stage *stages, uint32_t n_stages,
                         uint32_t from, uint32_t to);

/** Adds the shortest cycle in any of the relations. Returns: whether there is one */
bool weiri_cycle_find(struct weiri_cycle *cycle, struct weiri_algebra *algebra,
                      const struct weiri_named *named, uint32_t n_named);

#endif
