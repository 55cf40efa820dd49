/* SPDX-License-Identifier: MIT
 *
 * litmus-sketch.c: one execution as boxes and lines; see
 * litmus-sketch.h.
 *
 * A column is a thread, and threads of a group are neighbours. The entry and exit of a
 * barrier are one box. The boxes of one rendezvous are in a row, each joined to the
 * next, in place of the edges from every entry to every exit.
 *
 * Edges that follow from others are left out: modification order and reads-before
 * within a thread, which agree with program order, and synchronises-with and
 * happens-before if a path of other such edges exists. */
#include "config.h"

#include "show/litmus-sketch.h"

#include <string.h>

/* In points, for DejaVu Sans, which is wider than most fonts: a little more than the
 * average character, and the widest letters. */
static const double CHARACTER = 6.9, WIDE_CHARACTER = 11;

/* Characters in a line of a box: more than usual names have. */
enum { MOST_BOX_COLUMNS = 32 };

/* Bundle numbers below are kinds of edges; larger ones belong to one edge of a cycle
 * each. */
enum { OF_CYCLE = 1000 };

double weiri_sketch_text_width(const char *text)
{
    double width = 0;
    for (const char *at = text; *at != '\0'; at = g_utf8_next_char(at)) {
        width += strchr("mwMW@%", *at) != NULL ? WIDE_CHARACTER : CHARACTER;
    }
    return width;
}

void weiri_sketch_break(GStrvBuilder *lines, const char *text, glong columns)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    const char *from = valid;
    while (g_utf8_strlen(from, -1) > columns) {
        const char *last = g_utf8_offset_to_pointer(from, columns);
        const char *least = g_utf8_offset_to_pointer(from, columns / 2), *end = last;
        while (end > least && end[-1] != ',' && end[-1] != ' ') {
            end--;
        }
        end = end > least ? end : last; /* the name is too long for a line */
        g_autofree char *line = g_strndup(from, (gsize)(end - from));
        g_strv_builder_add(lines, line);
        from = end;
    }
    g_strv_builder_add(lines, from);
}

/* The event, its order and scope if it has some, and its place. */
GStrv weiri_sketch_lines(const struct weiri_sketch *sketch, uint32_t index)
{
    const struct weir_litmus_event *event = &sketch->execution->events[index];
    const GPtrArray *places = sketch->drawing->names->places;
    g_autoptr(GStrvBuilder) lines = g_strv_builder_new();
    /* Names of locations may have blanks. */
    const char *value
        = event->location != UINT32_MAX ? strrchr(event->text, '=') : NULL;
    const char *space = value != NULL ? value : strchr(event->text, ' ');
    const char *second = space != NULL ? strchr(space + 1, ' ') : NULL;
    if (second != NULL) {
        g_autofree char *what = g_strndup(event->text, (gsize)(second - event->text));
        weiri_sketch_break(lines, what, MOST_BOX_COLUMNS);
        g_strv_builder_add(lines, second + 1);
    } else {
        weiri_sketch_break(lines, event->text, MOST_BOX_COLUMNS);
    }
    g_autofree char *line = g_strdup_printf("line %u", event->line);
    weiri_sketch_break(
        lines, places != NULL ? g_ptr_array_index((GPtrArray *)places, index) : line,
        MOST_BOX_COLUMNS);
    return g_strv_builder_end(lines);
}

/* The width of a box around the lines. */
static double width_of(GStrv lines)
{
    double width = 0;
    for (size_t i = 0; lines[i] != NULL; i++) {
        width = MAX(width, weiri_sketch_text_width(lines[i]));
    }
    return width + 2 * WEIRI_SKETCH_PADDING;
}

/* ---- Boxes ----------------------------------------------------------------------- */

/* Places threads of a group side by side, otherwise in their order. */
static void set_columns(struct weiri_sketch *sketch)
{
    uint32_t n = sketch->drawing->names->threads->len, column = 0;
    sketch->columns = g_new0(uint32_t, n);
    sketch->threads = g_new0(uint32_t, n);
    sketch->layout.n_columns = n;
    sketch->layout.heads = g_new0(double, n);
    sketch->layout.frames = g_new0(struct weiri_layout_frame, n);
    g_autofree bool *placed = g_new0(bool, n);
    for (uint32_t first = 0; first < n; first++) {
        if (placed[first]) {
            continue;
        }
        struct weiri_layout_frame *frame
            = &sketch->layout.frames[sketch->layout.n_frames++];
        frame->first = column;
        for (uint32_t thread = first; thread < n; thread++) {
            if (!placed[thread]
                && weiri_sketch_thread(sketch, first)->frame
                    == weiri_sketch_thread(sketch, thread)->frame) {
                placed[thread] = true;
                sketch->threads[column] = thread;
                sketch->columns[thread] = column++;
            }
        }
        frame->last = column - 1;
    }
}

