/* SPDX-License-Identifier: MIT
 *
 * verdict.h: the value that verdict.c joins from runs, and verdict-print.c and files.c
 * print.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_VERDICT_H
#define WEIRI_CLI_VERDICT_H

#include "engine/check.h"

#include "show/suppress.h"

/* A defect, or a note, that any run showed. */
struct weiri_cli_found {
    struct weiri_cli_run_result *run;   /* that showed it first, or with the largest
                                         * index; a reference */
    const struct weir_finding *finding; /* of @run */
    size_t launch;                      /* of @run, from 1 */
    uint64_t count;                     /* in all runs */
    GArray *runs;                       /* that showed it: guint, from 0 */
    bool known;                         /* the baseline has it */
    const struct weiri_suppression *suppression; /* that covers it, or NULL */
    const struct weiri_cli_found
        *leader;         /* the finding that it is reported under, since
                                             one change removes both; or NULL */
    bool leads;          /* others are reported under it, as the change of its finding's
                            @cause removes it and them; no fix is known */
    const char *missing; /* what the fix supplies, for the finding's @why; or NULL */
    char *reason;        /* what the source says in place of @why; owned, or NULL */
};

/* The record of a run. */
struct weiri_cli_summary {
    char *schedule; /* owned */
    uint64_t seed;
    size_t n_launches;
    size_t n_defects;
    uint64_t most_steps;
    char *incomplete; /* owned, or NULL */
    char *failure;    /* owned, or NULL */
    bool answers;     /* of struct weiri_cli_run_result */
    unsigned rank;    /* of mpirun that made it, or 0 */
    char *said;       /* owned, or NULL */
};

/**
 * weiri_cli_fix:
 *
 * A change, or several that repair the program only together.
 * @parts: of struct weiri_fix_candidate *; at least one
 * @runs: made of the changed program under a schedule
 * @clean: of these: runs without a finding
 * @right: of these: runs in which the program ended with status 0, or the kernel's
 *         answer was the expected one
 * @judged: the program judges its answer, so that @right says something
 * @unjudged: it is a program that does not, and
 * @prints_else: prints something else than without the fix
 * @weakest: less than what repaired it first was tried, and is enough
 * @proved: executions of all launches, where every one that the model sycl allows was
 *          explored and is correct; else 0
 * @proved_n: and @proved_groups: the smaller size of a built-in kernel at which it is
 *            wrong without the fix; 0 for a program
 */
struct weiri_cli_fix {
    GPtrArray *parts;
    guint runs;
    guint clean;
    guint right;
    bool judged;
    bool unjudged;
    bool prints_else;
    bool weakest;
    uint64_t proved;
    size_t proved_n, proved_groups;
};

struct weiri_cli_verdict {
    const struct weiri_cli_check *check;
    struct weiri_cli_subject subject;
    GPtrArray
        *found;   /* of struct weiri_cli_found, in the order in which they appeared */
    GArray *runs; /* of struct weiri_cli_summary */
    GPtrArray *notes;    /* of char * */
    GPtrArray *kernels;  /* names of what was launched, each once; char * */
    GPtrArray *devices;  /* names of the devices of these launches, each once; char * */
    bool complete;       /* every run of the command ended; set by known-findings.c */
    bool sub_group_wait; /* an item waited for another one of its sub-group */
    size_t n_launches;
    uint64_t n_items;  /* of the launch that has the most */
    uint64_t n_steps;  /* of the run that has the most */
    guint news;        /* runs up to the last that showed something new */
    bool fails;        /* a run has failed by itself */
    bool defective;    /* it has, or has shown a defect */
    uint64_t n_wanted; /* runs of a search without --for and --runs, or 0 */
    bool cut;          /* fewer were made, for want of time */
    size_t n_open;     /* launches that began and have not ended */
    bool unseen; /* some code of a kernel has no hooks: no verdict about its accesses */
    size_t elements, local, groups; /* of a built-in kernel */
    struct weiri_cli_fix *fix;      /* that removes all findings, or NULL */
    GPtrArray *candidates;          /* that its parts are of, or NULL */
    size_t n_tried;                 /* candidates */
    char *diff;                     /* the change of @fix as a unified diff, or NULL */
    const struct weiri_cli_run_result
        *listed;                   /* whose steps are printed, or NULL; borrowed */
    char *unfixed;                 /* why @fix is NULL, a line; or NULL */
    struct weiri_cli_found *wrong; /* the program's own judgement, or NULL; of @found */
    struct weiri_cli_run_result *wrong_run; /* that explains it: it has few switches */
    bool wrong_fails; /* @wrong_run shows the wrong answer, not the right one */
};

