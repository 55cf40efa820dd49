/* SPDX-License-Identifier: MIT
 *
 * gdb.h: gdb on a recorded run, for `weir replay --gdb`.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_GDB_H
#define WEIRI_CLI_GDB_H

#include "engine/check.h"

/** The text of weir-gdb.py. */
extern const char weiri_cli_gdb_script[];

/** Whether gdb can be started; false after a complaint. From here on programs find an
 *  empty standard input: what comes there is for gdb. */
bool weiri_cli_gdb_prepare(void);

/**
 * weiri_cli_gdb_run:
 * @recorded: what @path has
 * @run: it again, in which @finding was made in launch @launch
 * @finding: to stop at; %NULL if the run has none
 *
 * Follows the schedule under gdb until the finding is made, and gives the terminal to
 * the user.
 *
 * Returns: the exit status
 */
int weiri_cli_gdb_run(const struct weiri_cli_recorded *recorded, const char *path,
                      const struct weiri_cli_run_result *run,
                      const struct weir_finding *finding, size_t launch);

#endif
