/* SPDX-License-Identifier: MIT
 *
 * candidate-atomic.c: stronger orders, wider scopes, and fences of atomics. The
 * operations at the lines of the finding are found in the text. Each order or scope
 * that may be too weak gives a candidate, which changes one operation. Others change a
 * release and an acquire of one object together, or all narrow scopes of a file, as
 * operations on one location need the same scope. The cost of a candidate decides when
 * it is tried. */
#include "config.h"

#include "repair/atomic-site.h"
#include "repair/cuda-change.h"
#include "repair/opencl-text.h"
#include "repair/sycl-change.h"
#include "repair/sycl-text.h"

#include <string.h>

enum {
    COST_ORDER = 20, /* of an operation that the reason names */
    COST_SCOPE = 22,
    COST_UNNAMED = 4, /* more if it does not */
    COST_PAIR = 6,    /* more for two or all operations */
    COST_FENCE = 45,
};

static const char ORDER[] = "memory_order";

/* Which of @words, weakest first, an argument is; -1 without one. An expression that
 * the file does not define, or defines in two ways, may be the weakest: the trial
 * decides. */
static int rank_of(const struct weiri_site *site, struct weiri_range argument,
                   const char *kind, const char *const *words)
{
    g_autofree char *text = weiri_text_of(site->source, argument);
    bool sole;
    g_autofree char *word = weiri_word_meant(site->source, text, kind, &sole);
    for (int i = 0; sole && word != NULL && words[i] != NULL; i++) {
        if (strcmp(word, words[i]) == 0) {
            return i;
        }
    }
    return (word == NULL || !sole) && *text != '\0' ? 0 : -1;
}

/* The argument with another word, qualified as it is; in place of an expression the
 * whole name. Returns: (transfer full) */
static char *with_word(const struct weiri_site *site, struct weiri_range argument,
                       const char *kind, const char *word)
{
    g_autofree char *text = weiri_text_of(site->source, argument);
    const char *old = weiri_word_of(text, kind);
    if (old != NULL) {
        return g_strdup_printf("%.*s%s", (int)(old - text), text, word);
    }
    if (!weiri_source_is_sycl(site->source)) {
        return g_strdup_printf("%s%s_%s", weiri_words_of(site->source)->qualifier, kind,
                               word);
    }
    g_autofree char *prefix = weiri_sycl_prefix(site->source);
    return g_strdup_printf("%s%s::%s", prefix, kind, word);
}

/* ---- Orders ---------------------------------------------------------------------- */

static const char *const orders[]
    = { "relaxed", "acquire", "release", "acq_rel", "seq_cst", NULL };

/* The order that makes the operation acquire and release what it can, or NULL if it
 * does. */
static const char *stronger(const struct weiri_site *site)
{
    int rank = rank_of(site, site->order, ORDER, orders);
    switch (site->side) {
    case WEIRI_ACQUIRES:
        return rank == 0 ? orders[1] : NULL;
    case WEIRI_RELEASES:
        return rank == 0 ? orders[2] : NULL;
    case WEIRI_BOTH_SIDES:
        break;
    }
    return rank >= 0 && rank < 3 ? orders[3] : NULL;
}

/* The orders that may be enough in place of acquire and release, for a relaxed
 * operation that can do both. The default order of a reference cannot be one of them
 * alone.
 * Returns: (transfer full): or NULL */
static char **weaker_orders(const struct weiri_site *site)
{
    if (site->side != WEIRI_BOTH_SIDES || site->is_type
        || rank_of(site, site->order, ORDER, orders) != 0) {
        return NULL;
    }
    char **weaker = g_new0(char *, 3);
    weaker[0] = with_word(site, site->order, ORDER, orders[2]);
    weaker[1] = with_word(site, site->order, ORDER, orders[1]);
    return weaker;
}

