/* SPDX-License-Identifier: MIT
 *
 * timeline-svg.c: a trace for print: items as lanes, time from left to right, the local
 * memory of a group below its items, and small global memory below all.
 *
 *            | line 19   | line 23 |  line 25
 *     item 0 [ 7 ]( 7 )///////////|[ 7 ][ 3 ]( 10 )////|
 *     item 1 [ 3 ]( 3 )///////////|                     |
 *     scratch[0] .....| 7                  | 10
 *     scratch[1] .....| 3
 *
 * Kinds differ in shape and pattern, and in colour besides. All text has 12 pixels,
 * which are 9 points. Only times at which something drawn happens have a column.
 *
 * The file is long because all of a picture is placed by the same columns and lanes:
 * lanes, memory, arrows and marks each ask struct drawing where an event stands. */
#include "config.h"

#include "show/html-text.h"
#include "show/timeline-draw.h"

#include <inttypes.h>
#include <string.h>

enum {
    LANE = 26,
    BOX = 20, /* height of an event */
    CELL = 18,
    HEAD = 22, /* above the lanes of a group */
    GAP = 14,
    LEAST_COLUMN = 20,
    LETTER = 8, /* width of a digit, rounded up */
    MARGIN = 10,
    MOST_LETTERS = 10, /* of a value */
    MOST_CELLS = 16,   /* of an array */
    MOST_ARROWS = 400,
    LEAST_WIDTH = 640,
};

static const char STYLE[]
    = "<style>text{font:12px 'DejaVu Sans',Verdana,sans-serif;fill:#111}"
      ".h{font-weight:bold}.v{fill:#fff}.r{fill:#fff;stroke:#111}"
      ".w{fill:#00527f;stroke:#111}.a{fill:#8a3b00;stroke:#111}"
      ".f{fill:#5b2a6e;stroke:#111}.m{fill:#f4f4f4;stroke:#777}"
      ".l{stroke:#999;stroke-width:1}.b{stroke:#111;stroke-width:3}"
      ".d{fill:none;stroke:#00527f;stroke-width:1.5}"
      ".s{fill:none;stroke:#8a3b00;stroke-width:2.5;stroke-dasharray:7 4}"
      ".x{fill:#fff;stroke:#a4001d;stroke-width:2}.n{fill:#a4001d;font-weight:bold}"
      "</style>\n"
      "<defs><pattern id=\"wait\" width=\"6\" height=\"6\" "
      "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
      "<rect width=\"6\" height=\"6\" fill=\"#fff\"/>"
      "<path d=\"M0 0V6\" stroke=\"#666\" stroke-width=\"2.5\"/></pattern>"
      "<pattern id=\"none\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\">"
      "<rect width=\"5\" height=\"5\" fill=\"#fff\"/>"
      "<circle cx=\"2\" cy=\"2\" r=\"0.8\" fill=\"#888\"/></pattern>"
      "<marker id=\"to\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
      "markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
      "<path d=\"M0 0L8 4L0 8z\" fill=\"#00527f\"/></marker>"
      "<marker id=\"sy\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"11\" "
      "markerHeight=\"11\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
      "<path d=\"M0 0L8 4L0 8z\" fill=\"#8a3b00\"/></marker></defs>\n";

struct column {
    uint32_t time;
    int x, width;
    uint32_t line; /* of the source, if all events here have it */
    bool lines;    /* they have several */
};

struct drawing {
    GString *out;
    const struct weiri_traced_launch *launch;
    const struct weiri_timeline *timeline;
    uint64_t first, end; /* items */
    GArray *columns;     /* of struct column, by time */
    GHashTable *at;      /* time -> index in @columns, plus 1 */
    GHashTable *written; /* a set of objects, from 1, that drawn events write */
    uint32_t kinds;      /* of drawn events: a bit each */
    bool arrows[2];      /* some are drawn: of reads, of synchronisation */
    uint32_t last;       /* time that is drawn */
    int left, width;     /* of the columns; of all */
    GArray *tops;        /* of int: of the groups' heads, and of the global cells */
    int bottom;          /* of the lanes and cells */
    bool cut;            /* later times are left out */
};

