/* SPDX-License-Identifier: MIT
 *
 * waiting.h: whether the threads of an execution that have stopped in a loop wait for
 * ever. */
#ifndef WEIR_WAITING_H
#define WEIR_WAITING_H

#include "model/graph.h"

/* Whether the threads that have stopped in a loop wait for ever: they would read the
 * same values again and again. Read-modify-writes of their last iterations write the
 * values that they read, and so could be ordered in many ways. Counted is the execution
 * in which the last iterations of the threads come last, one thread after the other.
 * @currents is room for a number a location. */
bool weiri_graph_waits(const struct weiri_graph *graph, uint32_t *currents);

/* Whether threads that have stopped in a loop may wait for ever in some order of their
 * last iterations: what these read is still there, as they write no other values. It
 * does not depend on the names of threads. */
bool weiri_graph_may_wait(const struct weiri_graph *graph);

#endif
