/* SPDX-License-Identifier: MIT
 *
 * explore-run.h: explores all launches of a built-in kernel or of a program, and judges
 * the results.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_EXPLORE_RUN_H
#define WEIRI_CLI_EXPLORE_RUN_H

#include "cli/cli.h"
#include "engine/check.h"

#include "kernels/kernels.h"

struct weiri_launch_record;

/**
 * weiri_cli_explored_row:
 * @device: a profile; %NULL: the default one
 * @input: a file, or %NULL
 * @n: (inout): elements; of the file, if there is one
 * @local: (inout): items of a group
 * @groups: (out): of the first launch
 * @options: with a memory model; the post-condition is the kernel's own
 */
struct weiri_cli_explored_row {
    const struct kernel_row *row;
    const char *device;
    const char *input;
    size_t n, local, groups;
    struct weir_launch_options options;
};

/** Runs the row once with everything explored. Returns: (transfer full): of struct
 *  weiri_launch_record *, or %NULL */
GPtrArray *weiri_cli_explore_row(struct weiri_cli_explored_row *explored,
                                 GError **error);

/**
 * weiri_cli_exploring: what `weir explore` explores, and how
 * @subject: a built-in kernel, with @input, @n and @local as above; or a program
 * @sub_group: as it was asked for, or %NULL
 */
struct weiri_cli_exploring {
    struct weiri_cli_subject subject;
    const char *device, *input, *sub_group;
    size_t n, local;
    struct weir_launch_options options;
    struct weiri_cli_limit limit;
    bool json;
};

/** Runs the row once with everything explored, in all ranks. Sets @n and @local.
 *  Returns: (transfer full): of struct weiri_launch_record *, or %NULL */
GPtrArray *weiri_cli_explore_kernel(struct weiri_cli_exploring *exploring,
                                    GError **error);

/** The same of the program. */
struct weiri_cli_run_result *weiri_cli_explore_program(
    const struct weiri_cli_exploring *exploring);

/** With other operations, until something is wrong: as in struct weiri_cli_again.
 *  @exploring: of struct weiri_cli_exploring */
GPtrArray *weiri_cli_explore_again(void *exploring, const char *order, double seconds);

/** The same with the words of another program. It is in a folder of this machine, so
 *  the other ranks have no part in it. */
GPtrArray *weiri_cli_explore_changed(void *exploring, char *const *program,
                                     double seconds);

/** In another rank than 0: has a part in the runs of rank 0, until the runs are over.
 *  Returns: false in rank 0 */
bool weiri_cli_explore_serve(const struct weiri_cli_exploring *exploring);

/**
 * weiri_cli_judgement: of a launch that was explored
 * @WEIRI_CLI_UNKNOWN: it cannot be explored, or was not to its end
 * @WEIRI_CLI_WRONG: an execution has a finding, or never ends
 * @WEIRI_CLI_PROVED: none has, and no other execution exists
 */
enum weiri_cli_judgement { WEIRI_CLI_UNKNOWN, WEIRI_CLI_WRONG, WEIRI_CLI_PROVED };

enum weiri_cli_judgement weiri_cli_judge_explored(
    const struct weiri_launch_record *record);

/** The same of all launches: the worst. @records: of struct weiri_launch_record *, or
 *  %NULL. @executions: (out): of all together */
enum weiri_cli_judgement weiri_cli_judge_explored_all(const GPtrArray *records,
                                                      uint64_t *executions);

/** Whether all executions of each launch leave the same memory: for a change that may
 *  give other answers, since a program need not claim which is right. */
bool weiri_cli_has_one_state(const GPtrArray *records);

#endif
