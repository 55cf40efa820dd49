/* SPDX-License-Identifier: MIT
 *
 * explore.h: the files of `weir explore`. explore-files.c */
#ifndef WEIRI_CLI_EXPLORE_H
#define WEIRI_CLI_EXPLORE_H

#include "cli/cli.h"

struct weiri_cli_replays;

/**
 * weiri_cli_explored: all of it is borrowed
 * @what: was explored: the first line of the text
 * @totals: lines such as "exhaustive: 6 executions"
 * @again: a command line, of findings without one in @replays
 * @replays: what became of --record, or %NULL
 * @graphs: a folder, for a drawing of each execution that is shown; or %NULL
 * @report: the file of a page of HTML; or %NULL
 */
struct weiri_cli_explored {
    const GPtrArray *records; /* of struct weiri_launch_record */
    const char *what;
    const char *totals;
    const char *again;
    const struct weiri_cli_replays *replays;
    const char *graphs;
    const char *report;
};

/** Writes the files. Returns: false after a complaint */
bool weiri_cli_explore_write(const struct weiri_cli_explored *explored);

/** Whether each place of --order has an operation that an item reaches.
 *
 *  @order: or %NULL. @records: of struct weiri_launch_record *.
 *  Returns: false after a complaint */
bool weiri_cli_explore_ordered(const char *order, const GPtrArray *records);

/** The command line as a shell reads it. Returns: (transfer full) */
char *weiri_cli_explore_line(int argc, char **argv);

#endif
