/* SPDX-License-Identifier: MIT
 *
 * explored-graph.h: the execution that an exploration shows, as a drawing. */
#ifndef WEIRI_EXPLORED_GRAPH_H
#define WEIRI_EXPLORED_GRAPH_H

#include "weir.h"

/**
 * weiri_explored_graph:
 * @finding: one with an execution
 * @prefix: of names of elements, so that a page can have several drawings, beside
 *          which it says why; or %NULL
 *
 * Draws the events that matter as litmus-graph.h does: a column is an item, a frame is
 * a group. Program order leads over events that are left out.
 *
 * Returns: (transfer full): an SVG document
 */
char *weiri_explored_graph(const struct weir_finding *finding, const char *prefix);

#endif
