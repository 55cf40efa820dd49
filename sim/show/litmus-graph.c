/* SPDX-License-Identifier: MIT
 *
 * litmus-graph.c: one execution of a litmus test as an SVG document; see
 * litmus-graph.h.
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
 * A column is a thread, and a frame is a group. litmus-layout.c has given everything
 * its place, in points. Each kind of edge has its own colour, line and arrowhead, and
 * all but program order have a name beside them, so that a drawing on paper without
 * colours can be read, too. Lines are drawn below boxes and names. */
#include "config.h"

#include "show/litmus-graph.h"

#include "show/litmus-sketch.h"

#include <math.h>

/* Points; of text in DejaVu Sans, which is wider than most. */
enum {
    FONT = 11,
    SMALL_FONT = 10,
    TITLE_FONT = 15,
    TITLE_LINE = 17,
    SAMPLE = 46,      /* a line in the legend */
    HEAD = 9,         /* length of an arrowhead: what litmus-layout.c leaves for it */
    LEAST_NOTE = 400, /* notes are broken into lines at least so wide, */
    MOST_NOTE = 640,  /* and at most so wide: a page of paper */
    COLUMN = 6,       /* a character of a note, on average */
    MARGIN = 14
};
#define FONTS "DejaVu Sans, Verdana, Arial, sans-serif"

/* ---- Edges ----------------------------------------------------------------------- */

enum shape { NO_HEAD, TRIANGLE, INVERSE, VEE, DIAMOND, SQUARE, DOT };

/* Outlines of arrowheads: x from the end of the line, 0, to the tip, 1. A DOT is a
 * circle. */
static const struct {
    size_t n;
    struct weiri_layout_point corners[4];
} outlines[] = {
    [TRIANGLE] = { 3, { { 0, -0.42 }, { 1, 0 }, { 0, 0.42 } } },
    [INVERSE] = { 3, { { 0, 0 }, { 1, -0.42 }, { 1, 0.42 } } },
    [VEE] = { 4, { { 0, -0.5 }, { 1, 0 }, { 0, 0.5 }, { 0.3, 0 } } },
    [DIAMOND] = { 4, { { 0, 0 }, { 0.5, -0.42 }, { 1, 0 }, { 0.5, 0.42 } } },
    [SQUARE] = { 4, { { 0.1, -0.42 }, { 1, -0.42 }, { 1, 0.42 }, { 0.1, 0.42 } } },
    [DOT] = { 0 },
};

#define DASHED " stroke-dasharray=\"6,3\""
#define DOTTED " stroke-dasharray=\"1.5,4\""

static const struct stroke {
    const char *colour;
    const char *dashes;
    enum shape head;
    bool hollow; /* the arrowhead */
    bool twofold;
    double width;
} strokes[] = {
    [WEIR_LITMUS_PO] = { "#444444", "", TRIANGLE, false, false, 1.0 },
    [WEIR_LITMUS_RF] = { "#b00020", "", TRIANGLE, false, false, 2.0 },
    [WEIR_LITMUS_MO] = { "#0b57c4", DASHED, TRIANGLE, true, false, 1.5 },
    [WEIR_LITMUS_RB] = { "#b35c00", DOTTED, VEE, false, false, 2.2 },
    [WEIR_LITMUS_SW] = { "#6a1b9a", "", TRIANGLE, false, true, 1.0 },
    [WEIR_LITMUS_BAR] = { "#444444", "", NO_HEAD, false, true, 1.5 },
    [WEIR_LITMUS_HB] = { "#00695c", DASHED, DIAMOND, false, false, 2.5 },
    [WEIR_LITMUS_PSC] = { "#37474f", DOTTED, SQUARE, false, false, 2.5 },
    [WEIR_LITMUS_FSC] = { "#37474f", DOTTED, SQUARE, true, false, 2.5 },
    [WEIR_LITMUS_LOCORD] = { "#00695c", DASHED, TRIANGLE, false, false, 2.5 },
    [WEIR_LITMUS_RMW] = { "#444444", "", DOT, false, false, 3.0 },
    [WEIR_LITMUS_ADDR] = { "#2e7d32", DASHED, SQUARE, true, false, 1.0 },
    [WEIR_LITMUS_DATA] = { "#2e7d32", DASHED, DOT, true, false, 1.0 },
    [WEIR_LITMUS_CTRL] = { "#2e7d32", DASHED, DIAMOND, true, false, 1.0 },
    [WEIR_LITMUS_RACE] = { "#e00000", DASHED, NO_HEAD, false, false, 4.0 },
    [WEIR_LITMUS_RF_BACK] = { "#b00020", "", INVERSE, false, false, 1.0 },
    [WEIR_LITMUS_RMW_BACK] = { "#444444", "", INVERSE, true, false, 3.0 },
    [WEIR_LITMUS_NOT_HB] = { "#00695c", DOTTED, DIAMOND, true, false, 2.5 },
};

