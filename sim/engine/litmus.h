/* SPDX-License-Identifier: MIT
 *
 * litmus.h: the parts of `weir litmus`: the included tests, and the files of drawings.
 */
#ifndef WEIRI_CLI_LITMUS_H
#define WEIRI_CLI_LITMUS_H

#include "cli/cli.h"
#include "cli/litmus-tests.h"
#include "show/litmus.h"

/* ---- Reading: litmus-read.c ------------------------------------------------------ */

/**
 * weiri_cli_litmus_read:
 * @name: a file; "-" for standard input; or, if no file has that name, an
 *        included test
 * @file: (out) (transfer full): what messages call it, also on failure
 *
 * Returns: (transfer full): the test, or %NULL on failure
 */
struct weir_litmus *weiri_cli_litmus_read(const char *name, char **file,
                                          GError **error);

/* ---- The tests that are included ------------------------------------------------- */

/** Returns: the included test of that name, or %NULL */
const struct weiri_cli_litmus_test *weiri_cli_litmus_find(const char *name);

/**
 * weiri_cli_litmus_near:
 * @given: not the name of an included test, but possibly another spelling: "MP+rel+acq"
 *
 * Returns: the name that is probably meant, or %NULL
 */
const char *weiri_cli_litmus_near(const char *given);

/** Prints the list of included tests. Returns: the exit status */
int weiri_cli_litmus_list(bool json);

/** Prints the text of an included test. Returns: the exit status */
int weiri_cli_litmus_show(const char *name);

/* ---- Drawings: graphs.c ---------------------------------------------------------- */

/* A folder of drawings. */
struct weiri_cli_graphs;

/**
 * weiri_cli_graphs_new:
 *
 * Makes the folder if it does not exist.
 *
 * Returns: (transfer full): or %NULL after a complaint
 */
struct weiri_cli_graphs *weiri_cli_graphs_new(const char *folder);
void weiri_cli_graphs_free(struct weiri_cli_graphs *graphs);

/** Returns: (transfer full): a beginning of file names for the test, unique in the
 *  folder and similar to its name */
char *weiri_cli_graphs_stem(struct weiri_cli_graphs *graphs, const char *test);

/**
 * weiri_cli_graphs_draw:
 * @result: its members for files of drawings are set, which the caller frees
 *
 * Writes a drawing of each state's witness, of a blocked execution for each reason, and
 * of the explanation, if there is one. Each file is written completely or not at all,
 * and replaces one of the same name.
 *
 * Returns: false after a complaint
 */
bool weiri_cli_graphs_draw(struct weiri_cli_graphs *graphs, const char *stem,
                           struct weiri_litmus_result *result);

#endif