/* Whether the event is a barrier's exit, which stands in the box of its entry. */
static bool is_exit(const struct weir_litmus_execution *execution, size_t event)
{
    const struct weir_litmus_event *events = execution->events;
    return events[event].kind == WEIR_LITMUS_EXIT && event > 0
        && events[event - 1].kind == WEIR_LITMUS_BARRIER
        && events[event - 1].thread == events[event].thread;
}

static void add_boxes(struct weiri_sketch *sketch)
{
    const struct weir_litmus_execution *execution = sketch->execution;
    size_t n = execution->n_events;
    sketch->boxes = g_new0(uint32_t, n);
    sketch->events = g_new0(uint32_t, n);
    sketch->layout.boxes = g_new0(struct weiri_layout_box, n);
    guint most = 2;
    for (size_t event = 0; event < n; event++) {
        if (!is_exit(execution, event)) {
            g_auto(GStrv) lines = weiri_sketch_lines(sketch, (uint32_t)event);
            struct weiri_layout_box *box
                = &sketch->layout.boxes[sketch->layout.n_boxes];
            box->column = sketch->columns[execution->events[event].thread];
            box->width = width_of(lines);
            most = MAX(most, g_strv_length(lines));
            sketch->events[sketch->layout.n_boxes++] = (uint32_t)event;
        }
        sketch->boxes[event] = sketch->layout.n_boxes - 1;
    }
    sketch->layout.box_height = WEIRI_SKETCH_LINE * most + WEIRI_SKETCH_PADDING;
}

GStrv weiri_sketch_source(const struct weiri_sketch *sketch, uint32_t location)
{
    const GPtrArray *locations = sketch->drawing->names->locations;
    g_autoptr(GStrvBuilder) lines = g_strv_builder_new();
    weiri_sketch_break(lines, g_ptr_array_index((GPtrArray *)locations, location),
                       MOST_BOX_COLUMNS);
    return g_strv_builder_end(lines);
}

static void add_sources(struct weiri_sketch *sketch)
{
    uint32_t n = sketch->drawing->names->locations->len;
    sketch->layout.n_sources = n;
    sketch->layout.sources = g_new0(struct weiri_layout_box, n);
    guint most = 1;
    for (uint32_t i = 0; i < n; i++) {
        g_auto(GStrv) lines = weiri_sketch_source(sketch, i);
        sketch->layout.sources[i].width = width_of(lines);
        most = MAX(most, g_strv_length(lines));
    }
    sketch->layout.source_height
        = WEIRI_LAYOUT_SOURCE_HEIGHT + WEIRI_SKETCH_LINE * (most - 1);
}

/* Boxes that meet at a barrier get a common number, from the first of them. */
static void join(struct weiri_sketch *sketch, uint32_t one, uint32_t other)
{
    struct weiri_layout_box *boxes = sketch->layout.boxes;
    uint32_t mine = boxes[one].meeting != 0 ? boxes[one].meeting : one + 1;
    uint32_t yours = boxes[other].meeting != 0 ? boxes[other].meeting : other + 1;
    boxes[one].meeting = mine;
    boxes[other].meeting = yours;
    for (uint32_t i = 0; i < sketch->layout.n_boxes; i++) {
        if (boxes[i].meeting == yours) {
            boxes[i].meeting = mine;
        }
    }
}

/* ---- Edges ----------------------------------------------------------------------- */

static struct weiri_layout_line *add_line(struct weiri_sketch *sketch,
                                          enum weir_litmus_edge_kind kind,
                                          uint32_t from, uint32_t to)
{
    struct weiri_sketch_edge edge = { kind, 0 };
    struct weiri_layout_line line = {
        .from = from,
        .to = to,
        .bundle = kind,
        .joins = kind == WEIR_LITMUS_RB,
        .falls = kind == WEIR_LITMUS_RF || kind == WEIR_LITMUS_SW,
        .pointed = kind != WEIR_LITMUS_BAR && kind != WEIR_LITMUS_RACE,
        .points = g_array_new(FALSE, FALSE, sizeof(struct weiri_layout_point)),
    };
    g_array_append_val(sketch->edges, edge);
    g_array_append_val(sketch->lines, line);
    return &g_array_index(sketch->lines, struct weiri_layout_line,
                          sketch->lines->len - 1);
}

/* The start of an edge: a box, or the source of the location that @to reads. */
static uint32_t beginning(const struct weiri_sketch *sketch, uint32_t from, uint32_t to)
{
    if (from != WEIR_LITMUS_INITIAL) {
        return sketch->boxes[from];
    }
    uint32_t location = sketch->execution->events[to].location;
    return location != UINT32_MAX ? sketch->layout.n_boxes + location : UINT32_MAX;
}

