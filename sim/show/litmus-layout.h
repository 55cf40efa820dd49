/* SPDX-License-Identifier: MIT
 *
 * litmus-layout.h: places the parts of a drawing: boxes in columns, and lines around
 * them. It knows nothing of memory models.
 *
 *         [x = 0]  [y = 0]       sources: boxes above all columns
 *            P0       P1         heads of columns
 *          [   ]    [   ]
 *            |   \    |          straight: from a box to the next one of its column
 *          [   ]   `[   ]        other lines leave and enter boxes at their sides
 *
 * Coordinates are points of 1/72 inch; x grows to the right, and y downwards. */
#ifndef WEIRI_LITMUS_LAYOUT_H
#define WEIRI_LITMUS_LAYOUT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct weiri_layout_point {
    double x, y;
};

/**
 * weiri_layout_box:
 * @column: from the left; the boxes of a column are ordered from top to bottom
 * @meeting: boxes with the same number are in one row; 0: any row
 * @width: of its text and padding
 * @row: (out): from the top; 0 for sources
 * @x, @y: (out): the middle
 */
struct weiri_layout_box {
    uint32_t column;
    uint32_t meeting;
    double width;
    uint32_t row;
    double x, y;
};

/**
 * weiri_layout_line:
 * @from, @to: boxes; a source is the number of boxes plus its index
 * @bundle: lines of one bundle with a common start share as much of their way as they
 *          can;
 * @joins: the same, with a common end
 * @straight: between neighbours in a column or row
 * @falls: the end should not be above the start
 * @pointed: leave room for an arrowhead before @tip
 * @label_width: width of the name; 0: none
 * @points: (out): of cubic Bezier curves, three for each after the first
 * @tip: (out): the tip of the arrowhead
 * @label: (out): the middle of the name
 */
struct weiri_layout_line {
    uint32_t from, to;
    uint32_t bundle;
    bool joins;
    bool straight;
    bool falls;
    bool pointed;
    double label_width;
    GArray *points;
    struct weiri_layout_point tip;
    struct weiri_layout_point label;
};

/* A frame around the columns @first to @last; its sides are (out). */
struct weiri_layout_frame {
    uint32_t first, last;
    double left, right;
};

/**
 * weiri_layout:
 * @box_height: of all boxes, and @source_height of all sources
 * @heads: (out): by column: the middle; their height is @head_y
 * @top, @bottom: (out): of frames
 * @width, @height: (out): of the whole
 */
struct weiri_layout {
    double box_height, source_height;
    uint32_t n_columns, n_boxes, n_sources, n_frames;
    size_t n_lines;
    struct weiri_layout_box *boxes;
    struct weiri_layout_box *sources;
    struct weiri_layout_frame *frames;
    struct weiri_layout_line *lines;
    double *heads;
    double head_y, top, bottom;
    double width, height;
};

enum {
    WEIRI_LAYOUT_LABEL_HEIGHT = 12,
    WEIRI_LAYOUT_SOURCE_HEIGHT = 22, /* with one line of text */
};

/** Computes all members marked (out). The caller has made @points, empty. */
void weiri_layout_run(struct weiri_layout *layout);

/* ---- Parts of it ----------------------------------------------------------------- */

/** Sets the rows of boxes. Returns: the number of rows, at least 1. In litmus-rows.c */
uint32_t weiri_layout_rows(struct weiri_layout *layout);

/** Places the names, when everything else has its place. In litmus-label.c. */
void weiri_layout_labels(struct weiri_layout *layout);

#endif
