/* SPDX-License-Identifier: MIT
 *
 * check.h: shared by `weir check`, `weir replay` and `weir shrink`. A kernel or a
 * program is run under one schedule after another; runs are joined into a verdict; a
 * recorded schedule keeps the command line that shows its run again, so that replaying
 * is checking with one schedule.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_CHECK_H
#define WEIRI_CLI_CHECK_H

#include "cli/cli.h"
#include "report/options.h"

struct weiri_baseline;
struct weiri_suppressions;
struct weiri_launch_record;

/* ---- What is asked: check-arguments.c -------------------------------------------- */

/** A schedule that things are to be run under, and its seed. */
struct weiri_cli_schedule {
    char *schedule;
    uint64_t seed;
};

enum weiri_cli_subject_kind {
    WEIRI_CLI_PROGRAM,       /* of the user's */
    WEIRI_CLI_BUILT_IN,      /* a kernel of Weir's */
    WEIRI_CLI_OPENCL_KERNEL, /* FILE.cl:KERNEL, which weir-opencl runs */
};

/** The subject of a check: a built-in kernel, or a program with its arguments. */
struct weiri_cli_subject {
    enum weiri_cli_subject_kind kind;
    const struct kernel_row *row; /* %NULL for a program */
    char *const *program;         /* ends at %NULL; or %NULL */
};

/**
 * weiri_cli_check:
 *
 * A command line of `weir check`. The texts are as given, and %NULL where not given.
 * @subjects: of struct weiri_cli_subject
 * @all: all kernels are checked: findings of broken ones do not affect the status
 * @schedules: of struct weiri_cli_schedule, in the order of the runs
 * @search: after @schedules others are searched; see search.h
 * @n_runs: of a search, for each subject; 0: as many as weiri_cli_search_runs() says,
 *          or as there is time for where @search_time is given
 * @search_end_us: when a search without @n_runs is to end, on GLib's monotonic clock
 * @search_seconds: that such a search may take
 * @n_jobs: processes that share the runs
 * @why_ended: why some runs were not made
 * @options: of each launch, as a program reads them; schedule, seed and limits of time
 *           are set by the runs
 * @n_elements: of the input of kernels, where no file is given
 * @local_items: of a group, or 0 for the kernel's own
 * @limit: when the command is to end
 * @fixes: fixes are looked for
 * @list_steps: steps of each launch that are listed, or 0
 * @shrunk: the file that is followed, of a schedule that was shrunk or explored: no
 *          name of a schedule makes it. Or %NULL; borrowed
 * @suppressions: what the files of @suppress say, or %NULL
 * @known: what the file @baseline says, or %NULL
 */
struct weiri_cli_check {
    char *n, *local, *input, *sub_group, *stack, *step_limit;
    char *schedule, *seed, *seeds, *time_limit, *record, *workers;
    char *runs, *search_time, *jobs;
    char *baseline, *sarif, *report, *patch;
    char **suppress;
    gboolean json, no_fixes;
    char **program;
    GArray *subjects;
    bool all;
    GArray *schedules;
    bool search;
    uint64_t n_runs;
    int64_t search_end_us;
    double search_seconds;
    uint64_t n_jobs;
    const char *why_ended;
    struct weiri_options options;
    uint64_t n_elements;
    uint64_t local_items;
    struct weiri_cli_limit limit;
    bool fixes;
    uint64_t list_steps;
    const char *shrunk;
    struct weiri_suppressions *suppressions;
    struct weiri_baseline *known;
};

/**
 * weiri_cli_check_read:
 * @argv: of `weir check`; the strings of a program are borrowed
 * @check: (out): to be cleared by weiri_cli_check_clear() in any case
 * @status: (out): set where the command ends here
 *
 * Returns: whether to go on
 */
bool weiri_cli_check_read(int argc, char **argv, struct weiri_cli_check *check,
                          int *status);

void weiri_cli_check_clear(struct weiri_cli_check *check);

/** The subject of which these are the words; borrowed. */
struct weiri_cli_subject weiri_cli_subject_of_program(char *const *program);

/** Whether the end of the subject states that its answer is correct: weir-opencl's end
 *  does with --expect, and any other program's end is taken for it. */
bool weiri_cli_judges_answer(const struct weiri_cli_subject *subject);

/** How messages name a subject: a kernel, FILE.cl:KERNEL, or a program's first word. */
const char *weiri_cli_subject_name(const struct weiri_cli_subject *subject);

/** A command line, for a shell, that shows that run again.
 *  Returns: (transfer full) */
