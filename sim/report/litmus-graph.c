/* SPDX-License-Identifier: MIT
 *
 * litmus-graph.c: one execution of a litmus test as a graph; see litmus-graph.h.
 *
 *     title
 *     notes
 *               [x = 0]  [y = 0]
 *     +- group 0 ------+ +- group 1 ------+
 *     |      P0        | |      P1        |
 *     |  [ W x=1     ] | |  [ R y=1     ] |
 *     +----------------+ +----------------+
 *     ---->  rf  reads-from
 *
 * A column is a thread, and a frame a group. Everything has its place, by
 * litmus-layout.c, so that Graphviz draws and decides nothing: its engine nop2 takes
 * places as they are.
 *
 * Each kind of edge has its colour, its line and its arrow, and all but program order a
 * name beside it: either of these will do without the others, as on paper. */
#include "config.h"

#include "report/litmus-graph.h"

#include "report/litmus-sketch.h"

#include <string.h>

/* Points; of text in DejaVu Sans, which is wider than most. */
enum {
    FONT = 11,
    SMALL_FONT = 10,
    TITLE_FONT = 15,
    TITLE_LINE = 17,
    SAMPLE = 46,      /* a line in the legend, */
    ARROW = 9,        /* and the arrow at its end */
    LEAST_NOTE = 400, /* width of notes below which they are not broken, */
    MOST_NOTE = 640,  /* and that of a page of paper */
    COLUMN = 6        /* a character of a note, on average */
};
#define FONTS "DejaVu Sans,Verdana,Arial,sans-serif"

/* How an edge is drawn. Colours of a list with "invis" are lines side by side. */
struct stroke {
    const char *colour;
    const char *style;
    const char *arrow;
    double width;
};

static const struct stroke strokes[] = {
    [WEIR_LITMUS_PO] = { "#444444", "solid", "normal", 1.0 },
    [WEIR_LITMUS_RF] = { "#b00020", "solid", "normal", 2.0 },
    [WEIR_LITMUS_MO] = { "#0b57c4", "dashed", "empty", 1.5 },
    [WEIR_LITMUS_RB] = { "#b35c00", "dotted", "vee", 2.2 },
    [WEIR_LITMUS_SW] = { "#6a1b9a:invis:#6a1b9a", "solid", "normal", 1.0 },
    [WEIR_LITMUS_BAR] = { "#444444:invis:#444444", "solid", "none", 1.5 },
    [WEIR_LITMUS_HB] = { "#00695c", "dashed", "diamond", 2.5 },
    [WEIR_LITMUS_PSC] = { "#37474f", "dotted", "box", 2.5 },
    [WEIR_LITMUS_RMW] = { "#444444", "solid", "dot", 3.0 },
    [WEIR_LITMUS_ADDR] = { "#2e7d32", "dashed", "obox", 1.0 },
    [WEIR_LITMUS_DATA] = { "#2e7d32", "dashed", "odot", 1.0 },
    [WEIR_LITMUS_CTRL] = { "#2e7d32", "dashed", "odiamond", 1.0 },
    [WEIR_LITMUS_RACE] = { "#e00000", "dashed", "none", 4.0 },
    [WEIR_LITMUS_RF_BACK] = { "#b00020", "solid", "inv", 1.0 },
    [WEIR_LITMUS_RMW_BACK] = { "#444444", "solid", "invdot", 3.0 },
    [WEIR_LITMUS_NOT_HB] = { "#00695c", "dotted", "odiamond", 2.5 },
};

enum { N_KINDS = G_N_ELEMENTS(strokes) };

/* ---- Text ------------------------------------------------------------------------ */

/* As a string of the language: what ends it is escaped, what is no text replaced. */
static void add_quoted(GString *dot, const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    for (const char *at = valid; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\') {
            g_string_append_c(dot, '\\');
        }
        /* What looks like an entity would be taken for one. */
        if (*at == '&') {
            g_string_append(dot, "&amp;");
        } else {
            g_string_append_c(dot, g_ascii_iscntrl(*at) ? ' ' : *at);
        }
    }
}

static void add_lines(GString *dot, GStrv lines)
{
    for (size_t i = 0; lines[i] != NULL; i++) {
        g_string_append(dot, i > 0 ? "\\n" : "");
        add_quoted(dot, lines[i]);
    }
}

/* The C locale's point, whatever the program has set. */
static void add_number(GString *dot, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append(dot, g_ascii_formatd(text, sizeof(text), "%.1f", value));
}