static bool is_drawn(const struct drawing *drawing, const struct weiri_act *act)
{
    return act->item >= drawing->first && act->item < drawing->end
        && g_hash_table_contains(drawing->at, GUINT_TO_POINTER(act->time));
}

static const struct column *column_of(const struct drawing *drawing, uint32_t time)
{
    guint index
        = GPOINTER_TO_UINT(g_hash_table_lookup(drawing->at, GUINT_TO_POINTER(time)));
    return &g_array_index(drawing->columns, struct column, index - 1);
}

/* The value of an access, cut to fit. Returns: (transfer full): or NULL */
static char *label_of(const struct drawing *drawing, const struct weiri_act *act)
{
    if (act->object == 0 || (!weiri_act_reads(act) && !weiri_act_writes(act))) {
        return NULL;
    }
    uint64_t bits = weiri_act_writes(act) ? act->wrote : act->read;
    char *text = weiri_act_value(drawing->timeline, act, bits);
    if (strlen(text) > MOST_LETTERS) {
        text[MOST_LETTERS - 1] = '~';
        text[MOST_LETTERS] = '\0';
    }
    return text;
}

/* ---- Columns --------------------------------------------------------------------- */

static int compare_times(const void *a, const void *b)
{
    const struct column *one = a, *other = b;
    return one->time < other->time ? -1 : one->time > other->time;
}

static void add_to_column(struct drawing *drawing, const struct weiri_act *act)
{
    struct column *column = (struct column *)column_of(drawing, act->time);
    drawing->kinds |= 1u << act->kind;
    if (weiri_act_writes(act)) {
        g_hash_table_add(drawing->written, GUINT_TO_POINTER(act->object));
    }
    const struct weiri_act_site *site = weiri_act_site_of(drawing->timeline, act);
    g_autofree char *label = label_of(drawing, act);
    int width = label != NULL ? (int)strlen(label) * LETTER + 14 : 0;
    column->width = MAX(column->width, width);
    if (site != NULL && site->line > 0 && act->kind != WEIRI_ACT_LEAVE) {
        column->lines |= column->line != 0 && column->line != site->line;
        column->line = site->line;
        column->width = MAX(column->width, 3 * LETTER);
    }
}

static void make_columns(struct drawing *drawing, uint32_t from)
{
    const struct weiri_timeline *timeline = drawing->timeline;
    g_autoptr(GHashTable) times = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < timeline->acts->len; i++) {
        const struct weiri_act *act = weiri_act_at(timeline, i);
        if (act->item >= drawing->first && act->item < drawing->end && act->time >= from
            && g_hash_table_add(times, GUINT_TO_POINTER(act->time))) {
            struct column column = { .time = act->time, .width = LEAST_COLUMN };
            g_array_append_val(drawing->columns, column);
        }
    }
    g_array_sort(drawing->columns, compare_times);
    drawing->cut = drawing->columns->len > WEIRI_DRAWN_TIMES;
    g_array_set_size(drawing->columns,
                     MIN(drawing->columns->len, (guint)WEIRI_DRAWN_TIMES));
    for (guint i = 0; i < drawing->columns->len; i++) {
        struct column *column = &g_array_index(drawing->columns, struct column, i);
        g_hash_table_insert(drawing->at, GUINT_TO_POINTER(column->time),
                            GUINT_TO_POINTER(i + 1));
        drawing->last = column->time;
    }
    for (guint i = 0; i < timeline->acts->len; i++) {
        if (is_drawn(drawing, weiri_act_at(timeline, i))) {
            add_to_column(drawing, weiri_act_at(timeline, i));
        }
    }
}

/* ---- Rows ------------------------------------------------------------------------ */

static const struct weiri_act_object *object_at(const struct drawing *drawing, guint i)
{
    return &g_array_index(drawing->timeline->objects, struct weiri_act_object, i);
}

/* The elements of an object that are drawn: none if no drawn event writes it. */
static uint64_t n_cells(const struct drawing *drawing, guint object)
{
    const struct weiri_act_object *of = object_at(drawing, object);
    bool written
        = g_hash_table_contains(drawing->written, GUINT_TO_POINTER(object + 1));
    uint64_t n = written ? of->bytes / of->element_bytes : 0;
    return n <= MOST_CELLS ? n : of->local ? MOST_CELLS : 0;
}

