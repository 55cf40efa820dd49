/* SPDX-License-Identifier: MIT
 *
 * candidate-atomic.c: stronger orders, wider scopes, and fences of atomics. */
#include "config.h"

#include "fix/suggest.h"

#include <string.h>

enum {
    COST_ORDER = 20, /* of an operation that the reason names */
    COST_SCOPE = 22,
    COST_UNNAMED = 4, /* more if it does not */
    COST_PAIR = 6,    /* more for two or all operations */
    COST_FENCE = 45,
};

enum side { ACQUIRES = 1, RELEASES = 2, BOTH_SIDES = 3 };

/* Where calls of a name have their order and scope. */
static const struct operation {
    const char *name; /* with a final * for what it begins with */
    size_t order, scope, n_arguments;
    enum side side;
} operations[] = {
    { "weir_atomic_load_explicit", 1, 2, 3, ACQUIRES },
    { "weir_atomic_store_explicit", 2, 3, 4, RELEASES },
    { "weir_atomic_exchange_explicit", 2, 3, 4, BOTH_SIDES },
    { "weir_atomic_fetch_*", 2, 3, 4, BOTH_SIDES },
    { "weir_atomic_add_explicit", 2, 3, 4, BOTH_SIDES },
    { "weir_atomic_compare_exchange_*", 3, 5, 6, BOTH_SIDES },
    { "weir_atomic_fence", 0, 1, 2, BOTH_SIDES },
    { "weir_atomic_ref", 1, 2, 3, BOTH_SIDES },
};

/* A call of one of these. */
struct site {
    const struct weiri_source *source;
    const char *file;
    const struct operation *operation;
    struct weiri_range object; /* its first argument; empty for a fence */
    struct weiri_range order, scope;
    uint32_t line;
    bool named; /* by the finding's reason, or a party */
};

static bool is_named(const struct weir_finding *finding, const char *file,
                     uint32_t first, uint32_t last)
{
    bool named = false;
    for (size_t i = 0; i < finding->n_parties; i++) {
        uint32_t line = finding->parties[i].line;
        named |= line >= first && line <= last
            && g_strcmp0(finding->parties[i].file, file) == 0;
    }
    for (uint32_t line = first; line <= last; line++) {
        named |= weiri_reason_names(finding, file, line);
    }
    return named;
}

static int by_line(const void *a, const void *b)
{
    const struct site *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) * 2 - 1
                              : (x->order.begin > y->order.begin) * 2 - 1;
}

/* The operations of the files in which the finding's parties are. */
static GArray *sites_of(const struct weiri_search *search)
{
    GArray *sites = g_array_new(FALSE, FALSE, sizeof(struct site));
    const struct weir_finding *finding = search->finding;
    const char *last = NULL;
    for (size_t p = 0; p < finding->n_parties; p++) {
        const char *file = finding->parties[p].file;
        const struct weiri_source *source = weiri_sources_get(search->sources, file);
        if (source == NULL || g_strcmp0(file, last) == 0) {
            continue;
        }
        last = file;
        const struct weiri_range all = { 0, weiri_source_at(source, 0)->end };
        for (size_t o = 0; o < G_N_ELEMENTS(operations); o++) {
            const struct operation *operation = &operations[o];
            struct weiri_call call;
            for (uint32_t i = 0;
                 weiri_source_call(source, all, operation->name, i, &call); i++) {
                if (call.n_arguments == operation->n_arguments) {
                    uint32_t line = weiri_source_line_of(source, call.name.begin);
                    uint32_t ends = weiri_source_line_of(source, call.all.end);
                    struct site site = {
                        .source = source,
                        .file = g_intern_string(file),
                        .operation = operation,
                        .object = operation->order > 0 ? call.arguments[0]
                                                       : (struct weiri_range){ 0, 0 },
                        .order = call.arguments[operation->order],
                        .scope = call.arguments[operation->scope],
                        .line = line,
                        .named = is_named(finding, file, line, ends),
                    };
                    g_array_append_val(sites, site);
                }
                weiri_call_clear(&call);
            }
        }
    }
    g_array_sort(sites, by_line);
    return sites;
}

