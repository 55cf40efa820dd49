/* SPDX-License-Identifier: MIT
 *
 * cat_execution.h: an execution of the library as a tool for models in the cat language
 * has it: its sets and its relations, by their names there. */
#ifndef WEIR_TESTS_CAT_EXECUTION_H
#define WEIR_TESTS_CAT_EXECUTION_H

#include "cat.h"

#include "model/execution.h"

/* The most events of an execution. */
enum { CAT_EVENTS = 2 * BRUTE_EVENTS };

/* Judges the execution by the model. @numbers: (out): by event of the execution, the
 * event there; both events of a barrier are the same one. Returns: false if there are
 * too many events */
bool cat_judge_execution(struct cat *cat, const struct weiri_execution *execution,
                         bool is_ptx, struct cat_answer *answer, unsigned *numbers);

#endif
