/* SPDX-License-Identifier: MIT
 *
 * path-step.h: one step of a thread of a litmus test, by what is known of values: which
 * outcomes are possible, and what an outcome does.
 *
 * Values may be unsure. What can be said of them all the same is said: `r & 0` is 0,
 * and `r ^ r` is, whatever r is. */
#ifndef WEIRI_PATH_STEP_H
#define WEIRI_PATH_STEP_H

#include "litmus/code.h"

#include <glib.h>

/**
 * weiri_unsure: a value that may be known
 * @unknown: 0 if it is known; two that have the same number here are equal
 * @type: of an unknown value
 */
struct weiri_unsure {
    int64_t value;
    uint32_t unknown;
    enum weiri_litmus_type type;
};

static inline struct weiri_unsure weiri_unsure_known(int64_t value)
{
    return (struct weiri_unsure){ .value = value };
}

enum weiri_outcome {
    WEIRI_GOES_ON, /* to the next instruction; a compare-exchange: fails */
    WEIRI_JUMPS,   /* a branch */
    WEIRI_SUCCEEDS,
    WEIRI_FAILS_SPURIOUSLY,
    WEIRI_WAITS, /* at a barrier, for ever */
    WEIRI_FAULTS,
    WEIRI_KEEPS, /* an update writes what it reads, and that may count as nothing */
    WEIRI_SPINS, /* at the head of a loop: the round has changed nothing */
};

/* @event: its first event, or that which comes next. */
struct weiri_path_step {
    const struct weiri_litmus_instruction *instruction;
    enum weiri_outcome outcome;
    uint32_t event;
};

/* Outcomes as a set. */
static inline unsigned weiri_outcome_set(enum weiri_outcome outcome)
{
    return 1U << outcome;
}

/* Two values of which it is known whether they are equal, whatever they are. */
struct weiri_path_pair {
    struct weiri_unsure one, other;
    bool are_equal;
};

/**
 * weiri_path_values: of a thread
 * @slots: code->n_slots
 * @fresh: the last number given to an unknown value
 * @tells_spins: see %WEIRI_LITMUS_STOP_SPINS
 * @pairs: of struct weiri_path_pair: what compare-exchanges have shown; or %NULL
 */
struct weiri_path_values {
    const struct weiri_litmus_code *code;
    struct weiri_unsure *slots;
    uint32_t fresh;
    bool tells_spins;
    GArray *pairs;
};

/* Numbers of unknown values below it are the caller's. */
enum { WEIRI_PATH_NUMBERS = 1 << 20 };

/** The values with which the thread begins. */
void weiri_path_start(struct weiri_path_values *values);

/**
 * weiri_path_outcomes:
 * @at: no instruction that only leads to another
 * @read: the value read, of an event that reads
 *
 * Returns: which outcomes are possible, a set; one at least
 */
unsigned weiri_path_outcomes(struct weiri_path_values *values,
                             const struct weiri_litmus_instruction *at,
                             struct weiri_unsure read);

/**
 * weiri_path_perform:
 * @event: an event's values: of a read, and of the write behind it, or of a write
 *
 * What an event that is done, or a computation, does to slots.
 */
void weiri_path_perform(struct weiri_path_values *values, struct weiri_path_step step,
                        struct weiri_unsure *event);

/** What a compare-exchange that has read @read shows of it and what it expected. */
void weiri_path_learn(struct weiri_path_values *values,
                      const struct weiri_litmus_instruction *at,
                      struct weiri_unsure read, bool are_equal);

#endif