/* The edge of that kind between the two boxes, or NULL. */
static struct weiri_sketch_edge *find_edge(const struct weiri_sketch *sketch,
                                           enum weir_litmus_edge_kind kind,
                                           uint32_t from, uint32_t to)
{
    for (guint i = 0; i < sketch->edges->len; i++) {
        struct weiri_sketch_edge *edge
            = &g_array_index(sketch->edges, struct weiri_sketch_edge, i);
        const struct weiri_layout_line *line
            = &g_array_index(sketch->lines, struct weiri_layout_line, i);
        if (edge->kind == kind && line->from == from && line->to == to) {
            return edge;
        }
    }
    return NULL;
}

static bool orders(enum weir_litmus_edge_kind kind)
{
    return kind == WEIR_LITMUS_PO || kind == WEIR_LITMUS_SW || kind == WEIR_LITMUS_BAR
        || kind == WEIR_LITMUS_HB;
}

/* Whether a path of other happens-before edges leads there, too. */
static bool is_implied(const struct weir_litmus_execution *execution,
                       const struct weir_litmus_edge *edge)
{
    if (edge->from == WEIR_LITMUS_INITIAL) {
        return true;
    }
    g_autofree bool *after = g_new0(bool, execution->n_events);
    after[edge->from] = true;
    for (bool changed = true; changed && !after[edge->to];) {
        changed = false;
        for (size_t i = 0; i < execution->n_edges; i++) {
            const struct weir_litmus_edge *step = &execution->edges[i];
            /* If two edges have the same meaning, synchronises-with is more
             * specific. */
            bool same = step->from == edge->from && step->to == edge->to
                && (step->kind == edge->kind || edge->kind == WEIR_LITMUS_SW);
            if (orders(step->kind) && !same && step->from != WEIR_LITMUS_INITIAL
                && after[step->from] && !after[step->to]) {
                after[step->to] = changed = true;
            }
        }
    }
    return after[edge->to];
}

/* A read-modify-write's own line replaces program order. */
static bool is_update(const struct weir_litmus_execution *execution,
                      const struct weir_litmus_edge *po)
{
    for (size_t i = 0; i < execution->n_edges; i++) {
        const struct weir_litmus_edge *edge = &execution->edges[i];
        if (edge->kind == WEIR_LITMUS_RMW && edge->from == po->from
            && edge->to == po->to) {
            return true;
        }
    }
    return false;
}

static void add_edge(struct weiri_sketch *sketch, const struct weir_litmus_edge *edge)
{
    uint32_t from = beginning(sketch, edge->from, edge->to);
    uint32_t to = sketch->boxes[edge->to];
    if (from == UINT32_MAX || from == to
        || find_edge(sketch, edge->kind, from, to) != NULL) {
        return;
    }
    switch (edge->kind) {
    case WEIR_LITMUS_BAR:
        join(sketch, from, to);
        return;
    case WEIR_LITMUS_PO:
        if (is_update(sketch->execution, edge)) {
            return;
        }
        break;
    case WEIR_LITMUS_MO:
    case WEIR_LITMUS_RB:
        /* Within a thread these agree with program order. */
        if (edge->from < edge->to
            && sketch->execution->events[edge->from].thread
                == sketch->execution->events[edge->to].thread) {
            return;
        }
        break;
    case WEIR_LITMUS_SW:
    case WEIR_LITMUS_HB:
        if (is_implied(sketch->execution, edge)) {
            return;
        }
        break;
    default:
        break;
    }
    struct weiri_layout_line *line = add_line(sketch, edge->kind, from, to);
    line->straight = (edge->kind == WEIR_LITMUS_PO || edge->kind == WEIR_LITMUS_RMW)
        && to == from + 1;
}

/* Joins each box of a meeting to the next one on its right. */
static void add_meetings(struct weiri_sketch *sketch)
{
    const struct weiri_layout_box *boxes = sketch->layout.boxes;
    for (uint32_t one = 0; one < sketch->layout.n_boxes; one++) {
        uint32_t next = UINT32_MAX;
        for (uint32_t other = 0; other < sketch->layout.n_boxes; other++) {
            if (boxes[one].meeting != 0 && boxes[other].meeting == boxes[one].meeting
                && boxes[other].column > boxes[one].column
                && (next == UINT32_MAX || boxes[other].column < boxes[next].column)) {
                next = other;
            }
        }
        if (next != UINT32_MAX) {
            add_line(sketch, WEIR_LITMUS_BAR, one, next)->straight
                = boxes[next].column == boxes[one].column + 1;
        }
    }
}

/* The edge already drawn with this meaning, or NULL. Some edges of a cycle point
 * against the arrows of the drawing. */
