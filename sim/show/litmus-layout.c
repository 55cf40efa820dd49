/* SPDX-License-Identifier: MIT
 *
 * litmus-layout.c: places the parts of a drawing; see litmus-layout.h.
 *
 *          :  channel 0         :
 *      [ box ]   gutter 1   [ box ]    row 0
 *          :  channel 1         :
 *      [ box ]              [ box ]    row 1
 *
 * There are gutters between columns and channels between rows. A line between
 * neighbouring columns crosses their gutter in a curve. All other lines run in lanes:
 * out of a side of the box, along the gutter, along a channel, along a gutter next to
 * the other box, and into its side. A gutter has two streets of lanes, one for each
 * neighbouring column; a channel has one. Gutters and channels are as wide as their
 * lanes require. So no line crosses a box, and lines in lanes never cover each other,
 * except lines of one bundle. */
#include "config.h"

#include "show/litmus-layout.h"

#include <math.h>
#include <stdlib.h>

/* Points. */
enum {
    LANE = 12,    /* between lanes: the height of a name */
    TO_LANE = 16, /* from a box to the first lane: room for an arrowhead and a bend */
    CROSSED = 90, /* the part of a gutter without lanes, if lines cross it, */
    FREE = 16,    /* and otherwise */
    CHANNEL = 14, /* a channel without lanes */
    MARGIN = 12,  /* of frames */
    HEAD = 34,    /* from the top of frames to the first row: two lines of text */
    BETWEEN = 20, /* frames, and sources */
    BEND = 7,     /* radius of corners */
    TIP = 9       /* length of an arrowhead */
};

static bool is_source(const struct weiri_layout *layout, uint32_t box)
{
    return box >= layout->n_boxes;
}

/* ---- Lanes ----------------------------------------------------------------------- */

/* A lane, from @low to @high, for the lines with this key. */
struct lane {
    uint64_t key;
    int low, high;
    uint32_t index; /* its number in the street, from 0 */
};

struct street {
    GArray *lanes;
    uint32_t n; /* number of indices in use */
};

enum way { STRAIGHT, CROSSING, BESIDE, LONG };

/* The route of a line. Streets have numbers: of gutter g, 2 * g next to the column on
 * its left, and 2 * g + 1; of channel h, h. */
struct route {
    enum way way;
    uint64_t key;
    bool from_right, to_right; /* the sides of the boxes */
    uint32_t out, in;          /* streets of gutters */
    uint32_t channel;
    double from_y, to_y; /* at the sides */
};

struct work {
    struct weiri_layout *layout;
    uint32_t n_rows;
    struct route *routes;
    struct street *gutters;  /* 2 * (n_columns + 1) */
    struct street *channels; /* n_rows + 1 */
    bool *crossed;           /* by gutter */
    double *left, *right;    /* by column */
    double *channel_tops;
};

static void use_lane(struct street *street, uint64_t key, int one, int other)
{
    int low = MIN(one, other), high = MAX(one, other);
    for (guint i = 0; i < street->lanes->len; i++) {
        struct lane *lane = &g_array_index(street->lanes, struct lane, i);
        if (lane->key == key) {
            lane->low = MIN(lane->low, low);
            lane->high = MAX(lane->high, high);
            return;
        }
    }
    struct lane lane = { key, low, high, 0 };
    g_array_append_val(street->lanes, lane);
}

static int compare_lanes(const void *one, const void *other)
{
    const struct lane *a = one, *b = other;
    int lengths = a->high - a->low - (b->high - b->low);
    return lengths != 0 ? lengths : (a->key > b->key) - (a->key < b->key);
}

/* Shorter lanes are nearer to the column. */
static void number_lanes(struct street *street)
{
    g_array_sort(street->lanes, compare_lanes);
    for (guint i = 0; i < street->lanes->len; i++) {
        struct lane *lane = &g_array_index(street->lanes, struct lane, i);
        for (guint j = 0; j < i; j++) {
            const struct lane *other = &g_array_index(street->lanes, struct lane, j);
            if (other->index == lane->index && other->low <= lane->high
                && lane->low <= other->high) {
                lane->index++;
                j = (guint)-1; /* restarts at the first one */
            }
        }
        street->n = MAX(street->n, lane->index + 1);
    }
}

static uint32_t lane_of(const struct street *street, uint64_t key)
{
    for (guint i = 0; i < street->lanes->len; i++) {
        const struct lane *lane = &g_array_index(street->lanes, struct lane, i);
        if (lane->key == key) {
            return lane->index;
        }
    }
    return 0;
}

