/* SPDX-License-Identifier: MIT
 *
 * fix-trial.h: one trial of a change, or of several together: the results of its runs.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_FIX_TRIAL_H
#define WEIRI_CLI_FIX_TRIAL_H

#include "repair/fixes.h"

#include "repair/choice.h"
#include "repair/rebuild.h"

/** Changes that are needed together, at most. */
enum { WEIRI_CLI_MOST_PARTS = WEIRI_CHOICE_SIZES };

/**
 * weiri_cli_trial:
 * @rebuild: %NULL for a built-in kernel
 * @targets: of struct weiri_cli_found *, that a fix is to remove
 * @orders: of struct weiri_cli_schedule, with borrowed names: of all runs
 * @n_showing: of these, the first: each target shows in one of them
 * @error: (out): why a changed program could not run, the first time
 */
struct weiri_cli_trial {
    const struct weiri_cli_check *check;
    const struct weiri_cli_verdict *verdict;
    struct weiri_cli_rebuild *rebuild;
    GPtrArray *targets;
    GArray *orders;
    guint n_showing;
    uint64_t step_limit;
    char **error;
};

/** The size of memory that a change enlarges, in elements. */
struct weiri_cli_size {
    uint64_t least; /* with fewer an access was out of bounds */
    uint64_t most;  /* a number that was enough; 0: not known */
};

struct weiri_cli_outcome {
    GPtrArray *left; /* targets that are still there; owned */
    bool refused;    /* it does not build, or has a new finding, or hangs */
    bool rough;      /* it may be larger than needed */
    guint runs, clean, right;
    struct weiri_cli_size sizes[WEIRI_CLI_MOST_PARTS];
};

/** Whether the time is over, or the command was interrupted. */
bool weiri_cli_trial_is_over(const struct weiri_cli_trial *trial);

/** "FILE:LINE=ORDER": a change of an order, or of a scope, as the option order has it.
 *  Returns: (transfer full) */
char *weiri_cli_override_text(const struct weiri_fix_candidate *part, uint32_t line);

/** Runs a changed program under the orders that showed the targets, until one refuses
 *  it. @outcome: (out) */
void weiri_cli_trial_show(const struct weiri_cli_trial *trial, char *const *program,
                          struct weiri_cli_outcome *outcome);

/** Builds the program with @parts, and runs it under one order after another until one
 *  refuses it. Memory that is enlarged gets the least size that suffices.
 *  @outcome: (out). Returns: whether it is repaired */
bool weiri_cli_trial_evaluate(const struct weiri_cli_trial *trial,
                              const GPtrArray *parts,
                              struct weiri_cli_outcome *outcome);

#endif
