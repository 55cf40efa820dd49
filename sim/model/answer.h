/* SPDX-License-Identifier: MIT
 *
 * answer.h: executions as they are shown: each event a text, and what leads from one to
 * another. Part of what answers litmus tests. */
#ifndef WEIRI_ANSWER_H
#define WEIRI_ANSWER_H

#include "model/execution.h"
#include "model/litmus.h"
#include "weir-model.h"

/**
 * weiri_drawn_init:
 * @drawn: its texts and arrays are its own
 *
 * The events and what is in the execution itself: program order, reads-from,
 * modification order, reads-before, barriers.
 */
void weiri_drawn_init(struct weir_litmus_execution *drawn,
                      const struct weiri_litmus *test,
                      const struct weiri_execution *execution);
void weiri_drawn_add(struct weir_litmus_execution *drawn,
                     enum weir_litmus_edge_kind kind, uint32_t from, uint32_t to);

/** All zeros is a drawn execution, too. */
void weiri_drawn_clear(struct weir_litmus_execution *drawn);

#endif