/* Rows and channels, in their order along a gutter. */
static int at_row(uint32_t row)
{
    return 2 * (int)row + 1;
}

static int at_channel(uint32_t channel)
{
    return 2 * (int)channel;
}

static uint32_t street_at(uint32_t column, bool right)
{
    return right ? 2 * (column + 1) : 2 * column + 1;
}

/* Whether the right side of a column is preferred: fewer lines are on the outer sides
 * of outer columns. */
static bool free_side(const struct work *work, uint32_t column)
{
    return column > 0 || work->layout->n_columns == 1;
}

static void choose_route(struct work *work, size_t index)
{
    const struct weiri_layout *layout = work->layout;
    const struct weiri_layout_line *line = &layout->lines[index];
    struct route *route = &work->routes[index];
    const struct weiri_layout_box *to = &layout->boxes[line->to];
    uint64_t own = UINT64_C(1) << 63 | index;
    uint64_t shared = (uint64_t)line->joins << 62
        | (uint64_t)(line->joins ? line->to : line->from) << 24 | line->bundle;
    if (is_source(layout, line->from)) {
        route->way = LONG;
        route->key = shared;
        route->to_right
            = to->column + 1 == layout->n_columns && free_side(work, to->column);
        route->in = street_at(to->column, route->to_right);
        use_lane(&work->channels[0], shared, 0, (int)(2 * layout->n_columns + 1));
        use_lane(&work->gutters[route->in], shared, at_channel(0), at_row(to->row));
        return;
    }
    const struct weiri_layout_box *from = &layout->boxes[line->from];
    int columns = (int)to->column - (int)from->column;
    route->from_right = columns == 0 ? free_side(work, from->column) : columns > 0;
    route->to_right = columns == 0 ? route->from_right : columns < 0;
    route->out = street_at(from->column, route->from_right);
    route->in = street_at(to->column, route->to_right);
    if (line->straight) {
        route->way = STRAIGHT;
    } else if (columns == 0) {
        route->way = BESIDE;
        route->key = own;
        use_lane(&work->gutters[route->out], own, at_row(from->row), at_row(to->row));
    } else if (abs(columns) == 1) {
        route->way = CROSSING;
        route->key = own;
        work->crossed[MAX(from->column, to->column)] = true;
    } else {
        route->way = LONG;
        route->key = shared;
        route->channel = to->row > from->row ? from->row + 1 : from->row;
        int channel = at_channel(route->channel);
        use_lane(&work->gutters[route->out], shared, at_row(from->row), channel);
        use_lane(&work->channels[route->channel], shared, (int)route->out,
                 (int)route->in);
        use_lane(&work->gutters[route->in], shared, channel, at_row(to->row));
    }
}

/* ---- Coordinates ----------------------------------------------------------------- */

static bool frame_ends(const struct weiri_layout *layout, uint32_t column)
{
    for (uint32_t i = 0; i < layout->n_frames; i++) {
        if (layout->frames[i].last == column) {
            return true;
        }
    }
    return false;
}

static double street_width(const struct street *street)
{
    return street->n == 0 ? 0 : TO_LANE + LANE * (street->n - 1);
}

static double gutter_width(const struct work *work, uint32_t gutter)
{
    const struct weiri_layout *layout = work->layout;
    double lanes = street_width(&work->gutters[2 * gutter])
        + street_width(&work->gutters[2 * gutter + 1]);
    bool inner = gutter > 0 && gutter < layout->n_columns;
    bool frames = !inner || frame_ends(layout, gutter - 1);
    double least = !inner ? MARGIN : frames ? 2 * MARGIN + BETWEEN : FREE;
    return MAX(least, lanes + (work->crossed[gutter] ? CROSSED : FREE));
}

static void set_columns(struct work *work)
{
    struct weiri_layout *layout = work->layout;
    g_autofree double *widths = g_new0(double, layout->n_columns);
    for (uint32_t i = 0; i < layout->n_boxes; i++) {
        double *width = &widths[layout->boxes[i].column];
        *width = MAX(*width, layout->boxes[i].width);
    }
    double x = 0;
    for (uint32_t column = 0; column < layout->n_columns; column++) {
        x += gutter_width(work, column);
        work->left[column] = x;
        x += MAX(widths[column], layout->box_height);
        work->right[column] = x;
        layout->heads[column] = (work->left[column] + work->right[column]) / 2;
    }
    layout->width = x + gutter_width(work, layout->n_columns);
    for (uint32_t i = 0; i < layout->n_boxes; i++) {
        struct weiri_layout_box *box = &layout->boxes[i];
        box->x = layout->heads[box->column];
        box->width = work->right[box->column] - work->left[box->column];
    }
    for (uint32_t i = 0; i < layout->n_frames; i++) {
        struct weiri_layout_frame *frame = &layout->frames[i];
        frame->left = work->left[frame->first] - MARGIN;
        frame->right = work->right[frame->last] + MARGIN;
    }
}