char *weiri_cli_again(const struct weiri_cli_check *check,
                      const struct weiri_cli_subject *subject, const char *schedule,
                      uint64_t seed);

/** The same as it is printed: a run under such a file's schedule needs the file.
 *  Returns: (transfer full) */
char *weiri_cli_shown_again(const struct weiri_cli_check *check,
                            const struct weiri_cli_subject *subject,
                            const char *schedule, uint64_t seed);

/** Whether a schedule is another one for another seed. */
bool weiri_cli_is_seeded(const char *schedule);

/** "schedule random, seed 7". Returns: (transfer full) */
char *weiri_cli_schedule_text(const char *schedule, uint64_t seed);

/* ---- Running: run-one.c ---------------------------------------------------------- */

/**
 * weiri_cli_run_options:
 *
 * How to run something.
 * @schedule: and @seed: to run under; printed even where there is a @replay
 * @replay: the schedule to follow, or %NULL
 * @loosely: decisions of @replay that are not possible are skipped
 * @record: keep the schedule
 * @step_limit: of each launch, or 0 for the command line's
 * @list_steps: most steps of a launch that are listed
 * @trace: and @trace_events: the launch options; or %NULL
 * @shown: a program's standard output is shown
 * @error_shown: its standard error is shown, not kept
 * @forked: a program may run as a copy of one that has reached its first launch
 * @idle: launches of a program run no item
 * @output_file: the file that gets the program's output; or %NULL
 * @ranks: the socket of the other ranks, as in struct weiri_options; or %NULL
 * @meanwhile: is called again and again while a program runs; or %NULL
 */
struct weiri_cli_run_options {
    const char *schedule;
    uint64_t seed;
    struct weir_schedule *replay;
    bool loosely;
    bool record;
    uint64_t step_limit;
    uint64_t list_steps;
    const char *trace;
    uint64_t trace_events;
    bool shown;
    bool error_shown;
    bool forked;
    bool idle;
    const char *output_file;
    const char *ranks;
    void (*meanwhile)(void);
};

/**
 * weiri_cli_run_result:
 *
 * The result of a run; reference-counted.
 * @launches: of struct weiri_launch_record, of launches that have ended; those that
 *            failed, too
 * @n_open: launches that began and have not ended
 * @overlap: launches of a program were made at the same time
 * @elsewhere: a process that the program has started made a launch
 * @wrong: a finding of kind wrong-result, or %NULL
 * @incomplete: why it ended early, or %NULL
 * @failure: how a program failed by itself, "ended with status 3", or %NULL. A program
 *           that ends inside a launch has failed, even with status 0
 * @status: of such a program, as waitpid() gives it, or 0
 * @answers: it failed after all of its launches had ended, which may be its judgement
 *           of their results
 * @said: what a program wrote to standard error, if that was not shown
 * @rank: of mpirun that made it, or 0
 * @error: why it could not be run, or did not follow the schedule
 * @recorded: the schedule, if it was to be kept
 * @lost: why @recorded is incomplete, or %NULL
 * @elements: and @local, @groups: of the first launch of a built-in kernel
 */
struct weiri_cli_run_result {
    char *schedule;
    uint64_t seed;
    GPtrArray *launches;
    size_t n_open;
    bool overlap;
    bool elsewhere;
    struct weir_finding *wrong;
    char *incomplete;
    char *failure;
    int status;
    bool answers;
    char *said;
    unsigned rank;
    GError *error;
    struct weir_schedule *recorded;
    char *lost;
    size_t elements;
    size_t local;
    size_t groups;
};

/** Returns: (transfer full): never %NULL; its @error says what went wrong */
struct weiri_cli_run_result *weiri_cli_run_once(
    const struct weiri_cli_check *check, const struct weiri_cli_subject *subject,
    const struct weiri_cli_run_options *run_options);

/** The value of WEIR_OPTIONS for a program. @reports: and @replay: files. A deadline of
 *  0 means "without a time limit". Returns: (transfer full) */
char *weiri_cli_program_options(const struct weiri_cli_check *check,
                                const struct weiri_cli_run_options *run_options,
                                const char *reports, const char *replay);

/** A run that has not been made. Returns: (transfer full) */
struct weiri_cli_run_result *weiri_cli_run_new(const char *schedule, uint64_t seed);

/** Adds the records of launches that have ended. Returns: false, with @run's error set,
 *  where some cannot be read */
bool weiri_cli_run_take_records(struct weiri_cli_run_result *run, const char *text,
                                size_t bytes);

struct weiri_cli_run_result *weiri_cli_run_ref(struct weiri_cli_run_result *run);
void weiri_cli_run_unref(struct weiri_cli_run_result *run);