enum { N_KINDS = G_N_ELEMENTS(strokes) };

/* ---- The document ---------------------------------------------------------------- */

/* @top: where the layout begins; @width: of what has been written so far. */
struct page {
    GString *svg;
    double top;
    double width;
};

/* Appends @format with the next of @numbers for each @. SVG wants the C locale's
 * point. */
static void add(struct page *page, const char *format, const double *numbers)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    for (const char *at = format; *at != '\0'; at++) {
        if (*at == '@') {
            g_string_append(page->svg,
                            g_ascii_formatd(text, sizeof(text), "%.1f", *numbers++));
        } else {
            g_string_append_c(page->svg, *at);
        }
    }
}

/* Control characters have no place in XML. */
static void add_escaped(struct page *page, const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    for (char *at = valid; *at != '\0'; at++) {
        *at = g_ascii_iscntrl(*at) ? ' ' : *at;
    }
    g_autofree char *escaped = g_markup_escape_text(valid, -1);
    g_string_append(page->svg, escaped);
}

/* A line of text around the height @y; @x is its left end or, if @centred, its
 * middle. */
static void add_text(struct page *page, double x, double y, bool centred, int font,
                     const char *colour, const char *text)
{
    double width = weiri_sketch_text_width(text) * font / FONT;
    page->width = MAX(page->width, centred ? x + width / 2 : x + width);
    add(page, "<text x=\"@\" y=\"@\" font-size=\"@\"",
        (const double[]){ x, y + 0.36 * font, font });
    g_string_append_printf(page->svg, " fill=\"%s\"%s>", colour,
                           centred ? " text-anchor=\"middle\"" : "");
    add_escaped(page, text);
    g_string_append(page->svg, "</text>\n");
}

static void add_rectangle(struct page *page, double x, double y, double width,
                          double height, const char *style)
{
    add(page, "<rect x=\"@\" y=\"@\" width=\"@\" height=\"@\" ",
        (const double[]){ x - width / 2, y - height / 2, width, height });
    g_string_append_printf(page->svg, "%s/>\n", style);
    page->width = MAX(page->width, x + width / 2);
}

/* The end of a line, as an attribute can name it: event3 or initial0. */
static char *name_of(const struct weiri_sketch *sketch, uint32_t box)
{
    const char *prefix = sketch->drawing->prefix != NULL ? sketch->drawing->prefix : "";
    return box >= sketch->layout.n_boxes
        ? g_strdup_printf("%sinitial%u", prefix, box - sketch->layout.n_boxes)
        : g_strdup_printf("%sevent%u", prefix, sketch->events[box]);
}

static void add_box(const struct weiri_sketch *sketch, struct page *page,
                    uint32_t index)
{
    const struct weiri_layout *layout = &sketch->layout;
    bool is_source = index >= layout->n_boxes;
    const struct weiri_layout_box *box
        = is_source ? &layout->sources[index - layout->n_boxes] : &layout->boxes[index];
    const struct weir_litmus_event *event
        = is_source ? NULL : &sketch->execution->events[sketch->events[index]];
    bool grey = is_source || event->kind == WEIR_LITMUS_BARRIER
        || event->kind == WEIR_LITMUS_FENCE;
    g_auto(GStrv) lines = is_source
        ? weiri_sketch_source(sketch, index - layout->n_boxes)
        : weiri_sketch_lines(sketch, sketch->events[index]);
    g_autofree char *name = name_of(sketch, index);
    g_autofree char *style
        = g_strdup_printf("rx=\"%d\" fill=\"%s\" stroke=\"#000000\"", is_source ? 8 : 0,
                          grey ? "#eeeeee" : "#ffffff");
    double y = box->y + page->top, n = g_strv_length(lines);
    g_string_append_printf(page->svg, "<g class=\"box\" id=\"%s\">\n", name);
    add_rectangle(page, box->x, y, box->width,
                  is_source ? layout->source_height : layout->box_height, style);
    for (size_t i = 0; lines[i] != NULL; i++) {
        add_text(page, box->x, y + ((double)i - (n - 1) / 2) * WEIRI_SKETCH_LINE, true,
                 FONT, "#000000", lines[i]);
    }
    g_string_append(page->svg, "</g>\n");
}

