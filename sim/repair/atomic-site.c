/* SPDX-License-Identifier: MIT
 *
 * atomic-site.c: see atomic-site.h.
 *
 * The tokens of a source leave directives out. A macro that a line of the finding uses
 * is searched by its text: the place of its operation is the definition, and a change
 * there is one for all uses. */
#include "config.h"

#include "repair/atomic-site.h"

#include "repair/sycl-change.h"

#include <string.h>

static int by_line(const void *a, const void *b)
{
    const struct weiri_site *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) * 2 - 1
                              : (x->order.begin > y->order.begin) * 2 - 1;
}

/* An argument of a call, empty where it has none. */
static struct weiri_range argument_of(const struct weiri_call *call, size_t which)
{
    return which < call->n_arguments ? call->arguments[which]
                                     : (struct weiri_range){ 0, 0 };
}

/* Adds a site with what the call of an operation has. */
static void add_site(GArray *sites, const struct weiri_site *at,
                     const struct weiri_atomic_words *operation,
                     const struct weiri_call *call)
{
    struct weiri_site site = *at;
    site.side = operation->side;
    site.object = argument_of(call, operation->has_object ? 0 : WEIRI_NO_ARGUMENT);
    site.order = argument_of(call, operation->order);
    site.scope = argument_of(call, operation->scope);
    g_array_append_val(sites, site);
}

/* ---- Macros ---------------------------------------------------------------------- */

/* A call in the text of a macro: its arguments in @arguments, at most @most.
 * Returns: how many there are; 0 where it is not a call */
static size_t read_arguments(const char *text, struct weiri_range within, size_t open,
                             struct weiri_range *arguments, size_t most)
{
    size_t n = 0, depth = 0, begin = open + 1;
    for (size_t at = open; at < within.end; at++) {
        bool ends = depth == 1 && (text[at] == ')' || text[at] == ',');
        depth += text[at] == '(';
        depth -= text[at] == ')';
        if (ends && n < most) {
            size_t end = at;
            while (begin < end && strchr(" \t\n\\", text[begin]) != NULL) {
                begin++;
            }
            while (begin < end && strchr(" \t\n\\", text[end - 1]) != NULL) {
                end--;
            }
            arguments[n++] = (struct weiri_range){ begin, end };
            begin = at + 1;
        }
        if (depth == 0) {
            return text[at] == ')' ? n : 0;
        }
    }
    return 0;
}

static void find_in_macro(const struct weiri_source *source, const char *file,
                          struct weiri_range body, GArray *sites)
{
    enum { MOST = 8 };
    const char *text = weiri_source_text(source, NULL);
    const struct weiri_atomic_words *operation = weiri_words_of(source)->atomics;
    for (; operation->name != NULL; operation++) {
        bool begins = g_str_has_suffix(operation->name, "*");
        size_t length = strlen(operation->name) - begins;
        for (size_t at = body.begin; at + length < body.end; at++) {
            size_t open = at + length;
            if (strncmp(text + at, operation->name, length) != 0
                || g_ascii_isalnum(text[at - 1]) || text[at - 1] == '_') {
                continue;
            }
            while (begins && (g_ascii_isalnum(text[open]) || text[open] == '_')) {
                open++;
            }
            struct weiri_range arguments[MOST];
            size_t n = text[open] == '('
                ? read_arguments(text, body, open, arguments, MOST)
                : 0;
            if (n < operation->least || n > operation->most) {
                continue;
            }
            const struct weiri_call call = { .n_arguments = n, .arguments = arguments };
            const struct weiri_site site = { .source = source,
                                             .file = file,
                                             .line = weiri_source_line_of(source, at),
                                             .named = true };
            add_site(sites, &site, operation, &call);
        }
    }
}

