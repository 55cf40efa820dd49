/* SPDX-License-Identifier: MIT
 *
 * litmus-sketch.h: one execution of a litmus test as boxes and lines: what stands
 * between its events and the picture. */
#ifndef WEIRI_LITMUS_SKETCH_H
#define WEIRI_LITMUS_SKETCH_H

#include "report/litmus-graph.h"
#include "report/litmus-layout.h"

/* An edge as it is drawn; for each there is a line of the layout. */
struct weiri_sketch_edge {
    enum weir_litmus_edge_kind kind;
    uint32_t number; /* in the cycle, from 1; 0: not of it */
};

/**
 * weiri_sketch:
 * @threads: by column
 * @events: by box: the first of its events; entry and exit of a barrier are in one box
 * @edges: of struct weiri_sketch_edge
 * @lines: of struct weiri_layout_line, of each edge
 * @layout: in which everything has its place
 *
 * All of these are owned, and what else there is is of litmus-sketch.c.
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

/** How wide a text is: an estimate, on the large side, for DejaVu Sans of 11 points. */
double weiri_sketch_text_width(const char *text);

/** Adds @text in lines of at most so many characters, broken behind commas and blanks
 *  where there are some. */
void weiri_sketch_break(GStrvBuilder *lines, const char *text, glong columns);

/** What stands in an event's box, in lines. Returns: (transfer full) */
GStrv weiri_sketch_lines(const struct weir_litmus_event *event);

/** What stands beside an edge. Returns: (transfer full): or %NULL */
char *weiri_sketch_label(const struct weiri_sketch_edge *edge);

/** What stands in the box of a location's initial value. Returns: (transfer full) */
GStrv weiri_sketch_source(const struct weiri_sketch *sketch, uint32_t location);

#endif
