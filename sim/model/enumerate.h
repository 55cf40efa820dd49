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

#include "litmus/litmus.h"
#include "model/model.h"

/* How a candidate ends. */
enum weiri_ending {
    WEIRI_COMPLETE,
    WEIRI_BLOCKED, /* somebody waits at a barrier that others never come to, or in a
                      loop for a value that nobody writes */
    WEIRI_BOUNDED, /* a loop has had its rounds */
    WEIRI_FAULTED, /* somebody has done what has no meaning */
};

/**
 * weiri_candidate:
 * @execution: valid until the visit ends, with all that it points to
 * @spins: somebody has stopped in a loop
 * @facts: of it; with a model, that has read them. Without, any may: see
 *         weiri_model_read()
 */
struct weiri_candidate {
    const struct weiri_execution *execution;
    enum weiri_ending ending;
    bool spins;
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
 * @rounds: as for weiri_litmus_next()
 * @visit: or %NULL; returns whether to go on
 * @go_on: the same, asked some thousand times a second, however far visits are apart
 */
struct weiri_enumerate_options {
    const struct weiri_model *model;
    bool coherent;
    bool any_flags;
    uint64_t most;
    uint32_t rounds;
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

/** In an order that depends on nothing but test and options. */
struct weiri_enumeration weiri_enumerate(const struct weiri_litmus *test,
                                         const struct weiri_enumerate_options *options);

/** What a term has in the end: a weiri_litmus_value_fn of a struct weiri_execution. */
int64_t weiri_enumerate_value(struct weiri_litmus_term term, const void *execution);

#endif
