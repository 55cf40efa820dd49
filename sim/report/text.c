/* SPDX-License-Identifier: MIT
 *
 * text.c: a report as text for people.
 *
 * A finding's message is its headline. Below it, a line a party, in columns:
 * who, in what state, where, and what they do there. A party whose site is not
 * known has "-" there.
 *
 *   barrier divergence in kernel 'tree_sum', group (3,0,0), phase 2: 5 of 8 ...
 *     items 0-4  waiting   tree.c:41  weir_barrier
 *     items 5-7  returned  -          -
 *     this is the first of 12 such groups
 *
 * Invariant: the text is a function of the report's values alone. */
#include "config.h"

#include "weir.h"

#include <string.h>

enum { COLUMNS = 4 };

static bool is_one_item(const char *items)
{
    return items != NULL && items[0] != '\0' && strpbrk(items, ",-") == NULL;
}

static char *who(const struct weir_party *party)
{
    return g_strdup_printf("%s %s", is_one_item(party->items) ? "item" : "items",
                           party->items != NULL ? party->items : "-");
}

static char *where(const struct weir_party *party)
{
    if (party->file == NULL) {
        return g_strdup("-");
    }
    return party->line > 0 ? g_strdup_printf("%s:%u", party->file, party->line)
                           : g_strdup(party->file);
}

static void add_parties(const struct weir_finding *finding, GString *text)
{
    size_t n = finding->n_parties;
    char **cells = g_new(char *, n *COLUMNS);
    size_t widths[COLUMNS] = { 0 };
    for (size_t i = 0; i < n; i++) {
        const struct weir_party *party = &finding->parties[i];
        char **row = cells + i * COLUMNS;
        row[0] = who(party);
        row[1] = g_strdup(party->state != NULL ? party->state : "-");
        row[2] = where(party);
        row[3] = g_strdup(party->operation != NULL ? party->operation : "-");
        for (size_t column = 0; column < COLUMNS; column++) {
            widths[column] = MAX(widths[column], strlen(row[column]));
        }
    }
    for (size_t i = 0; i < n * COLUMNS; i++) {
        size_t column = i % COLUMNS;
        bool last = column == COLUMNS - 1;
        g_string_append_printf(text, "  %-*s%s", last ? 0 : (int)widths[column],
                               cells[i], last ? "\n" : "");
        g_free(cells[i]);
    }
    g_free(cells);
}

char *weir_report_to_text(const struct weir_report *report)
{
    g_return_val_if_fail(report != NULL, NULL);
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < weir_report_n_findings(report); i++) {
        const struct weir_finding *finding = weir_report_finding(report, i);
        g_string_append_printf(text, "%s\n", finding->message);
        add_parties(finding, text);
        if (finding->count > 1) {
            g_string_append_printf(
                text, "  this is the first of %" G_GUINT64_FORMAT " such groups\n",
                finding->count);
        }
    }
    return g_string_free(text, FALSE);
}
