/* SPDX-License-Identifier: MIT
 *
 * partial.h: explores a launch under a model in which not all writes of a location have
 * an order, such as PTX. model/explore.h cannot: its graphs have an order of all
 * writes.
 *
 * All histories of each item are run, for all values that its reads could get; then
 * model/enumerate.h combines histories, and the model decides. So load buffering is
 * tried, and writes without an order are. A history that no execution has may be wrong
 * in ways that mean nothing: what is found while items run does not count. Afterwards
 * the histories of executions are run again, and that counts. */
#ifndef WEIRI_NATIVE_PARTIAL_H
#define WEIRI_NATIVE_PARTIAL_H

#include "model/enumerate.h"
#include "model/model.h"
#include "native/program.h"

/**
 * weiri_partial_execution:
 * @execution: its program is that of struct weiri_partial; the state of a thread begins
 *             with that of the program of struct weiri_native, and the place of an
 *             event is the node of its request. Valid until the visit ends, as all
 * @races: pairs of events that race, two each
 */
struct weiri_partial_execution {
    const struct weiri_execution *execution;
    enum weiri_execution_end end;
    uint32_t n_races;
    const uint32_t *races;
};

/**
 * weiri_partial: an exploration
 * @model: has `racing`
 * @is_racy: the program is known to have a race, see struct weiri_enumerate_options
 * @max_executions: end after this many, those that do not end included; 0: no limit
 * @visit: returns whether to go on
 * @executions: complete ones, @racy of them with a race; @blocked, @cut and @faulted
 *              count the others
 * @limited: a limit of time or of executions has ended it
 * @complete: no execution is missing
 * @program: its threads can also take other steps than those of executions
 */
struct weiri_partial {
    const struct weiri_model *model;
    bool is_racy;
    uint64_t max_executions;
    bool (*visit)(void *user, const struct weiri_partial_execution *execution);
    void *user;

    uint64_t executions, racy, blocked, cut, faulted;
    bool limited, complete;

    struct weiri_native *native; /* borrowed */
    struct weiri_program program;
    GPtrArray *threads;    /* of struct thread, see partial.c; owned */
    GArray *values;        /* of GArray of struct value, by location; owned */
    GArray *own;           /* of struct own_write: of the history that grows; owned */
    GArray *rounds;        /* of uint8_t: by round and location: it has got a value */
    uint32_t n_values;     /* of all locations */
    uint32_t *first_value; /* by location: the number of its first value; owned */
    bool *distinct;        /* by location: two updates never read one write; owned */
    uint8_t *most_written; /* by thread and value: the most writes of it; owned */
    GArray *races;         /* of uint32_t */
    GHashTable *real;      /* nodes at which an item of an execution has ended */
    uint32_t n_grown;      /* nodes that have been looked at in this round */
    bool too_large;
};

/** Explores, from the beginning. The native program may stop, which then has to begin
 *  anew: the result is of no use. weiri_partial_clear() comes after executions that are
 *  kept */
void weiri_partial_explore(struct weiri_partial *partial, struct weiri_native *native);

/** Runs the histories again that executions have: the launch's report gets what is
 *  found there. */
void weiri_partial_run_again(struct weiri_partial *partial);

/** Sets the state of a thread of @program to a node of its history, before the fence
 *  that PTX has there. @next: (out): its next step */
void weiri_partial_stand_at(const struct weiri_partial *partial, uint32_t node,
                            void *state, struct weiri_step *next);

void weiri_partial_clear(struct weiri_partial *partial);

#endif
