/* SPDX-License-Identifier: MIT
 *
 * litmus-graph.h: one execution of a litmus test as a drawing. */
#ifndef WEIRI_LITMUS_GRAPH_H
#define WEIRI_LITMUS_GRAPH_H

#include "weir-model.h"

/**
 * weiri_litmus_drawing:
 * @title: the headline
 * @notes: lines below it
 * @cycle: edges that are drawn thick and numbered; or %NULL
 */
struct weiri_litmus_drawing {
    const char *title;
    const char *const *notes;
    size_t n_notes;
    const struct weir_litmus *test;
    const struct weir_litmus_execution *execution;
    const struct weir_litmus_violation *cycle;
};

/**
 * weiri_litmus_graph:
 *
 * Draws the execution. Modification order and reads-before are left out within a
 * thread, and synchronises-with and happens-before where other edges imply them.
 *
 * Returns: (transfer full): an SVG document
 */
char *weiri_litmus_graph(const struct weiri_litmus_drawing *drawing);

#endif