/* The text of the statements that the finding names. Returns: (transfer full) */
static GString *named_text(const struct weir_finding *finding, const char *file,
                           const struct weiri_source *source)
{
    GString *named = g_string_new(NULL);
    for (uint32_t i = 0; i < weiri_source_n(source); i++) {
        const struct weiri_statement *at = weiri_source_at(source, i);
        if (at->kind != WEIRI_STATEMENT_FILE && at->kind != WEIRI_STATEMENT_FUNCTION
            && at->kind != WEIRI_STATEMENT_BLOCK
            && weiri_finding_names(finding, file, at->first_line, at->last_line)) {
            g_string_append_len(named, weiri_source_text(source, NULL) + at->start,
                                (gssize)(at->end - at->start));
            g_string_append_c(named, '\n');
        }
    }
    return named;
}

static bool has_word(const char *text, const char *word)
{
    g_autofree char *pattern = g_strdup_printf("\\b%s\\b", word);
    return g_regex_match_simple(pattern, text, 0, 0);
}

/* Adds the operations of macros that the finding's statements use, also by others. */
static void find_macros(const struct weir_finding *finding, const char *file,
                        const struct weiri_source *source, GArray *sites)
{
    static const char pattern[] = "^[ \\t]*#[ \\t]*define[ \\t]+(\\w+)(?:\\([^)]*\\))?"
                                  "((?:[^\\\\\\n]|\\\\\\n|\\\\.)*)";
    const char *text = weiri_source_text(source, NULL);
    g_autoptr(GString) named = named_text(finding, file, source);
    g_autoptr(GHashTable) done = g_hash_table_new(NULL, NULL);
    g_autoptr(GRegex) define = g_regex_new(pattern, G_REGEX_MULTILINE, 0, NULL);
    for (bool more = true; more;) {
        g_autoptr(GMatchInfo) match = NULL;
        more = false;
        g_regex_match(define, text, 0, &match);
        for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
            int begin, end;
            g_autofree char *name = g_match_info_fetch(match, 1);
            g_match_info_fetch_pos(match, 2, &begin, &end);
            if (!has_word(named->str, name)
                || !g_hash_table_add(done, GINT_TO_POINTER(begin))) {
                continue;
            }
            more = true;
            g_string_append_len(named, text + begin, end - begin);
            g_string_append_c(named, '\n');
            find_in_macro(source, file,
                          (struct weiri_range){ (size_t)begin, (size_t)end }, sites);
        }
    }
}

/* ---- All ------------------------------------------------------------------------- */

static void find_calls(const struct weir_finding *finding, const char *file,
                       const struct weiri_source *source, GArray *sites)
{
    const struct weiri_range all = { 0, weiri_source_at(source, 0)->end };
    const struct weiri_atomic_words *operation = weiri_words_of(source)->atomics;
    for (; operation->name != NULL; operation++) {
        struct weiri_call call;
        for (uint32_t i = 0; weiri_source_call(source, all, operation->name, i, &call);
             i++) {
            if (call.n_arguments >= operation->least
                && call.n_arguments <= operation->most) {
                uint32_t line = weiri_source_line_of(source, call.name.begin);
                uint32_t ends = weiri_source_line_of(source, call.all.end);
                const struct weiri_site site
                    = { .source = source,
                        .file = file,
                        .line = line,
                        .named = weiri_finding_names(finding, file, line, ends) };
                add_site(sites, &site, operation, &call);
            }
            weiri_call_clear(&call);
        }
    }
    find_macros(finding, file, source, sites);
}

GArray *weiri_sites_of(const struct weiri_search *search)
{
    GArray *sites = g_array_new(FALSE, FALSE, sizeof(struct weiri_site));
    const struct weir_finding *finding = search->finding;
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (size_t p = 0; p < finding->n_parties; p++) {
        const char *file = finding->parties[p].file;
        const struct weiri_source *source = weiri_sources_get(search->sources, file);
        if (source == NULL || !g_hash_table_add(seen, (void *)source)) {
            continue;
        }
        (weiri_source_is_cpp(source) ? weiri_sycl_find_sites : find_calls)(
            finding, g_intern_string(file), source, sites);
    }
    g_array_sort(sites, by_line);
    return sites;
}