static void add_change(struct weiri_search *search, enum weiri_fix_kind kind,
                       const struct weiri_site *site, struct weiri_range argument,
                       char *to, unsigned cost)
{
    bool is_order = kind == WEIRI_FIX_STRENGTHEN_ORDER;
    GArray *edits = weiri_edits_new();
    weiri_edit_add(edits, argument.begin, argument.end, to);
    g_autofree char *from = weiri_text_of(site->source, argument);
    const struct weiri_fix_candidate draft = {
        .kind = kind,
        .file = site->file,
        .line = site->is_type ? weiri_source_line_of(site->source, argument.begin)
                              : site->line,
        .title = g_strdup_printf("%s instead of %s at", to, from),
        .cost = cost + (site->named ? 0 : COST_UNNAMED),
        .from = g_strdup(from),
        .to = to,
        .strong = g_strdup(to),
        .weaker = is_order ? weaker_orders(site) : NULL,
        .edits = edits,
    };
    weiri_search_add(search, &draft);
}

static bool same_object(const struct weiri_site *a, const struct weiri_site *b)
{
    size_t n = a->object.end - a->object.begin;
    return a->source == b->source && n > 0 && n == b->object.end - b->object.begin
        && memcmp(weiri_source_text(a->source, NULL) + a->object.begin,
                  weiri_source_text(b->source, NULL) + b->object.begin, n)
        == 0;
}

/* The same for an operation that is to release, and one that is to acquire: if both can
 * do both, either may be the one that need only release. Returns: (transfer full): or
 * NULL */
static char **weaker_pairs(const struct weiri_site *a, const struct weiri_site *b)
{
    static const char *const both[] = { "release|acquire",
                                        "acquire|release",
                                        "release|acq_rel",
                                        "acq_rel|acquire",
                                        "acquire|acq_rel",
                                        "acq_rel|release",
                                        NULL };
    char **weaker_a = weaker_orders(a), **weaker_b = weaker_orders(b);
    char **weaker = weaker_a != NULL && weaker_b != NULL ? g_strdupv((char **)both)
        : weaker_a != NULL ? g_strsplit(orders[2], " ", -1)
        : weaker_b != NULL ? g_strsplit(orders[1], " ", -1)
                           : NULL;
    g_strfreev(weaker_a);
    g_strfreev(weaker_b);
    return weaker;
}

/* Both ends of an order that lacks both. */
static void add_both(struct weiri_search *search, const struct weiri_site *a,
                     const struct weiri_site *b)
{
    char *to_a = with_word(a, a->order, ORDER, stronger(a));
    g_autofree char *to_b = with_word(b, b->order, ORDER, stronger(b));
    GArray *edits = weiri_edits_new();
    weiri_edit_add(edits, a->order.begin, a->order.end, to_a);
    weiri_edit_add(edits, b->order.begin, b->order.end, to_b);
    const struct weiri_fix_candidate draft = {
        .kind = WEIRI_FIX_STRENGTHEN_ORDER,
        .file = a->file,
        .line = a->line,
        .strong = g_strdup(orders[3]),
        .weaker = weaker_pairs(a, b),
        .to = to_a,
        .title
        = g_strdup_printf("%s at line %" PRIu32 ", and %s at", to_b, b->line, to_a),
        .cost = COST_ORDER + COST_PAIR + (a->named && b->named ? 0 : COST_UNNAMED),
        .edits = edits,
    };
    weiri_search_add(search, &draft);
}

void weiri_suggest_orders(struct weiri_search *search)
{
    g_autoptr(GArray) sites = weiri_sites_of(search);
    for (guint i = 0; i < sites->len; i++) {
        const struct weiri_site *site = &g_array_index(sites, struct weiri_site, i);
        const char *to = stronger(site);
        if (to == NULL) {
            continue;
        }
        add_change(search, WEIRI_FIX_STRENGTHEN_ORDER, site, site->order,
                   with_word(site, site->order, ORDER, to), COST_ORDER);
        for (guint k = 0; k < sites->len; k++) {
            const struct weiri_site *other
                = &g_array_index(sites, struct weiri_site, k);
            if (i != k && (site->side & WEIRI_RELEASES) != 0
                && (other->side & WEIRI_ACQUIRES) != 0
                && (i < k || other->side != WEIRI_BOTH_SIDES
                    || site->side != WEIRI_BOTH_SIDES)
                && same_object(site, other) && stronger(other) != NULL) {
                add_both(search, site, other);
            }
        }
    }
}

/* ---- Scopes ---------------------------------------------------------------------- */