static void move_right(struct work *work, double by)
{
    struct weiri_layout *layout = work->layout;
    for (uint32_t i = 0; i < layout->n_columns; i++) {
        work->left[i] += by;
        work->right[i] += by;
        layout->heads[i] += by;
    }
    for (uint32_t i = 0; i < layout->n_boxes; i++) {
        layout->boxes[i].x += by;
    }
    for (uint32_t i = 0; i < layout->n_frames; i++) {
        layout->frames[i].left += by;
        layout->frames[i].right += by;
    }
}

/* Places the sources in a centred row above the columns. The wider of both sets the
 * total width. */
static void set_sources(struct work *work)
{
    struct weiri_layout *layout = work->layout;
    double width = layout->n_sources == 0 ? 0 : -BETWEEN;
    for (uint32_t i = 0; i < layout->n_sources; i++) {
        width += layout->sources[i].width + BETWEEN;
    }
    if (width > layout->width) {
        move_right(work, (width - layout->width) / 2);
        layout->width = width;
    }
    double x = (layout->width - width) / 2;
    for (uint32_t i = 0; i < layout->n_sources; i++) {
        layout->sources[i].x = x + layout->sources[i].width / 2;
        layout->sources[i].y = layout->source_height / 2;
        x += layout->sources[i].width + BETWEEN;
    }
}

static void set_heights(struct work *work)
{
    struct weiri_layout *layout = work->layout;
    double y = layout->n_sources > 0 ? layout->source_height : 0;
    g_autofree double *rows = g_new(double, work->n_rows);
    for (uint32_t row = 0; row <= work->n_rows; row++) {
        work->channel_tops[row] = y;
        y += CHANNEL + LANE * work->channels[row].n;
        if (row == 0) {
            layout->top = y;
            layout->head_y = y + HEAD - LANE;
            y += HEAD;
        }
        if (row < work->n_rows) {
            rows[row] = y + layout->box_height / 2;
            y += layout->box_height;
        }
        if (row + 1 == work->n_rows) {
            layout->bottom = y + MARGIN;
        }
    }
    layout->height = MAX(y, layout->bottom);
    for (uint32_t i = 0; i < layout->n_boxes; i++) {
        layout->boxes[i].y = rows[layout->boxes[i].row];
    }
}

static double lane_x(const struct work *work, uint32_t street, uint64_t key)
{
    uint32_t index = lane_of(&work->gutters[street], key), gutter = street / 2;
    double away = TO_LANE + LANE * index;
    return street % 2 == 0 ? work->right[gutter - 1] + away : work->left[gutter] - away;
}

static double channel_y(const struct work *work, uint32_t channel, uint64_t key)
{
    return work->channel_tops[channel] + CHANNEL / 2.0
        + LANE * (lane_of(&work->channels[channel], key) + 0.5);
}

/* ---- Where lines touch boxes ----------------------------------------------------- */

/* Where a line, or a bundle, meets the side of a box. */
struct end {
    uint32_t box;
    bool right;
    int height; /* direction: ends with smaller values are placed higher */
    uint64_t key;
    bool shared; /* with others of that key */
    bool to;
    size_t line; /* the first */
};

static int compare_ends(const void *one, const void *other)
{
    const struct end *a = one, *b = other;
    if (a->box != b->box) {
        return a->box < b->box ? -1 : 1;
    }
    if (a->right != b->right) {
        return a->right ? 1 : -1;
    }
    if (a->height != b->height) {
        return a->height < b->height ? -1 : 1;
    }
    return a->line != b->line ? (a->line < b->line ? -1 : 1) : a->to - b->to;
}

static void add_end(GArray *ends, const struct end *end)
{
    for (guint i = 0; i < ends->len; i++) {
        const struct end *other = &g_array_index(ends, struct end, i);
        if (end->shared && other->shared && other->to == end->to
            && other->box == end->box && other->key == end->key
            && other->right == end->right && other->height == end->height) {
            return;
        }
    }
    g_array_append_val(ends, *end);
}

