/* SPDX-License-Identifier: MIT
 *
 * findings.h: the findings of an exploration: races, wrong results, executions that do
 * not end, and items that fail. */
#ifndef WEIRI_NATIVE_FINDINGS_H
#define WEIRI_NATIVE_FINDINGS_H

#include "exec/finding.h"
#include "model/explore.h"
#include "native/kept.h"
#include "native/native.h"
#include "native/partial.h"
#include "native/program.h"
#include "native/shared.h"

/* How an execution that is kept is found again. */
struct weiri_way {
    GArray *place; /* its place, if several processes explore; owned, or NULL */
    uint64_t seed; /* of the run, if runs are random */
};

/* Executions that lead to one finding. */
struct weiri_noted {
    uint64_t executions;
    struct weiri_kept kept;
    struct weiri_way way;
};

/**
 * weiri_findings:
 * @native: the program that is explored; borrowed, as @options is
 * @races: each pair of places in the source once
 * @faults: each item that fails once
 * @stuck: by enum weiri_execution_end; none for %WEIRI_END_BOUND and %WEIRI_END_FAULT
 * @wrong_text: the final state of the execution that @wrong keeps; borrowed
 * @seed: of the run that is made, if runs are random; set by the caller
 * @weight: the executions that the current one stands for; 1 unless the caller sets it
 */
struct weiri_findings {
    const struct weiri_native *native;
    const struct weiri_native_options *options;
    GArray *races;
    GArray *faults;
    struct weiri_noted stuck[WEIRI_END_FAULT + 1];
    struct weiri_noted wrong;
    const char *wrong_text;
    uint64_t seed, weight;
};

/* Why an execution that processes share was kept: a race, a wrong result, or, from
 * WEIRI_FOUND_STUCK on, an enum weiri_execution_end. */
enum { WEIRI_FOUND_RACE, WEIRI_FOUND_WRONG, WEIRI_FOUND_STUCK };

void weiri_findings_init(struct weiri_findings *findings,
                         const struct weiri_native *native,
                         const struct weiri_native_options *options);
void weiri_findings_clear(struct weiri_findings *findings);

/** Forgets all findings. They refer to the program, so this precedes its end. */
void weiri_findings_forget(struct weiri_findings *findings);

/** Notes an execution that has a race. */
void weiri_findings_race(struct weiri_findings *findings,
                         const struct weiri_graph *graph);

/** Notes an execution whose result is wrong. @text: its final state; borrowed */
void weiri_findings_wrong(struct weiri_findings *findings,
                          const struct weiri_graph *graph, const char *text);

/** Notes an execution that does not end. */
void weiri_findings_stuck(struct weiri_findings *findings,
                          const struct weiri_graph *graph,
                          enum weiri_execution_end why);

/** Notes an execution of a partial exploration: its races, and that it does not end.
 *  @number: another one for each */
void weiri_findings_partial(struct weiri_findings *findings,
                            const struct weiri_partial_execution *execution,
                            uint64_t number);

/** The same of a wrong result. */
void weiri_findings_partial_wrong(struct weiri_findings *findings,
                                  const struct weiri_partial_execution *execution,
                                  const char *text);

/** Adds the findings to the launch's report. @result: its counts are there */
void weiri_findings_report(struct weiri_findings *findings,
                           const struct weir_exploration *result);

/** Adds a livelock or a divergence of a barrier to the launch's report. @resident: the
 *  number of groups at a time; 0: all */
void weiri_findings_report_stuck(const struct weiri_findings *findings,
                                 const struct weiri_noted *stuck,
                                 enum weiri_execution_end why, uint32_t resident);

/** Adds what is kept to @shared. Each execution has a place. */
void weiri_findings_share(const struct weiri_findings *findings,
                          struct weiri_shared *shared);

#endif
