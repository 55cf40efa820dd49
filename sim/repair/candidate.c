/* SPDX-License-Identifier: MIT
 *
 * candidate.c: which generators a kind of finding asks, and candidates in the order in
 * which they are tried. Every generator adds to one list; a candidate that several
 * findings suggest is one entry. The list is sorted by cost: the cheapest change is
 * tried first. */
#include "config.h"

#include "repair/suggest.h"

#include <string.h>

const char *weiri_fix_kind_name(enum weiri_fix_kind change)
{
    static const char *const names[] = {
#define X(name, text) [WEIRI_FIX_##name] = text,
        WEIRI_FIX_KINDS(X)
#undef X
    };
    return names[change];
}

bool weiri_fix_only_orders(enum weiri_fix_kind kind)
{
    return kind == WEIRI_FIX_INSERT_BARRIER || kind == WEIRI_FIX_WIDEN_BARRIER
        || kind == WEIRI_FIX_STRENGTHEN_ORDER || kind == WEIRI_FIX_WIDEN_SCOPE
        || kind == WEIRI_FIX_ADD_FENCE;
}

/* ---- Which generators ------------------------------------------------------------ */

typedef void generator(struct weiri_search *search);

static generator *const for_races[] = { weiri_suggest_barriers,
                                        weiri_suggest_orders,
                                        weiri_suggest_scopes,
                                        weiri_suggest_atomics,
                                        weiri_suggest_lost_updates,
                                        weiri_suggest_fences,
                                        NULL };
static generator *const for_answers[]
    = { weiri_suggest_any_barrier,  weiri_suggest_orders, weiri_suggest_scopes,
        weiri_suggest_lost_updates, weiri_suggest_fences, NULL };
static generator *const for_divergence[]
    = { weiri_suggest_moves, weiri_suggest_guarded, NULL };
static generator *const for_bounds[] = { weiri_suggest_bounds, NULL };
static generator *const for_values[]
    = { weiri_suggest_zero, weiri_suggest_any_barrier, NULL };

static generator *const *const generators[] = {
    [WEIR_FINDING_DATA_RACE] = for_races,
    [WEIR_FINDING_SCOPE_RACE] = for_races,
    [WEIR_FINDING_MIXED_ATOMIC] = for_races,
    [WEIR_FINDING_BARRIER_DIVERGENCE] = for_divergence,
    [WEIR_FINDING_ASSERTION] = for_answers,
    [WEIR_FINDING_WRONG_RESULT] = for_answers,
    [WEIR_FINDING_DEADLOCK] = for_answers,
    [WEIR_FINDING_LIVELOCK] = for_answers,
    [WEIR_FINDING_OUT_OF_BOUNDS] = for_bounds,
    [WEIR_FINDING_UNINITIALIZED_READ] = for_values,
};

/* The cheapest first, and of these the one that more findings suggest */
static int compare(const void *a, const void *b)
{
    const struct weiri_fix_candidate *x = *(void *const *)a, *y = *(void *const *)b;
    return x->cost != y->cost ? (x->cost > y->cost) * 2 - 1
        : x->suggested_by->len != y->suggested_by->len
        ? (x->suggested_by->len < y->suggested_by->len) * 2 - 1
        : 0;
}

/* Candidates that the reason of a finding suggests are tried first. */
static const struct {
    enum weiri_fix_kind kind;
    const char *why;
    bool at_line; /* only at a line that the finding names, and if it is one, */
    bool alone;   /* at which both parties are */
    unsigned less;
} preferred[] = {
    { WEIRI_FIX_INSERT_BARRIER, "no barrier (of the group )?lies", false, false, 25 },
    { WEIRI_FIX_MAKE_ATOMIC, "two items read the old value", true, true, 15 },
    { WEIRI_FIX_STRENGTHEN_ORDER, "(releases|acquires) nothing|no release lies", true,
      false, 20 },
    { WEIRI_FIX_WIDEN_SCOPE, "does not include", true, false, 15 },
};

/* Whether the finding names the line, in its parties or in its reason; with @alone,
 * whether all parties are there. */