/* The frame around the threads of a group. */
static void add_frame(const struct weiri_sketch *sketch, struct page *page,
                      const struct weiri_layout_frame *frame)
{
    const struct weiri_layout *layout = &sketch->layout;
    const char *name
        = weiri_sketch_thread(sketch, sketch->threads[frame->first])->frame_name;
    double top = layout->top + page->top, bottom = layout->bottom + page->top;
    g_autofree char *style = g_strdup_printf(
        "class=\"frame\" rx=\"10\" fill=\"none\" stroke-width=\"1.5\" stroke=\"%s\"",
        name != NULL ? "#888888" : "#dddddd");
    add_rectangle(page, (frame->left + frame->right) / 2, (top + bottom) / 2,
                  frame->right - frame->left, bottom - top, style);
    if (name != NULL) {
        add_text(page, frame->left + WEIRI_SKETCH_PADDING,
                 top + WEIRI_SKETCH_LINE * 0.7, false, SMALL_FONT, "#555555", name);
    }
}

/* ---- Lines ----------------------------------------------------------------------- */

typedef struct weiri_layout_point point;

static void add_head(struct page *page, const struct stroke *stroke, double size,
                     point end, point tip, double top)
{
    double length = hypot(tip.x - end.x, tip.y - end.y);
    point along = { (tip.x - end.x) / length, (tip.y - end.y) / length };
    size_t n = outlines[stroke->head].n;
    if (n == 0) {
        add(page, "<circle cx=\"@\" cy=\"@\" r=\"@\"",
            (const double[]){ (end.x + tip.x) / 2, (end.y + tip.y) / 2 + top,
                              0.42 * size });
    } else {
        g_string_append(page->svg, "<polygon points=\"");
        for (size_t i = 0; i < n; i++) {
            point corner = outlines[stroke->head].corners[i];
            double x = corner.x * HEAD, y = corner.y * size;
            add(page, i > 0 ? " @,@" : "@,@",
                (const double[]){ end.x + along.x * x - along.y * y,
                                  end.y + along.y * x + along.x * y + top });
        }
        g_string_append_c(page->svg, '"');
    }
    g_string_append_printf(page->svg, " fill=\"%s\" stroke=\"%s\"/>\n",
                           stroke->hollow ? "#ffffff" : stroke->colour, stroke->colour);
}

/* A line through @points, Bezier curves; @attributes: of its path. A twofold line is a
 * wide one with a white one upon it. */
static void add_line(struct page *page, enum weir_litmus_edge_kind kind, bool strong,
                     const GArray *points, point tip, double top,
                     const char *attributes)
{
    const struct stroke *stroke = &strokes[kind];
    double width = strong ? stroke->width + 2 : stroke->width;
    for (int pass = 0; pass <= stroke->twofold; pass++) {
        g_string_append_printf(page->svg, "<path%s fill=\"none\" stroke=\"%s\"%s",
                               pass == 0 ? attributes : "",
                               pass == 0 ? stroke->colour : "#ffffff", stroke->dashes);
        add(page, " stroke-width=\"@\" d=\"",
            (const double[]){ !stroke->twofold ? width
                                  : pass == 0  ? width * 2 + 1.5
                                               : 1.5 });
        for (guint i = 0; i < points->len; i++) {
            point at = g_array_index(points, point, i);
            add(page,
                i == 0           ? "M@,@"
                    : i % 3 == 1 ? " C@,@"
                                 : " @,@",
                (const double[]){ at.x, at.y + top });
            page->width = MAX(page->width, at.x);
        }
        g_string_append(page->svg, "\"/>\n");
    }
    if (stroke->head != NO_HEAD) {
        add_head(page, stroke, strong ? HEAD * 1.4 : HEAD,
                 g_array_index(points, point, points->len - 1), tip, top);
    }
}

