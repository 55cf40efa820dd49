/* SPDX-License-Identifier: MIT
 *
 * wrong-answer.h: a program that finds its own answer wrong under some schedules and
 * right under others: that is a finding, with the switches that make the difference.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_WRONG_ANSWER_H
#define WEIRI_CLI_WRONG_ANSWER_H

#include "engine/verdict.h"

/**
 * weiri_cli_wrong_answer:
 * @followed: the only run of the verdict, with its schedule, where a file's is
 *            followed; or %NULL
 *
 * Adds a finding of kind wrong-result where the program fails in some runs that have no
 * finding, ends with status 0 in others, and does both again. Looks for the few
 * switches that make it fail. Sets the verdict's @wrong.
 */
void weiri_cli_wrong_answer(struct weiri_cli_verdict *verdict,
                            struct weiri_cli_run_result *followed);

#endif