/* The narrowest scope that has all parties, in the words of the source. */
static int wanted_scope(const struct weir_finding *finding,
                        const struct weiri_source *source)
{
    const struct weiri_kernel_words *words = weiri_words_of(source);
    return weiri_is_between_groups(finding) ? words->device : words->group;
}

static bool is_narrow(const struct weir_finding *finding, const struct weiri_site *site)
{
    const struct weiri_kernel_words *words = weiri_words_of(site->source);
    int rank = rank_of(site, site->scope, words->scope, words->scopes);
    return rank >= 0 && rank < wanted_scope(finding, site->source);
}

/* The scope of the site, widened. Returns: (transfer full) */
static char *wider(const struct weir_finding *finding, const struct weiri_site *site)
{
    const struct weiri_kernel_words *words = weiri_words_of(site->source);
    return with_word(site, site->scope, words->scope,
                     words->scopes[wanted_scope(finding, site->source)]);
}

/* All narrow scopes of a file at once: operations on one location need the same. */
static void add_all_scopes(struct weiri_search *search, const GArray *sites)
{
    GArray *edits = weiri_edits_new();
    const struct weiri_site *first = NULL;
    guint n = 0;
    for (guint i = 0; i < sites->len; i++) {
        const struct weiri_site *site = &g_array_index(sites, struct weiri_site, i);
        if (is_narrow(search->finding, site)
            && (first == NULL || site->source == first->source)) {
            g_autofree char *text = wider(search->finding, site);
            weiri_edit_add(edits, site->scope.begin, site->scope.end, text);
            first = first == NULL ? site : first;
            n++;
        }
    }
    if (n < 2) {
        g_array_unref(edits);
        return;
    }
    char *text = wider(search->finding, first);
    const struct weiri_fix_candidate draft = {
        .kind = WEIRI_FIX_WIDEN_SCOPE,
        .file = first->file,
        .line = first->line,
        .to = text,
        .title = g_strdup_printf("%s instead of a narrower scope in %u operations, "
                                 "the first at",
                                 text, n),
        .cost = COST_SCOPE + COST_PAIR,
        .edits = edits,
    };
    weiri_search_add(search, &draft);
}

void weiri_suggest_scopes(struct weiri_search *search)
{
    g_autoptr(GArray) sites = weiri_sites_of(search);
    for (guint i = 0; i < sites->len; i++) {
        const struct weiri_site *site = &g_array_index(sites, struct weiri_site, i);
        if (is_narrow(search->finding, site)) {
            add_change(search, WEIRI_FIX_WIDEN_SCOPE, site, site->scope,
                       wider(search->finding, site), COST_SCOPE);
        }
    }
    add_all_scopes(search, sites);
    weiri_cuda_suggest_wider(search, COST_SCOPE);
}

/* ---- Fences ---------------------------------------------------------------------- */

void weiri_suggest_fences(struct weiri_search *search)
{
    g_autoptr(GArray) sites = weiri_sites_of(search);
    for (guint i = 0; i < sites->len; i++) {
        const struct weiri_site *site = &g_array_index(sites, struct weiri_site, i);
        uint32_t statement = weiri_source_find(site->source, site->line);
        bool releases = (site->side & WEIRI_RELEASES) != 0;
        if (stronger(site) == NULL || site->object.end == 0
            || statement == WEIRI_STATEMENT_NONE
            || weiri_source_at(site->source, statement)->kind
                != WEIRI_STATEMENT_SIMPLE) {
            continue;
        }
        const char *order = orders[releases ? 2 : 1];
        const char *scope = weiri_words_of(site->source)
                                ->scopes[wanted_scope(search->finding, site->source)];
        g_autofree char *fence = weiri_source_is_sycl(site->source)
            ? weiri_sycl_fence(site->source, order, scope)
            : weiri_source_is_opencl(site->source)
            ? weiri_opencl_fence(order, scope, search->finding->space)
            : weiri_source_is_cuda(site->source)
            ? g_strdup(weiri_cuda_fence(search->finding))
            : g_strdup_printf("weir_atomic_fence(memory_order_%s, memory_scope_%s)",
                              order, scope);
        g_autofree char *line = g_strconcat(fence, ";", NULL);
        GArray *edits = weiri_edits_new();
        (releases ? weiri_edit_insert_before
                  : weiri_edit_insert_after)(edits, site->source, statement, line);
        const struct weiri_fix_candidate draft = {
            .kind = WEIRI_FIX_ADD_FENCE,
            .file = site->file,
            .line = site->line,
            .title
            = g_strdup_printf("insert %s %s", fence, releases ? "before" : "after"),
            .to = g_steal_pointer(&line),
            .cost = COST_FENCE + (site->named ? 0 : COST_UNNAMED),
            .edits = edits,
        };
        weiri_search_add(search, &draft);
    }
    weiri_cuda_suggest_fences(search, COST_FENCE);
}

