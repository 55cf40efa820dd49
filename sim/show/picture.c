/* SPDX-License-Identifier: MIT
 *
 * picture.c: see picture.h.
 *
 *             item 0     1     2     3    4-63
 *     phase 0   |        |     |     |     |
 *     barrier ==================================
 *     phase 1   |       (2)- - - - -(1)    |
 *                       read        write
 *
 * Each group that has a party is a panel of its own, as barriers are of a group. Items
 * that the finding does not speak of are folded into ranges, phases before the first
 * party's and between distant ones into a gap.
 *
 * Invariant: the picture is a function of the finding and of the size of a group. */
#include "config.h"

#include "show/picture.h"

#include "finding/identity.h"
#include "report/report.h"
#include "show/html-text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Pixels, which are also user units. */
enum {
    LABELS = 86,  /* width of the column with the names of rows */
    COLUMN = 54,  /* width of an item's */
    FOLDED = 66,  /* width of a range's */
    HEAD = 44,    /* height above the first phase */
    PHASE = 64,   /* height of a phase */
    GAP = 30,     /* height of phases that are left out */
    BAR = 14,     /* height of a barrier */
    RADIUS = 12,  /* of a mark */
    MARGIN = 4,   /* for the round ends of barriers */
    BETWEEN = 28, /* width between panels */
    MOST_COLUMNS = 14,
    MOST_PANELS = 3,
    MOST_PARTIES = 32,
    COLOURS = 4, /* of parties, in turn */
};

/* Items with linear ids from @first to @last. A column may stand for more items than
 * can be drawn. Each party that has items among them gets a place; the places are side
 * by side. */
struct column {
    uint64_t first, last;
    unsigned n_places; /* at least 1 */
    unsigned x;        /* of the middle of the first place */
    unsigned width;
};

/* A phase, or several that no party of the finding is in. */
struct row {
    uint64_t first, last;
    bool gap;
    unsigned y;      /* of the top */
    unsigned height; /* without the barrier below */
};

struct panel {
    const size_t *group;
    GArray *columns; /* of struct column */
    GArray *rows;    /* of struct row */
    unsigned x, width;
};

/* The place of a mark. */
struct mark {
    size_t party;
    unsigned x, y;
};

static bool is_in(const struct panel *panel, const struct weir_party *party)
{
    return memcmp(panel->group, party->group, sizeof(party->group)) == 0;
}

/* ---- Columns --------------------------------------------------------------------- */

static int compare_columns(const void *a, const void *b)
{
    uint64_t first = ((const struct column *)a)->first;
    uint64_t second = ((const struct column *)b)->first;
    return first < second ? -1 : first > second;
}

/* Adds the ranges of "0-4,7"; of what is malformed, nothing. */
static void add_ranges(GArray *columns, const char *items, bool only_first)
{
    g_auto(GStrv) words = g_strsplit(items != NULL ? items : "", ",", -1);
    for (size_t i = 0; words[i] != NULL && (!only_first || i == 0); i++) {
        struct column column = { 0 };
        if (sscanf(words[i], "%" SCNu64 "-%" SCNu64, &column.first, &column.last)
            == 1) {
            column.last = column.first;
        }
        if (words[i][0] != '\0' && column.first <= column.last) {
            g_array_append_val(columns, column);
        }
    }
}

/* Adds the items from @from to before @end, that no party is of: one or two each for
 * itself, more as a range. */
static void add_between(GArray *columns, uint64_t from, uint64_t end)
{
    uint64_t step = end - from <= 2 ? 1 : end - from;
    for (; from < end; from += step) {
        struct column column = { .first = from, .last = from + step - 1 };
        g_array_append_val(columns, column);
    }
}

/* Adds the items between two columns; if the number of items is known, also the items
 * after the last column. No item is drawn that does not exist. Returns: (transfer
 * full) */
static GArray *fill(GArray *columns, size_t local)
{
    GArray *filled = g_array_new(FALSE, FALSE, sizeof(struct column));
    uint64_t next = 0;
    for (guint i = 0; i < columns->len; i++) {
        const struct column *column = &g_array_index(columns, struct column, i);
        add_between(filled, next, column->first);
        g_array_append_vals(filled, column, 1);
        next = column->last + 1;
    }
    if (local > next) {
        add_between(filled, next, local);
    }
    g_array_unref(columns);
    return filled;
}

/* If there are too many columns, the ones in the middle become one. */
static void cut(GArray *columns)
{
    if (columns->len > MOST_COLUMNS) {
        guint from = MOST_COLUMNS - 3, n = columns->len - MOST_COLUMNS + 1;
        struct column cut
            = { .first = g_array_index(columns, struct column, from).first,
                .last = g_array_index(columns, struct column, from + n - 1).last };
        g_array_remove_range(columns, from, n);
        g_array_insert_val(columns, from, cut);
    }
}