/* Which of @words, weakest first, an argument is; -1: another expression. */
static int rank_of(const struct site *site, struct weiri_range argument,
                   const char *const *words)
{
    g_autofree char *text = weiri_text_of(site->source, argument);
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(text, words[i]) == 0) {
            return i;
        }
    }
    return -1;
}

/* ---- Orders ---------------------------------------------------------------------- */

static const char *const orders[]
    = { "memory_order_relaxed", "memory_order_acquire", "memory_order_release",
        "memory_order_acq_rel", "memory_order_seq_cst", NULL };

/* The order that makes the operation acquire and release what it can, or NULL if it
 * does. */
static const char *stronger(const struct site *site)
{
    int rank = rank_of(site, site->order, orders);
    switch (site->operation->side) {
    case ACQUIRES:
        return rank == 0 ? orders[1] : NULL;
    case RELEASES:
        return rank == 0 ? orders[2] : NULL;
    case BOTH_SIDES:
        break;
    }
    return rank >= 0 && rank < 3 ? orders[3] : NULL;
}

static void add_change(struct weiri_search *search, enum weiri_fix_kind kind,
                       const struct site *site, struct weiri_range argument,
                       const char *to, unsigned cost)
{
    GArray *edits = weiri_edits_new();
    weiri_edit_add(edits, argument.begin, argument.end, to);
    g_autofree char *from = weiri_text_of(site->source, argument);
    const struct weiri_fix_candidate draft = {
        .kind = kind,
        .file = site->file,
        .line = site->line,
        .title = g_strdup_printf("%s instead of %s at", to, from),
        .cost = cost + (site->named ? 0 : COST_UNNAMED),
        .from = g_strdup(from),
        .to = g_strdup(to),
        .edits = edits,
    };
    weiri_search_add(search, &draft);
}

static bool same_object(const struct site *a, const struct site *b)
{
    size_t n = a->object.end - a->object.begin;
    return a->source == b->source && n > 0 && n == b->object.end - b->object.begin
        && memcmp(weiri_source_text(a->source, NULL) + a->object.begin,
                  weiri_source_text(b->source, NULL) + b->object.begin, n)
        == 0;
}

/* Both ends of an order that lacks both. */
static void add_both(struct weiri_search *search, const struct site *a,
                     const struct site *b)
{
    const char *to_a = stronger(a), *to_b = stronger(b);
    GArray *edits = weiri_edits_new();
    weiri_edit_add(edits, a->order.begin, a->order.end, to_a);
    weiri_edit_add(edits, b->order.begin, b->order.end, to_b);
    const struct weiri_fix_candidate draft = {
        .kind = WEIRI_FIX_STRENGTHEN_ORDER,
        .file = a->file,
        .line = a->line,
        .to = g_strdup(to_a),
        .title
        = g_strdup_printf("%s at line %" PRIu32 ", and %s at", to_b, b->line, to_a),
        .cost = COST_ORDER + COST_PAIR + (a->named && b->named ? 0 : COST_UNNAMED),
        .edits = edits,
    };
    weiri_search_add(search, &draft);
}

void weiri_suggest_orders(struct weiri_search *search)
{
    g_autoptr(GArray) sites = sites_of(search);
    for (guint i = 0; i < sites->len; i++) {
        const struct site *site = &g_array_index(sites, struct site, i);
        const char *to = stronger(site);
        if (to == NULL) {
            continue;
        }
        add_change(search, WEIRI_FIX_STRENGTHEN_ORDER, site, site->order, to,
                   COST_ORDER);
        for (guint k = 0; k < sites->len; k++) {
            const struct site *other = &g_array_index(sites, struct site, k);
            if (i != k && (site->operation->side & RELEASES) != 0
                && (other->operation->side & ACQUIRES) != 0
                && (i < k || other->operation->side != BOTH_SIDES
                    || site->operation->side != BOTH_SIDES)
                && same_object(site, other) && stronger(other) != NULL) {
                add_both(search, site, other);
            }
        }
    }
}