/* The height of the cells of the objects before @end, of local or of global memory. */
static int height_of_cells(const struct drawing *drawing, bool local, guint end)
{
    int height = 0;
    for (guint i = 0; i < end; i++) {
        uint64_t n = object_at(drawing, i)->local == local ? n_cells(drawing, i) : 0;
        height += n > 0 ? (int)n * CELL + GAP : 0;
    }
    return height;
}

static void place_rows(struct drawing *drawing)
{
    const struct weiri_timeline *timeline = drawing->timeline;
    int y = 2 * HEAD + MARGIN;
    int cells = height_of_cells(drawing, true, timeline->objects->len);
    for (uint64_t item = drawing->first; item < drawing->end;
         item += timeline->group_items) {
        g_array_append_val(drawing->tops, y);
        uint64_t n = MIN(drawing->end - item, timeline->group_items);
        y += HEAD + (int)n * LANE + GAP + cells;
    }
    g_array_append_val(drawing->tops, y);
    drawing->bottom = y + height_of_cells(drawing, false, timeline->objects->len);
}

static int lane_of(const struct drawing *drawing, uint64_t item)
{
    uint64_t group = (item - drawing->first) / drawing->timeline->group_items;
    uint64_t local = (item - drawing->first) % drawing->timeline->group_items;
    return g_array_index(drawing->tops, int, group) + HEAD + (int)local * LANE;
}

/* Where the cells of an object begin. @group: of local memory, from the first drawn */
static int cells_of(const struct drawing *drawing, guint group, guint object)
{
    const struct weiri_timeline *timeline = drawing->timeline;
    uint64_t n = MIN(drawing->end - drawing->first, timeline->group_items);
    bool local = object_at(drawing, object)->local;
    guint at = local ? group : drawing->tops->len - 1;
    return g_array_index(drawing->tops, int, at)
        + (local ? HEAD + (int)n * LANE + GAP / 2 : 0)
        + height_of_cells(drawing, local, object);
}

/* ---- Pieces ---------------------------------------------------------------------- */

static void add_text(struct drawing *drawing, int x, int y, const char *class,
                     const char *anchor, const char *text)
{
    g_string_append_printf(drawing->out, "<text x=\"%d\" y=\"%d\"", x, y);
    if (class != NULL) {
        g_string_append_printf(drawing->out, " class=\"%s\"", class);
    }
    if (anchor != NULL) {
        g_string_append_printf(drawing->out, " text-anchor=\"%s\"", anchor);
    }
    g_string_append_c(drawing->out, '>');
    weiri_html_add_text(drawing->out, text);
    g_string_append(drawing->out, "</text>\n");
}

static void add_rect(struct drawing *drawing, const char *style, int x, int y,
                     int width, int height)
{
    g_string_append_printf(drawing->out,
                           "<rect %s x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
                           style, x, y, width, height);
}

/* An access: a box that reads, a dark box with round ends that writes, and a hexagon if
 * it is atomic. */
static void add_access(struct drawing *drawing, const struct weiri_act *act, int x,
                       int y, int width, const char *label)
{
    bool writes = weiri_act_writes(act);
    int middle = y + BOX / 2, right = x + width;
    if (weiri_act_is_atomic(act)) {
        g_string_append_printf(
            drawing->out,
            "<path class=\"%s\" d=\"M%d %dL%d %dH%dL%d %dL%d %dH%dz\"/>\n",
            writes ? "a" : "r", x, middle, x + 6, y, right - 6, right, middle,
            right - 6, y + BOX, x + 6);
    } else {
        g_string_append_printf(drawing->out,
                               "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" "
                               "height=\"%d\" rx=\"%d\"/>\n",
                               writes ? "w" : "r", x, y, width, BOX, writes ? 9 : 0);
    }
    if (label != NULL) {
        add_text(drawing, x + width / 2, y + BOX - 5, writes ? "v" : NULL, "middle",
                 label);
    }
}

