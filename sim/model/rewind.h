/* SPDX-License-Identifier: MIT
 *
 * rewind.h: a graph without the last iteration of a loop that waits. */
#ifndef WEIRI_REWIND_H
#define WEIRI_REWIND_H

#include "model/graph.h"

/**
 * weiri_graph_rewind:
 * @copy: of the same frame; what it had is forgotten
 * @thread: its next step is SPIN
 *
 * Makes @copy the graph without the thread's last iteration, which has changed nothing.
 * A read of a write that is left out reads what that read-modify-write has read. The
 * thread can then read other values.
 */
void weiri_graph_rewind(struct weiri_graph *copy, const struct weiri_graph *graph,
                        uint32_t thread);

#endif