/* ---- Scopes ---------------------------------------------------------------------- */

static const char *const scopes[]
    = { "memory_scope_work_item", "memory_scope_sub_group", "memory_scope_work_group",
        "memory_scope_device",    "memory_scope_system",    NULL };

static const char *wanted_scope(const struct weir_finding *finding)
{
    return weiri_is_between_groups(finding) ? scopes[3] : scopes[2];
}

static bool is_narrow(const struct site *site, const char *wanted)
{
    int rank = rank_of(site, site->scope, scopes);
    return rank >= 0 && rank < (wanted == scopes[3] ? 3 : 2);
}

/* All narrow scopes of a file at once: operations on one location need the same. */
static void add_all_scopes(struct weiri_search *search, const GArray *sites,
                           const char *to)
{
    GArray *edits = weiri_edits_new();
    const struct site *first = NULL;
    guint n = 0;
    for (guint i = 0; i < sites->len; i++) {
        const struct site *site = &g_array_index(sites, struct site, i);
        if (is_narrow(site, to) && (first == NULL || site->source == first->source)) {
            weiri_edit_add(edits, site->scope.begin, site->scope.end, to);
            first = first == NULL ? site : first;
            n++;
        }
    }
    if (n < 2) {
        g_array_unref(edits);
        return;
    }
    const struct weiri_fix_candidate draft = {
        .kind = WEIRI_FIX_WIDEN_SCOPE,
        .file = first->file,
        .line = first->line,
        .to = g_strdup(to),
        .title = g_strdup_printf("%s instead of a narrower scope in %u operations, "
                                 "the first at",
                                 to, n),
        .cost = COST_SCOPE + COST_PAIR,
        .edits = edits,
    };
    weiri_search_add(search, &draft);
}

void weiri_suggest_scopes(struct weiri_search *search)
{
    g_autoptr(GArray) sites = sites_of(search);
    const char *to = wanted_scope(search->finding);
    for (guint i = 0; i < sites->len; i++) {
        const struct site *site = &g_array_index(sites, struct site, i);
        if (is_narrow(site, to)) {
            add_change(search, WEIRI_FIX_WIDEN_SCOPE, site, site->scope, to,
                       COST_SCOPE);
        }
    }
    add_all_scopes(search, sites, to);
}

/* ---- Fences ---------------------------------------------------------------------- */

void weiri_suggest_fences(struct weiri_search *search)
{
    g_autoptr(GArray) sites = sites_of(search);
    const char *scope = wanted_scope(search->finding);
    for (guint i = 0; i < sites->len; i++) {
        const struct site *site = &g_array_index(sites, struct site, i);
        uint32_t statement = weiri_source_find(site->source, site->line);
        bool releases = (site->operation->side & RELEASES) != 0;
        if (stronger(site) == NULL || site->object.end == 0
            || statement == WEIRI_STATEMENT_NONE
            || weiri_source_at(site->source, statement)->kind
                != WEIRI_STATEMENT_SIMPLE) {
            continue;
        }
        const char *order = orders[releases ? 2 : 1];
        g_autofree char *line
            = g_strdup_printf("weir_atomic_fence(%s, %s);", order, scope);
        GArray *edits = weiri_edits_new();
        (releases ? weiri_edit_insert_before
                  : weiri_edit_insert_after)(edits, site->source, statement, line);
        const struct weiri_fix_candidate draft = {
            .kind = WEIRI_FIX_ADD_FENCE,
            .file = site->file,
            .line = site->line,
            .title = g_strdup_printf("insert weir_atomic_fence(%s, %s) %s", order,
                                     scope, releases ? "before" : "after"),
            .to = g_steal_pointer(&line),
            .cost = COST_FENCE + (site->named ? 0 : COST_UNNAMED),
            .edits = edits,
        };
        weiri_search_add(search, &draft);
    }
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

/* The same in what a statement has around the statements in it: its head, the head of
 * an `else if` on the line of another statement's end, the condition of a `do` loop. */
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
