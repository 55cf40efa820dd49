/* SPDX-License-Identifier: MIT
 *
 * check-client.h: the launches of a program under `weir check -- PROGRAM`: the command
 * gives them options, and takes their reports. Both are named in the environment
 * variable WEIR_OPTIONS. report/options.h has the form of that variable,
 * report/record.h the form of the reports.
 *
 * host/launch.c calls weiri_check_client_begin() before a launch, and after it
 * weiri_check_client_end() or weiri_check_client_fail(). They write a record when a
 * launch begins and one when it ends. So a process that ends inside a launch leaves a
 * record of its beginning alone.
 *
 * Processes: a program may fork and start other programs. All of them append to one
 * file of reports, where each report can have its launch's own schedule. A schedule
 * that is followed, or recorded in a file of its own, is one sequence of the launches
 * of all processes. So it is correct only if no two processes launch at the same time;
 * if they do, the launches of one of them are recorded.
 *
 * Threads: any. */
#ifndef WEIRI_CHECK_CLIENT_H
#define WEIRI_CHECK_CLIENT_H

#include "weir.h"

/* One launch. */
struct weiri_check_client {
    struct weir_launch_options merged;
    struct weir_schedule *traced; /* of this launch alone, owned; or NULL */
    uint64_t serial;              /* in this process, from 1 */
    uint64_t n_items;
    const char *device; /* its name, borrowed */
    const char *unseen; /* a write without a hook that was noticed, as
                           weiri_unhooked() words it; borrowed, or NULL */
    bool idle;          /* it is to run no item */
};

/** Whether WEIR_OPTIONS wants launches to be checked or explored. */
bool weiri_check_client_checks(void);

/** The profile that WEIR_OPTIONS has in place of "default". Any other @profile is the
 *  program's own choice, and stays. Returns: (transfer full): or %NULL to keep it */
char *weiri_check_client_profile(const char *profile);

/** A build of kernels begins, or ends: limits of time leave it out. Any thread. */
void weiri_check_client_build(bool begins);

/**
 * weiri_check_client_begin:
 * @launch: (out): to be ended by weiri_check_client_end() or _fail() where this
 *          succeeds
 * @device: its name, borrowed until the launch ends
 * @n_items: of its range
 * @own: the launch's own options, or %NULL
 *
 * Each option that WEIR_OPTIONS has replaces the option of @own; the others stay. If
 * there are two time limits, the shorter one holds.
 *
 * Returns: the options to launch with: @own itself where WEIR_OPTIONS is not set (the
 *          defaults for %NULL), valid until the launch ends; %NULL on failure
 * Errors:  %WEIR_ERROR_ARGUMENT where WEIR_OPTIONS is malformed;
 *          %WEIR_ERROR_SCHEDULE where a schedule that it names cannot be read;
 *          %WEIR_ERROR_RESOURCE where the file of reports cannot be written
 */
const struct weir_launch_options *weiri_check_client_begin(
    struct weiri_check_client *launch, const struct weir_kernel *kernel,
    const char *device, uint64_t n_items, const struct weir_launch_options *own,
    GError **error);

/**
 * weiri_check_client_end:
 * @kernel: of a launch that ended
 * @report: its report
 * @exits: an item has called exit(): the process ends next
 *
 * Hands over the report and the schedule.
 *
 * Returns: whether another process takes the report, which need not be printed then.
 *          %false without an error where WEIR_OPTIONS names no file for reports
 * Errors:  %WEIR_ERROR_RESOURCE where the report cannot be handed over;
 *          %WEIR_ERROR_SCHEDULE where the schedule cannot be written
 */
bool weiri_check_client_end(struct weiri_check_client *launch,
                            const struct weir_kernel *kernel,
                            const struct weir_report *report, bool exits,
                            GError **error);

/**
 * weiri_check_client_states:
 * @is_copy: (out): as of weiri_state_server_new(): the launch has left memory so; later
 *           ones run in order
 *
 * Returns: (transfer full): what says how the program judges a final state of the
 *          launch; or %NULL unless WEIR_OPTIONS asks another process's exploration
 */
struct weiri_state_server *weiri_check_client_states(bool *is_copy);

/** Whether WEIR_OPTIONS makes launches deterministic. */
bool weiri_check_client_orders(void);

/** With the option `fork`, this process becomes a server, if it can be copied: it forks
 *  a copy for each run that the command asks for. @line: the variable. Returns in the
 *  copies, with the run's own WEIR_OPTIONS; or, without copies, with this process's; or
 *  %NULL after an error */
const char *weiri_check_client_line(const char *line, GError **error);

/** Whether WEIR_OPTIONS wants launches to be checked, and not explored. */
bool weiri_check_client_judges(void);

/** Hands over findings that are of no launch: of commands of queues, or of the host.
 *  Returns: as weiri_check_client_end() */
bool weiri_check_client_aside(const struct weir_report *report, GError **error);

/** Hands over why a launch failed, if another process takes reports. */
void weiri_check_client_fail(struct weiri_check_client *launch,
                             const struct weir_kernel *kernel, const GError *failure);

#endif
