/* SPDX-License-Identifier: MIT
 *
 * litmus.h: the parts of `weir litmus`: the tests that it includes, and the files
 * of its drawings. */
#ifndef WEIRI_CLI_LITMUS_H
#define WEIRI_CLI_LITMUS_H

#include "cli/cli.h"
#include "report/litmus.h"

/* ---- The tests that are included ------------------------------------------------- */

/**
 * weiri_cli_litmus_test:
 * @name: without folder and ending
 * @text: all of the file
 * @family: what it belongs to: those of one family stand together
 * @summary: what it teaches, a sentence
 * @expect: what models answer: "sc Never, rc11 Sometimes"
 * @race: under which of them it has a data race: "rc11, sycl"; or "none"
 */
struct weiri_cli_litmus_test {
    const char *name;
    const char *text;
    const char *family;
    const char *summary;
    const char *expect;
    const char *race;
};

/** Up to one without a name; made from the files of tests/litmus. */
extern const struct weiri_cli_litmus_test weiri_cli_litmus_tests[];

/** Returns: or %NULL */
const struct weiri_cli_litmus_test *weiri_cli_litmus_find(const char *name);

/**
 * weiri_cli_litmus_near:
 * @given: the name of none of them, as it is written elsewhere perhaps: "MP+rel+acq"
 *
 * Returns: the name that is likely meant, or %NULL
 */
const char *weiri_cli_litmus_near(const char *given);

/** The list of them, on standard output. Returns: the exit status */
int weiri_cli_litmus_list(bool json);

/** The text of one, on standard output. Returns: the exit status */
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

/** A beginning of file names for the test that nobody else has, as like its name as
 *  file names allow. Returns: (transfer full) */
char *weiri_cli_graphs_stem(struct weiri_cli_graphs *graphs, const char *test);

/**
 * weiri_cli_graphs_draw:
 * @told: its members graphs and explained are set; they are the caller's to free
 *
 * Writes a drawing of each state's witness, and of the explanation, if there is one.
 * Each file is there as a whole or not at all, and takes the place of one of its name.
 *
 * Returns: false after a complaint
 */
bool weiri_cli_graphs_draw(struct weiri_cli_graphs *graphs, const char *stem,
                           struct weiri_litmus_told *told);

#endif