/* Two parties may be of the same items. */
static void unite(GArray *columns)
{
    g_array_sort(columns, compare_columns);
    for (guint i = 1; i < columns->len;) {
        struct column *before = &g_array_index(columns, struct column, i - 1);
        const struct column *column = &g_array_index(columns, struct column, i);
        if (column->first <= before->last) {
            before->last = MAX(before->last, column->last);
            g_array_remove_index(columns, i);
        } else {
            i++;
        }
    }
}

/* Parties that have items in a column; at least 1. */
static unsigned n_parties_in(const struct panel *panel,
                             const struct weir_finding *finding,
                             const struct column *column)
{
    unsigned n = 0;
    for (size_t i = 0; i < finding->n_parties && i < MOST_PARTIES; i++) {
        g_autoptr(GArray) items = g_array_new(FALSE, FALSE, sizeof(struct column));
        if (is_in(panel, &finding->parties[i])) {
            add_ranges(items, finding->parties[i].items,
                       weiri_finding_is_race(finding));
        }
        bool there = false;
        for (guint k = 0; !there && k < items->len; k++) {
            uint64_t first = g_array_index(items, struct column, k).first;
            there = first >= column->first && first <= column->last;
        }
        n += there;
    }
    return MAX(n, 1);
}

static void add_columns(struct panel *panel, const struct weir_finding *finding,
                        size_t local)
{
    panel->columns = g_array_new(FALSE, FALSE, sizeof(struct column));
    for (size_t i = 0; i < finding->n_parties && i < MOST_PARTIES; i++) {
        if (is_in(panel, &finding->parties[i])) {
            add_ranges(panel->columns, finding->parties[i].items,
                       weiri_finding_is_race(finding));
        }
    }
    unite(panel->columns);
    if (panel->columns->len > 0) {
        panel->columns = fill(panel->columns, local);
        cut(panel->columns);
    }
    unsigned x = panel->x + LABELS;
    for (guint i = 0; i < panel->columns->len; i++) {
        struct column *column = &g_array_index(panel->columns, struct column, i);
        column->n_places = n_parties_in(panel, finding, column);
        column->width = column->last > column->first ? FOLDED : COLUMN;
        column->x = x + column->width / 2;
        column->width += (column->n_places - 1) * COLUMN;
        x += column->width;
    }
    panel->width = x - panel->x;
}

/* The column of a party's first item, or of item @item of it; or NULL. */
static const struct column *column_of(const struct panel *panel, uint64_t item)
{
    for (guint i = 0; i < panel->columns->len; i++) {
        const struct column *column = &g_array_index(panel->columns, struct column, i);
        if (item >= column->first && item <= column->last) {
            return column;
        }
    }
    return NULL;
}

/* ---- Rows ------------------------------------------------------------------------ */

static int compare_phases(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return first < second ? -1 : first > second;
}

static void add_row(struct panel *panel, uint64_t first, uint64_t last, bool gap,
                    unsigned *y)
{
    struct row row = {
        .first = first, .last = last, .gap = gap, .y = *y, .height = gap ? GAP : PHASE
    };
    g_array_append_val(panel->rows, row);
    *y += row.height + BAR;
}

/* The parties' phases, and what is left out before and between them. */
static void add_rows(struct panel *panel, const struct weir_finding *finding)
{
    g_autoptr(GArray) phases = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    for (size_t i = 0; i < finding->n_parties && i < MOST_PARTIES; i++) {
        if (is_in(panel, &finding->parties[i])) {
            g_array_append_val(phases, finding->parties[i].phase);
        }
    }
    g_array_sort(phases, compare_phases);
    panel->rows = g_array_new(FALSE, FALSE, sizeof(struct row));
    unsigned y = HEAD;
    uint64_t next = 0;
    for (guint i = 0; i < phases->len; i++) {
        uint64_t phase = g_array_index(phases, uint64_t, i);
        if (i > 0 && phase < next) {
            continue; /* the same again */
        }
        if (phase > next) {
            add_row(panel, next, phase - 1, true, &y);
        }
        add_row(panel, phase, phase, false, &y);
        next = phase + 1;
    }
}

static const struct row *row_of(const struct panel *panel, uint64_t phase)
{
    for (guint i = 0; i < panel->rows->len; i++) {
        const struct row *row = &g_array_index(panel->rows, struct row, i);
        if (phase >= row->first && phase <= row->last) {
            return row;
        }
    }
    return NULL;
}

static unsigned bottom_of(const struct panel *panel)
{
    const struct row *last
        = &g_array_index(panel->rows, struct row, panel->rows->len - 1);
    return last->y + last->height;
}

/* ---- Drawing --------------------------------------------------------------------- */

