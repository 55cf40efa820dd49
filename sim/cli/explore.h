/* SPDX-License-Identifier: MIT
 *
 * explore.h: the files of `weir explore`. explore-files.c */
#ifndef WEIRI_CLI_EXPLORE_H
#define WEIRI_CLI_EXPLORE_H

#include "cli/cli.h"

/**
 * weiri_cli_explored: all of it is borrowed
 * @what: was explored: the first line of the text
 * @totals: lines such as "exhaustive: 6 executions"
 * @again: a command line
 * @graphs: a folder, for a drawing of each execution that is shown; or %NULL
 * @report: the file of a page of HTML; or %NULL
 */
struct weiri_cli_explored {
    const GPtrArray *records; /* of struct weiri_launch_record */
    const char *what;
    const char *totals;
    const char *again;
    const char *graphs;
    const char *report;
};

/** One of several files: "last-2.litmus" of "last.litmus". @number: from 0, which is
 *  @file itself. Returns: (transfer full) */
char *weiri_cli_numbered_file(const char *file, guint number);

/** Writes the files. Returns: false after a complaint */
bool weiri_cli_explore_write(const struct weiri_cli_explored *explored);

struct weiri_cli_proposals;

/** Writes the diff of the fixes; nothing for %NULL. Returns: false after a complaint */
bool weiri_cli_explore_patch(const char *path,
                             const struct weiri_cli_proposals *proposals);

/** The command line as a shell reads it. Returns: (transfer full) */
char *weiri_cli_explore_line(int argc, char **argv);

#endif
