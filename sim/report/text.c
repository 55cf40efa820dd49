/* SPDX-License-Identifier: MIT
 *
 * text.c: a report as text for people.
 *
 * A finding's message is its headline. Below it, a line a party, in columns: the
 * items, their state, their place, and the line of the source there, or else the
 * operation, or why the line is not known. An item at no place has "-". Under a
 * party, indented further: the calls on the way to that place, and for one that spins,
 * the memory that it waits for.
 *
 *   barrier divergence in kernel 'tree_sum', group (3,0,0), phase 2: 5 of 8 ...
 *     items 0-4  waiting   tree.c:12  weir_barrier(item, WEIR_LOCAL);
 *       called from kernel tree_sum at tree.c:41
 *     items 5-7  returned  -          -
 *     they parted after tree.c:32
 *     this is the first of 12 such groups
 *
 * A finding of accesses to memory has these in the first column, and below them why
 * they are wrong. Where `weir check` has tried a change of the source that repairs it,
 * that is the line "fix".
 *
 *   data race in kernel 'shares', group (0,0,0): local array of shares.c:6[0]
 *     write  item 0  shares.c:11  part[lid] += part[lid + stride];
 *     read   item 1  shares.c:14  args->out[i] = 1000 * args->in[i] / part[0];
 *     why    no barrier of the group lies between the two
 *     fix    insert weir_barrier(item, WEIR_LOCAL) after shares.c:13 (tried: ...)
 *     seen 28 times
 *
 * The headline names the group, or both. If the parties are of more than one group,
 * each line has the group of its items, too.
 *
 * Invariant: the text is a function of the report's values alone. */
#include "config.h"

#include "report/report.h"

#include <string.h>

enum { COLUMNS = 4 };

static bool is_one(const char *ranges)
{
    return strpbrk(ranges, ",-") == NULL;
}

static bool is_known(const char *text)
{
    return text != NULL && text[0] != '\0';
}

bool weiri_report_spans_groups(const struct weir_finding *finding)
{
    for (size_t i = 0; i < finding->n_parties; i++) {
        const struct weir_party *party = &finding->parties[i];
        if (party->groups != NULL
            || memcmp(party->group, finding->parties[0].group, sizeof(party->group))
                != 0) {
            return true;
        }
    }
    return false;
}

char *weiri_report_items_text(const struct weir_party *party, bool with_group)
{
    GString *text = g_string_new(NULL);
    if (party->state == WEIR_STATE_HOST) {
        g_string_append(text, is_known(party->operation) ? party->operation : "host");
        return g_string_free(text, FALSE);
    }
    if (is_known(party->items)) {
        g_string_append_printf(text, "%s %s", is_one(party->items) ? "item" : "items",
                               party->items);
    }
    if (with_group) {
        g_string_append(text, text->len > 0 ? " of " : "");
        if (is_known(party->groups)) {
            g_string_append_printf(text, "%s %s",
                                   is_one(party->groups) ? "group" : "groups",
                                   party->groups);
        } else {
            g_string_append_printf(text, "group (%zu,%zu,%zu)", party->group[0],
                                   party->group[1], party->group[2]);
        }
    }
    return g_string_free(text, FALSE);
}

char *weiri_report_place_text(const char *file, uint32_t line)
{
    return line > 0 ? g_strdup_printf("%s:%u", file, line) : g_strdup(file);
}

const char *weiri_report_no_line_text(const struct weir_party *party)
{
    /* An item that has returned may be at no place. */
    bool somewhere = party->access != WEIR_ACCESS_NONE || is_known(party->function)
        || party->state == WEIR_STATE_RUNNING || party->state == WEIR_STATE_SPINNING;
    return party->file != NULL || !somewhere ? NULL
        : is_known(party->function) ? "no line is known: compile this code with -g"
                                    : "no line is known: compile with -g, do not strip";
}

/* The third column. */
static char *site_text(const struct weir_party *party)
{
    if (party->file != NULL) {
        return weiri_report_place_text(party->file, party->line);
    }
    return g_strdup(is_known(party->function) ? party->function : "-");
}

/* The last column. */
static const char *source_text(const struct weir_party *party)
{
    if (is_known(party->source)) {
        return party->source;
    }
    const char *no_line = weiri_report_no_line_text(party);
    return is_known(party->operation) ? party->operation
        : no_line != NULL             ? no_line
                                      : "-";
}

char *weiri_report_call_text(const struct weir_frame *frame)
{
    g_autofree char *place = frame->file != NULL
        ? weiri_report_place_text(frame->file, frame->line)
        : NULL;
    return g_strconcat("called from ", frame->function != NULL ? frame->function : "-",
                       place != NULL ? " at " : NULL, place, NULL);
}

/* A local array has no name but its place. */
char *weiri_report_spin_text(const struct weir_party *party)
{
    if (party->state != WEIR_STATE_SPINNING
        || (party->object == NULL && party->value == NULL && party->writer == NULL)) {
        return NULL;
    }
    GString *text = g_string_new(NULL);
    if (party->object == NULL) {
        g_string_append(text, "on memory that has no name");
    } else if (g_str_has_prefix(party->object, "local array of ")) {
        g_string_append_printf(text, "on element %" G_GUINT64_FORMAT " of the %s",
                               party->index, party->object);
    } else {
        g_string_append_printf(text, "on %s[%" G_GUINT64_FORMAT "]", party->object,
                               party->index);
    }
    if (party->value != NULL) {
        g_string_append_printf(text, ", which holds %s", party->value);
    }
    if (party->writer != NULL) {
        g_string_append_printf(text, "; written last by %s", party->writer);
    } else {
        g_string_append(text, "; no item has written it in this launch");
    }
    return g_string_free(text, FALSE);
}