/* Runs, findings and the rest, of one verdict or of all of them. */
struct weiri_cli_totals {
    size_t n_runs;
    size_t n_defects; /* neither known nor suppressed */
    size_t n_notes;
    size_t n_in_step; /* those that say that a kernel relies on lockstep */
    size_t n_counted; /* of @n_defects: those that make a status of 1 */
    size_t n_known;
    size_t n_suppressed;
    size_t n_incomplete;
    size_t n_failed;
    size_t n_silent; /* programs that launched nothing */
    size_t n_unseen; /* those with kernels that have no hooks */
};

/** Adds what a verdict has to the totals. After weiri_cli_known_mark(). */
void weiri_cli_verdict_count(const struct weiri_cli_verdict *verdict,
                             struct weiri_cli_totals *totals);

/** Whether @run shows a finding that no run before has shown, or fails or ends early as
 *  the first that does. */
bool weiri_cli_verdict_is_news(const struct weiri_cli_verdict *verdict,
                               const struct weiri_cli_run_result *run);

/** The run at @index, from 0. */
const struct weiri_cli_summary *weiri_cli_verdict_run(
    const struct weiri_cli_verdict *verdict, guint index);

/** Whether @wrong is how the program failed in that run. */
bool weiri_cli_verdict_explains(const struct weiri_cli_verdict *verdict,
                                const struct weiri_cli_summary *run);

/** The run whose schedule and seed are shown for all: the first with a defect, else the
 *  first; or %NULL. */
const struct weiri_cli_summary *weiri_cli_verdict_speaker(
    const struct weiri_cli_verdict *verdict);

/** Why the first run ended early that did, or %NULL; and that run. */
const char *weiri_cli_verdict_incomplete(const struct weiri_cli_verdict *verdict,
                                         const struct weiri_cli_summary **run);

/** The words before the order of the first of @n runs: "in 2 of 4 runs, first under ",
 *  or "under " where there was only one run. Returns: (transfer full) */
char *weiri_cli_share_text(const struct weiri_cli_verdict *verdict, size_t n);

/** Run @index of those that a finding was seen in. */
const struct weiri_cli_summary *weiri_cli_shown_run(
    const struct weiri_cli_verdict *verdict, const struct weiri_cli_found *found,
    guint index);

/** Where a finding was seen, without its launch: "in 2 of 4 runs (reverse, random 1),
 *  first under schedule reverse". Returns: (transfer full) */
char *weiri_cli_shown_text(const struct weiri_cli_verdict *verdict,
                           const struct weiri_cli_found *found);

/** The last line for people: "4 runs of tree_sum: 1 finding". Returns: (transfer
 *  full) */
char *weiri_cli_totals_text(GPtrArray *verdicts, const struct weiri_cli_totals *totals,
                            size_t ended_early);

/** All verdicts for people. Returns: (transfer full) */
char *weiri_cli_verdicts_to_text(GPtrArray *verdicts,
                                 const struct weiri_cli_totals *totals,
                                 size_t ended_early);

/** All verdicts as JSON. Returns: (transfer full) */
char *weiri_cli_verdicts_to_json(GPtrArray *verdicts, size_t ended_early);

/**
 * weiri_cli_known_mark:
 * @complete: every run was made, and ran to its end
 *
 * Marks what is known or suppressed. Where all is @complete, complains of suppressions
 * that nothing needed.
 */
void weiri_cli_known_mark(const struct weiri_cli_check *check, GPtrArray *verdicts,
                          bool complete);

/** Findings of the baseline, of kernels that @verdict is of, that were not seen: text.
 *  After weiri_cli_known_mark(). Returns: (transfer full) (element-type utf8) */
GPtrArray *weiri_cli_known_gone(const struct weiri_cli_verdict *verdict);

/** Writes the files of --sarif and --report. Returns: false after a complaint */
bool weiri_cli_files_write(const struct weiri_cli_check *check, GPtrArray *verdicts,
                           const struct weiri_cli_totals *totals, size_t ended_early);

#endif
