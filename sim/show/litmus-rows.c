/* SPDX-License-Identifier: MIT
 *
 * litmus-rows.c: chooses the row of each box of a drawing; see litmus-layout.h.
 *
 * A box is below its predecessor in the column, boxes that meet are in one row, and a
 * line that falls does not end above its start, unless that would be contradictory.
 * Each box gets the highest row that satisfies this. */
#include "config.h"

#include "show/litmus-layout.h"

/* Boxes in one row are a knot, represented by the first of them. */
static uint32_t *make_knots(const struct weiri_layout *layout)
{
    uint32_t *knots = g_new(uint32_t, layout->n_boxes);
    g_autoptr(GHashTable) meetings = g_hash_table_new(NULL, NULL);
    for (uint32_t i = 0; i < layout->n_boxes; i++) {
        knots[i] = i;
        if (layout->boxes[i].meeting == 0) {
            continue;
        }
        void *key = GUINT_TO_POINTER(layout->boxes[i].meeting), *first;
        if (g_hash_table_lookup_extended(meetings, key, NULL, &first)) {
            knots[i] = GPOINTER_TO_UINT(first);
        } else {
            g_hash_table_insert(meetings, key, GUINT_TO_POINTER(i));
        }
    }
    return knots;
}

/* @to stands at least @by rows below @from; both are knots. */
struct below {
    uint32_t from, to, by;
};

/* Whether @to must be below @from or in the same row. */
static bool is_below(const GArray *order, uint32_t n_boxes, uint32_t from, uint32_t to)
{
    g_autofree bool *below = g_new0(bool, n_boxes);
    below[from] = true;
    for (bool changed = true; changed && !below[to];) {
        changed = false;
        for (guint i = 0; i < order->len; i++) {
            const struct below *pair = &g_array_index(order, struct below, i);
            if (below[pair->from] && !below[pair->to]) {
                below[pair->to] = changed = true;
            }
        }
    }
    return below[to];
}

uint32_t weiri_layout_rows(struct weiri_layout *layout)
{
    /* With more boxes such a drawing is unreadable anyway, and the cost is
     * quadratic. */
    enum { MOST_FALLING = 1000 };
    g_autofree uint32_t *knots = make_knots(layout);
    g_autoptr(GArray) order = g_array_new(FALSE, FALSE, sizeof(struct below));
    for (uint32_t i = 0; i + 1 < layout->n_boxes; i++) {
        if (layout->boxes[i].column == layout->boxes[i + 1].column) {
            struct below pair = { knots[i], knots[i + 1], 1 };
            g_array_append_val(order, pair);
        }
    }
    for (size_t i = 0; i < layout->n_lines && layout->n_boxes <= MOST_FALLING; i++) {
        const struct weiri_layout_line *line = &layout->lines[i];
        if (line->falls && line->from < layout->n_boxes
            && !is_below(order, layout->n_boxes, knots[line->to], knots[line->from])) {
            struct below pair = { knots[line->from], knots[line->to], 0 };
            g_array_append_val(order, pair);
        }
    }
    /* Every pass settles at least one more knot. If meetings contradict each other, the
     * number of passes ends the loop. */
    bool changed = true;
    for (uint32_t round = 0; changed && round < layout->n_boxes; round++) {
        changed = false;
        for (guint i = 0; i < order->len; i++) {
            const struct below *pair = &g_array_index(order, struct below, i);
            uint32_t least = layout->boxes[pair->from].row + pair->by;
            if (layout->boxes[pair->to].row < least) {
                layout->boxes[pair->to].row = least;
                changed = true;
            }
        }
    }
    uint32_t n_rows = 1;
    for (uint32_t i = 0; i < layout->n_boxes; i++) {
        layout->boxes[i].row = layout->boxes[knots[i]].row;
        n_rows = MAX(n_rows, layout->boxes[i].row + 1);
    }
    return n_rows;
}