static void add_ends(struct work *work, size_t index, GArray *ends)
{
    const struct weiri_layout *layout = work->layout;
    const struct weiri_layout_line *line = &layout->lines[index];
    const struct route *route = &work->routes[index];
    if (route->way == STRAIGHT) {
        return;
    }
    int to_row = at_row(layout->boxes[line->to].row), from_row = 0;
    if (!is_source(layout, line->from)) {
        from_row = at_row(layout->boxes[line->from].row);
        int goal = route->way == LONG ? at_channel(route->channel) : to_row;
        add_end(ends,
                &(struct end){ line->from, route->from_right, goal - from_row,
                               route->key, !line->joins, false, index });
    }
    int origin = route->way == LONG ? at_channel(route->channel) : from_row;
    add_end(ends,
            &(struct end){ line->to, route->to_right, origin - to_row, route->key,
                           line->joins, true, index });
}

static void place_ends(struct work *work, const GArray *ends)
{
    for (guint first = 0, after; first < ends->len; first = after) {
        const struct end *one = &g_array_index(ends, struct end, first);
        for (after = first + 1; after < ends->len; after++) {
            const struct end *other = &g_array_index(ends, struct end, after);
            if (other->box != one->box || other->right != one->right) {
                break;
            }
        }
        double height = work->layout->box_height;
        double top = work->layout->boxes[one->box].y - height / 2;
        for (guint i = first; i < after; i++) {
            const struct end *end = &g_array_index(ends, struct end, i);
            double y = top + height * (i - first + 1) / (after - first + 1);
            struct route *route = &work->routes[end->line];
            *(end->to ? &route->to_y : &route->from_y) = y;
        }
    }
}

/* Lines of a bundle share an end at their common box, if they come from the same side
 * and the same direction. */
static void share_places(struct work *work)
{
    const struct weiri_layout *layout = work->layout;
    for (size_t i = 0; i < layout->n_lines; i++) {
        struct route *route = &work->routes[i];
        bool joins = layout->lines[i].joins;
        double *y = joins ? &route->to_y : &route->from_y;
        for (size_t j = 0; j < i && route->way == LONG && *y == 0; j++) {
            const struct route *other = &work->routes[j];
            if (other->key == route->key && other->channel == route->channel
                && (joins ? other->to_right == route->to_right
                          : other->from_right == route->from_right)) {
                *y = joins ? other->to_y : other->from_y;
            }
        }
    }
}

static void set_ends(struct work *work)
{
    g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(struct end));
    for (size_t i = 0; i < work->layout->n_lines; i++) {
        add_ends(work, i, ends);
    }
    g_array_sort(ends, compare_ends);
    place_ends(work, ends);
    share_places(work);
}

/* ---- Curves ---------------------------------------------------------------------- */

typedef struct weiri_layout_point point;

static point towards(point from, point to, double distance)
{
    double length = hypot(to.x - from.x, to.y - from.y);
    double part = length > 0 ? distance / length : 0;
    return (point){ from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part };
}

static void add_curve(GArray *points, point one, point other, point end)
{
    g_array_append_val(points, one);
    g_array_append_val(points, other);
    g_array_append_val(points, end);
}

static void add_straight(GArray *points, point to)
{
    point from = g_array_index(points, point, points->len - 1);
    double length = hypot(to.x - from.x, to.y - from.y);
    add_curve(points, towards(from, to, length / 3), towards(to, from, length / 3), to);
}

/* Draws a way with rounded @corners, the first and last of which are its ends. */
static void draw_way(GArray *points, const point *corners, size_t n)
{
    g_array_append_val(points, corners[0]);
    for (size_t i = 1; i + 1 < n; i++) {
        double before
            = hypot(corners[i].x - corners[i - 1].x, corners[i].y - corners[i - 1].y);
        double after
            = hypot(corners[i + 1].x - corners[i].x, corners[i + 1].y - corners[i].y);
        double radius = MIN(BEND, MIN(before, after) / 2);
        add_straight(points, towards(corners[i], corners[i - 1], radius));
        add_curve(points, towards(corners[i], corners[i - 1], radius * 0.45),
                  towards(corners[i], corners[i + 1], radius * 0.45),
                  towards(corners[i], corners[i + 1], radius));
    }
    add_straight(points, corners[n - 1]);
}