static void add_edge(const struct weiri_sketch *sketch, struct page *page, guint index)
{
    const struct weiri_layout_line *line
        = &g_array_index(sketch->lines, struct weiri_layout_line, index);
    const struct weiri_sketch_edge *edge
        = &g_array_index(sketch->edges, struct weiri_sketch_edge, index);
    g_autofree char *from = name_of(sketch, line->from);
    g_autofree char *to = name_of(sketch, line->to);
    g_autofree char *attributes
        = g_strdup_printf(" class=\"edge\" data-from=\"%s\" data-to=\"%s\"", from, to);
    add_line(page, edge->kind, edge->number > 0, line->points, line->tip, page->top,
             attributes);
}

/* The name of an edge, on a ground that hides the line below it. */
static void add_edge_name(const struct weiri_sketch *sketch, struct page *page,
                          guint index)
{
    const struct weiri_layout_line *line
        = &g_array_index(sketch->lines, struct weiri_layout_line, index);
    const struct weiri_sketch_edge *edge
        = &g_array_index(sketch->edges, struct weiri_sketch_edge, index);
    if (line->label_width > 0) {
        g_autofree char *label = weiri_sketch_label(edge);
        int font = edge->number > 0 ? FONT : SMALL_FONT;
        double y = line->label.y + page->top;
        g_string_append(page->svg, "<g class=\"name\">\n");
        add_rectangle(page, line->label.x, y,
                      weiri_sketch_text_width(label) * font / FONT, WEIRI_SKETCH_LINE,
                      "fill=\"#ffffff\"");
        add_text(page, line->label.x, y, true, font, strokes[edge->kind].colour, label);
        g_string_append(page->svg, "</g>\n");
    }
}

/* ---- Text above and below -------------------------------------------------------- */

static bool has_kind(const struct weiri_sketch *sketch, unsigned kind)
{
    for (guint i = 0; i < sketch->edges->len; i++) {
        if (g_array_index(sketch->edges, struct weiri_sketch_edge, i).kind == kind) {
            return true;
        }
    }
    return false;
}

/* Explains each kind of edge that the drawing has, from @y on. Returns: the height
 * below */
static double add_legend(const struct weiri_sketch *sketch, struct page *page, double y)
{
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(point));
    for (unsigned kind = 0; kind < N_KINDS; kind++) {
        if (!has_kind(sketch, kind)) {
            continue;
        }
        double last = strokes[kind].head != NO_HEAD ? SAMPLE - HEAD : SAMPLE;
        double middle = y + TITLE_LINE / 2.0;
        const point ends[] = { { 0, middle },
                               { last / 3, middle },
                               { last * 2 / 3, middle },
                               { last, middle } };
        g_array_set_size(points, 0);
        g_array_append_vals(points, ends, G_N_ELEMENTS(ends));
        add_line(page, kind, false, points, (point){ SAMPLE, middle }, 0, "");
        g_autofree char *text = g_strdup_printf("%s: %s", weir_litmus_edge_name(kind),
                                                weir_litmus_edge_meaning(kind));
        add_text(page, SAMPLE + WEIRI_SKETCH_PADDING, middle, false, SMALL_FONT,
                 "#000000", text);
        y += TITLE_LINE;
    }
    if (sketch->drawing->cycle != NULL) {
        add_text(page, 0, y + TITLE_LINE / 2.0, false, SMALL_FONT, "#000000",
                 "thick, with numbers: the cycle, step by step");
        y += TITLE_LINE;
    }
    return y;
}

/* A title or note, in lines about as wide as the drawing. Returns: the height below */
static double add_note(const struct weiri_sketch *sketch, struct page *page, double y,
                       int font, const char *text)
{
    double width = CLAMP(sketch->layout.width, LEAST_NOTE, MOST_NOTE);
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    weiri_sketch_break(builder, text, (glong)(width * FONT / font / COLUMN));
    g_auto(GStrv) lines = g_strv_builder_end(builder);
    for (size_t i = 0; lines[i] != NULL; i++, y += TITLE_LINE) {
        add_text(page, 0, y + TITLE_LINE / 2.0, false, font, "#000000", lines[i]);
    }
    return y;
}

/* ---- Names ----------------------------------------------------------------------- */

static void clear_thread(void *data)
{
    struct weiri_drawing_thread *thread = data;
    g_free(thread->name);
    g_free(thread->frame_name);
}

struct weiri_drawing_names *weiri_drawing_names_new(void)
{
    struct weiri_drawing_names *names = g_new0(struct weiri_drawing_names, 1);
    names->threads = g_array_new(FALSE, FALSE, sizeof(struct weiri_drawing_thread));
    g_array_set_clear_func(names->threads, clear_thread);
    names->locations = g_ptr_array_new_with_free_func(g_free);
    return names;
}