static void draw_columns(GString *svg, const struct panel *panel)
{
    unsigned bottom = bottom_of(panel);
    for (guint i = 0; i < panel->columns->len; i++) {
        const struct column *column = &g_array_index(panel->columns, struct column, i);
        bool one = column->first == column->last;
        g_autofree char *name = one
            ? g_strdup_printf("%" PRIu64, column->first)
            : g_strdup_printf("%" PRIu64 "–%" PRIu64, column->first, column->last);
        weiri_html_add_label(svg, "p-item",
                             column->x + (column->n_places - 1) * COLUMN / 2, HEAD - 10,
                             name);
        for (unsigned k = 0; k < column->n_places; k++) {
            unsigned x = column->x + k * COLUMN;
            g_string_append_printf(svg,
                                   "<line class=\"%s\" x1=\"%u\" y1=\"%u\" x2=\"%u\" "
                                   "y2=\"%u\"/>\n",
                                   one ? "p-life" : "p-life p-many", x, HEAD, x,
                                   bottom);
        }
    }
}

/* Whether a party of the panel waits at the end of a phase for items that do not
 * come. */
static bool is_missed(const struct panel *panel, const struct weir_finding *finding,
                      const struct row *row)
{
    for (size_t i = 0; !weiri_finding_is_race(finding) && i < finding->n_parties; i++) {
        const struct weir_party *party = &finding->parties[i];
        if (is_in(panel, party) && party->phase == row->first
            && party->state == WEIR_STATE_WAITING) {
            return true;
        }
    }
    return false;
}

static void draw_rows(GString *svg, const struct panel *panel,
                      const struct weir_finding *finding)
{
    for (guint i = 0; i < panel->rows->len; i++) {
        const struct row *row = &g_array_index(panel->rows, struct row, i);
        bool last = i == panel->rows->len - 1;
        bool missed = last && is_missed(panel, finding, row);
        bool several = row->last > row->first;
        g_autofree char *name = several
            ? g_strdup_printf("phases %" PRIu64 "–%" PRIu64, row->first, row->last)
            : g_strdup_printf("phase %" PRIu64, row->first);
        weiri_html_add_label(svg, row->gap ? "p-row p-faint" : "p-row", panel->x,
                             row->y + (row->gap ? row->height / 2 + 4 : 18), name);
        if (last && !missed) {
            break;
        }
        unsigned y = row->y + row->height + BAR / 2;
        g_string_append_printf(
            svg, "<line class=\"%s\" x1=\"%u\" y1=\"%u\" x2=\"%u\" y2=\"%u\"/>\n",
            missed ? "p-bar p-missed" : "p-bar", panel->x + LABELS, y,
            panel->x + panel->width, y);
        weiri_html_add_label(svg, missed ? "p-row p-alarm" : "p-row p-faint", panel->x,
                             y + 4, "barrier");
    }
}

/* A mark is a disc with the party's number; one of items that have returned is a ring,
 * as nothing comes after it. */
static void draw_mark(GString *svg, const struct weir_finding *finding,
                      const struct mark *mark)
{
    const struct weir_party *party = &finding->parties[mark->party];
    bool hollow
        = party->state == WEIR_STATE_RETURNED || party->access == WEIR_ACCESS_READ;
    g_string_append_printf(svg,
                           "<circle class=\"p-mark c%zu%s\" cx=\"%u\" cy=\"%u\" "
                           "r=\"%d\"/>\n",
                           mark->party % COLOURS, hollow ? " p-hollow" : "", mark->x,
                           mark->y, RADIUS);
    g_autofree char *number = g_strdup_printf("%zu", mark->party + 1);
    weiri_html_add_label(svg, hollow ? "p-number p-dark" : "p-number", mark->x,
                         mark->y + 4, number);
}

/* The act of a party there, in a word that fits a column. */
static const char *word_of(const struct weir_party *party)
{
    if (party->access == WEIR_ACCESS_NONE) {
        return party->state == WEIR_STATE_WAITING ? "waits"
            : party->state != WEIR_STATE_NONE     ? weir_state_name(party->state)
                                                  : "";
    }
    return party->access >= WEIR_ACCESS_ATOMIC_LOAD ? "atomic"
                                                    : weir_access_name(party->access);
}

/* The first place of a column that no mark is at. */
static unsigned free_place(const GArray *marks, const struct column *column)
{
    unsigned x = column->x;
    for (guint i = 0; i < marks->len; i++) {
        x += g_array_index(marks, struct mark, i).x == x ? COLUMN : 0;
    }
    return x;
}

