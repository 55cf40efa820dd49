/* SPDX-License-Identifier: MIT
 *
 * nearest.h: why a litmus test never ends in some way: of all candidate executions that
 * do, the one that comes nearest to being allowed, and what forbids it.
 *
 * What a thread does to one location everybody understands, and no model gives up: a
 * candidate that has even that wrong explains nothing that there is to learn, if there
 * is one that has not. So candidates are told apart by that first. */
#ifndef WEIRI_NEAREST_H
#define WEIRI_NEAREST_H

#include "litmus/litmus.h"
#include "model/enumerate.h"

/* More than any model has. */
enum { WEIRI_MOST_AXIOMS = 8 };

/**
 * weiri_nearest_options:
 * @holds: look for an end where the test's condition holds; else for one where it does
 *         not
 * @most: of what is tried, see struct weiri_enumerate_options; 0: no limit
 * @go_on: see there, too; or %NULL
 */
struct weiri_nearest_options {
    const struct weiri_model *model;
    bool holds;
    uint64_t most;
    uint32_t rounds;
    bool (*go_on)(void *user);
    void *user;
};

/* How far a candidate is coherent location by location. */
enum weiri_coherent {
    WEIRI_COHERENT,     /* each thread goes through the values of a location in
                           modification order, and updates are atomic */
    WEIRI_WRITES_AGREE, /* the order of writes is each thread's, and updates are
                           atomic; reads are not so */
    WEIRI_INCOHERENT,
};

/**
 * weiri_nearest:
 * @is_found: there is a candidate like that; else no values agree with such an end
 * @exhaustive: nothing that could be nearer has been left out
 * @coherent: only those have been looked at that are %WEIRI_COHERENT, as there is one
 * @candidates: that end so and have been looked at; each once
 * @execution: one that the model allows, if there is one, and none is violated. Else
 *             the most coherent one by @how_coherent; of these, that which violates the
 *             fewest axioms; of these, that with the shortest cycle; of these, that in
 *             which the fewest pairs of accesses are against the order of what happened
 * @violated, @cycles: by @n_violated: the axioms, and why; the shortest cycle first
 */
struct weiri_nearest {
    bool is_found;
    bool exhaustive;
    bool coherent;
    enum weiri_coherent how_coherent;
    uint32_t n_backward;
    uint64_t candidates;
    struct weiri_execution execution;
    uint32_t n_violated;
    const struct weiri_axiom *violated[WEIRI_MOST_AXIOMS];
    struct weiri_cycle cycles[WEIRI_MOST_AXIOMS];
    struct weiri_program *program; /* of the execution */
    struct weiri_execution *kept;  /* the same, as its owner has it */
};

/**
 * weiri_nearest_find:
 *
 * Looks at complete candidates that pass the test's filter.
 *
 * Returns: (transfer full): of which weiri_nearest_clear() frees what it points to
 */
struct weiri_nearest weiri_nearest_find(const struct weiri_litmus *test,
                                        const struct weiri_nearest_options *options);
void weiri_nearest_clear(struct weiri_nearest *nearest);

#endif
