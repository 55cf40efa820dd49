/* SPDX-License-Identifier: MIT
 *
 * execution.c: the execution that an exploration shows for a finding, as text for
 * people. A column is an item, and a line is an event, or both halves of a
 * read-modify-write, in an order in which each read comes after the write that it
 * reads.
 *
 *   smallest execution: 4 of 12 events
 *       group (0,0,0)  group (1,0,0)
 *       item 0         item 0             sum.c
 *     ! write data[0]=1                   12  data[0] = 1;
 *       store flag[0]=1 relaxed device    13  weir_atomic_store(flag, 1);
 *                      load flag[0]=1 acquire device  16  if (weir_atomic_load(flag)) {
 *     !                read data[0]=0                 17  out[0] = data[0];
 *                        newest is 1, by item 0 of group (0,0,0) in line 12
 *
 * A cell may reach into the columns on its right, which are empty in its line. Where
 * there are too many columns, each line has the item's name in front. */
#include "config.h"

#include "report/report.h"

#include <inttypes.h>
#include <string.h>

enum {
    COLUMN = 15,       /* "group (0,0,0)" and two blanks */
    NARROW = 8,        /* "item 7" and two blanks: where all items are of one group */
    MOST_COLUMNS = 64, /* characters of all columns */
    MOST_CELL = 80,    /* characters up to the places */
    MOST_SOURCE = 60   /* of a line of source */
};

typedef struct weir_explored_event happening;

struct page {
    GString *text;
    const struct weir_explored_execution *execution;
    const happening **at; /* by step; owned */
    uint64_t *columns;    /* by item: its column, if it is shown */
    uint64_t n_columns;
    uint64_t width_of_column;
    const char *file; /* of all events that are shown, or NULL */
    bool in_columns;
    size_t width; /* of all cells */
};

static uint64_t index_of(const struct page *page, const happening *event)
{
    return (uint64_t)(event - page->execution->events);
}

/* Whether the event has a line of its own. */
static bool is_line(const happening *event)
{
    return event->matters && !(event->update && strcmp(event->kind, "write") == 0);
}

/* "item 0 of group (3,0,0)". Returns: (transfer full) */
static char *item_name(const struct weir_explored_execution *execution, uint64_t item)
{
    const struct weir_explored_item *of = &execution->items[item];
    return g_strdup_printf("item %" PRIu64 " of group (%zu,%zu,%zu)", of->item,
                           of->group[0], of->group[1], of->group[2]);
}

/* Whether the event is one of two that race. */
static bool explored_races(const struct weir_explored_execution *execution,
                           uint64_t event)
{
    for (size_t i = 0; i < execution->n_edges; i++) {
        const struct weir_explored_edge *edge = &execution->edges[i];
        if (strcmp(edge->kind, "race") == 0
            && (edge->from == event || edge->to == event)) {
            return true;
        }
    }
    return false;
}

/* "fetch_add arrived[0]=0->1 relaxed device", "barrier local". */
static char *cell_of(const struct page *page, const happening *event)
{
    static const char ATOMIC[] = "atomic ";
    const happening *next = event + 1;
    if (event->access == WEIR_ACCESS_NONE) {
        return g_str_has_prefix(event->text, "F ")
            ? g_strconcat("fence ", event->text + 2, NULL)
            : g_strdup(event->text);
    }
    const char *name = weir_access_name(event->access);
    name += g_str_has_prefix(name, ATOMIC) ? strlen(ATOMIC) : 0;
    bool updates = event->update && strcmp(event->kind, "read") == 0
        && index_of(page, next) < page->execution->n_events;
    return g_strdup_printf(
        "%s %s=%s%s%s%s%s%s%s", name, page->execution->locations[event->location].name,
        event->value, updates ? "->" : "", updates ? next->value : "",
        event->order != NULL ? " " : "", event->order != NULL ? event->order : "",
        event->scope != NULL ? " " : "", event->scope != NULL ? event->scope : "");
}

static char *lead_of(const struct page *page, const happening *event)
{
    if (page->in_columns) {
        return g_strnfill(page->columns[event->item] * page->width_of_column, ' ');
    }
    g_autofree char *name = item_name(page->execution, event->item);
    return g_strconcat(name, "  ", NULL);
}

static size_t columns_of(const char *text)
{
    return (size_t)g_utf8_strlen(text, -1);
}

static bool is_of_one_group(const struct page *page)
{
    const struct weir_explored_item *first = NULL;
    for (size_t i = 0; i < page->execution->n_items; i++) {
        const struct weir_explored_item *item = &page->execution->items[i];
        if (page->columns[i] == UINT64_MAX) {
            continue;
        }
        if (first != NULL
            && memcmp(first->group, item->group, sizeof(item->group)) != 0) {
            return false;
        }
        first = item;
    }
    return true;
}

