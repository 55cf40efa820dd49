/* SPDX-License-Identifier: MIT
 *
 * path-step.h: one step of a thread whose values may be unknown: which outcomes are
 * possible, and the effect of an outcome.
 *
 * Some results are known although an operand is not: `r & 0` is 0 and `r ^ r` is 0, for
 * any r. */
#ifndef WEIRI_LITMUS_PATH_STEP_H
#define WEIRI_LITMUS_PATH_STEP_H

#include "litmus/code.h"
#include "litmus/domain.h"
#include "model/paths.h"

#include <glib.h>

enum weiri_path_outcome {
    WEIRI_OUTCOME_NEXT,     /* to the next instruction; a compare-exchange fails */
    WEIRI_OUTCOME_JUMP,     /* a branch is taken */
    WEIRI_OUTCOME_SUCCESS,  /* of a compare-exchange */
    WEIRI_OUTCOME_SPURIOUS, /* a weak compare-exchange fails but could succeed */
    WEIRI_OUTCOME_WAIT,     /* at a barrier, for ever */
    WEIRI_OUTCOME_FAULT,
    WEIRI_OUTCOME_KEEP, /* a read-modify-write writes the value that it reads, so that
                           the iteration may still count as one that changes nothing */
    WEIRI_OUTCOME_SPIN, /* at the head of a loop: the iteration has changed nothing */
};

/* @event: the step's first event, or, for a step without events, the next one's. */
struct weiri_path_step {
    const struct weiri_litmus_instruction *instruction;
    enum weiri_path_outcome outcome;
    uint32_t event;
};

/* Outcomes as a set. */
static inline unsigned weiri_path_outcome_set(enum weiri_path_outcome outcome)
{
    return 1U << outcome;
}

/* A fact about an unknown value: it is equal to another value, or it differs from that;
 * or it was read from a location, and the other value is the location's number. */
struct weiri_path_pair {
    struct weiri_symbolic one, other;
    enum { WEIRI_PATH_DIFFER, WEIRI_PATH_EQUAL, WEIRI_PATH_READ } kind;
};

/**
 * weiri_path_values: of a thread
 * @slots: code->n_slots
 * @fresh: the last number given to an unknown value
 * @notices_spins: see %WEIRI_LITMUS_STOP_SPINS
 * @pairs: of struct weiri_path_pair: what compare-exchanges, exchanges and reads have
 *         shown; or %NULL
 * @domains: by location; or %NULL
 */
struct weiri_path_values {
    const struct weiri_litmus_code *code;
    struct weiri_symbolic *slots;
    uint32_t fresh;
    bool notices_spins;
    GArray *pairs;
    const struct weiri_litmus_domain *domains;
};

/** Sets the values with which the thread begins. */
void weiri_path_start(struct weiri_path_values *values);

/**
 * weiri_path_outcomes:
 * @at: any instruction but those that only lead to another one
 * @read: the value read, where the instruction reads
 *
 * Returns: the possible outcomes, a set of at least one
 */
unsigned weiri_path_outcomes(struct weiri_path_values *values,
                             const struct weiri_litmus_instruction *at,
                             struct weiri_symbolic read);

/**
 * weiri_path_perform:
 * @event: the values of the step's events: a read, a read and the write after it, or a
 *         write; of a barrier of a table, its number is set
 *
 * Performs an event or a computation: sets slots, and the values of writes.
 */
void weiri_path_perform(struct weiri_path_values *values, struct weiri_path_step step,
                        struct weiri_symbolic *event);

/** Records what the outcome shows of the value read, @read: its location, and whether
 *  it is equal to the value that a compare-exchange expected, or that an exchange
 *  writes. */
void weiri_path_learn(struct weiri_path_values *values,
                      const struct weiri_litmus_instruction *at,
                      struct weiri_symbolic read, enum weiri_path_outcome outcome);

#endif
