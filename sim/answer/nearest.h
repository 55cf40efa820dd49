/* SPDX-License-Identifier: MIT
 *
 * nearest.h: why a litmus test cannot end in some way: of all candidate executions with
 * such an end, the one that comes closest to being allowed, and what forbids it.
 *
 * All models agree on single locations: accesses to one location are coherent. A
 * candidate that violates even that explains little, so candidates are compared by
 * coherence first. */
#ifndef WEIRI_NEAREST_H
#define WEIRI_NEAREST_H

#include "litmus/litmus.h"
#include "model/enumerate.h"

/* More than any model has. */
enum { WEIRI_MOST_AXIOMS = 8 };

/**
 * weiri_nearest_options:
 * @holds: whether the test's condition is to hold at the end
 * @most: as in struct weiri_enumerate_options
 * @rounds: as for weiri_litmus_next()
 * @go_on: as in struct weiri_enumerate_options
 */
struct weiri_nearest_options {
    const struct weiri_model *model;
    bool holds;
    uint64_t most;
    uint32_t rounds;
    bool (*go_on)(void *user);
    void *user;
};

/* How coherent a candidate is, location by location. */
enum weiri_coherent {
    WEIRI_COHERENT,     /* every thread sees the values of a location in modification
                           order, and read-modify-writes are atomic */
    WEIRI_WRITES_AGREE, /* the writes of each thread are in its order, and
                           read-modify-writes are atomic; some reads are not coherent */
    WEIRI_INCOHERENT,
};

/**
 * weiri_nearest:
 * @is_found: a candidate with such an end exists; otherwise no values that reads could
 *            return lead to one
 * @exhaustive: no nearer candidate can have been missed
 * @coherent: only %WEIRI_COHERENT candidates were examined, because there are some
 * @candidates: the number of different candidates with such an end that were examined
 * @execution: an allowed one, if there is one. Otherwise the most coherent one by
 *             @how_coherent; of these, one that violates the fewest axioms; of these,
 *             one with the shortest cycle; of these, one with the fewest stale reads
 * @violated, @cycles: the @n_violated axioms with the reasons, the shortest cycle first
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
    struct weiri_execution *kept;  /* @execution, with its owner */
};

/**
 * weiri_nearest_find:
 *
 * Examines complete candidates that pass the test's filter.
 *
 * Returns: (transfer full): to be freed by weiri_nearest_clear()
 */
struct weiri_nearest weiri_nearest_find(const struct weiri_litmus *test,
                                        const struct weiri_nearest_options *options);
void weiri_nearest_clear(struct weiri_nearest *nearest);

#endif
