/* SPDX-License-Identifier: MIT
 *
 * run-record.h: a run as lines of JSON, for a process that makes runs for another one:
 * a line with the members of struct weiri_cli_run_result besides launches, and the
 * record of each launch. Its recorded schedule is not among them.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_RUN_RECORD_H
#define WEIRI_CLI_RUN_RECORD_H

#include "engine/check.h"

/** Returns: (transfer full) */
GString *weiri_cli_run_to_lines(const struct weiri_cli_run_result *run);

/** Fills @run, of weiri_cli_run_new(). Returns: false with @error set */
bool weiri_cli_run_read(const char *text, size_t bytes,
                        struct weiri_cli_run_result *run, GError **error);

#endif
