/* SPDX-License-Identifier: MIT
 *
 * litmus-sketch.h: one execution as boxes and lines, between the
 * execution's events and the picture. */
#ifndef WEIRI_LITMUS_SKETCH_H
#define WEIRI_LITMUS_SKETCH_H

#include "show/litmus-graph.h"
#include "show/litmus-layout.h"

/* An edge that is drawn; the layout has a line for each. */
struct weiri_sketch_edge {
    enum weir_litmus_edge_kind kind;
    uint32_t number; /* its place in the cycle, from 1; 0: it is not part of it */
};

/**
 * weiri_sketch:
 * @threads: by column
 * @events: by box: its first event; entry and exit of a barrier are in one box
 * @edges: of struct weiri_sketch_edge
 * @lines: of struct weiri_layout_line, one for each edge
 * @layout: the places of all parts
 *
 * All arrays are owned; other members are private to litmus-sketch.c.
 */
struct weiri_sketch {
    const struct weiri_litmus_drawing *drawing;
    const struct weir_litmus_execution *execution;
    uint32_t *columns; /* by thread */
    uint32_t *threads;
    uint32_t *boxes; /* by event */
    uint32_t *events;
    GArray *edges;
    GArray *lines;
    struct weiri_layout layout;
};

/* Points. */
enum {
    WEIRI_SKETCH_LINE = 13,   /* of text */
    WEIRI_SKETCH_PADDING = 8, /* between text and the frame round it */
};

void weiri_sketch_init(struct weiri_sketch *sketch,
                       const struct weiri_litmus_drawing *drawing);
void weiri_sketch_clear(struct weiri_sketch *sketch);

/** Returns: an estimate of the width of a text, rather too large, in DejaVu Sans of 11
 *  points */
double weiri_sketch_text_width(const char *text);

/** Appends @text in lines of at most @columns characters, broken after commas and
 *  blanks if possible. */
void weiri_sketch_break(GStrvBuilder *lines, const char *text, glong columns);

/** Returns: the names of a thread; borrowed */
static inline const struct weiri_drawing_thread *weiri_sketch_thread(
    const struct weiri_sketch *sketch, uint32_t thread)
{
    return &g_array_index(sketch->drawing->names->threads, struct weiri_drawing_thread,
                          thread);
}

/** Returns: (transfer full): the lines in an event's box */
GStrv weiri_sketch_lines(const struct weiri_sketch *sketch, uint32_t event);

/** Returns: (transfer full): the name beside an edge, or %NULL */
char *weiri_sketch_label(const struct weiri_sketch_edge *edge);

/** Returns: (transfer full): the lines in the box of a location's initial value */
GStrv weiri_sketch_source(const struct weiri_sketch *sketch, uint32_t location);

#endif