/* An event that is not an access, around a point. */
static void add_mark(struct drawing *drawing, enum weiri_act_kind kind, int x, int y)
{
    switch (kind) {
    case WEIRI_ACT_START:
        g_string_append_printf(drawing->out, "<path d=\"M%d %dl9 7l-9 7z\"/>\n", x - 4,
                               y - 7);
        break;
    case WEIRI_ACT_END:
        add_rect(drawing, "fill=\"#111\"", x - 5, y - 5, 10, 10);
        break;
    case WEIRI_ACT_CUT:
        g_string_append_printf(drawing->out,
                               "<path stroke=\"#a4001d\" stroke-width=\"3\" "
                               "d=\"M%d %dl12 12m0 -12l-12 12\"/>\n",
                               x - 6, y - 6);
        break;
    case WEIRI_ACT_FENCE:
        add_rect(drawing, "class=\"f\"", x - 7, y - BOX / 2, 5, BOX);
        add_rect(drawing, "class=\"f\"", x + 2, y - BOX / 2, 5, BOX);
        break;
    default: /* a rendezvous: see add_group() */
        break;
    }
}

static void add_act(struct drawing *drawing, const struct weiri_act *act)
{
    const struct column *column = column_of(drawing, act->time);
    int y = lane_of(drawing, act->item) + 3;
    if (weiri_act_reads(act) || weiri_act_writes(act)) {
        g_autofree char *label = label_of(drawing, act);
        add_access(drawing, act, column->x, y, column->width, label);
    } else {
        add_mark(drawing, (enum weiri_act_kind)act->kind, column->x + column->width / 2,
                 y + BOX / 2);
    }
}

/* ---- Lanes ----------------------------------------------------------------------- */

/* The item's wait from its arrival to @until, or to the end of the drawing. */
static void add_wait(struct drawing *drawing, const struct weiri_act *arrival,
                     const struct weiri_act *until)
{
    const struct column *from = column_of(drawing, arrival->time);
    bool known = until != NULL && is_drawn(drawing, until);
    int x = from->x + 2;
    int end = known ? column_of(drawing, until->time)->x : drawing->width - MARGIN;
    if (known && until->kind == WEIRI_ACT_LEAVE) {
        end += column_of(drawing, until->time)->width / 2;
    }
    add_rect(drawing, "fill=\"url(#wait)\" stroke=\"#666\"", x,
             lane_of(drawing, arrival->item) + 7, end - x, BOX - 8);
}

static const char *short_name(const char *operation)
{
    return g_str_has_prefix(operation, "weir_") ? operation + 5 : operation;
}

/* A line across the lanes of the items that leave a rendezvous together. @last: of the
 * items of this time and group */
static void add_meeting(struct drawing *drawing, const struct weiri_act *first,
                        uint64_t last, int *label_end)
{
    const struct column *column = column_of(drawing, first->time);
    const struct weiri_act_site *site = weiri_act_site_of(drawing->timeline, first);
    int x = column->x + column->width / 2, y = lane_of(drawing, first->item);
    g_string_append_printf(drawing->out, "<path class=\"b\" d=\"M%d %dV%d\"/>\n", x, y,
                           lane_of(drawing, last) + LANE);
    const char *name = site != NULL ? short_name(site->operation) : "released";
    int half = (int)strlen(name) * LETTER / 2;
    bool head = (first->item - drawing->first) % drawing->timeline->group_items == 0;
    if (head && x - half > *label_end) {
        add_text(drawing, x, y - 6, NULL, "middle", name);
        *label_end = x + half + LETTER;
    }
}

