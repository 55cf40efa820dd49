/* SPDX-License-Identifier: MIT
 *
 * html.c: the result of a check as one page of HTML, for people: a card for each
 * finding, with its parties, the source around them, a picture where there can be one,
 * why it is wrong and how to see it again.
 *
 * The page is well-formed XML, too, and loads nothing: no script, no font, no picture.
 *
 * Invariant: all text from a finding, a file or a command line is escaped, and
 * characters that no XML may have are replaced. */
#include "config.h"

#include "finding/identity.h"
#include "report/report.h"
#include "show/document.h"
#include "show/excerpt.h"
#include "show/explored-graph.h"
#include "show/html-style.h"
#include "show/html-text.h"
#include "show/picture.h"
#include "show/waits.h"

#include <inttypes.h>
#include <string.h>

enum {
    COLOURS = 4,  /* of parties, as in the style */
    BESIDE = 420, /* pixels of a picture that has room beside the source */
};

/* ---- Text ------------------------------------------------------------------------ */

/* Appends <tag class="class">text</tag>. */
static void add_element(GString *page, const char *tag, const char *class,
                        const char *text)
{
    g_string_append_printf(page, "<%s class=\"%s\">", tag, class);
    weiri_html_add_text(page, text);
    g_string_append_printf(page, "</%s>\n", tag);
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* ---- A finding ------------------------------------------------------------------- */

static void add_party(GString *page, const struct weir_finding *finding, size_t index)
{
    const struct weir_party *party = &finding->parties[index];
    g_autofree char *act = weiri_report_act_text(party, "seen");
    g_autofree char *who = weiri_report_items_text(party, true);
    const char *function = weiri_finding_function(finding, party);
    g_string_append_printf(page,
                           "<li class=\"party c%zu\"><div><span class=\"chip\">%zu"
                           "</span> <b>",
                           index % COLOURS, index + 1);
    weiri_html_add_text(page, act);
    g_string_append(page, party->access != WEIR_ACCESS_NONE ? "</b> by " : "</b> ");
    weiri_html_add_who(page, who);
    g_string_append_printf(page, "</div>\n<div class=\"faint\">in phase %" PRIu64,
                           party->phase);
    if (function != NULL) {
        g_string_append(page, ", in ");
        weiri_html_add_text(page, function);
    }
    g_string_append(page, "</div>\n");
    if (party->file != NULL) {
        g_autofree char *place = weiri_report_place_text(party->file, party->line);
        add_element(page, "div", "place mono", place);
    }
    const char *no_line = weiri_report_no_line_text(party);
    if (no_line != NULL) {
        add_element(page, "div", "faint", no_line);
    }
    g_string_append(page, party->n_path > 0 ? "<ol>" : "");
    for (size_t i = 0; i < party->n_path; i++) {
        g_autofree char *call = weiri_report_call_text(&party->path[i]);
        g_string_append(page, "<li>");
        weiri_html_add_text(page, call);
        g_string_append(page, "</li>");
    }
    g_string_append(page, party->n_path > 0 ? "</ol>" : "");
    g_autofree char *spin = weiri_report_spin_text(party);
    if (spin != NULL) {
        add_element(page, "div", "faint", spin);
    }
    g_string_append(page, "</li>\n");
}

/* The events that matter, as parties: the source around them is shown in the same
 * way, with their places in the order of steps as numbers. */
static void add_event_source(GString *page, const struct weir_finding *finding)
{
    const struct weir_explored_execution *execution = finding->executions;
    g_autoptr(GArray) parties = g_array_new(FALSE, FALSE, sizeof(struct weir_party));
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    for (size_t step = 0; step < execution->n_events; step++) {
        for (size_t e = 0; e < execution->n_events; e++) {
            const struct weir_explored_event *event = &execution->events[e];
            bool second = event->update && strcmp(event->kind, "write") == 0;
            if (event->step != step || !event->matters || second) {
                continue;
            }
            const struct weir_explored_item *item = &execution->items[event->item];
            struct weir_party party
                = { .items = g_strdup_printf("%" PRIu64, item->item),
                    .file = event->file,
                    .line = event->line,
                    .source = event->source,
                    .access = event->access,
                    .order = event->order,
                    .scope = event->scope };
            memcpy(party.group, item->group, sizeof(party.group));
            g_ptr_array_add(texts, (char *)party.items);
            g_array_append_val(parties, party);
        }
    }
    const struct weir_finding of
        = { .kind = finding->kind,
            .kernel = finding->kernel,
            .n_parties = parties->len,
            .parties = (const struct weir_party *)(void *)parties->data };
    weiri_excerpt_add(page, &of);
}

static void add_execution(GString *page, const struct weir_finding *finding,
                          size_t number)
{
    g_autofree char *prefix = g_strdup_printf("f%zu-", number);
    g_autofree char *svg = weiri_explored_graph(finding, prefix);
    g_string_append(page, "<h3>Smallest execution</h3><div class=\"canvas whole\">\n");
    g_string_append(page, svg);
    g_string_append(page, "</div>\n<h3>Its events in the source</h3>\n");
    add_event_source(page, finding);
}

static void add_advice(GString *page, const struct weir_finding *finding)
{
    if (finding->why == NULL && finding->fix == NULL && finding->parted == NULL) {
        return;
    }
    g_string_append(page, "<dl class=\"advice\">");
    if (finding->why != NULL) {
        g_string_append(page, "<dt>Why</dt>");
        add_element(page, "dd", "why", finding->why);
    }
    if (finding->parted != NULL) {
        g_string_append(page, "<dt>They parted after</dt>");
        add_element(page, "dd", "mono", finding->parted);
    }
    if (finding->fix != NULL) {
        g_string_append(page, "<dt>Fix</dt>");
        add_element(page, "dd", "fix", finding->fix);
    }
    g_string_append(page, "</dl>\n");
}

/* The first line of the message is the card's title; others stand below it. */
static void add_title(GString *page, const struct weiri_document_finding *found,
                      size_t number)
{
    const struct weir_finding *finding = &found->finding;
    const char *newline = strchr(finding->message, '\n');
    g_autofree char *first = newline != NULL
        ? g_strndup(finding->message, (size_t)(newline - finding->message))
        : g_strdup(finding->message);
    g_string_append(page, "<header>");
    add_element(page, "span", weiri_document_counts(found) ? "pill bad" : "pill",
                weir_finding_kind_name(finding->kind));
    if (finding->note) {
        add_element(page, "span", "pill", "note");
    }
    if (found->known) {
        add_element(page, "span", "pill", "known");
    }
    g_string_append_printf(page, "<h2 id=\"t%zu\">", number);
    weiri_html_add_text(page, first);
    g_string_append(page, "</h2>\n");
    if (newline != NULL) {
        add_element(page, "p", "more", newline + 1);
    }
    if (found->suppression != NULL) {
        g_autofree char *by = g_strdup_printf(
            "suppressed by %s:%zu%s%s", found->suppression->file,
            found->suppression->line, found->suppression->reason != NULL ? ": " : "",
            found->suppression->reason != NULL ? found->suppression->reason : "");
        add_element(page, "p", "more", by);
    }
    g_string_append(page, "</header>\n");
}

/* The source around the parties, and @picture, @width pixels wide, or 0. */
static void add_places(GString *page, const struct weir_finding *finding,
                       const char *picture, unsigned width, bool waits)
{
    g_string_append_printf(page, "<div class=\"grid%s\"><div><h3>Source</h3>\n",
                           width > 0 && width <= BESIDE ? " two" : "");
    weiri_excerpt_add(page, finding);
    g_string_append(page, "</div>\n");
    if (width > 0) {
        g_string_append_printf(page, "<div><h3>%s</h3><div class=\"canvas\">\n",
                               waits ? "Which items wait for which"
                                     : "Items and phases");
        g_string_append(page, picture);
        g_string_append(page, "</div></div>\n");
    }
    g_string_append(page, "</div>\n");
}

static void add_finding(GString *page, const struct weiri_document_finding *found,
                        size_t number)
{
    const struct weir_finding *finding = &found->finding;
    g_autoptr(GString) picture = g_string_new(NULL);
    unsigned width = weiri_picture_add(picture, finding, found->local);
    unsigned waits = width == 0 ? weiri_waits_add(picture, finding) : 0;
    width = MAX(width, waits);
    g_string_append_printf(page,
                           "<article class=\"card\" id=\"f%zu\" "
                           "aria-labelledby=\"t%zu\">\n",
                           number, number);
    add_title(page, found, number);
    if (finding->n_parties > 0) {
        g_string_append(page, "<ol class=\"parties\">\n");
        for (size_t i = 0; i < finding->n_parties; i++) {
            add_party(page, finding, i);
        }
        g_string_append(page, "</ol>\n");
        if (finding->n_executions == 0) {
            add_places(page, finding, picture->str, width, waits > 0);
        }
    }
    if (finding->n_executions > 0) {
        add_execution(page, finding, number);
    }
    add_advice(page, finding);
    g_string_append_printf(page, "<div class=\"again\">Seen %" PRIu64 " time%s ",
                           finding->count, plural(finding->count));
    weiri_html_add_text(page, found->shown);
    g_string_append(page, ". Again:");
    add_element(page, "code", "mono", found->again);
    g_string_append(page, "</div>\n</article>\n");
}

/* ---- The page -------------------------------------------------------------------- */

/* Findings that count, of each kind, with a link to the first. */
static void add_kinds(GString *page, const struct weiri_document *document)
{
    static const enum weir_finding_kind kinds[] = {
#define X(name, text) WEIR_FINDING_##name,
        WEIR_FINDING_KINDS(X)
#undef X
    };
    for (size_t k = 0; k < G_N_ELEMENTS(kinds); k++) {
        size_t n = 0;
        guint first = 0;
        for (guint i = document->findings->len; i > 0; i--) {
            const struct weiri_document_finding *found = &g_array_index(
                document->findings, struct weiri_document_finding, i - 1);
            if (found->finding.kind == kinds[k] && weiri_document_counts(found)) {
                n++;
                first = i - 1;
            }
        }
        if (n > 0) {
            g_string_append_printf(page,
                                   "<li><a class=\"pill\" href=\"#f%u\">%zu × %s"
                                   "</a></li>\n",
                                   first, n, weir_finding_kind_name(kinds[k]));
        }
    }
}

static size_t n_counted(const struct weiri_document *document)
{
    size_t n = 0;
    for (guint i = 0; i < document->findings->len; i++) {
        n += weiri_document_counts(
            &g_array_index(document->findings, struct weiri_document_finding, i));
    }
    return n;
}

static void add_verdict(GString *page, const struct weiri_document *document)
{
    size_t n = n_counted(document);
    bool sound = document->incomplete == NULL && document->failure == NULL
        && !document->silent;
    g_string_append(page, "<ul class=\"verdict\">\n");
    if (n > 0) {
        g_string_append_printf(
            page, "<li><span class=\"pill bad\">%zu finding%s</span></li>\n", n,
            plural(n));
    } else if (sound) {
        g_string_append(page,
                        "<li><span class=\"pill good\">no findings</span></li>\n");
    }
    if (document->silent) {
        g_string_append(page,
                        "<li><span class=\"pill warn\">nothing was launched"
                        "</span></li>\n");
    }
    if (document->failure != NULL) {
        g_string_append(page,
                        "<li><span class=\"pill warn\">the program failed"
                        "</span></li>\n");
    }
    if (document->incomplete != NULL) {
        g_string_append(page, "<li><span class=\"pill warn\">incomplete</span></li>\n");
    }
    add_kinds(page, document);
    g_string_append(page, "</ul>\n");
}

static void add_lines(GString *page, const char *title, GPtrArray *lines)
{
    if (lines->len == 0) {
        return;
    }
    g_string_append_printf(page,
                           "<section class=\"card\"><h3>%s</h3>"
                           "<ul class=\"lines\">\n",
                           title);
    for (guint i = 0; i < lines->len; i++) {
        add_element(page, "li", "note", g_ptr_array_index(lines, i));
    }
    g_string_append(page, "</ul></section>\n");
}

/* Findings for which @wanted is true; in a fold with @title where it is not NULL. */
static void add_findings(GString *page, const struct weiri_document *document,
                         bool (*wanted)(const struct weiri_document_finding *found),
                         const char *title)
{
    size_t n = 0;
    for (guint i = 0; i < document->findings->len; i++) {
        const struct weiri_document_finding *found
            = &g_array_index(document->findings, struct weiri_document_finding, i);
        if (!wanted(found)) {
            continue;
        }
        if (n == 0 && title != NULL) {
            g_string_append_printf(page,
                                   "<details class=\"card\"><summary>%s"
                                   "</summary>\n",
                                   title);
        }
        add_finding(page, found, i);
        n++;
        if (found->n_under > 0) {
            g_string_append_printf(page,
                                   "<details class=\"card\"><summary>%zu more "
                                   "finding%s that the same fix removes</summary>\n",
                                   found->n_under, plural(found->n_under));
            for (size_t under = found->n_under; under > 0; under--) {
                i++;
                add_finding(page,
                            &g_array_index(document->findings,
                                           struct weiri_document_finding, i),
                            i);
            }
            g_string_append(page, "</details>\n");
        }
    }
    g_string_append(page, n > 0 && title != NULL ? "</details>\n" : "");
}

static bool is_suppressed(const struct weiri_document_finding *found)
{
    return found->suppression != NULL;
}

static bool is_known(const struct weiri_document_finding *found)
{
    return found->known && found->suppression == NULL && !found->finding.note;
}

static bool is_news(const struct weiri_document_finding *found)
{
    return !is_known(found) && !is_suppressed(found);
}

void weiri_html_add(GString *page, const struct weiri_document *document)
{
    g_string_append(page,
                    "<!DOCTYPE html>\n"
                    "<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
                    "<meta name=\"viewport\" content=\"width=device-width, "
                    "initial-scale=1\"/>\n<title>");
    weiri_html_add_text(page, document->command);
    g_string_append(page, ": ");
    weiri_html_add_text(page, document->subject);
    g_string_append_printf(page, "</title>\n<style>\n%s</style></head>\n<body>\n",
                           style);
    g_string_append(page, "<header>");
    add_element(page, "p", "tool", document->command);
    g_string_append(page, "<h1>");
    weiri_html_add_text(page, document->subject);
    g_string_append(page, "</h1>\n");
    add_verdict(page, document);
    add_element(page, "p", "totals", document->totals);
    const char *reason
        = document->failure != NULL ? document->failure : document->incomplete;
    if (reason != NULL) {
        add_element(page, "p", "totals", reason);
    }
    g_string_append(page, "</header>\n<main>\n");
    if (document->states != NULL) {
        add_lines(page, "Final states", document->states);
    }
    add_findings(page, document, is_news, NULL);
    add_lines(page, "Notes", document->notes);
    add_lines(page, "Gone since the baseline", document->gone);
    add_findings(page, document, is_known, "Known from the baseline");
    add_findings(page, document, is_suppressed, "Suppressed");
    g_string_append(
        page, "</main>\n<footer>Weir " PACKAGE_VERSION "</footer>\n</body></html>\n");
}
