/* SPDX-License-Identifier: MIT
 *
 * waits.c: see waits.h.
 *
 *     +-------------------------------+
 *     | (1) item 3 of group 0         |<---+
 *     |     waiting at lock.c:20      |    |
 *     |     at the barrier, for    ---|--+ |
 *     +-------------------------------+  | |
 *     | (2) items 0-2 of group 0      |<-+ |
 *     |     spinning at lock.c:12     |    |
 *     |     on lock[0], from 1     ---|----+
 *     +-------------------------------+
 *
 * A box is a party: many items that are alike. Each thing that it waits for is a line
 * of the box, from which an arrow goes to the party that would have to act, in a lane
 * of its own on the right: so no arrow crosses a text. An item that spins waits for the
 * one that wrote its word last, if that is a party, as the holder of a lock is; else
 * for the groups that have not started; else for none, which is a box of its own.
 *
 * Invariant: the picture is a function of the finding. */
#include "config.h"

#include "show/waits.h"

#include "report/report.h"
#include "show/html-text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Pixels, which are also user units. */
enum {
    MARGIN = 4,
    ROW = 20,     /* height of a line of text */
    PAD = 10,     /* above and below the text of a box */
    BETWEEN = 18, /* height between boxes */
    TEXT = 40,    /* from the left edge of a box to its text */
    LETTER = 8,   /* no letter of a mean text is wider */
    LANE = 16,    /* width of an arrow's lane */
    HEAD = 7,     /* of an arrow */
    RADIUS = 11,  /* of a number's disc */
    MOST_BOXES = 12,
    COLOURS = 4, /* of parties, in turn */
};

/* No party: nothing is left that could act. */
enum { NOBODY = MOST_BOXES };

struct arrow {
    size_t from, to;
    char *text;   /* owned: what is waited for */
    bool perhaps; /* it could be that one */
    unsigned y;   /* of its line */
};

struct box {
    char *title, *state; /* owned */
    unsigned y, height;
};

struct drawing {
    const struct weir_finding *finding;
    size_t n; /* parties that are drawn */
    struct box boxes[MOST_BOXES + 1];
    GArray *arrows; /* of struct arrow */
    unsigned width; /* of a box */
};

/* ---- What waits for what --------------------------------------------------------- */

/* Whether @item is in "0-4,7". */
static bool has_item(const char *items, uint64_t item)
{
    g_auto(GStrv) words = g_strsplit(items != NULL ? items : "", ",", -1);
    bool found = false;
    for (size_t i = 0; words[i] != NULL; i++) {
        uint64_t first, last;
        int n = sscanf(words[i], "%" SCNu64 "-%" SCNu64, &first, &last);
        found |= n > 0 && item >= first && item <= (n == 2 ? last : first);
    }
    return found;
}

static bool same_group(const struct weir_party *a, const struct weir_party *b)
{
    return a->groups != NULL || b->groups != NULL
        || memcmp(a->group, b->group, sizeof(a->group)) == 0;
}

/* The party of the item that wrote last what @spinning reads; or NOBODY. */
static size_t writer_of(const struct drawing *drawing,
                        const struct weir_party *spinning)
{
    uint64_t item;
    size_t at[3];
    if (spinning->writer == NULL
        || sscanf(spinning->writer, "item %" SCNu64 " of group (%zu,%zu,%zu)", &item,
                  &at[0], &at[1], &at[2])
            != 4) {
        return NOBODY;
    }
    for (size_t i = 0; i < drawing->n; i++) {
        const struct weir_party *party = &drawing->finding->parties[i];
        if (party != spinning && party->state != WEIR_STATE_NOT_STARTED
            && party->groups == NULL && memcmp(party->group, at, sizeof(at)) == 0
            && has_item(party->items, item)) {
            return i;
        }
    }
    return NOBODY;
}

static size_t not_started(const struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->n; i++) {
        if (drawing->finding->parties[i].state == WEIR_STATE_NOT_STARTED) {
            return i;
        }
    }
    return NOBODY;
}