/* Rendezvous and waits of one group. */
static void add_group(struct drawing *drawing, uint64_t first, uint64_t end)
{
    g_autofree const struct weiri_act **arrived
        = g_new0(const struct weiri_act *, end - first);
    g_autofree char *head
        = g_strdup_printf("group %" PRIu64, first / drawing->timeline->group_items);
    int y = lane_of(drawing, first), label_end = drawing->left;
    add_text(drawing, MARGIN, y - 6, "h", NULL, head);
    for (uint64_t item = first; item < end; item++) {
        int lane = lane_of(drawing, item);
        g_autofree char *name = g_strdup_printf("item %" PRIu64, item - first);
        add_text(drawing, drawing->left - 10, lane + LANE / 2 + 4, NULL, "end", name);
        g_string_append_printf(drawing->out, "<path class=\"l\" d=\"M%d %dH%d\"/>\n",
                               drawing->left, lane + LANE / 2, drawing->width - MARGIN);
    }
    const struct weiri_act *met = NULL;
    uint64_t last = 0;
    for (guint i = 0; i < drawing->timeline->acts->len; i++) {
        const struct weiri_act *act = weiri_act_at(drawing->timeline, i);
        if (act->item < first || act->item >= end || !is_drawn(drawing, act)) {
            continue;
        }
        const struct weiri_act **arrival = &arrived[act->item - first];
        if (met != NULL && (act->kind != WEIRI_ACT_LEAVE || act->time != met->time)) {
            add_meeting(drawing, met, last, &label_end);
            met = NULL;
        }
        if (*arrival != NULL) {
            add_wait(drawing, *arrival, act);
            *arrival = NULL;
        }
        if (act->kind == WEIRI_ACT_ARRIVE) {
            *arrival = act;
        } else if (act->kind == WEIRI_ACT_LEAVE) {
            met = met != NULL ? met : act;
            last = act->item;
        }
    }
    if (met != NULL) {
        add_meeting(drawing, met, last, &label_end);
    }
    for (uint64_t i = 0; i < end - first; i++) {
        if (arrived[i] != NULL) {
            add_wait(drawing, arrived[i], NULL);
        }
    }
}

/* ---- Local memory ---------------------------------------------------------------- */

/* A value of a cell, from @from to @x. */
static void add_value(struct drawing *drawing, const char *value, int from, int x,
                      int y)
{
    if (x - from < 2) {
        return;
    }
    add_rect(drawing,
             value == NULL ? "fill=\"url(#none)\" stroke=\"#999\"" : "class=\"m\"",
             from, y, x - from, CELL);
    if (value != NULL) {
        add_text(drawing, from + 5, y + CELL - 5, NULL, NULL, value);
    }
}

/* The contents of a cell in turn, as items from @first to @end write it. In global
 * memory, the value of the first read was there before. */
static void add_cell(struct drawing *drawing, uint64_t first, uint64_t end,
                     guint object, uint64_t cell, int y)
{
    const struct weiri_timeline *timeline = drawing->timeline;
    const struct weiri_act_object *of = object_at(drawing, object);
    g_autofree char *value = NULL;
    int from = drawing->left;
    g_autofree char *name = g_strdup_printf(
        "%s[%" PRId64 "]", of->variable != NULL ? of->variable : of->name,
        of->first + (int64_t)cell);
    add_text(drawing, drawing->left - 10, y + CELL - 5, NULL, "end", name);
    for (guint i = 0; i < timeline->acts->len; i++) {
        const struct weiri_act *act = weiri_act_at(timeline, i);
        if (act->object != object + 1 || act->offset / of->element_bytes != cell
            || act->item < first || act->item >= end || !is_drawn(drawing, act)) {
            continue;
        }
        if (value == NULL && !of->local && weiri_act_reads(act)) {
            value = weiri_act_value(timeline, act, act->read); /* since the launch */
        }
        if (weiri_act_writes(act)) {
            int x = column_of(drawing, act->time)->x;
            add_value(drawing, value, from, x, y);
            g_free(value);
            value = weiri_act_value(timeline, act, act->wrote);
            from = x;
        }
    }
    add_value(drawing, value, from, drawing->width - MARGIN, y);
}

/* The cells of an object. @group: of local memory, from the first drawn */
static void add_object(struct drawing *drawing, guint group, guint object)
{
    uint64_t items = drawing->timeline->group_items;
    uint64_t first = drawing->first + group * items, end = first + items;
    if (!object_at(drawing, object)->local) {
        first = drawing->first;
        end = drawing->end;
    }
    int y = cells_of(drawing, group, object);
    for (uint64_t cell = 0; cell < n_cells(drawing, object); cell++) {
        add_cell(drawing, first, end, object, cell, y + (int)cell * CELL);
    }
}

static void add_memory(struct drawing *drawing)
{
    for (guint object = 0; object < drawing->timeline->objects->len; object++) {
        bool local = object_at(drawing, object)->local;
        guint n_groups = local ? drawing->tops->len - 1 : 1;
        for (guint group = 0; group < n_groups; group++) {
            add_object(drawing, group, object);
        }
    }
}

/* ---- Arrows and findings --------------------------------------------------------- */

