/* SPDX-License-Identifier: MIT
 *
 * enumerate.h: all candidate executions of a litmus test, and which of them a model
 * allows. This is what memory models are defined by, and so what the explorer is
 * measured against; and it decides the models that the explorer cannot, those with
 * load buffering.
 *
 * A candidate is a path of control through each thread, a write (or the initial value)
 * for each read, and an order of the writes of each location, such that values agree:
 * each read has the value of what it reads, and each thread takes its path by what it
 * reads. That is all: reads may read what comes later.
 *
 * Values must come from somewhere. Where a read reads what is made of its own value,
 * round a cycle of rf and data, the value could be any, and such a candidate is
 * discarded; unless the value does not matter to what is made of it, as in `r & 0`,
 * `r * 0`, `r ^ r`, `r - r` and comparisons of r with itself. */
#ifndef WEIRI_ENUMERATE_H
#define WEIRI_ENUMERATE_H

#include "model/model.h"
#include "model/paths.h"

/**
 * weiri_candidate:
 * @execution: valid until the visit ends, with all that it points to
 * @facts: of it; with a model, that has read them. Without, any may: see
 *         weiri_model_read()
 */
struct weiri_candidate {
    const struct weiri_execution *execution;
    enum weiri_execution_end end;
    struct weiri_facts *facts;
};

/**
 * weiri_enumerate_options:
 * @model: those that it allows are visited; %NULL: all candidates are
 * @coherent: without a model: only those that are coherent location by location, and
 *            whose updates are atomic
 * @any_flags: without a model: barriers meet whatever their flags, see struct
 *             weiri_model
 * @most: of what is tried: candidates, and choices that lead to none; 0: no limit
 * @visit: or %NULL; returns whether to go on
 * @go_on: the same, asked some thousand times a second, however far visits are apart
 */
struct weiri_enumerate_options {
    const struct weiri_model *model;
    bool coherent;
    bool any_flags;
    uint64_t most;
    bool (*visit)(const struct weiri_candidate *candidate, void *user);
    bool (*go_on)(void *user);
    void *user;
};

/**
 * weiri_enumeration: of those that are visited
 * @candidates: that the model was asked about; it is not about those of which it is
 *              known beforehand
 * @executions: complete ones
 * @lacking: executions may be left out that there are only because of rounds of loops
 *           that change nothing, see docs/memory-model.md
 * @exhaustive: nothing else is left out, but for what loops do beyond their bound
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