static void add_arrow(struct drawing *drawing, size_t from, size_t to, char *text,
                      bool perhaps)
{
    struct arrow arrow = { .from = from, .to = to, .text = text, .perhaps = perhaps };
    g_array_append_val(drawing->arrows, arrow);
}

static void add_spinning(struct drawing *drawing, size_t index)
{
    const struct weir_party *party = &drawing->finding->parties[index];
    g_autofree char *word = party->object != NULL
        ? g_strdup_printf("%s[%" PRIu64 "]", party->object, (uint64_t)party->index)
        : g_strdup("memory");
    g_autofree char *value = party->value != NULL
        ? g_strdup_printf("%s = %s", word, party->value)
        : g_strdup(word);
    size_t writer = writer_of(drawing, party), groups = not_started(drawing);
    if (writer != NOBODY) {
        add_arrow(drawing, index, writer,
                  g_strdup_printf("on %s, written last by", value), false);
    } else if (groups != NOBODY) {
        add_arrow(drawing, index, groups, g_strdup_printf("on %s, perhaps from", value),
                  true);
    } else {
        add_arrow(drawing, index, NOBODY, g_strdup_printf("on %s, from", value), false);
    }
}

/* Waits at a rendezvous for items of the group that spin. */
static void add_waiting(struct drawing *drawing, size_t index)
{
    const struct weir_party *party = &drawing->finding->parties[index];
    for (size_t i = 0; i < drawing->n; i++) {
        const struct weir_party *other = &drawing->finding->parties[i];
        if (other->state == WEIR_STATE_SPINNING && same_group(party, other)) {
            add_arrow(drawing, index, i,
                      g_strdup_printf("at %s, for",
                                      party->operation != NULL ? party->operation
                                                               : "barrier"),
                      false);
        }
    }
}

static void add_arrows(struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->n; i++) {
        switch (drawing->finding->parties[i].state) {
        case WEIR_STATE_SPINNING:
            add_spinning(drawing, i);
            break;
        case WEIR_STATE_WAITING:
            add_waiting(drawing, i);
            break;
        case WEIR_STATE_NOT_STARTED:
            add_arrow(drawing, i, 0, g_strdup("for room on the device, from"), false);
            break;
        default:
            break;
        }
    }
}

/* ---- Boxes ----------------------------------------------------------------------- */

static void make_box(struct box *box, const struct weir_party *party)
{
    g_autofree char *base
        = party->file != NULL ? g_path_get_basename(party->file) : NULL;
    g_autofree char *place
        = base != NULL ? weiri_report_place_text(base, party->line) : NULL;
    box->title = weiri_report_items_text(party, true);
    box->state
        = g_strdup_printf("%s%s%s", weir_state_name(party->state),
                          place != NULL ? " at " : "", place != NULL ? place : "");
}

static bool is_used(const struct drawing *drawing, size_t box)
{
    bool used = box < drawing->n;
    for (guint i = 0; !used && i < drawing->arrows->len; i++) {
        used = g_array_index(drawing->arrows, struct arrow, i).to == box;
    }
    return used;
}

static void widen(struct drawing *drawing, const char *text)
{
    unsigned width = TEXT + (unsigned)g_utf8_strlen(text, -1) * LETTER + PAD;
    drawing->width = MAX(drawing->width, width);
}

/* Places boxes one below the other. Returns: where they end */
static unsigned lay_out(struct drawing *drawing)
{
    unsigned y = MARGIN;
    for (size_t i = 0; i <= MOST_BOXES; i++) {
        struct box *box = &drawing->boxes[i];
        if (!is_used(drawing, i)) {
            continue;
        }
        box->y = y;
        box->height = 2 * PAD + 2 * ROW;
        widen(drawing, box->title);
        widen(drawing, box->state);
        for (guint k = 0; k < drawing->arrows->len; k++) {
            struct arrow *arrow = &g_array_index(drawing->arrows, struct arrow, k);
            if (arrow->from == i) {
                arrow->y = y + box->height - PAD + ROW / 2;
                box->height += ROW;
                widen(drawing, arrow->text);
            }
        }
        y += box->height + BETWEEN;
    }
    return y - BETWEEN + MARGIN;
}

/* ---- Drawing --------------------------------------------------------------------- */