static void add_arrow(struct drawing *drawing, const struct weiri_act *from,
                      const struct weiri_act *to, bool synchronises)
{
    const struct column *left = column_of(drawing, from->time);
    const struct column *right = column_of(drawing, to->time);
    int x = left->x + left->width, y = lane_of(drawing, from->item) + 3 + BOX / 2;
    int end = right->x, end_y = lane_of(drawing, to->item) + 3 + BOX / 2;
    int bend = MAX((end - x) / 2, 12);
    drawing->arrows[synchronises] = true;
    g_string_append_printf(drawing->out,
                           "<path class=\"%s\" marker-end=\"url(#%s)\" "
                           "d=\"M%d %dC%d %d %d %d %d %d\"/>\n",
                           synchronises ? "s" : "d", synchronises ? "sy" : "to", x, y,
                           x + bend, y, end - bend, end_y, end, end_y);
}

static void add_arrows(struct drawing *drawing)
{
    const struct weiri_timeline *timeline = drawing->timeline;
    int n = 0;
    g_autoptr(GHashTable) joined = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < timeline->edges->len && n < MOST_ARROWS; i++) {
        const struct weiri_act_edge *edge
            = &g_array_index(timeline->edges, struct weiri_act_edge, i);
        const struct weiri_act *from = weiri_act_at(timeline, edge->from - 1);
        const struct weiri_act *to = weiri_act_at(timeline, edge->to - 1);
        if (is_drawn(drawing, from) && is_drawn(drawing, to)) {
            add_arrow(drawing, from, to, true);
            g_hash_table_add(joined, (void *)to);
            n++;
        }
    }
    for (guint i = 0; i < timeline->acts->len && n < MOST_ARROWS; i++) {
        const struct weiri_act *to = weiri_act_at(timeline, i);
        const struct weiri_act *from
            = to->from > 0 ? weiri_act_at(timeline, to->from - 1) : NULL;
        if (from != NULL && from->item != to->item && is_drawn(drawing, from)
            && is_drawn(drawing, to) && !g_hash_table_contains(joined, to)) {
            add_arrow(drawing, from, to, false);
            n++;
        }
    }
}

static void add_marks(struct drawing *drawing)
{
    const GArray *findings = drawing->launch->findings;
    for (guint i = 0; i < findings->len; i++) {
        const struct weiri_traced_finding *finding
            = &g_array_index(findings, struct weiri_traced_finding, i);
        for (guint k = 0; k < finding->events->len; k++) {
            uint32_t event = g_array_index(finding->events, uint32_t, k);
            const struct weiri_act *act
                = event > 0 ? weiri_act_at(drawing->timeline, event - 1) : NULL;
            if (act == NULL || !is_drawn(drawing, act)) {
                continue;
            }
            int x = column_of(drawing, act->time)->x + 1;
            int y = lane_of(drawing, act->item) + 4;
            g_autofree char *number = g_strdup_printf("%u", i + 1);
            g_string_append_printf(
                drawing->out, "<circle class=\"x\" cx=\"%d\" cy=\"%d\" r=\"8\"/>\n", x,
                y);
            add_text(drawing, x, y + 4, "n", "middle", number);
        }
    }
}

/* Appends a text in lines that fit. Returns: the place below */
static int add_wrapped(struct drawing *drawing, int y, const char *class,
                       const char *text)
{
    int letters = (drawing->width - 2 * MARGIN) / (LETTER - 1);
    g_auto(GStrv) words = g_strsplit_set(text, " \n", -1);
    g_autoptr(GString) line = g_string_new(NULL);
    for (size_t i = 0; words[i] != NULL; i++) {
        if (line->len > 0 && (int)(line->len + strlen(words[i])) > letters) {
            add_text(drawing, MARGIN, y, class, NULL, line->str);
            g_string_truncate(line, 0);
            y += CELL;
        }
        g_string_append_printf(line, "%s%s", line->len > 0 ? " " : "", words[i]);
    }
    add_text(drawing, MARGIN, y, class, NULL, line->str);
    return y + CELL;
}

static int add_findings(struct drawing *drawing, int y)
{
    const GArray *findings = drawing->launch->findings;
    for (guint i = 0; i < findings->len; i++) {
        const struct weiri_traced_finding *finding
            = &g_array_index(findings, struct weiri_traced_finding, i);
        g_autofree char *text
            = g_strdup_printf("%u  %s: %s", i + 1, finding->kind, finding->message);
        y = add_wrapped(drawing, y, "n", text);
    }
    return y;
}

