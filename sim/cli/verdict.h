/* SPDX-License-Identifier: MIT
 *
 * verdict.h: what verdict.c joins and telling.c tells.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_VERDICT_H
#define WEIRI_CLI_VERDICT_H

#include "cli/check.h"

/* A defect, or a note, that any run showed. */
struct weiri_cli_found {
    struct weiri_cli_run_result *run;   /* the first that showed it; a reference */
    const struct weir_finding *finding; /* of @run */
    size_t launch;                      /* of @run, from 1 */
    uint64_t count;                     /* groups, in all runs */
    size_t n_runs;                      /* that showed it */
    size_t latest;                      /* number of the latest of these */
};

/* What is kept of a run. */
struct weiri_cli_summary {
    char *schedule; /* owned */
    uint64_t seed;
    size_t n_launches;
    size_t n_defects;
    uint64_t most_steps;
    char *incomplete; /* owned, or NULL */
    char *failure;    /* owned, or NULL */
    char *said;       /* owned, or NULL */
};

struct weiri_cli_verdict {
    const struct weiri_cli_check *check;
    struct weiri_cli_subject subject;
    GPtrArray
        *found;   /* of struct weiri_cli_found, in the order in which they appeared */
    GArray *runs; /* of struct weiri_cli_summary */
    GPtrArray *notes; /* of char * */
    char *kernel;     /* that was launched first, or NULL */
    size_t n_launches;
    size_t elements, local, groups; /* of a built-in kernel */
};

/* Runs, findings and the rest, of one verdict or of all of them. */
struct weiri_cli_totals {
    size_t n_runs;
    size_t n_defects;
    size_t n_notes;
    size_t n_counted; /* of @n_defects: those that make a status of 1 */
    size_t n_incomplete;
    size_t n_failed;
    size_t n_silent; /* programs that launched nothing */
};

/** The run at @index, from 0. */
const struct weiri_cli_summary *weiri_cli_verdict_run(
    const struct weiri_cli_verdict *verdict, guint index);

/** The run that speaks for all: the first that failed, or the first; or %NULL. */
const struct weiri_cli_summary *weiri_cli_verdict_speaker(
    const struct weiri_cli_verdict *verdict);

/** Why the first run ended early that did, or %NULL; and that run. */
const char *weiri_cli_verdict_incomplete(const struct weiri_cli_verdict *verdict,
                                         const struct weiri_cli_summary **run);

/** The words before the order of the first of @n runs: "in 2 of 4 runs, first under ",
 *  or "under " where there was only one run. Returns: (transfer full) */
char *weiri_cli_share_text(const struct weiri_cli_verdict *verdict, size_t n);

/** All verdicts for people. Returns: (transfer full) */
char *weiri_cli_verdicts_to_text(GPtrArray *verdicts,
                                 const struct weiri_cli_totals *totals,
                                 size_t ended_early);

/** All verdicts as JSON. Returns: (transfer full) */
char *weiri_cli_verdicts_to_json(GPtrArray *verdicts, size_t ended_early);

#endif