static bool names_line(const struct weir_finding *finding, const char *file,
                       uint32_t line, bool alone)
{
    size_t n = 0;
    for (size_t p = 0; p < finding->n_parties; p++) {
        n += finding->parties[p].line == line
            && g_strcmp0(finding->parties[p].file, file) == 0;
    }
    g_autofree char *place = g_strdup_printf("(%s:%" PRIu32 ")", file, line);
    return alone ? n == finding->n_parties
                 : n > 0 || strstr(finding->why, place) != NULL;
}

static unsigned less_for(const struct weiri_fix_candidate *candidate,
                         const struct weir_finding *finding)
{
    for (size_t i = 0; i < G_N_ELEMENTS(preferred); i++) {
        if (candidate->kind == preferred[i].kind && finding->why != NULL
            && g_regex_match_simple(preferred[i].why, finding->why, 0, 0)
            && (!preferred[i].at_line
                || names_line(finding, candidate->file, candidate->line,
                              preferred[i].alone))) {
            return preferred[i].less;
        }
    }
    return 0;
}

static void prefer_for_reason(const GPtrArray *found)
{
    for (guint i = 0; i < found->len; i++) {
        struct weiri_fix_candidate *candidate = g_ptr_array_index(found, i);
        unsigned less = 0;
        for (guint k = 0; k < candidate->suggested_by->len; k++) {
            less = MAX(
                less,
                less_for(candidate, g_ptr_array_index(candidate->suggested_by, k)));
        }
        candidate->cost -= MIN(candidate->cost, less);
    }
}

/* The operation at a line, acquiring and releasing. */
static void suggest_order(struct weiri_search *search, const char *file, uint32_t line)
{
    const struct weiri_fix_candidate draft = {
        .kind = WEIRI_FIX_STRENGTHEN_ORDER,
        .file = g_intern_string(file),
        .line = line,
        .to = g_strdup("memory_order_acq_rel"),
        .title = g_strdup("memory_order_acq_rel for the operation at"),
        .strong = g_strdup("acq_rel"),
        .weaker = g_strsplit("release acquire", " ", -1),
        .edits = weiri_edits_new(),
    };
    weiri_search_add(search, &draft);
}

GPtrArray *weiri_candidates_by_order(const GPtrArray *findings)
{
    GPtrArray *found = g_ptr_array_new_with_free_func(weiri_fix_candidate_free);
    g_autoptr(GRegex) place = g_regex_new("\\(([^():]+):(\\d+)\\)", 0, 0, NULL);
    for (guint i = 0; i < findings->len; i++) {
        struct weiri_search search
            = { .finding = g_ptr_array_index(findings, i), .found = found };
        const struct weir_finding *finding = search.finding;
        g_autoptr(GMatchInfo) match = NULL;
        g_regex_match(place, finding->why != NULL ? finding->why : "", 0, &match);
        for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
            g_autofree char *file = g_match_info_fetch(match, 1);
            g_autofree char *line = g_match_info_fetch(match, 2);
            suggest_order(&search, file, (uint32_t)g_ascii_strtoull(line, NULL, 10));
        }
    }
    return found;
}

GPtrArray *weiri_candidates_find(const GPtrArray *findings,
                                 struct weiri_sources *sources, const GPtrArray *files,
                                 bool checked)
{
    GPtrArray *found = g_ptr_array_new_with_free_func(weiri_fix_candidate_free);
    for (guint i = 0; i < findings->len; i++) {
        struct weiri_search search = { .sources = sources,
                                       .files = files,
                                       .checked = checked,
                                       .finding = g_ptr_array_index(findings, i),
                                       .found = found };
        size_t kind = search.finding->kind;
        /* No barrier and no order ends a loop of items that advance together, or orders
         * commands. */
        bool beyond = g_strcmp0(search.finding->form, "lockstep") == 0
            || g_strcmp0(search.finding->form, "commands") == 0;
        generator *const *asked
            = kind < G_N_ELEMENTS(generators) && !beyond ? generators[kind] : NULL;
        for (; asked != NULL && *asked != NULL; asked++) {
            (*asked)(&search);
        }
    }
    prefer_for_reason(found);
    g_ptr_array_sort(found, compare); /* stable */
    return found;
}