/* ---- Words ----------------------------------------------------------------------- */

/* Adds where the pattern occurs in the range, if that has a part of the line. */
static void find_in(const struct weiri_source *source, struct weiri_range range,
                    uint32_t line, const GRegex *pattern, GArray *found)
{
    if (range.begin >= range.end || weiri_source_line_of(source, range.begin) > line
        || weiri_source_line_of(source, range.end - 1) < line) {
        return;
    }
    g_autofree char *text = weiri_text_of(source, range);
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(pattern, text, 0, &match);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
        int begin, end;
        g_match_info_fetch_pos(match, 0, &begin, &end);
        const struct weiri_range word
            = { range.begin + (size_t)begin, range.begin + (size_t)end };
        g_array_append_val(found, word);
    }
}

/* The same in the parts of a statement around the statements in it: its head, the head
 * of an `else if` on the line of another statement's end, the condition of a `do`
 * loop. */
static void find_around(const struct weiri_source *source,
                        const struct weiri_statement *at, uint32_t line,
                        const GRegex *pattern, GArray *found)
{
    size_t begin = at->start;
    for (uint32_t i = at->first_child; i != WEIRI_STATEMENT_NONE;) {
        const struct weiri_statement *child = weiri_source_at(source, i);
        find_in(source, (struct weiri_range){ begin, child->begin }, line, pattern,
                found);
        begin = child->end;
        i = child->next;
    }
    find_in(source, (struct weiri_range){ begin, at->end }, line, pattern, found);
}

/* Returns: (transfer full): of struct weiri_range, in the order of the text */
static GArray *words_at(const struct weiri_source *source, uint32_t line,
                        const char *word)
{
    GArray *found = g_array_new(FALSE, FALSE, sizeof(struct weiri_range));
    g_autofree char *escaped = g_regex_escape_string(word, -1);
    g_autofree char *text = g_strdup_printf("(?<!\\w)%s(?!\\w)", escaped);
    g_autoptr(GRegex) pattern = g_regex_new(text, 0, 0, NULL);
    for (uint32_t i = 0; i < weiri_source_n(source); i++) {
        const struct weiri_statement *at = weiri_source_at(source, i);
        bool has_code = at->kind != WEIRI_STATEMENT_FILE
            && at->kind != WEIRI_STATEMENT_FUNCTION
            && at->kind != WEIRI_STATEMENT_BLOCK;
        if (has_code && at->first_line <= line && line <= at->last_line) {
            find_around(source, at, line, pattern, found);
        }
    }
    return found;
}

struct weiri_fix_candidate *weiri_candidate_of_word(struct weiri_sources *sources,
                                                    const char *file, uint32_t line,
                                                    const char *from, const char *to,
                                                    bool pair, bool second)
{
    const struct weiri_source *source = weiri_sources_get(sources, file);
    if (source == NULL || weiri_source_find(source, line) == WEIRI_STATEMENT_NONE) {
        return NULL;
    }
    g_autoptr(GArray) words = words_at(source, line, from);
    if (words->len != 1 && !(words->len == 2 && pair)) {
        return NULL;
    }
    const struct weiri_range *word
        = &g_array_index(words, struct weiri_range, second ? words->len - 1 : 0);
    struct weiri_fix_candidate *made = g_new0(struct weiri_fix_candidate, 1);
    made->kind = WEIRI_FIX_STRENGTHEN_ORDER;
    made->file = g_intern_string(file);
    made->line = line;
    made->edits = weiri_edits_new();
    weiri_edit_add(made->edits, word->begin, word->end, to);
    return made;
}