/* Graphviz counts from the bottom. */
static void add_point(GString *dot, double x, double y, double height)
{
    add_number(dot, x);
    g_string_append_c(dot, ',');
    add_number(dot, height - y);
}

/* Inches, for the width and height of boxes. */
static void add_size(GString *dot, double width, double height)
{
    char text[2][G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf(
        dot, "width=%s, height=%s",
        g_ascii_formatd(text[0], sizeof(text[0]), "%.3f", width / 72),
        g_ascii_formatd(text[1], sizeof(text[1]), "%.3f", height / 72));
}

/* ---- The language ---------------------------------------------------------------- */

/* What is written so far, and where it stands. */
struct page {
    GString *dot;
    double height;
    double top; /* of the layout */
    uint32_t n_texts;
};

/* Text by itself, of @font points; @x is its left end, or its middle. */
static void add_text(struct page *page, double x, double y, bool middle, int font,
                     const char *style, const char *text)
{
    double width = weiri_sketch_text_width(text) * font / FONT;
    GString *dot = page->dot;
    g_string_append_printf(dot,
                           "  text%u [shape=plaintext, style=\"\", margin=0, "
                           "fontsize=%d, ",
                           page->n_texts++, font);
    add_size(dot, width, WEIRI_SKETCH_LINE);
    g_string_append(dot, ", pos=\"");
    add_point(dot, middle ? x : x + width / 2, y, page->height);
    g_string_append_printf(dot, "\"%s, label=\"", style);
    add_quoted(dot, text);
    g_string_append(dot, middle ? "\"];\n" : "\\l\"];\n");
}

static void add_name(const struct weiri_sketch *sketch, GString *dot, uint32_t box)
{
    if (box >= sketch->layout.n_boxes) {
        g_string_append_printf(dot, "initial%u", box - sketch->layout.n_boxes);
    } else {
        g_string_append_printf(dot, "event%u", sketch->events[box]);
    }
}

static void add_box(const struct weiri_sketch *sketch, struct page *page,
                    uint32_t index)
{
    const struct weiri_layout_box *box = &sketch->layout.boxes[index];
    const struct weir_litmus_event *event
        = &sketch->execution->events[sketch->events[index]];
    g_auto(GStrv) lines = weiri_sketch_lines(event);
    g_string_append(page->dot, "    ");
    add_name(sketch, page->dot, index);
    g_string_append(page->dot, " [");
    add_size(page->dot, box->width, sketch->layout.box_height);
    g_string_append(page->dot, ", pos=\"");
    add_point(page->dot, box->x, box->y + page->top, page->height);
    g_string_append(page->dot, "\"");
    if (event->kind == WEIR_LITMUS_BARRIER || event->kind == WEIR_LITMUS_FENCE) {
        g_string_append(page->dot, ", fillcolor=\"#eeeeee\"");
    }
    g_string_append(page->dot, ", label=\"");
    add_lines(page->dot, lines);
    g_string_append(page->dot, "\"];\n");
}

static void add_source(const struct weiri_sketch *sketch, struct page *page,
                       uint32_t index)
{
    const struct weiri_layout_box *box = &sketch->layout.sources[index];
    g_auto(GStrv) lines = weiri_sketch_source(sketch, index);
    g_string_append_printf(page->dot,
                           "  initial%u [style=\"filled,rounded\", "
                           "fillcolor=\"#eeeeee\", ",
                           index);
    add_size(page->dot, box->width, sketch->layout.source_height);
    g_string_append(page->dot, ", pos=\"");
    add_point(page->dot, box->x, box->y + page->top, page->height);
    g_string_append(page->dot, "\", label=\"");
    add_lines(page->dot, lines);
    g_string_append(page->dot, "\"];\n");
}

static char *frame_text(const struct weiri_sketch *sketch, uint32_t thread)
{
    const struct weir_litmus *test = sketch->drawing->test;
    const struct weir_litmus_thread *of = weir_litmus_nth_thread(test, thread);
    for (uint32_t other = 0; other < sketch->layout.n_columns; other++) {
        if (weir_litmus_nth_thread(test, other)->device != of->device
            || of->device != 0) {
            return g_strdup_printf("device %u, group %u", of->device, of->group);
        }
    }
    return g_strdup_printf("group %u", of->group);
}

/* A frame round the threads of a group, with what is in it. */
static void add_frame(const struct weiri_sketch *sketch, struct page *page,
                      uint32_t index)
{
    const struct weiri_layout *layout = &sketch->layout;
    const struct weiri_layout_frame *frame = &layout->frames[index];
    bool placed = weir_litmus_nth_thread(sketch->drawing->test, 0)->placed;
    GString *dot = page->dot;
    g_string_append_printf(dot, "  subgraph cluster%u {\n    bb=\"", index);
    add_point(dot, frame->left, layout->bottom + page->top, page->height);
    g_string_append_c(dot, ',');
    add_point(dot, frame->right, layout->top + page->top, page->height);
    g_string_append_printf(dot, "\"; style=rounded; color=\"%s\"; penwidth=1.5;\n",
                           placed ? "#888888" : "#dddddd");
    for (uint32_t box = 0; box < layout->n_boxes; box++) {
        uint32_t column = layout->boxes[box].column;
        if (column >= frame->first && column <= frame->last) {
            add_box(sketch, page, box);
        }
    }
    g_string_append(dot, "  }\n");
    if (placed) {
        g_autofree char *text = frame_text(sketch, sketch->threads[frame->first]);
        add_text(page, frame->left + WEIRI_SKETCH_PADDING,
                 layout->top + page->top + WEIRI_SKETCH_LINE * 0.7, false, SMALL_FONT,
                 ", fontcolor=\"#555555\"", text);
    }
}

/* The attributes of a line through @points; @tip of its arrow is NULL where it has
 * none. */
static void add_curve(struct page *page, enum weir_litmus_edge_kind kind, bool strong,
                      const struct weiri_layout_point *points, size_t n,
                      const struct weiri_layout_point *tip, double top)
{
    const struct stroke *stroke = &strokes[kind];
    GString *dot = page->dot;
    g_string_append_printf(dot, " [color=\"%s\", style=%s, arrowhead=%s, penwidth=",
                           stroke->colour, stroke->style, stroke->arrow);
    add_number(dot, strong ? stroke->width + 2 : stroke->width);
    g_string_append(dot, ", pos=\"");
    if (tip != NULL) {
        g_string_append(dot, "e,");
        add_point(dot, tip->x, tip->y + top, page->height);
        g_string_append_c(dot, ' ');
    }
    for (size_t i = 0; i < n; i++) {
        g_string_append(dot, i > 0 ? " " : "");
        add_point(dot, points[i].x, points[i].y + top, page->height);
    }
    g_string_append(dot, "\"];\n");
}

static void add_edge(const struct weiri_sketch *sketch, struct page *page, guint index)
{
    const struct weiri_layout_line *line
        = &g_array_index(sketch->lines, struct weiri_layout_line, index);
    const struct weiri_sketch_edge *edge
        = &g_array_index(sketch->edges, struct weiri_sketch_edge, index);
    g_string_append(page->dot, "  ");
    add_name(sketch, page->dot, line->from);
    g_string_append(page->dot, " -> ");
    add_name(sketch, page->dot, line->to);
    add_curve(page, edge->kind, edge->number > 0,
              &g_array_index(line->points, struct weiri_layout_point, 0),
              line->points->len, line->pointed ? &line->tip : NULL, page->top);
    if (line->label_width > 0) {
        g_autofree char *label = weiri_sketch_label(edge);
        g_autofree char *style
            = g_strdup_printf(", style=filled, fillcolor=white, fontcolor=\"%.7s\"",
                              strokes[edge->kind].colour);
        add_text(page, line->label.x, line->label.y + page->top, true,
                 edge->number > 0 ? FONT : SMALL_FONT, style, label);
    }
}

/* ---- The legend ------------------------------------------------------------------ */

static bool has_kind(const struct weiri_sketch *sketch, unsigned kind)
{
    for (guint i = 0; i < sketch->edges->len; i++) {
        if (g_array_index(sketch->edges, struct weiri_sketch_edge, i).kind == kind) {
            return true;
        }
    }
    return false;
}

static void add_sample(struct page *page, enum weir_litmus_edge_kind kind, double y)
{
    bool pointed = strcmp(strokes[kind].arrow, "none") != 0;
    double last = pointed ? SAMPLE - ARROW : SAMPLE;
    const struct weiri_layout_point tip = { SAMPLE, y };
    const struct weiri_layout_point points[]
        = { { 0, y }, { last / 3, y }, { last * 2 / 3, y }, { last, y } };
    for (int end = 0; end < 2; end++) {
        g_string_append_printf(page->dot,
                               "  legend%u_%d [shape=point, style=invis, width=0.01, "
                               "height=0.01, pos=\"",
                               kind, end);
        add_point(page->dot, end * SAMPLE, y, page->height);
        g_string_append(page->dot, "\"];\n");
    }
    g_string_append_printf(page->dot, "  legend%u_0 -> legend%u_1", kind, kind);
    add_curve(page, kind, false, points, G_N_ELEMENTS(points), pointed ? &tip : NULL,
              0);
    g_autofree char *text = g_strdup_printf("%s: %s", weir_litmus_edge_name(kind),
                                            weir_litmus_edge_meaning(kind));
    add_text(page, SAMPLE + WEIRI_SKETCH_PADDING, y, false, SMALL_FONT, "", text);
}

#define CYCLE "thick, with numbers: the cycle, step by step"

/* A sample of each kind that the drawing has. */
static void add_legend(const struct weiri_sketch *sketch, struct page *page, double y)
{
    for (unsigned kind = 0; kind < N_KINDS; kind++) {
        if (has_kind(sketch, kind)) {
            add_sample(page, kind, y + TITLE_LINE / 2.0);
            y += TITLE_LINE;
        }
    }
    if (sketch->drawing->cycle != NULL) {
        add_text(page, 0, y + TITLE_LINE / 2.0, false, SMALL_FONT, "", CYCLE);
    }
}

static double legend_height(const struct weiri_sketch *sketch)
{
    double height = 0;
    for (unsigned kind = 0; kind < N_KINDS; kind++) {
        height += has_kind(sketch, kind) ? TITLE_LINE : 0;
    }
    return height + (sketch->drawing->cycle != NULL ? TITLE_LINE : 0);
}

/* ---- All of it ------------------------------------------------------------------- */

/* Returns: (transfer full): of @font points, as wide as the drawing */
static GStrv break_note(const struct weiri_sketch *sketch, int font, const char *text)
{
    double width = CLAMP(sketch->layout.width, LEAST_NOTE, MOST_NOTE);
    g_autoptr(GStrvBuilder) lines = g_strv_builder_new();
    weiri_sketch_break(lines, text, (glong)(width * FONT / font / COLUMN));
    return g_strv_builder_end(lines);
}

/* Returns: where the next line stands */
static double add_notes(struct page *page, double y, int font, GStrv lines)
{
    for (size_t i = 0; lines[i] != NULL; i++) {
        add_text(page, 0, y, false, font, "", lines[i]);
        y += TITLE_LINE;
    }
    return y;
}

void weiri_litmus_graph_add(GString *dot, const struct weiri_litmus_drawing *drawing)
{
    struct weiri_sketch sketch;
    weiri_sketch_init(&sketch, drawing);
    g_auto(GStrv) title = break_note(&sketch, TITLE_FONT, drawing->title);
    g_autoptr(GPtrArray) notes
        = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
    guint n_lines = g_strv_length(title);
    for (size_t i = 0; i < drawing->n_notes; i++) {
        GStrv lines = break_note(&sketch, FONT, drawing->notes[i]);
        n_lines += g_strv_length(lines);
        g_ptr_array_add(notes, lines);
    }
    struct page page = { .dot = dot, .top = TITLE_LINE * (n_lines + 1) };
    double below = page.top + sketch.layout.height + TITLE_LINE;
    page.height = below + legend_height(&sketch);
    g_string_append(dot,
                    "// dot -Tsvg draws this; everything in it has its place.\n"
                    "digraph execution {\n"
                    "  graph [layout=nop2, splines=true, outputorder=edgesfirst, "
                    "bgcolor=white, pad=0.2];\n"
                    "  node [shape=box, style=filled, fillcolor=white, "
                    "fixedsize=true, fontname=\"" FONTS "\", ");
    g_string_append_printf(dot, "fontsize=%d];\n  edge [arrowsize=0.8];\n", FONT);
    double y = add_notes(&page, TITLE_LINE / 2.0, TITLE_FONT, title);
    for (guint i = 0; i < notes->len; i++) {
        y = add_notes(&page, y, FONT, g_ptr_array_index(notes, i));
    }
    for (uint32_t i = 0; i < sketch.layout.n_sources; i++) {
        add_source(&sketch, &page, i);
    }
    for (uint32_t i = 0; i < sketch.layout.n_frames; i++) {
        add_frame(&sketch, &page, i);
    }
    for (uint32_t column = 0; column < sketch.layout.n_columns; column++) {
        g_autofree char *head = g_strdup_printf("P%u", sketch.threads[column]);
        add_text(&page, sketch.layout.heads[column], sketch.layout.head_y + page.top,
                 true, FONT + 1, "", head);
    }
    for (guint i = 0; i < sketch.lines->len; i++) {
        add_edge(&sketch, &page, i);
    }
    add_legend(&sketch, &page, below);
    g_string_append(dot, "}\n");
    weiri_sketch_clear(&sketch);
}
