/* SPDX-License-Identifier: MIT
 *
 * litmus-label.c: where the texts of lines stand in a drawing; see litmus-layout.h.
 * Each is on its line, and as near to the middle of it as boxes and other texts let
 * it. */
#include "config.h"

#include "report/litmus-layout.h"

#include <math.h>

/* Points: between texts, and between one and the line that it stands beside. */
enum { DISTANCE = 4, BESIDE = 8 };

struct rectangle {
    double x, y, width, height; /* x and y of the middle */
};

static bool overlap(const struct rectangle *a, const struct rectangle *b)
{
    return fabs(a->x - b->x) < (a->width + b->width) / 2 + DISTANCE
        && fabs(a->y - b->y) < (a->height + b->height) / 2 + DISTANCE;
}

typedef struct weiri_layout_point point;

static double length_of(const GArray *points, guint curve)
{
    const point *at = &g_array_index(points, point, 3 * curve);
    return hypot(at[3].x - at[0].x, at[3].y - at[0].y);
}

/* @part of the way along the line, measured by the chords of its curves. */
static point point_at(const GArray *points, double part)
{
    guint n = (points->len - 1) / 3, curve = 0;
    double all = 0, before = 0;
    for (guint i = 0; i < n; i++) {
        all += length_of(points, i);
    }
    while (curve + 1 < n && before + length_of(points, curve) < part * all) {
        before += length_of(points, curve++);
    }
    double length = length_of(points, curve);
    double t = length > 0 ? CLAMP((part * all - before) / length, 0, 1) : 0;
    const point *at = &g_array_index(points, point, 3 * curve);
    double a = (1 - t) * (1 - t) * (1 - t), b = 3 * (1 - t) * (1 - t) * t;
    double c = 3 * (1 - t) * t * t, d = t * t * t;
    return (point){ a * at[0].x + b * at[1].x + c * at[2].x + d * at[3].x,
                    a * at[0].y + b * at[1].y + c * at[2].y + d * at[3].y };
}

/* As near to the middle as boxes and the labels before it leave room; else there. */
static void place_label(struct weiri_layout_line *line, GArray *taken)
{
    enum { STEPS = 21 };
    struct rectangle mine = { 0, 0, line->label_width, WEIRI_LAYOUT_LABEL_HEIGHT };
    for (int step = 0; step <= STEPS; step++) {
        int away = (step + 1) / 2 * (step % 2 == 0 ? 1 : -1);
        double part = step == STEPS ? 0.5 : 0.5 + 0.04 * away;
        point at = point_at(line->points, part);
        mine.x = at.x;
        mine.y = at.y;
        bool room = true;
        for (guint i = 0; i < taken->len && room; i++) {
            room = !overlap(&mine, &g_array_index(taken, struct rectangle, i));
        }
        if (room) {
            break;
        }
    }
    line->label = (point){ mine.x, mine.y };
    g_array_append_val(taken, mine);
}

/* Between boxes of a column there is room beside the line only. */
static bool is_vertical(const struct weiri_layout *layout,
                        const struct weiri_layout_line *line)
{
    return line->straight
        && layout->boxes[line->from].column == layout->boxes[line->to].column;
}

static void place_beside(struct weiri_layout_line *line, GArray *taken)
{
    point from = g_array_index(line->points, point, 0);
    struct rectangle mine
        = { from.x + line->label_width / 2 + BESIDE, (from.y + line->tip.y) / 2,
            line->label_width, WEIRI_LAYOUT_LABEL_HEIGHT };
    line->label = (point){ mine.x, mine.y };
    g_array_append_val(taken, mine);
}

void weiri_layout_labels(struct weiri_layout *layout)
{
    g_autoptr(GArray) taken = g_array_new(FALSE, FALSE, sizeof(struct rectangle));
    for (uint32_t i = 0; i < layout->n_boxes; i++) {
        const struct weiri_layout_box *box = &layout->boxes[i];
        struct rectangle own = { box->x, box->y, box->width, layout->box_height };
        g_array_append_val(taken, own);
    }
    for (size_t i = 0; i < layout->n_lines; i++) {
        struct weiri_layout_line *line = &layout->lines[i];
        if (line->label_width == 0) {
            continue;
        }
        if (is_vertical(layout, line)) {
            place_beside(line, taken);
        } else {
            place_label(line, taken);
        }
    }
}