/* Draws a line between neighbouring boxes of a column or a row. */
static void draw_straight(const struct work *work, struct weiri_layout_line *line)
{
    const struct weiri_layout *layout = work->layout;
    const struct weiri_layout_box *from = &layout->boxes[line->from];
    const struct weiri_layout_box *to = &layout->boxes[line->to];
    double half = layout->box_height / 2;
    point corners[2];
    if (from->column == to->column) {
        corners[0] = (point){ from->x, from->y + half };
        corners[1] = (point){ to->x, to->y - half };
    } else {
        bool right = to->column > from->column;
        corners[0] = (point){ from->x + (right ? 1 : -1) * from->width / 2, from->y };
        corners[1] = (point){ to->x - (right ? 1 : -1) * to->width / 2, to->y };
    }
    line->tip = corners[1];
    corners[1] = towards(corners[1], corners[0], line->pointed ? TIP : 0);
    draw_way(line->points, corners, 2);
}

static void draw_line(const struct work *work, size_t index)
{
    const struct weiri_layout *layout = work->layout;
    struct weiri_layout_line *line = &layout->lines[index];
    const struct route *route = &work->routes[index];
    if (route->way == STRAIGHT) {
        draw_straight(work, line);
        return;
    }
    const struct weiri_layout_box *to = &layout->boxes[line->to];
    double to_side = route->to_right ? 1 : -1;
    line->tip = (point){ to->x + to_side * to->width / 2, route->to_y };
    point end = { line->tip.x + (line->pointed ? to_side * TIP : 0), route->to_y };
    point corners[6];
    size_t n = 0;
    if (is_source(layout, line->from)) {
        const struct weiri_layout_box *source
            = &layout->sources[line->from - layout->n_boxes];
        double y = channel_y(work, 0, route->key);
        corners[n++] = (point){ source->x, layout->source_height };
        corners[n++] = (point){ source->x, y };
        corners[n++] = (point){ lane_x(work, route->in, route->key), y };
        corners[n++] = (point){ corners[2].x, end.y };
        corners[n++] = end;
        draw_way(line->points, corners, n);
        return;
    }
    const struct weiri_layout_box *from = &layout->boxes[line->from];
    double from_side = route->from_right ? 1 : -1;
    point start = { from->x + from_side * from->width / 2, route->from_y };
    if (route->way == CROSSING) {
        double reach = fabs(end.x - start.x) * 0.35;
        g_array_append_val(line->points, start);
        add_curve(line->points, (point){ start.x + from_side * reach, start.y },
                  (point){ end.x + to_side * reach, end.y }, end);
        return;
    }
    corners[n++] = start;
    corners[n++] = (point){ lane_x(work, route->out, route->key), start.y };
    if (route->way == LONG) {
        double y = channel_y(work, route->channel, route->key);
        corners[n++] = (point){ corners[1].x, y };
        corners[n++] = (point){ lane_x(work, route->in, route->key), y };
    }
    corners[n] = (point){ corners[n - 1].x, end.y };
    corners[n + 1] = end;
    draw_way(line->points, corners, n + 2);
}

/* ---- All of it ------------------------------------------------------------------- */

static struct street *new_streets(uint32_t n)
{
    struct street *streets = g_new0(struct street, n);
    for (uint32_t i = 0; i < n; i++) {
        streets[i].lanes = g_array_new(FALSE, FALSE, sizeof(struct lane));
    }
    return streets;
}

static void number_streets(struct street *streets, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        number_lanes(&streets[i]);
    }
}

static void free_streets(struct street *streets, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        g_array_unref(streets[i].lanes);
    }
    g_free(streets);
}

void weiri_layout_run(struct weiri_layout *layout)
{
    uint32_t n_rows = weiri_layout_rows(layout), n_gutters = layout->n_columns + 1;
    struct work work = {
        .layout = layout,
        .n_rows = n_rows,
        .routes = g_new0(struct route, layout->n_lines),
        .gutters = new_streets(2 * n_gutters),
        .channels = new_streets(n_rows + 1),
        .crossed = g_new0(bool, n_gutters),
        .left = g_new0(double, layout->n_columns),
        .right = g_new0(double, layout->n_columns),
        .channel_tops = g_new0(double, n_rows + 1),
    };
    for (size_t i = 0; i < layout->n_lines; i++) {
        choose_route(&work, i);
    }
    number_streets(work.gutters, 2 * n_gutters);
    number_streets(work.channels, n_rows + 1);
    set_columns(&work);
    set_sources(&work);
    set_heights(&work);
    set_ends(&work);
    for (size_t i = 0; i < layout->n_lines; i++) {
        draw_line(&work, i);
    }
    weiri_layout_labels(layout);
    free_streets(work.gutters, 2 * n_gutters);
    free_streets(work.channels, n_rows + 1);
    g_free(work.routes);
    g_free(work.crossed);
    g_free(work.left);
    g_free(work.right);
    g_free(work.channel_tops);
}
