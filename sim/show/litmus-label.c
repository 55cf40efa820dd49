/* SPDX-License-Identifier: MIT
 *
 * litmus-label.c: places the names of lines in a drawing; see litmus-layout.h. A name
 * is on its line, as close to the middle as boxes, arrowheads and other names permit,
 * and not on a bend. Names of short lines are placed first, because they have the least
 * choice. */
#include "config.h"

#include "show/litmus-layout.h"

#include <math.h>
#include <stdlib.h>

/* In points: distances between names side by side, between names above each other,
 * between a name and the line that it is beside, and the space around the end of a
 * line. */
enum { DISTANCE = 4, ABOVE = 2, BESIDE = 8, ARROW = 12 };

struct rectangle {
    double x, y, width, height; /* x and y: the middle */
};

/* The area in which two rectangles overlap, including the distance between them. */
static double overlap(const struct rectangle *a, const struct rectangle *b)
{
    double x = (a->width + b->width) / 2 + DISTANCE - fabs(a->x - b->x);
    double y = (a->height + b->height) / 2 + ABOVE - fabs(a->y - b->y);
    return x > 0 && y > 0 ? x * y : 0;
}

typedef struct weiri_layout_point point;

static double length_of(const GArray *points, guint curve)
{
    const point *at = &g_array_index(points, point, 3 * curve);
    return hypot(at[3].x - at[0].x, at[3].y - at[0].y);
}

/* A place on a line: parameter @t of one of its curves. */
struct stop {
    guint curve;
    double t;
};

static double length_of_all(const GArray *points)
{
    double all = 0;
    for (guint i = 0; i < (points->len - 1) / 3; i++) {
        all += length_of(points, i);
    }
    return all;
}

/* The place at @part of the length of a line, measured by the chords of its curves. */
static struct stop stop_at(const GArray *points, double part)
{
    guint n = (points->len - 1) / 3, curve = 0;
    double all = length_of_all(points), before = 0;
    while (curve + 1 < n && before + length_of(points, curve) < part * all) {
        before += length_of(points, curve++);
    }
    double length = length_of(points, curve);
    return (struct stop){ curve,
                          length > 0 ? CLAMP((part * all - before) / length, 0, 1)
                                     : 0 };
}

static point point_at(const GArray *points, struct stop stop)
{
    double t = stop.t;
    const point *at = &g_array_index(points, point, 3 * stop.curve);
    double a = (1 - t) * (1 - t) * (1 - t), b = 3 * (1 - t) * (1 - t) * t;
    double c = 3 * (1 - t) * t * t, d = t * t * t;
    return (point){ a * at[0].x + b * at[1].x + c * at[2].x + d * at[3].x,
                    a * at[0].y + b * at[1].y + c * at[2].y + d * at[3].y };
}

/* Whether a name there hides a bend. In a line of several curves, every other one is a
 * bend, and the others are horizontal or vertical. */
static bool hides_bend(const GArray *points, struct stop stop,
                       const struct rectangle *mine)
{
    if (points->len <= 4) {
        return false;
    }
    const point *at = &g_array_index(points, point, 3 * stop.curve);
    bool upright = fabs(at[3].y - at[0].y) > fabs(at[3].x - at[0].x);
    double extent = (upright ? mine->height : mine->width) / 2;
    double length = length_of(points, stop.curve);
    return stop.curve % 2 == 1 || stop.t * length < extent
        || (1 - stop.t) * length < extent;
}

/* The penalty of a place: how far it is from the middle of the line, and what it
 * covers. */
static double badness(const struct weiri_layout_line *line, const GArray *taken,
                      double part, double aside, struct rectangle *mine)
{
    const double COVERED = 10, BEND = 500; /* per square point; once */
    struct stop stop = stop_at(line->points, part);
    point at = point_at(line->points, stop);
    mine->x = at.x + aside;
    mine->y = at.y;
    double bad = fabs(part - 0.5) * length_of_all(line->points);
    for (guint i = 0; i < taken->len; i++) {
        bad += COVERED * overlap(mine, &g_array_index(taken, struct rectangle, i));
    }
    return bad + (hides_bend(line->points, stop, mine) ? BEND : 0);
}

/* A name beside a column must not reach into its boxes. */
static double aside_of(const struct weiri_layout *layout,
                       const struct weiri_layout_line *line)
{
    if (line->from >= layout->n_boxes
        || layout->boxes[line->from].column != layout->boxes[line->to].column) {
        return 0;
    }
    const struct weiri_layout_box *from = &layout->boxes[line->from];
    double away = point_at(line->points, stop_at(line->points, 0.5)).x - from->x;
    double missing = line->label_width / 2 + DISTANCE - (fabs(away) - from->width / 2);
    return missing > 0 ? copysign(missing, away) : 0;
}

static void place_label(const struct weiri_layout *layout,
                        struct weiri_layout_line *line, GArray *taken)
{
    enum { STEPS = 24 }; /* on each side */
    struct rectangle best = { 0 };
    double least = INFINITY, aside = aside_of(layout, line);
    for (int step = 0; step <= 2 * STEPS; step++) {
        int away = (step + 1) / 2 * (step % 2 == 0 ? 1 : -1);
        struct rectangle mine = { 0, 0, line->label_width, WEIRI_LAYOUT_LABEL_HEIGHT };
        double bad = badness(line, taken, 0.5 + 0.45 * away / STEPS, aside, &mine);
        if (bad < least) {
            least = bad;
            best = mine;
        }
    }
    line->label = (point){ best.x, best.y };
    g_array_append_val(taken, best);
}

/* Between boxes of a column, a name only fits beside the line. */
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

/* Names without a choice first, then names of short lines; equal ones in order. */
static int compare_lines(const void *one, const void *other)
{
    const struct weiri_layout_line *a = *(struct weiri_layout_line *const *)one;
    const struct weiri_layout_line *b = *(struct weiri_layout_line *const *)other;
    double difference = length_of_all(a->points) - length_of_all(b->points);
    return a->straight != b->straight ? b->straight - a->straight
        : difference != 0             ? (difference > 0 ? 1 : -1)
                                      : (a > b) - (a < b);
}

void weiri_layout_labels(struct weiri_layout *layout)
{
    g_autoptr(GArray) taken = g_array_new(FALSE, FALSE, sizeof(struct rectangle));
    for (uint32_t i = 0; i < layout->n_boxes; i++) {
        const struct weiri_layout_box *box = &layout->boxes[i];
        struct rectangle own = { box->x, box->y, box->width, layout->box_height };
        g_array_append_val(taken, own);
    }
    g_autofree struct weiri_layout_line **lines
        = g_new(struct weiri_layout_line *, layout->n_lines + 1);
    size_t n = 0;
    for (size_t i = 0; i < layout->n_lines; i++) {
        struct weiri_layout_line *line = &layout->lines[i];
        struct rectangle arrow = { line->tip.x, line->tip.y, ARROW, ARROW };
        if (line->pointed && !line->straight) {
            g_array_append_val(taken, arrow);
        }
        if (line->label_width > 0) {
            lines[n++] = line;
        }
    }
    qsort(lines, n, sizeof(*lines), compare_lines);
    for (size_t i = 0; i < n; i++) {
        if (is_vertical(layout, lines[i])) {
            place_beside(lines[i], taken);
        } else {
            place_label(layout, lines[i], taken);
        }
    }
}