void weiri_drawing_names_free(struct weiri_drawing_names *names)
{
    g_array_unref(names->threads);
    g_ptr_array_unref(names->locations);
    g_clear_pointer(&names->places, g_ptr_array_unref);
    g_free(names);
}

/* NULL where the test does not say. */
static char *frame_name(const struct weir_litmus *test,
                        const struct weir_litmus_thread *of)
{
    bool devices = of->device != 0;
    for (size_t t = 0; t < weir_litmus_n_threads(test); t++) {
        devices |= weir_litmus_nth_thread(test, t)->device != of->device;
    }
    return !of->placed ? NULL
        : devices      ? g_strdup_printf("device %u, group %u", of->device, of->group)
                       : g_strdup_printf("group %u", of->group);
}

struct weiri_drawing_names *weiri_drawing_names_of(const struct weir_litmus *test)
{
    struct weiri_drawing_names *names = weiri_drawing_names_new();
    for (size_t t = 0; t < weir_litmus_n_threads(test); t++) {
        const struct weir_litmus_thread *of = weir_litmus_nth_thread(test, t);
        struct weiri_drawing_thread thread
            = { g_strdup_printf("P%zu", t), (uint64_t)of->device << 32 | of->group,
                frame_name(test, of) };
        g_array_append_val(names->threads, thread);
    }
    for (size_t i = 0; i < weir_litmus_n_locations(test); i++) {
        const struct weir_litmus_location *of = weir_litmus_nth_location(test, i);
        g_ptr_array_add(names->locations,
                        g_strdup_printf("%s%s = %" G_GINT64_FORMAT,
                                        of->local ? "local " : "", of->name,
                                        of->initial));
    }
    return names;
}

/* ---- All of it ------------------------------------------------------------------- */

static void add_layout(const struct weiri_sketch *sketch, struct page *page)
{
    const struct weiri_layout *layout = &sketch->layout;
    for (uint32_t i = 0; i < layout->n_frames; i++) {
        add_frame(sketch, page, &layout->frames[i]);
    }
    for (guint i = 0; i < sketch->lines->len; i++) {
        add_edge(sketch, page, i);
    }
    for (uint32_t i = 0; i < layout->n_boxes + layout->n_sources; i++) {
        add_box(sketch, page, i);
    }
    for (uint32_t column = 0; column < layout->n_columns; column++) {
        add_text(page, layout->heads[column], layout->head_y + page->top, true,
                 FONT + 1, "#000000",
                 weiri_sketch_thread(sketch, sketch->threads[column])->name);
    }
    for (guint i = 0; i < sketch->lines->len; i++) {
        add_edge_name(sketch, page, i);
    }
}

char *weiri_litmus_graph(const struct weiri_litmus_drawing *drawing)
{
    struct weiri_sketch sketch;
    weiri_sketch_init(&sketch, drawing);
    struct page page = { .svg = g_string_new(NULL) };
    double y = add_note(&sketch, &page, 0, TITLE_FONT, drawing->title);
    for (size_t i = 0; i < drawing->n_notes; i++) {
        y = add_note(&sketch, &page, y, FONT, drawing->notes[i]);
    }
    page.top = y + TITLE_LINE;
    add_layout(&sketch, &page);
    y = add_legend(&sketch, &page, page.top + sketch.layout.height + TITLE_LINE);
    struct page document = { .svg = g_string_new(NULL) };
    double width = page.width + 2 * MARGIN, height = y + 2 * MARGIN;
    add(&document,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" role=\"img\" "
        "width=\"@pt\" height=\"@pt\" viewBox=\"@ @ @ @\" font-family=\"" FONTS
        "\">\n<title>",
        (const double[]){ width, height, -MARGIN, -MARGIN, width, height });
    add_escaped(&document, drawing->title);
    add(&document,
        "</title>\n<rect x=\"@\" y=\"@\" width=\"@\" height=\"@\" "
        "fill=\"#ffffff\"/>\n",
        (const double[]){ -MARGIN, -MARGIN, width, height });
    g_string_append_len(document.svg, page.svg->str, (gssize)page.svg->len);
    g_string_append(document.svg, "</svg>\n");
    g_string_free(page.svg, TRUE);
    weiri_sketch_clear(&sketch);
    return g_string_free(document.svg, FALSE);
}