/* ---- Around ---------------------------------------------------------------------- */

static void add_lines(struct drawing *drawing)
{
    int y = MARGIN + 2 * HEAD - 6;
    add_text(drawing, drawing->left - 10, y, NULL, "end", "line");
    uint32_t before = 0;
    for (guint i = 0; i < drawing->columns->len; i++) {
        const struct column *column
            = &g_array_index(drawing->columns, struct column, i);
        if (column->line != 0 && !column->lines && column->line != before) {
            g_autofree char *line = g_strdup_printf("%u", column->line);
            add_text(drawing, column->x + column->width / 2, y, NULL, "middle", line);
        }
        before = column->lines ? 0 : column->line != 0 ? column->line : before;
    }
}

/* Where a sign of the legend is, which has room for its text. A sign that does not fit
 * goes to the next line. */
static void next_sign(struct drawing *drawing, int *x, int *y, int *at,
                      const char *what)
{
    int width = 38 + (int)strlen(what) * (LETTER - 1) + 14;
    if (*x + width > drawing->width && *x > MARGIN) {
        *x = MARGIN;
        *y += BOX + 6;
    }
    *at = *x;
    add_text(drawing, *x + 38, *y + BOX - 5, NULL, NULL, what);
    *x += width;
}

static void add_legend_act(struct drawing *drawing, int *x, int *y,
                           enum weiri_act_kind kind, const char *what)
{
    const struct weiri_act act = { .kind = (uint8_t)kind };
    int at;
    next_sign(drawing, x, y, &at, what);
    if (weiri_act_reads(&act) || weiri_act_writes(&act)) {
        add_access(drawing, &act, at, *y, 30, NULL);
    } else {
        add_mark(drawing, kind, at + 15, *y + BOX / 2);
    }
}

/* The signs of the legend, where one of @kinds is drawn. */
#define SIGN(name) (1u << WEIRI_ACT_##name)
static const struct {
    enum weiri_act_kind kind;
    uint32_t kinds;
    const char *what;
} signs[] = {
    { WEIRI_ACT_START, SIGN(START), "starts" },
    { WEIRI_ACT_END, SIGN(END), "returns" },
    { WEIRI_ACT_CUT, SIGN(CUT), "never ends" },
    { WEIRI_ACT_READ, SIGN(READ), "reads" },
    { WEIRI_ACT_WRITE, SIGN(WRITE) | SIGN(UPDATE), "writes" },
    { WEIRI_ACT_ATOMIC_READ, SIGN(ATOMIC_READ), "atomic read" },
    { WEIRI_ACT_ATOMIC_WRITE, SIGN(ATOMIC_WRITE) | SIGN(ATOMIC_UPDATE),
      "atomic write" },
    { WEIRI_ACT_FENCE, SIGN(FENCE), "fence" },
};

static int add_legend(struct drawing *drawing, int y)
{
    static const char *const arrows[] = { "is read by", "synchronises with" };
    static const char *const styles[] = { "class=\"d\" marker-end=\"url(#to)\"",
                                          "class=\"s\" marker-end=\"url(#sy)\"" };
    int x = MARGIN, at;
    for (size_t i = 0; i < G_N_ELEMENTS(signs); i++) {
        if ((drawing->kinds & signs[i].kinds) != 0) {
            add_legend_act(drawing, &x, &y, signs[i].kind, signs[i].what);
        }
    }
    if ((drawing->kinds & SIGN(ARRIVE)) != 0) {
        next_sign(drawing, &x, &y, &at, "waits");
        add_rect(drawing, "fill=\"url(#wait)\" stroke=\"#666\"", at, y + 4, 30,
                 BOX - 8);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(arrows); i++) {
        if (drawing->arrows[i]) {
            next_sign(drawing, &x, &y, &at, arrows[i]);
            g_string_append_printf(drawing->out, "<path %s d=\"M%d %dh30\"/>\n",
                                   styles[i], at, y + BOX / 2);
        }
    }
    return y + BOX + GAP;
}