static void add_marks(GArray *marks, const struct panel *panel,
                      const struct weir_finding *finding, size_t index)
{
    const struct weir_party *party = &finding->parties[index];
    const struct row *row = row_of(panel, party->phase);
    g_autoptr(GArray) items = g_array_new(FALSE, FALSE, sizeof(struct column));
    add_ranges(items, party->items, weiri_finding_is_race(finding));
    const struct column *before = NULL;
    for (guint i = 0; row != NULL && i < items->len; i++) {
        const struct column *column
            = column_of(panel, g_array_index(items, struct column, i).first);
        if (column == NULL || column == before) {
            continue;
        }
        struct mark mark
            = { index, free_place(marks, column), row->y + row->height / 2 - 6 };
        g_array_append_val(marks, mark);
        before = column;
    }
}

/* A dashed line joins the two marks of a race, below everything else. */
static void draw_join(GString *svg, const struct weir_finding *finding, GArray *marks)
{
    if (weiri_finding_is_race(finding) && marks->len == 2) {
        const struct mark *first = &g_array_index(marks, struct mark, 0);
        const struct mark *second = &g_array_index(marks, struct mark, 1);
        g_string_append_printf(svg,
                               "<line class=\"p-race\" x1=\"%u\" y1=\"%u\" x2=\"%u\" "
                               "y2=\"%u\"/>\n",
                               first->x, first->y, second->x, second->y);
    }
}

static void draw_marks(GString *svg, const struct weir_finding *finding, GArray *marks)
{
    for (guint i = 0; i < marks->len; i++) {
        const struct mark *mark = &g_array_index(marks, struct mark, i);
        draw_mark(svg, finding, mark);
        weiri_html_add_label(svg, "p-word", mark->x, mark->y + RADIUS + 15,
                             word_of(&finding->parties[mark->party]));
    }
}

static void draw_panel(GString *svg, const struct panel *panel,
                       const struct weir_finding *finding)
{
    g_autofree char *group = g_strdup_printf("group (%zu,%zu,%zu)", panel->group[0],
                                             panel->group[1], panel->group[2]);
    weiri_html_add_label(svg, "p-group", panel->x, 14, group);
    weiri_html_add_label(svg, "p-row p-faint", panel->x, HEAD - 10, "item");
    draw_columns(svg, panel);
    draw_rows(svg, panel, finding);
}

/* ---- The whole ------------------------------------------------------------------- */

static void clear_panel(void *data)
{
    struct panel *panel = data;
    g_clear_pointer(&panel->columns, g_array_unref);
    g_clear_pointer(&panel->rows, g_array_unref);
}

/* Returns: (transfer full): a panel for each group, in the order of the parties */
static GArray *new_panels(const struct weir_finding *finding, size_t local)
{
    GArray *panels = g_array_new(FALSE, TRUE, sizeof(struct panel));
    g_array_set_clear_func(panels, clear_panel);
    unsigned x = 0;
    for (size_t i = 0; i < finding->n_parties && i < MOST_PARTIES; i++) {
        const struct weir_party *party = &finding->parties[i];
        bool there = panels->len >= MOST_PANELS || party->items == NULL;
        for (guint k = 0; !there && k < panels->len; k++) {
            there = is_in(&g_array_index(panels, struct panel, k), party);
        }
        if (there) {
            continue;
        }
        struct panel panel = { .group = party->group, .x = x };
        add_columns(&panel, finding, local);
        if (panel.columns->len == 0) {
            clear_panel(&panel);
            continue;
        }
        add_rows(&panel, finding);
        x += panel.width + BETWEEN;
        g_array_append_val(panels, panel);
    }
    return panels;
}

unsigned weiri_picture_add(GString *page, const struct weir_finding *finding,
                           size_t local)
{
    /* Parties that are commands are not items of one group. */
    bool drawn = finding->kind == WEIR_FINDING_BARRIER_DIVERGENCE
        || (weiri_finding_is_race(finding)
            && g_strcmp0(finding->form, "commands") != 0);
    g_autoptr(GArray) panels = new_panels(finding, local);
    if (!drawn || panels->len == 0) {
        return 0;
    }
    g_autoptr(GArray) marks = g_array_new(FALSE, FALSE, sizeof(struct mark));
    unsigned width = 0, height = 0;
    for (guint i = 0; i < panels->len; i++) {
        const struct panel *panel = &g_array_index(panels, struct panel, i);
        for (size_t k = 0; k < finding->n_parties && k < MOST_PARTIES; k++) {
            if (is_in(panel, &finding->parties[k])) {
                add_marks(marks, panel, finding, k);
            }
        }
        width = panel->x + panel->width + MARGIN;
        height = MAX(height, bottom_of(panel) + BAR + 6);
    }
    g_autoptr(GString) svg = g_string_new(NULL);
    draw_join(svg, finding, marks);
    for (guint i = 0; i < panels->len; i++) {
        draw_panel(svg, &g_array_index(panels, struct panel, i), finding);
    }
    draw_marks(svg, finding, marks);
    weiri_html_add_picture(page, "the group over its barriers", width, height);
    g_string_append_printf(page, "%s</svg>\n", svg->str);
    return width;
}
