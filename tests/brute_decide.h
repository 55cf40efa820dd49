/* SPDX-License-Identifier: MIT
 *
 * brute_decide.h: what the memory models say of a program, found by trying everything:
 * each run of each thread, each way for its reads to read from writes, each order of
 * the writes to each location. */
#ifndef WEIR_TESTS_BRUTE_DECIDE_H
#define WEIR_TESTS_BRUTE_DECIDE_H

#include "brute_axioms.h"

enum { BRUTE_TERMS = BRUTE_LOCATIONS + BRUTE_THREADS * BRUTE_REGISTERS };

/* A final state: each location that is used and each register that is set, in the order
 * of locations, then of threads and registers; and by model how many consistent
 * executions end in it. */
struct brute_state {
    int values[BRUTE_TERMS];
    unsigned counts[BRUTE_N_MODELS];
};

/**
 * brute_verdict: what a model says
 * @positive: consistent executions that end in a state of which the program's clauses
 *            hold, @negative: and those in another one
 * @race: there is a race in one of these two
 * @blocked: consistent executions that go no further: some of a group wait at a barrier
 *           for others that do not come
 * @bounded: consistent executions in which a loop had its rounds and wants another one
 */
struct brute_verdict {
    unsigned positive, negative, blocked, bounded;
    bool race;
};

/**
 * brute_result:
 * @states: (element-type struct brute_state): in the order of their values
 * @n_combinations: of runs of threads, @n_candidates: of executions of these
 * @n_groundless: combinations of runs, and of writes that reads read from, that were
 *                left out because a value comes of itself
 */
struct brute_result {
    GArray *states;
    struct brute_verdict verdicts[BRUTE_N_MODELS];
    unsigned long n_combinations, n_candidates, n_groundless;
};

/**
 * brute_decide:
 * @rounds: that each loop may have each time that it is entered
 * @most: candidates, and no more
 *
 * Returns: (transfer full) (nullable): or %NULL where there is more to try
 */
struct brute_result *brute_decide(const struct brute_program *program, unsigned rounds,
                                  unsigned long most);
void brute_result_free(struct brute_result *result);
typedef struct brute_result brute_result;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(brute_result, brute_result_free)

/** Counts positive and negative executions again, after the program's clauses have
 * changed and nothing else of it has. */
void brute_count(const struct brute_program *program, struct brute_result *result);

/** Where a location or register is among the values of a state; -1 for nowhere. */
int brute_term(const struct brute_program *program, unsigned thread, unsigned index);

/** `0:r0=1,[x]=1`, in the order of the bytes of the names. Returns: (transfer full) */
char *brute_state_text(const struct brute_program *program,
                       const struct brute_state *state);

/** The states of a model, a line each, `0:r0=1,[x]=1  3 times`, in the order of
 * their bytes. Returns: (transfer full) */
char *brute_states_text(const struct brute_program *program,
                        const struct brute_result *result, enum brute_model model);

#endif