static struct weiri_sketch_edge *find_same(const struct weiri_sketch *sketch,
                                           enum weir_litmus_edge_kind kind,
                                           uint32_t from, uint32_t to)
{
    struct weiri_sketch_edge *po;
    switch (kind) {
    case WEIR_LITMUS_PO:
        po = find_edge(sketch, kind, from, to);
        return po != NULL ? po : find_edge(sketch, WEIR_LITMUS_RMW, from, to);
    case WEIR_LITMUS_RF_BACK:
        return find_edge(sketch, WEIR_LITMUS_RF, to, from);
    case WEIR_LITMUS_RMW_BACK:
        return find_edge(sketch, WEIR_LITMUS_RMW, to, from);
    case WEIR_LITMUS_BAR:
        return from < to ? find_edge(sketch, kind, from, to)
                         : find_edge(sketch, kind, to, from);
    default:
        return find_edge(sketch, kind, from, to);
    }
}

/* Numbers the edges of the cycle, and adds those that are not drawn yet. */
static void add_cycle(struct weiri_sketch *sketch,
                      const struct weir_litmus_violation *cycle)
{
    for (size_t i = 0; cycle != NULL && i < cycle->n_edges; i++) {
        const struct weir_litmus_edge *edge = &cycle->edges[i];
        if (edge->to == WEIR_LITMUS_INITIAL) {
            continue;
        }
        uint32_t from = beginning(sketch, edge->from, edge->to);
        uint32_t to = sketch->boxes[edge->to];
        if (from == UINT32_MAX || from == to) {
            continue;
        }
        struct weiri_sketch_edge *drawn = find_same(sketch, edge->kind, from, to);
        if (drawn == NULL) {
            add_line(sketch, edge->kind, from, to)->bundle = OF_CYCLE + (uint32_t)i;
            drawn = &g_array_index(sketch->edges, struct weiri_sketch_edge,
                                   sketch->edges->len - 1);
        }
        drawn->number = (uint32_t)i + 1;
    }
}

char *weiri_sketch_label(const struct weiri_sketch_edge *edge)
{
    const char *name = weir_litmus_edge_name(edge->kind);
    return edge->number > 0            ? g_strdup_printf("%u: %s", edge->number, name)
        : edge->kind == WEIR_LITMUS_PO ? NULL
                                       : g_strdup(name);
}

/* Every line gets room for a name, except those that are clear without one; a bundle
 * gets one name. */
static void make_room_for_labels(struct weiri_sketch *sketch)
{
    for (guint i = 0; i < sketch->lines->len; i++) {
        struct weiri_layout_line *line
            = &g_array_index(sketch->lines, struct weiri_layout_line, i);
        const struct weiri_sketch_edge *edge
            = &g_array_index(sketch->edges, struct weiri_sketch_edge, i);
        g_autofree char *label = weiri_sketch_label(edge);
        if (label != NULL
            && (edge->number > 0 || edge->kind != WEIR_LITMUS_BAR || !line->straight)) {
            line->label_width = weiri_sketch_text_width(label) + 2;
        }
    }
}

/* ---- All of it ------------------------------------------------------------------- */

void weiri_sketch_init(struct weiri_sketch *sketch,
                       const struct weiri_litmus_drawing *drawing)
{
    const struct weir_litmus_execution *execution = drawing->execution;
    *sketch = (struct weiri_sketch){
        .drawing = drawing,
        .execution = execution,
        .edges = g_array_new(FALSE, FALSE, sizeof(struct weiri_sketch_edge)),
        .lines = g_array_new(FALSE, FALSE, sizeof(struct weiri_layout_line)),
    };
    set_columns(sketch);
    add_boxes(sketch);
    add_sources(sketch);
    for (size_t i = 0; i < execution->n_edges; i++) {
        add_edge(sketch, &execution->edges[i]);
    }
    add_meetings(sketch);
    add_cycle(sketch, drawing->cycle);
    make_room_for_labels(sketch);
    sketch->layout.lines = (struct weiri_layout_line *)(void *)sketch->lines->data;
    sketch->layout.n_lines = sketch->lines->len;
    weiri_layout_run(&sketch->layout);
}

void weiri_sketch_clear(struct weiri_sketch *sketch)
{
    for (guint i = 0; i < sketch->lines->len; i++) {
        g_array_unref(g_array_index(sketch->lines, struct weiri_layout_line, i).points);
    }
    g_array_unref(sketch->lines);
    g_array_unref(sketch->edges);
    g_free(sketch->columns);
    g_free(sketch->threads);
    g_free(sketch->boxes);
    g_free(sketch->events);
    g_free(sketch->layout.heads);
    g_free(sketch->layout.frames);
    g_free(sketch->layout.boxes);
    g_free(sketch->layout.sources);
}