static void draw_box(GString *svg, const struct drawing *drawing, size_t index)
{
    const struct box *box = &drawing->boxes[index];
    bool nobody = index == NOBODY;
    g_string_append_printf(svg,
                           "<rect class=\"w-box%s\" x=\"%d\" y=\"%u\" width=\"%u\" "
                           "height=\"%u\" rx=\"8\"/>\n",
                           nobody ? " w-nobody" : "", MARGIN, box->y, drawing->width,
                           box->height);
    unsigned y = box->y + PAD + ROW / 2;
    if (!nobody) {
        g_string_append_printf(svg,
                               "<circle class=\"p-mark c%zu\" cx=\"%d\" cy=\"%u\" "
                               "r=\"%d\"/>\n",
                               index % COLOURS, MARGIN + TEXT / 2, y, RADIUS);
        g_autofree char *number = g_strdup_printf("%zu", index + 1);
        weiri_html_add_label(svg, "p-number", MARGIN + TEXT / 2, y + 4, number);
    }
    weiri_html_add_label(svg, "w-who", MARGIN + TEXT, y + 4, box->title);
    weiri_html_add_label(svg, "p-faint", MARGIN + TEXT, y + ROW + 4, box->state);
}

/* @lane: from 0 */
static void draw_arrow(GString *svg, const struct drawing *drawing,
                       const struct arrow *arrow, unsigned lane)
{
    unsigned edge = MARGIN + drawing->width, x = edge + HEAD + (lane + 1) * LANE;
    const struct box *to = &drawing->boxes[arrow->to];
    /* Arrows to one box end below each other. */
    unsigned y = to->y + PAD + (HEAD + 3) * (lane % 3);
    weiri_html_add_label(svg, arrow->perhaps ? "p-faint" : "w-what", MARGIN + TEXT,
                         arrow->y + 4, arrow->text);
    g_string_append_printf(svg,
                           "<path class=\"w-arrow%s\" d=\"M%u %uH%uV%uH%u\"/>\n"
                           "<path class=\"w-head%s\" d=\"M%u %ul%d -%dv%dz\"/>\n",
                           arrow->perhaps ? " w-perhaps" : "", edge, arrow->y, x, y,
                           edge + HEAD, arrow->perhaps ? " w-perhaps" : "", edge, y,
                           HEAD, HEAD / 2 + 1, 2 * (HEAD / 2 + 1));
}

static void clear_arrow(void *data)
{
    g_free(((struct arrow *)data)->text);
}

unsigned weiri_waits_add(GString *page, const struct weir_finding *finding)
{
    bool drawn = finding->kind == WEIR_FINDING_DEADLOCK
        || finding->kind == WEIR_FINDING_LIVELOCK;
    if (!drawn || finding->n_parties == 0) {
        return 0;
    }
    struct drawing drawing
        = { .finding = finding,
            .n = MIN(finding->n_parties, MOST_BOXES),
            .arrows = g_array_new(FALSE, FALSE, sizeof(struct arrow)) };
    g_array_set_clear_func(drawing.arrows, clear_arrow);
    for (size_t i = 0; i < drawing.n; i++) {
        make_box(&drawing.boxes[i], &finding->parties[i]);
    }
    drawing.boxes[NOBODY].title = g_strdup("no item");
    drawing.boxes[NOBODY].state = g_strdup("no remaining item writes it");
    add_arrows(&drawing);
    unsigned height = lay_out(&drawing);
    unsigned width
        = 2 * MARGIN + drawing.width + HEAD + (drawing.arrows->len + 1) * LANE;
    weiri_html_add_picture(page, "which items wait for which", width, height);
    for (size_t i = 0; i <= MOST_BOXES; i++) {
        if (is_used(&drawing, i)) {
            draw_box(page, &drawing, i);
        }
        g_free(drawing.boxes[i].title);
        g_free(drawing.boxes[i].state);
    }
    for (guint i = 0; i < drawing.arrows->len; i++) {
        draw_arrow(page, &drawing, &g_array_index(drawing.arrows, struct arrow, i), i);
    }
    g_string_append(page, "</svg>\n");
    g_array_unref(drawing.arrows);
    return width;
}