bool weiri_report_is_of_accesses(const struct weir_finding *finding)
{
    for (size_t i = 0; i < finding->n_parties; i++) {
        if (finding->parties[i].access != WEIR_ACCESS_NONE) {
            return true;
        }
    }
    return false;
}

char *weiri_report_act_text(const struct weir_party *party, const char *otherwise)
{
    if (party->access == WEIR_ACCESS_NONE) {
        return g_strdup(party->state != WEIR_STATE_NONE ? weir_state_name(party->state)
                                                        : otherwise);
    }
    return g_strconcat(weir_access_name(party->access),
                       party->order != NULL ? ", " : "",
                       party->order != NULL ? party->order : "",
                       party->scope != NULL ? ", " : "", party->scope, NULL);
}

/* Lines below the parties' lines. Their first column is as wide as the parties',
 * @width, unless that is very wide. */
static void add_reasons(GString *text, const struct weir_finding *finding, size_t width)
{
    enum { LEAST = 4, MOST = 12 };
    int shared = width >= LEAST && width <= MOST ? (int)width : LEAST;
    if (finding->why != NULL) {
        g_string_append_printf(text, "  %-*s  %s\n", shared, "why", finding->why);
    }
    if (finding->fix != NULL) {
        g_string_append_printf(text, "  %-*s  %s\n", shared, "fix", finding->fix);
    }
}

/* The lines under a party's line. */
static void add_details(GString *text, const struct weir_party *party)
{
    for (size_t i = 0; i < party->n_path; i++) {
        g_autofree char *call = weiri_report_call_text(&party->path[i]);
        g_string_append_printf(text, "    %s\n", call);
    }
    g_autofree char *spin = weiri_report_spin_text(party);
    if (spin != NULL) {
        g_string_append_printf(text, "    %s\n", spin);
    }
}

/* Returns: the width of the first column */
static size_t add_parties(GString *text, const struct weir_finding *finding)
{
    size_t n = finding->n_parties;
    bool with_group = weiri_report_spans_groups(finding);
    bool of_accesses = weiri_report_is_of_accesses(finding);
    size_t of_items = of_accesses ? 1 : 0;
    char *(*cells)[COLUMNS] = g_malloc0_n(n, sizeof(*cells));
    size_t widths[COLUMNS] = { 0 };
    for (size_t i = 0; i < n; i++) {
        const struct weir_party *party = &finding->parties[i];
        cells[i][of_items] = weiri_report_items_text(party, with_group);
        cells[i][1 - of_items] = weiri_report_act_text(party, "-");
        cells[i][2] = site_text(party);
        cells[i][3] = g_strdup(source_text(party));
        for (size_t column = 0; column < COLUMNS; column++) {
            size_t width = (size_t)g_utf8_strlen(cells[i][column], -1);
            widths[column] = MAX(widths[column], width);
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t column = 0; column < COLUMNS; column++) {
            const char *cell = cells[i][column];
            g_string_append_printf(text, "  %s", cell);
            size_t width = (size_t)g_utf8_strlen(cell, -1);
            for (; column < COLUMNS - 1 && width < widths[column]; width++) {
                g_string_append_c(text, ' ');
            }
            g_free(cells[i][column]);
        }
        g_string_append_c(text, '\n');
        add_details(text, &finding->parties[i]);
    }
    g_free(cells);
    return widths[0];
}

void weiri_report_add_finding_text(GString *text, const struct weir_finding *finding,
                                   const char *again)
{
    g_return_if_fail(text != NULL && finding != NULL);
    g_string_append_printf(text, "%s%s\n", finding->note ? "note: " : "",
                           finding->message);
    size_t width = add_parties(text, finding);
    if (finding->n_executions > 0) {
        weiri_report_add_execution(text, finding->executions);
    }
    add_reasons(text, finding, width);
    if (finding->parted != NULL) {
        g_string_append_printf(text, "  they parted after %s\n", finding->parted);
    }
    if (finding->count > 1 && weiri_report_is_of_accesses(finding)) {
        g_string_append_printf(text, "  seen %" G_GUINT64_FORMAT " times\n",
                               finding->count);
    } else if (finding->count > 1) {
        g_string_append_printf(
            text, "  this is the first of %" G_GUINT64_FORMAT " such groups\n",
            finding->count);
    }
    if (again != NULL) {
        g_string_append_printf(text, "  again: %s\n", again);
    }
}

char *weir_report_to_text(const struct weir_report *report)
{
    g_return_val_if_fail(report != NULL, NULL);
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < weir_report_n_findings(report); i++) {
        weiri_report_add_finding_text(text, weir_report_finding(report, i), NULL);
    }
    const char *incomplete = weir_report_incomplete(report);
    if (incomplete != NULL) {
        g_string_append_printf(text, "incomplete: %s\n", incomplete);
    }
    return g_string_free(text, FALSE);
}
