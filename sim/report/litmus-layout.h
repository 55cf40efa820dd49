/* SPDX-License-Identifier: MIT
 *
 * litmus-layout.h: where the parts of a drawing stand: boxes in columns, and lines that
 * go round them. It knows nothing of memory models.
 *
 *        [x = 0]  [y = 0]       sources: boxes above all columns
 *           P0       P1         heads of columns
 *         [   ]    [   ]
 *           |   \    |          straight: from a box to the next one of its column
 *         [   ]   `[   ]        other lines leave and enter boxes at their sides
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
 * @column: from the left; boxes of a column are in their order from the top
 * @meeting: boxes with the same one stand in one row; 0: by itself
 * @width: of its text and what is around it
 * @row, @x, @y: (out): y is that of the middle; of a source, row is 0
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
 * @bundle: lines from one box and of one bundle share their way as far as they can;
 * @joins: or rather those to one box
 * @straight: between neighbours, of a column or of a row
 * @falls: the end is not to stand above the beginning, if that can be had
 * @pointed: leave room for an arrow before @tip
 * @label_width: room for a text, or 0
 * @points: (out): of cubic Bezier curves, three for each after the first
 * @tip: (out): where the arrow ends
 * @label: (out): the middle of that room
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

/* Columns @first to @last are drawn as one. (out): the frame round them. */
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

/** Fills in all that is (out). @points is made by the caller, empty. */
void weiri_layout_run(struct weiri_layout *layout);

/* ---- Parts of it ----------------------------------------------------------------- */

/** The rows of boxes. Returns: how many there are, at least 1. litmus-rows.c. */
uint32_t weiri_layout_rows(struct weiri_layout *layout);

/** The places of labels, when all else has one. litmus-label.c. */
void weiri_layout_labels(struct weiri_layout *layout);

#endif