static void add_title(struct drawing *drawing)
{
    const struct weiri_traced_launch *launch = drawing->launch;
    const struct weiri_timeline *timeline = drawing->timeline;
    uint64_t items = timeline->n_groups * timeline->group_items;
    g_autoptr(GString) text = g_string_new(launch->kernel);
    g_string_append_printf(text, ": %" PRIu64 " items in groups of %zu, schedule %s",
                           items, timeline->group_items, launch->schedule);
    if (drawing->end - drawing->first < items) {
        g_string_append_printf(text, "; items %" PRIu64 " to %" PRIu64 " are shown",
                               drawing->first, drawing->end - 1);
    }
    if (drawing->cut) {
        g_string_append_printf(text, "; up to time %u", drawing->last);
    }
    add_text(drawing, MARGIN, MARGIN + 14, "h", NULL, text->str);
}

/* The widest name beside the lanes. */
static int left_of(const struct drawing *drawing)
{
    size_t letters = strlen("item 000");
    for (guint i = 0; i < drawing->timeline->objects->len; i++) {
        const struct weiri_act_object *object = object_at(drawing, i);
        const char *name = object->variable != NULL ? object->variable : object->name;
        if (n_cells(drawing, i) > 0) {
            letters = MAX(letters, strlen(name) + 4);
        }
    }
    return 2 * MARGIN + (int)letters * LETTER;
}

static void place_columns(struct drawing *drawing)
{
    int x = drawing->left = left_of(drawing);
    for (guint i = 0; i < drawing->columns->len; i++) {
        struct column *column = &g_array_index(drawing->columns, struct column, i);
        column->x = x;
        x += column->width + 4;
    }
    drawing->width = MAX(x + MARGIN, LEAST_WIDTH);
}

static void draw(struct drawing *drawing)
{
    const struct weiri_timeline *timeline = drawing->timeline;
    add_title(drawing);
    add_lines(drawing);
    for (uint64_t item = drawing->first; item < drawing->end;
         item += timeline->group_items) {
        add_group(drawing, item, MIN(item + timeline->group_items, drawing->end));
    }
    add_memory(drawing);
    add_arrows(drawing); /* drawn below the events, whose texts they must not cross */
    for (guint i = 0; i < timeline->acts->len; i++) {
        if (is_drawn(drawing, weiri_act_at(timeline, i))) {
            add_act(drawing, weiri_act_at(timeline, i));
        }
    }
    add_marks(drawing);
}

char *weiri_timeline_to_svg(const struct weiri_traced_launch *launch,
                            uint64_t first_group, uint32_t from)
{
    const struct weiri_timeline *timeline = launch->timeline;
    struct drawing drawing
        = { .out = g_string_new(NULL),
            .launch = launch,
            .timeline = timeline,
            .first = first_group * timeline->group_items,
            .columns = g_array_new(FALSE, FALSE, sizeof(struct column)),
            .at = g_hash_table_new(NULL, NULL),
            .written = g_hash_table_new(NULL, NULL),
            .tops = g_array_new(FALSE, FALSE, sizeof(int)) };
    uint64_t items = MAX(WEIRI_DRAWN_ITEMS / timeline->group_items, 1)
        * MIN(timeline->group_items, WEIRI_DRAWN_ITEMS);
    drawing.end
        = MIN(drawing.first + items, timeline->n_groups * timeline->group_items);
    make_columns(&drawing, from);
    place_columns(&drawing);
    place_rows(&drawing);
    draw(&drawing);
    int y = add_legend(&drawing, drawing.bottom) + GAP;
    y = add_findings(&drawing, y);
    g_autofree char *body = g_string_free(drawing.out, FALSE);
    GString *svg = g_string_new(NULL);
    g_string_append_printf(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
        "viewBox=\"0 0 %d %d\" role=\"img\">\n<title>",
        drawing.width, y, drawing.width, y);
    weiri_html_add_text(svg, launch->kernel);
    g_string_append_printf(svg, "</title>\n%s", STYLE);
    g_string_append_printf(
        svg, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n%s</svg>\n",
        drawing.width, y, body);
    g_array_unref(drawing.columns);
    g_array_unref(drawing.tops);
    g_hash_table_unref(drawing.at);
    g_hash_table_unref(drawing.written);
    return g_string_free(svg, FALSE);
}