/** The finding at @index of all that the run has, with the number of its launch from
 *  1, or %NULL after the last. */
const struct weir_finding *weiri_cli_run_finding(const struct weiri_cli_run_result *run,
                                                 size_t index, size_t *launch);

/**
 * weiri_cli_choose_finding:
 * @path: the file of the run, for the complaint; @schedule: what is in it
 * @wanted: a number from 1, as reports print findings that are not notes, or a key;
 *          %NULL for the file's entry "finding", or else the first
 * @chosen: (out): borrowed from @run; %NULL where the run has no finding
 * @launch: (out): the number of its launch, from 1
 *
 * In choose.c. Returns: false after a complaint, if no finding has that name
 */
bool weiri_cli_choose_finding(const struct weiri_cli_run_result *run, const char *path,
                              const struct weir_schedule *schedule, const char *wanted,
                              const struct weir_finding **chosen, size_t *launch);

/** Findings that are not notes, and a program's own failure. */
size_t weiri_cli_run_n_defects(const struct weiri_cli_run_result *run);

/** The number of the launch that has a finding, as weiri_cli_run_finding() has it; 0
 *  for a finding of no launch. @n: (out): launches, with those that were refused */
size_t weiri_cli_run_launch_number(const struct weiri_cli_run_result *run, size_t index,
                                   size_t *n);

/** Launches that were made. */
size_t weiri_cli_run_n_launches(const struct weiri_cli_run_result *run);

/** The steps of its longest launch. */
uint64_t weiri_cli_run_most_steps(const struct weiri_cli_run_result *run);

/** The steps of all its launches. */
uint64_t weiri_cli_run_n_steps(const struct weiri_cli_run_result *run);

/* ---- Joining: verdict.c ---------------------------------------------------------- */

struct weiri_cli_verdict;

struct weiri_cli_verdict *weiri_cli_verdict_new(
    const struct weiri_cli_check *check, const struct weiri_cli_subject *subject);
void weiri_cli_verdict_free(struct weiri_cli_verdict *verdict);

/** Adds a run that could be made. */
void weiri_cli_verdict_add(struct weiri_cli_verdict *verdict,
                           struct weiri_cli_run_result *run);

/** For runs that were not made where time alone decides how many there are. */
#define WEIRI_CLI_SOME_RUNS SIZE_MAX

/**
 * weiri_cli_verdicts_finish:
 * @verdicts: of struct weiri_cli_verdict
 * @ended_early: how many runs were not made for lack of time
 *
 * Tries fixes, prints all verdicts, and complains of programs that failed.
 *
 * Returns: the exit status
 */
int weiri_cli_verdicts_finish(const struct weiri_cli_check *check, GPtrArray *verdicts,
                              size_t ended_early);

/* ---- What is known: known-findings.c --------------------------------------------- */

/** Reads the files of --suppress and --baseline. Returns: false after a complaint */
bool weiri_cli_known_read(struct weiri_cli_check *check);

/* ---- Recorded runs: recorded.c --------------------------------------------------- */

/**
 * weiri_cli_recorded:
 *
 * A file that `weir check --record` has written.
 * @schedule: what it holds; fresh, to be followed once
 * @check: the command line at its head
 */
struct weiri_cli_recorded {
    struct weir_schedule *schedule;
    char **argv;
    struct weiri_cli_check check;
};

/** Returns: false after a complaint. To be cleared in any case. */
bool weiri_cli_recorded_load(struct weiri_cli_recorded *recorded, const char *path);
void weiri_cli_recorded_clear(struct weiri_cli_recorded *recorded);

/** Puts the command line at the head of a run's schedule and writes the file.
 *  Returns: false after a complaint */
bool weiri_cli_save_run(const struct weiri_cli_check *check,
                        const struct weiri_cli_subject *subject,
                        struct weiri_cli_run_result *run, const char *path);

/**
 * weiri_cli_recorded_parse:
 * @entries: as of weiri_cli_parse()
 * @path: (out): the file that the command line names; borrowed from @argv
 *
 * Reads the command line of a command that is about one recorded file.
 *
 * Returns: whether to go on; else @status is the command's
 */
bool weiri_cli_recorded_parse(const GOptionEntry *entries, const char *summary,
                              int argc, char **argv, const char **path, int *status);

/** The recorded run again, strictly. Returns: (transfer full): or %NULL after a
 *  complaint, also where it parts from the schedule */
struct weiri_cli_run_result *weiri_cli_follow(struct weiri_cli_recorded *recorded,
                                              const char *path, bool record,
                                              bool shown);

#endif
