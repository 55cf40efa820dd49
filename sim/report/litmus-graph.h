/* SPDX-License-Identifier: MIT
 *
 * litmus-graph.h: one execution of a litmus test as a graph in the language of
 * Graphviz. */
#ifndef WEIRI_LITMUS_GRAPH_H
#define WEIRI_LITMUS_GRAPH_H

#include "weir-model.h"

/**
 * weiri_litmus_drawing:
 * @title: the headline
 * @notes: lines below it
 * @cycle: edges of the execution that are drawn to be seen, and numbered; or %NULL
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
 * weiri_litmus_graph_add:
 *
 * Appends the drawing, with the place of everything in it, so that `dot -Tsvg` draws
 * it as it is meant. Modification order and reads-before are left out within a thread,
 * and synchronises-with and happens-before where other edges imply them.
 */
void weiri_litmus_graph_add(GString *dot, const struct weiri_litmus_drawing *drawing);

#endif
