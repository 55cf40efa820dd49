/* SPDX-License-Identifier: MIT
 *
 * cycle.h: a cycle of events that shows why an axiom is violated, each step with the
 * name of its relation.
 *
 *     W y  -rf->  R y  -sb->  R x  -rb->  W x  -sb->  (W y)
 *
 * Axioms use relations composed of others. A pair of a composed relation stands for a
 * way through named relations, in stages. */
#ifndef WEIRI_CYCLE_H
#define WEIRI_CYCLE_H

#include "model/relation.h"

/* @name is a constant text. */
struct weiri_edge {
    uint32_t from;
    uint32_t to;
    const char *name;
};

/* All zeros is an empty cycle. */
struct weiri_cycle {
    uint32_t n;
    struct weiri_edge *edges; /* owned */
};

struct weiri_named {
    const char *name;
    struct weiri_relation relation;
};

/* How many steps a stage has. */
enum weiri_often {
    WEIRI_ONCE,
    WEIRI_MAYBE,    /* zero or one */
    WEIRI_REPEATED, /* one or more */
};

/* A stage of a way: steps in any of the given relations. */
struct weiri_stage {
    const struct weiri_named *named;
    uint32_t n_named;
    enum weiri_often often;
};

void weiri_cycle_clear(struct weiri_cycle *cycle);
void weiri_cycle_add(struct weiri_cycle *cycle, uint32_t from, uint32_t to,
                     const char *name);

/** Replaces @to by @from if that is shorter or @to is empty. Consumes @from. */
void weiri_cycle_take_shorter(struct weiri_cycle *to, struct weiri_cycle *from);

/**
 * weiri_cycle_add_way:
 * @stages: at least one of them is not %WEIRI_MAYBE
 *
 * Appends a shortest way. A step that is in several relations gets the name of the
 * first one.
 *
 * Returns: false if it finds no way; nothing is appended then
 */
bool weiri_cycle_add_way(struct weiri_cycle *cycle, const struct weiri_algebra *algebra,
                         const struct weiri_stage *stages, uint32_t n_stages,
                         uint32_t from, uint32_t to);

/** Adds the shortest cycle in any of the relations. Returns: whether there is one */
bool weiri_cycle_find(struct weiri_cycle *cycle, struct weiri_algebra *algebra,
                      const struct weiri_named *named, uint32_t n_named);

#endif
