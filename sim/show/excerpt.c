/* SPDX-License-Identifier: MIT
 *
 * excerpt.c: the source around the places of a finding, with a label below each line
 * that a party is at. Parties near each other share an excerpt.
 *
 * Invariant: lines of a file are shown only where the party's line is still the one
 * that the finding speaks of; otherwise that line alone, as the finding has it. */
#include "config.h"

#include "show/excerpt.h"

#include "report/report.h"
#include "show/html-text.h"

#include <string.h>

enum {
    AROUND = 3,    /* lines of source above and below a site */
    NEAR = 10,     /* lines between two sites that one excerpt may show */
    COLOURS = 4,   /* of parties, as in the style */
    LONGEST = 400, /* characters of a line that are shown */
};

/* A part of a file with the sites of some parties in it. */
struct excerpt {
    const char *file;
    uint32_t first, last; /* lines of the sites */
};

/* The lines of the file that a party is in, or NULL where it cannot be read, or has
 * changed. Returns: (transfer full) */
static char **lines_of(const struct weir_party *party)
{
    g_autofree char *text = NULL;
    if (party->source == NULL || !g_file_get_contents(party->file, &text, NULL, NULL)) {
        return NULL;
    }
    char **lines = g_strsplit(text, "\n", -1);
    if (party->line > g_strv_length(lines)) {
        g_strfreev(lines);
        return NULL;
    }
    /* The report's copy of the line's text may be cut. */
    g_autofree char *valid = g_utf8_make_valid(lines[party->line - 1], -1);
    g_strstrip(valid);
    if (strncmp(valid, party->source, strlen(party->source) - 1) != 0
        && strncmp(valid, party->source, 64) != 0) {
        g_strfreev(lines);
        return NULL;
    }
    return lines;
}

static void add_line(GString *page, const char *class, uint32_t line, const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    g_autofree char *shown
        = g_utf8_substring(valid, 0, MIN(g_utf8_strlen(valid, -1), (glong)LONGEST));
    g_string_append_printf(page, "<span class=\"line%s\"><span class=\"no\">%u</span>",
                           class, line);
    weiri_html_add_text(page, g_strchomp(shown));
    g_string_append(page, "</span>");
}

static bool is_at(const struct weir_party *party, const struct excerpt *excerpt,
                  uint32_t line)
{
    return party->line == line && g_strcmp0(party->file, excerpt->file) == 0;
}

/* The acts of the parties at a line, below it, with their numbers. They are in the
 * order of the source: the order of two acts in time depends on the schedule. */
static void add_labels(GString *page, const struct weir_finding *finding,
                       const struct excerpt *excerpt, uint32_t line)
{
    bool with_group = weiri_report_spans_groups(finding);
    for (size_t i = 0; i < finding->n_parties; i++) {
        const struct weir_party *party = &finding->parties[i];
        if (!is_at(party, excerpt, line)) {
            continue;
        }
        g_autofree char *act = weiri_report_act_text(party, "seen");
        g_autofree char *who = weiri_report_items_text(party, with_group);
        g_string_append_printf(page,
                               "<span class=\"label c%zu\"><span class=\"chip\">%zu"
                               "</span> ",
                               i % COLOURS, i + 1);
        weiri_html_add_text(page, act);
        g_string_append(page, party->access != WEIR_ACCESS_NONE ? " by " : " ");
        weiri_html_add_who(page, who);
        g_string_append(page, "</span>");
    }
}

/* The colour of the first party at a line, or -1 without one. */
static int colour_at(const struct weir_finding *finding, const struct excerpt *excerpt,
                     uint32_t line)
{
    for (size_t i = 0; i < finding->n_parties; i++) {
        if (is_at(&finding->parties[i], excerpt, line)) {
            return (int)(i % COLOURS);
        }
    }
    return -1;
}

static void add_excerpt(GString *page, const struct weir_finding *finding,
                        const struct excerpt *excerpt, char *const *lines)
{
    guint n = lines != NULL ? g_strv_length((char **)lines) : 0;
    /* The rest after the last newline is not a line. */
    n -= n > 0 && lines[n - 1][0] == '\0';
    uint32_t from = lines == NULL ? excerpt->first
        : excerpt->first > AROUND ? excerpt->first - AROUND
                                  : 1;
    uint32_t to = lines == NULL ? excerpt->first : MIN(excerpt->last + AROUND, n);
    g_string_append(page, "<figure><figcaption class=\"mono\">");
    weiri_html_add_text(page, excerpt->file);
    g_string_append(page, "</figcaption>\n<pre class=\"source\">");
    for (uint32_t line = from; line <= to; line++) {
        int colour = colour_at(finding, excerpt, line);
        const char *text = lines != NULL ? lines[line - 1] : NULL;
        for (size_t i = 0; text == NULL && i < finding->n_parties; i++) {
            text = is_at(&finding->parties[i], excerpt, line)
                ? finding->parties[i].source
                : NULL;
        }
        g_autofree char *class = colour >= 0 ? g_strdup_printf(" site c%d", colour)
                                             : g_strdup("");
        add_line(page, class, line, text != NULL ? text : "");
        add_labels(page, finding, excerpt, line);
    }
    g_string_append(page, "</pre></figure>\n");
}

/* The excerpt that shows a party already, or NULL. */
static struct excerpt *excerpt_near(GArray *excerpts, const struct weir_party *party)
{
    for (guint i = 0; i < excerpts->len; i++) {
        struct excerpt *excerpt = &g_array_index(excerpts, struct excerpt, i);
        if (strcmp(excerpt->file, party->file) == 0
            && party->line + NEAR >= excerpt->first
            && party->line <= excerpt->last + NEAR) {
            return excerpt;
        }
    }
    return NULL;
}

void weiri_excerpt_add(GString *page, const struct weir_finding *finding)
{
    g_autoptr(GArray) excerpts = g_array_new(FALSE, FALSE, sizeof(struct excerpt));
    for (size_t i = 0; i < finding->n_parties; i++) {
        const struct weir_party *party = &finding->parties[i];
        if (party->file == NULL || party->line == 0) {
            continue;
        }
        g_auto(GStrv) lines = lines_of(party);
        struct excerpt *near = excerpt_near(excerpts, party);
        if (near != NULL && (lines != NULL || near->first == party->line)) {
            near->first = MIN(near->first, party->line);
            near->last = MAX(near->last, party->line);
        } else {
            struct excerpt excerpt = { party->file, party->line, party->line };
            g_array_append_val(excerpts, excerpt);
        }
    }
    for (guint i = 0; i < excerpts->len; i++) {
        const struct excerpt *excerpt = &g_array_index(excerpts, struct excerpt, i);
        const struct weir_party *party = finding->parties;
        while (!is_at(party, excerpt, excerpt->first)) {
            party++;
        }
        g_auto(GStrv) lines = lines_of(party);
        add_excerpt(page, finding, excerpt, lines);
    }
}
