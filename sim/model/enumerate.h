/* SPDX-License-Identifier: MIT
 *
 * enumerate.h: all candidate executions of a program, and which of them a model allows.
 * Memory models are defined in this way, so it is the reference for the explorer; and
 * it decides the models that the explorer cannot, those with load buffering.
 *
 * A candidate consists of a path of control for each thread, a write (or the initial
 * value) for each read, and an order of the writes of each location, such that values
 * agree: each read has the value of the write that it reads, and each thread takes its
 * path because of the values that it reads. Nothing else is required: a read may read
 * from a write that is later in its thread.
 *
 * If the value of a read depends on itself, by a cycle of rf and data dependencies, it
 * could be any value. Such a candidate is discarded, unless the value has no influence
 * on the data, as in `r & 0`, `r * 0`, `r ^ r`, `r - r` and comparisons of r with
 * itself. */
#ifndef WEIRI_ENUMERATE_H
#define WEIRI_ENUMERATE_H

#include "model/model.h"
#include "model/paths.h"

/**
 * weiri_candidate:
 * @execution: valid until the visit ends, with all that it points to
 * @end: how the execution ends
 * @facts: about the execution. Derived by the model if there is one; otherwise the
 *         visitor may derive any model's: see weiri_model_read()
 */
struct weiri_candidate {
    const struct weiri_execution *execution;
    enum weiri_execution_end end;
    struct weiri_facts *facts;
};

/**
 * weiri_enumerate_options:
 * @model: visit the candidates that it allows; %NULL: visit all candidates
 * @racy: with such a model, see below: the program is known to have a race
 * @forbidden: with a model that names the pairs it orders: visit also what it forbids
 * @coherent: without a model: visit only candidates that are coherent at each location,
 *            with atomic read-modify-writes
 * @any_flags: without a model: barriers meet with any flags, see struct weiri_model
 * @most: end after this many candidates and abandoned choices; 0: no limit
 * @may: called whenever more values are known; returns whether candidates with these
 *       values are to be looked at; or %NULL
 * @visit: returns whether to continue; or %NULL
 * @go_on: returns whether to continue; called some thousand times per second, also
 *         between visits; or %NULL
 */
struct weiri_enumerate_options {
    const struct weiri_model *model;
    bool racy;
    bool forbidden;
    bool coherent;
    bool any_flags;
    uint64_t most;
    bool (*may)(void *user);
    bool (*visit)(const struct weiri_candidate *candidate, void *user);
    bool (*go_on)(void *user);
    void *user;
};

/**
 * weiri_enumeration: about the candidates that were visited
 * @candidates: the number of candidates that the model judged; others were known to be
 *              forbidden
 * @executions: the number of complete ones; @blocked, @bounded and @faulted count the
 *              others
 * @lacking: there may be executions that are possible only because of iterations that
 *           change nothing, see docs/memory-model.md
 * @exhaustive: nothing else is missing, except what loops do beyond their bound
 */
struct weiri_enumeration {
    uint64_t candidates;
    uint64_t executions;
    uint64_t blocked;
    uint64_t bounded;
    uint64_t faulted;
    bool lacking;
    bool exhaustive;
};

/** @program: has paths. Visits candidates in an order that depends on nothing but
 *  program and options. */
struct weiri_enumeration weiri_enumerate(const struct weiri_program *program,
                                         const struct weiri_enumerate_options *options);

#endif
