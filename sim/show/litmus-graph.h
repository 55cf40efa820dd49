/* SPDX-License-Identifier: MIT
 *
 * litmus-graph.h: one execution of a litmus test, or of a kernel, as a drawing. */
#ifndef WEIRI_LITMUS_GRAPH_H
#define WEIRI_LITMUS_GRAPH_H

#include "weir-model.h"

#include <glib.h>

/**
 * weiri_drawing_thread: a column
 * @name: "P0"
 * @frame: threads with equal numbers are in one frame
 * @frame_name: "group 0"; %NULL: the frame is hardly seen
 */
struct weiri_drawing_thread {
    char *name;
    uint64_t frame;
    char *frame_name;
};

/**
 * weiri_drawing_names: what the parts of a drawing are called; all of it is owned
 * @locations: of char *: each with its initial value: "local x = 0"
 * @places: of char *, by event: where it is in the source; or %NULL: lines of a test
 */
struct weiri_drawing_names {
    GArray *threads; /* of struct weiri_drawing_thread */
    GPtrArray *locations;
    GPtrArray *places;
};

/** Returns: (transfer full): without threads, locations and places */
struct weiri_drawing_names *weiri_drawing_names_new(void);
struct weiri_drawing_names *weiri_drawing_names_of(const struct weir_litmus *test);
void weiri_drawing_names_free(struct weiri_drawing_names *names);

/**
 * weiri_litmus_drawing: all of it is borrowed
 * @title: the headline
 * @notes: lines below it
 * @cycle: edges that are drawn thick and numbered; or %NULL
 * @prefix: of the names of elements, or %NULL
 */
struct weiri_litmus_drawing {
    const char *title;
    const char *const *notes;
    size_t n_notes;
    const struct weiri_drawing_names *names;
    const struct weir_litmus_execution *execution;
    const struct weir_litmus_violation *cycle;
    const char *prefix;
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