/* Gives a column to each item that is shown, in their order. */
static void find_columns(struct page *page)
{
    const struct weir_explored_execution *execution = page->execution;
    bool known = false;
    for (size_t e = 0; e < execution->n_events; e++) {
        const happening *event = &execution->events[e];
        page->at[event->step] = event;
        if (!is_line(event)) {
            continue;
        }
        if (page->columns[event->item] == UINT64_MAX) {
            page->columns[event->item] = page->n_columns++;
        }
        page->file = known && g_strcmp0(page->file, event->file) != 0 ? NULL
            : known                                                   ? page->file
                                                                      : event->file;
        known = true;
    }
    page->width_of_column = is_of_one_group(page) ? NARROW : COLUMN;
    page->in_columns = page->n_columns * page->width_of_column <= MOST_COLUMNS;
    for (size_t e = 0; e < execution->n_events; e++) {
        if (is_line(&execution->events[e])) {
            g_autofree char *lead = lead_of(page, &execution->events[e]);
            g_autofree char *cell = cell_of(page, &execution->events[e]);
            page->width = MAX(page->width, columns_of(lead) + columns_of(cell));
        }
    }
    page->width
        = MIN(MAX(page->width, page->n_columns * page->width_of_column), MOST_CELL);
}

/* Followed by two blanks at least. */
static void add_padded(struct page *page, const char *text, size_t width)
{
    size_t n = columns_of(text);
    g_string_append(page->text, text);
    g_string_append_printf(page->text, "%*s", n + 2 < width ? (int)(width - n) : 2, "");
}

static void add_heads(struct page *page)
{
    for (int line = 0; line < 2 && page->in_columns; line++) {
        g_autoptr(GString) heads = g_string_new(NULL);
        for (size_t i = 0; i < page->execution->n_items; i++) {
            const struct weir_explored_item *item = &page->execution->items[i];
            if (page->columns[i] == UINT64_MAX) {
                continue;
            }
            g_autofree char *head = line == 0
                ? g_strdup_printf("group (%zu,%zu,%zu)", item->group[0], item->group[1],
                                  item->group[2])
                : g_strdup_printf("item %" PRIu64, item->item);
            bool repeated
                = line == 0 && page->width_of_column == NARROW && page->columns[i] > 0;
            g_string_append_printf(heads, "%-*s",
                                   repeated ? 0 : (int)page->width_of_column,
                                   repeated ? "" : head);
        }
        g_string_append(page->text, "    ");
        if (line == 1 && page->file != NULL) {
            add_padded(page, heads->str, page->width + 2);
            g_string_append(page->text, page->file);
        } else {
            g_string_append(page->text, g_strchomp(heads->str));
        }
        g_string_append_c(page->text, '\n');
    }
}

static void add_newest(struct page *page, const happening *event)
{
    const happening *by = &page->execution->events[event->newest_by];
    g_autofree char *writer = item_name(page->execution, by->item);
    g_autofree char *lead = lead_of(page, event);
    g_string_append_printf(page->text, "    %*s  newest is %s, by %s",
                           (int)columns_of(lead), "", event->newest, writer);
    if (by->line > 0) {
        g_string_append_printf(page->text, " in line %u", by->line);
    }
    g_string_append_c(page->text, '\n');
}

static void add_line(struct page *page, const happening *event)
{
    g_autofree char *lead = lead_of(page, event);
    g_autofree char *cell = cell_of(page, event);
    g_autofree char *whole = g_strconcat(lead, cell, NULL);
    uint64_t index = index_of(page, event);
    bool marked = event->newest != NULL || explored_races(page->execution, index)
        || (event->update && explored_races(page->execution, index + 1));
    g_string_append(page->text, marked ? "  ! " : "    ");
    if (event->file != NULL) {
        g_autofree char *place = page->file != NULL && page->in_columns
            ? g_strdup_printf("%u", event->line)
            : g_strdup_printf("%s:%u", event->file, event->line);
        add_padded(page, whole, page->width + 2);
        g_string_append(page->text, place);
        if (event->source != NULL) {
            g_autofree char *source = g_utf8_substring(
                event->source, 0, MIN(g_utf8_strlen(event->source, -1), MOST_SOURCE));
            g_string_append_printf(page->text, "  %s", source);
        }
    } else {
        g_string_append(page->text, whole);
    }
    g_string_append_c(page->text, '\n');
    if (event->newest != NULL) {
        add_newest(page, event);
    }
}

void weiri_report_add_execution(GString *text,
                                const struct weir_explored_execution *execution)
{
    struct page page = { .text = text, .execution = execution };
    page.at = g_new0(const happening *, execution->n_events + 1);
    page.columns = g_new(uint64_t, execution->n_items + 1);
    for (size_t i = 0; i < execution->n_items; i++) {
        page.columns[i] = UINT64_MAX;
    }
    size_t n = 0;
    for (size_t e = 0; e < execution->n_events; e++) {
        n += execution->events[e].matters;
    }
    find_columns(&page);
    g_string_append_printf(text, "  smallest execution: %zu of %" PRIu64 " events\n", n,
                           execution->n_events + execution->n_left_out);
    add_heads(&page);
    for (size_t i = 0; i < execution->n_events; i++) {
        if (page.at[i] != NULL && is_line(page.at[i])) {
            add_line(&page, page.at[i]);
        }
    }
    g_free(page.at);
    g_free(page.columns);
}
