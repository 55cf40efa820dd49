/* SPDX-License-Identifier: MIT
 *
 * candidate-barrier.c: where a barrier could order two accesses. A gap is a place
 * between two statements of one block; the gaps that are suggested lie between the
 * accesses, or, for accesses in a loop, between one round and the next.
 *
 * Invariant: no gap is inside a branch, unless all items of a group take it: its
 * condition shows that, or it has barriers, which would be findings otherwise. */
#include "config.h"

#include "repair/cuda-change.h"
#include "repair/kernel-text.h"
#include "repair/sycl-change.h"
#include "repair/words.h"

#include <string.h>

/* Costs: what is tried first. */
enum {
    COST_WIDEN = 10,
    COST_INSTEAD = 11,  /* a barrier for a fence */
    COST_BETWEEN = 30,  /* the accesses */
    COST_ROUND = 34,    /* between rounds of the innermost loop around both */
    COST_OUTER = 4,     /* more for each loop further out */
    COST_WARP = 3,      /* more for a barrier of a warp, */
    COST_OWN_WARP = 1,  /* less in a function that speaks of warps */
    COST_GROUPS = 31,   /* beside one access, for accesses of two groups */
    COST_ANYWHERE = 60, /* and more for each gap further from the finding's line */
    MOST_LOOPS = 3,
    MOST_GAPS = 16, /* anywhere */
};

/* Whose barrier: that of a warp and of a cluster are CUDA's. */
enum party { OF_GROUP, OF_WARP, OF_CLUSTER };

/* ---- Gaps ------------------------------------------------------------------------ */

/* A block, or the loop around a body without braces. */
static bool holds_gaps(const struct weiri_source *source, uint32_t statement)
{
    const struct weiri_statement *at = weiri_source_at(source, statement);
    return at->kind == WEIRI_STATEMENT_BLOCK
        || (at->kind == WEIRI_STATEMENT_LOOP && at->first_child != WEIRI_STATEMENT_NONE
            && weiri_source_at(source, at->first_child)->kind != WEIRI_STATEMENT_BLOCK);
}

static uint32_t previous(const struct weiri_source *source, uint32_t statement)
{
    uint32_t parent = weiri_source_at(source, statement)->parent;
    uint32_t before = WEIRI_STATEMENT_NONE;
    for (uint32_t i = weiri_source_at(source, parent)->first_child; i != statement;
         i = weiri_source_at(source, i)->next) {
        before = i;
    }
    return before;
}

struct gap {
    uint32_t statement;
    bool after; /* it; else before it */
};

/* Where one and the same gap has two names, it is after what stands before it. */
static struct gap gap_before(const struct weiri_source *source, uint32_t statement)
{
    uint32_t before = previous(source, statement);
    return before != WEIRI_STATEMENT_NONE ? (struct gap){ before, true }
                                          : (struct gap){ statement, false };
}

/* The barrier of a sub-group in place of @barrier, in a function that speaks of
 * sub-groups: it is enough for items that exchange values inside one.
 * Returns: (transfer full): or NULL */
static char **weaker_barrier(const struct weiri_anchor *anchor, const char *barrier)
{
    const struct weiri_source *source = anchor->source;
    g_autofree char *function
        = weiri_text_of(source, weiri_statement_range(source, anchor->function));
    const char *begin = strchr(barrier, '('), *comma = strrchr(barrier, ',');
    if (strstr(function, "sub_group") == NULL || begin == NULL) {
        return NULL;
    }
    char *text = NULL;
    if (weiri_source_is_opencl(source)) {
        text = g_strconcat("sub_group_barrier", begin, NULL);
    } else if (!weiri_source_is_sycl(source) && comma != NULL) {
        text = g_strdup_printf("weir_sub_group_barrier%.*s)", (int)(comma - begin),
                               begin);
    } else if (strstr(barrier, ".get_group()") != NULL) {
        g_auto(GStrv) parts = g_strsplit(barrier, ".get_group()", 2);
        text = g_strjoinv(".get_sub_group()", parts);
    }
    char **weaker = g_new0(char *, 2);
    weaker[0] = text;
    return weaker;
}

static bool speaks_of_warps(const struct weiri_anchor *anchor)
{
    const struct weiri_source *source = anchor->source;
    g_autofree char *function
        = weiri_text_of(source, weiri_statement_range(source, anchor->function));
    return g_regex_match_simple("warp|lane|__shfl|[&%<]=?\\s*3[12]\\b", function,
                                G_REGEX_CASELESS, 0);
}

/* By the name that the function has for its cluster; where it speaks of none: NULL. */
static char *cluster_barrier(const struct weiri_anchor *anchor)
{
    const struct weiri_source *source = anchor->source;
    g_autofree char *function
        = weiri_text_of(source, weiri_statement_range(source, anchor->function));
    g_autoptr(GRegex) named
        = g_regex_new("\\b(?:cluster_group\\s+|auto\\s+(?=\\w+\\s*=\\s*[\\w:]*"
                      "this_cluster))(\\w+)",
                      0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    if (g_regex_match(named, function, 0, &match)) {
        g_autofree char *name = g_match_info_fetch(match, 1);
        return g_strconcat(name, ".sync()", NULL);
    }
    return strstr(function, "cluster") != NULL
        ? g_strdup("cooperative_groups::this_cluster().sync()")
        : NULL;
}

static char *barrier_of(enum party party, const struct weiri_anchor *anchor,
                        uint32_t statement, const char *space)
{
    return party == OF_WARP   ? g_strdup("__syncwarp()")
        : party == OF_CLUSTER ? cluster_barrier(anchor)
                              : weiri_barrier_text(anchor, statement, space);
}

static void add_gap_of(struct weiri_search *search, const struct weiri_anchor *anchor,
                       struct gap gap, const char *space, unsigned cost, char *missing,
                       enum party party)
{
    if (party == OF_WARP) {
        cost = speaks_of_warps(anchor) ? cost - COST_OWN_WARP : cost + COST_WARP;
    }
    g_autofree char *barrier = barrier_of(party, anchor, gap.statement, space);
    const struct weiri_statement *at = weiri_source_at(anchor->source, gap.statement);
    if (barrier == NULL || (gap.after && weiri_jumps(anchor->source, gap.statement))) {
        g_free(missing);
        return;
    }
    g_autofree char *line = g_strconcat(barrier, ";", NULL);
    GArray *edits = weiri_edits_new();
    (gap.after ? weiri_edit_insert_after
               : weiri_edit_insert_before)(edits, anchor->source, gap.statement, line);
    const struct weiri_fix_candidate draft = {
        .kind = WEIRI_FIX_INSERT_BARRIER,
        .file = anchor->file,
        .line = gap.after ? at->last_line : at->first_line,
        .to = g_steal_pointer(&line),
        .title
        = g_strdup_printf("insert %s %s", barrier, gap.after ? "after" : "before"),
        .missing = missing,
        .cost = cost,
        .strong = g_strdup(barrier),
        .weaker = weaker_barrier(anchor, barrier),
        .edits = edits,
    };
    weiri_search_add(search, &draft);
}

static void add_gap(struct weiri_search *search, const struct weiri_anchor *anchor,
                    struct gap gap, const char *space, unsigned cost, char *missing)
{
    add_gap_of(search, anchor, gap, space, cost, missing, OF_GROUP);
}

/* ---- Between two accesses -------------------------------------------------------- */

/* The memory that the finding is about; NULL: any. */
static const char *space_of(const struct weir_finding *finding)
{
    return g_strcmp0(finding->space, "local") == 0
            || g_strcmp0(finding->space, "global") == 0
        ? finding->space
        : NULL;
}

static const char *flag_of(const struct weir_finding *finding,
                           const struct weiri_source *source)
{
    const char *space = space_of(finding);
    const struct weiri_kernel_words *words = weiri_words_of(source);
    return space == NULL              ? NULL
        : strcmp(space, "local") == 0 ? words->local
                                      : words->global;
}

static bool is_in(const struct weiri_source *source, uint32_t statement, uint32_t above)
{
    while (statement != above && statement != 0) {
        statement = weiri_source_at(source, statement)->parent;
    }
    return statement == above;
}

/* The child of @above that has @statement in it, or is it. */
static uint32_t child_with(const struct weiri_source *source, uint32_t above,
                           uint32_t statement)
{
    while (weiri_source_at(source, statement)->parent != above) {
        statement = weiri_source_at(source, statement)->parent;
    }
    return statement;
}

/* Two accesses in one function: @block has both, in its statements @first and @last. */
struct pair {
    const struct weiri_anchor *anchor; /* of one of them */
    uint32_t block, first, last;
    enum party party; /* a warp's, in a branch or not */
};

/* Whether all items that the pair is about are in the block together. For a warp the
 * trial shows it. */
static bool are_in(const struct pair *pair, uint32_t block)
{
    return pair->party == OF_WARP || weiri_is_uniform(pair->anchor->source, block);
}

/* The innermost block around both that all items of a group are in together.
 * Returns: false where the function has none */
static bool find_pair(const struct weiri_anchor *a, const struct weiri_anchor *b,
                      enum party party, struct pair *pair)
{
    const struct weiri_source *source = a->source;
    *pair = (struct pair){ .anchor = a, .party = party };
    uint32_t block = weiri_source_at(source, a->statement)->parent;
    while (!is_in(source, b->statement, block) || b->statement == block
           || !holds_gaps(source, block) || !are_in(pair, block)) {
        if (block == a->function) {
            return false;
        }
        block = weiri_source_at(source, block)->parent;
    }
    uint32_t first = child_with(source, block, a->statement);
    uint32_t last = child_with(source, block, b->statement);
    bool swapped
        = weiri_source_at(source, first)->begin > weiri_source_at(source, last)->begin;
    pair->block = block;
    pair->first = swapped ? last : first;
    pair->last = swapped ? first : last;
    return true;
}

static void go_out(struct pair *pair)
{
    pair->first = pair->last = pair->block;
    pair->block = weiri_source_at(pair->anchor->source, pair->block)->parent;
}

/* Goes outward to the next block that is the body of a loop, from the pair's own on.
 * Returns: its loop, or NONE */
static uint32_t find_loop(struct pair *pair)
{
    const struct weiri_source *source = pair->anchor->source;
    for (; pair->block != pair->anchor->function; go_out(pair)) {
        const struct weiri_statement *block = weiri_source_at(source, pair->block);
        if (holds_gaps(source, pair->block) && block->kind == WEIRI_STATEMENT_LOOP) {
            return pair->block;
        }
        if (holds_gaps(source, pair->block)
            && weiri_source_at(source, block->parent)->kind == WEIRI_STATEMENT_LOOP) {
            return block->parent;
        }
    }
    return WEIRI_STATEMENT_NONE;
}

/* Whether items meet between the two accesses of one round. */
static bool meets_between(const struct pair *pair)
{
    const struct weiri_source *source = pair->anchor->source;
    const struct weiri_range apart = { weiri_source_at(source, pair->first)->end,
                                       weiri_source_at(source, pair->last)->begin };
    return pair->first != pair->last && weiri_meets(source, apart);
}

/* Whether they meet between the later access of one round and the earlier one of the
 * next. */
static bool meets_between_rounds(const struct pair *pair, uint32_t loop)
{
    const struct weiri_source *source = pair->anchor->source;
    const struct weiri_statement *whole = weiri_source_at(source, loop);
    const struct weiri_range after
        = { weiri_source_at(source, pair->last)->end, whole->end };
    const struct weiri_range before
        = { whole->begin, weiri_source_at(source, pair->first)->begin };
    return weiri_meets(source, after) || weiri_meets(source, before);
}

/* Between rounds of the loop whose body the pair's block is: after and before its
 * statements, at the end of the body and at its beginning. */
static void suggest_rounds(struct weiri_search *search, const struct pair *pair,
                           unsigned cost)
{
    const struct weiri_source *source = pair->anchor->source;
    const char *space = space_of(search->finding);
    uint32_t head = weiri_source_at(source, pair->block)->first_child, end = pair->last;
    while (weiri_source_at(source, end)->next != WEIRI_STATEMENT_NONE) {
        end = weiri_source_at(source, end)->next;
    }
    const struct gap gaps[] = { { pair->last, true },
                                gap_before(source, pair->first),
                                { end, true },
                                gap_before(source, head) };
    for (unsigned i = 0; i < G_N_ELEMENTS(gaps); i++) {
        add_gap_of(search, pair->anchor, gaps[i], space, cost + i, NULL, pair->party);
    }
}

/* Both accesses are in one function. */
static void suggest_between(struct weiri_search *search, const struct weiri_anchor *a,
                            const struct weiri_anchor *b, enum party party)
{
    const struct weiri_source *source = a->source;
    struct pair pair;
    if (!find_pair(a, b, party, &pair)) {
        return;
    }
    if (pair.first != pair.last) {
        const char *space = space_of(search->finding);
        unsigned cost = COST_BETWEEN + (meets_between(&pair) ? 2 * COST_OUTER : 0);
        add_gap_of(search, a, (struct gap){ pair.first, true }, space, cost, NULL,
                   party);
        add_gap_of(search, a, gap_before(source, pair.last), space, cost + 1, NULL,
                   party);
    }
    unsigned cost = COST_ROUND;
    for (int n = 0; n < MOST_LOOPS && find_loop(&pair) != WEIRI_STATEMENT_NONE; n++) {
        if (are_in(&pair, pair.block)) {
            suggest_rounds(search, &pair, cost);
        }
        cost += COST_OUTER;
        go_out(&pair);
    }
}

/* Why two accesses in one function are not ordered, where that is between two rounds of
 * a loop. Returns: (transfer full): or NULL */
static char *reason_of_rounds(const struct weiri_anchor *a,
                              const struct weiri_anchor *b)
{
    struct pair pair;
    if (!find_pair(a, b, OF_GROUP, &pair)
        || (pair.first != pair.last && !meets_between(&pair))) {
        return NULL;
    }
    uint32_t loop, from = MAX(a->line, b->line), to = MIN(a->line, b->line);
    while ((loop = find_loop(&pair)) != WEIRI_STATEMENT_NONE) {
        if (weiri_is_uniform(a->source, pair.block)
            && !meets_between_rounds(&pair, loop)) {
            g_autofree char *places = from == to
                ? g_strdup_printf("follows line %" PRIu32, from)
                : g_strdup_printf("lies between line %" PRIu32 " and line %" PRIu32,
                                  from, to);
            return g_strdup_printf("from one round of the loop at line %" PRIu32
                                   " to the next, no barrier %s",
                                   weiri_source_at(a->source, loop)->first_line,
                                   places);
        }
        go_out(&pair);
    }
    return NULL;
}

/* Beside one access, so that what its group does before or after is ordered with it. */
static void suggest_beside(struct weiri_search *search,
                           const struct weiri_anchor *anchor, bool writes)
{
    const struct weiri_source *source = anchor->source;
    uint32_t statement = anchor->statement;
    for (;;) {
        uint32_t block = weiri_source_at(source, statement)->parent;
        if (statement == anchor->function || block == anchor->function) {
            return;
        }
        if (holds_gaps(source, block) && weiri_is_uniform(source, block)) {
            break;
        }
        statement = block;
    }
    struct gap gap
        = writes ? (struct gap){ statement, true } : gap_before(source, statement);
    const char *flag
        = weiri_source_is_sycl(source) ? NULL : flag_of(search->finding, source);
    char *missing = g_strdup_printf(
        writes ? "no barrier%s%s orders the write at %s:%" PRIu32
                 " before the operation by which another item of its group publishes it"
               : "no barrier%s%s orders the wait of another item of its group before "
                 "the read at %s:%" PRIu32,
        flag != NULL ? " with " : "", flag != NULL ? flag : "", anchor->file,
        anchor->line);
    add_gap(search, anchor, gap, space_of(search->finding), COST_GROUPS + !writes,
            missing);
}

/* ---- Flags ----------------------------------------------------------------------- */

static void widen(struct weiri_search *search, const struct weiri_anchor *anchor,
                  const struct weiri_call *call,
                  const struct weiri_flagged_words *flagged, const char *flag)
{
    const struct weiri_source *source = anchor->source;
    const struct weiri_range argument = call->arguments[flagged->flags];
    uint32_t line = weiri_source_line_of(source, call->name.begin);
    g_autofree char *from = weiri_text_of(source, argument);
    if (strstr(from, flag) != NULL) {
        return;
    }
    char *to = strcmp(from, "0") == 0 ? g_strdup(flag)
                                      : g_strdup_printf("%s | %s", from, flag);
    GArray *edits = weiri_edits_new();
    weiri_edit_add(edits, argument.begin, argument.end, to);
    const struct weiri_fix_candidate draft = {
        .kind = WEIRI_FIX_WIDEN_BARRIER,
        .file = anchor->file,
        .line = line,
        .title
        = g_strdup_printf("add %s to the flags of the %s at", flag, flagged->what),
        .missing = g_strdup_printf(
            "the %s at %s:%" PRIu32 " orders %s", flagged->what, anchor->file, line,
            strcmp(from, "0") == 0 ? "no memory"
                : strstr(from, weiri_words_of(source)->local) != NULL
                ? "local memory only"
                : "global memory only"),
        .cost = COST_WIDEN
            - (weiri_reason_names(search->finding, anchor->file, line) ? 1 : 0),
        .from = g_strdup(from),
        .to = to,
        .edits = edits,
    };
    weiri_search_add(search, &draft);
}

/* A barrier of the group where OpenCL C has a fence, or a barrier of a sub-group. */
static void suggest_instead(struct weiri_search *search,
                            const struct weiri_anchor *anchor)
{
    static const struct {
        const char *name, *why;
    } others[] = { { "mem_fence", "makes no item wait" },
                   { "read_mem_fence", "makes no item wait" },
                   { "write_mem_fence", "makes no item wait" },
                   { "sub_group_barrier", "is a barrier of a sub-group" } };
    const struct weiri_source *source = anchor->source;
    struct weiri_range function = weiri_statement_range(source, anchor->function);
    struct weiri_call call;
    for (size_t o = 0; o < G_N_ELEMENTS(others); o++) {
        for (uint32_t i = 0;
             weiri_source_call(source, function, others[o].name, i, &call); i++) {
            uint32_t line = weiri_source_line_of(source, call.name.begin);
            uint32_t statement = weiri_source_find(source, line);
            if (statement != WEIRI_STATEMENT_NONE
                && weiri_is_uniform(source, statement)) {
                char *to
                    = weiri_barrier_text(anchor, statement, space_of(search->finding));
                GArray *edits = weiri_edits_new();
                weiri_edit_add(edits, call.all.begin, call.all.end, to);
                const struct weiri_fix_candidate draft = {
                    .kind = WEIRI_FIX_WIDEN_BARRIER,
                    .file = anchor->file,
                    .line = line,
                    .title
                    = g_strdup_printf("%s instead of %s() at", to, others[o].name),
                    .missing
                    = g_strdup_printf("%s() at %s:%" PRIu32 " %s", others[o].name,
                                      anchor->file, line, others[o].why),
                    .cost = COST_INSTEAD,
                    .from = weiri_text_of(source, call.all),
                    .to = to,
                    .edits = edits,
                };
                weiri_search_add(search, &draft);
            }
            weiri_call_clear(&call);
        }
    }
}

static void suggest_flags(struct weiri_search *search,
                          const struct weiri_anchor *anchor)
{
    const struct weiri_source *source = anchor->source;
    struct weiri_range function = weiri_statement_range(source, anchor->function);
    struct weiri_call call;
    if (weiri_source_is_sycl(source)) {
        weiri_sycl_suggest_wider(search, anchor, COST_WIDEN);
        return;
    }
    const char *flag = flag_of(search->finding, source);
    const struct weiri_flagged_words *flagged = weiri_words_of(source)->flagged;
    for (; flag != NULL && flagged->name != NULL; flagged++) {
        for (uint32_t i = 0;
             weiri_source_call(source, function, flagged->name, i, &call); i++) {
            if (call.n_arguments > flagged->flags) {
                widen(search, anchor, &call, flagged, flag);
            }
            weiri_call_clear(&call);
        }
    }
    if (weiri_source_is_opencl(source) && !weiri_is_between_groups(search->finding)) {
        suggest_instead(search, anchor);
    }
}

/* ---- Findings -------------------------------------------------------------------- */

void weiri_suggest_barriers(struct weiri_search *search)
{
    const struct weir_finding *finding = search->finding;
    struct weiri_anchor first[WEIRI_MOST_ANCHORS], second[WEIRI_MOST_ANCHORS];
    if (finding->n_parties < 2) {
        return;
    }
    size_t n_first = weiri_anchors_of(search, &finding->parties[0], first);
    size_t n_second = weiri_anchors_of(search, &finding->parties[1], second);
    bool apart = weiri_is_between_groups(finding);
    for (size_t i = 0; i < n_first; i++) {
        suggest_flags(search, &first[i]);
        if (apart) {
            suggest_beside(search, &first[i],
                           finding->parties[0].access != WEIR_ACCESS_READ);
        }
        for (size_t k = 0; k < n_second; k++) {
            const struct weiri_source *source = first[i].source;
            if (source != second[k].source || first[i].function != second[k].function
                || (apart && !weiri_source_is_cuda(source))) {
                continue;
            }
            suggest_between(search, &first[i], &second[k],
                            apart ? OF_CLUSTER : OF_GROUP);
            if (!apart && weiri_cuda_is_in_warp(source, finding)) {
                suggest_between(search, &first[i], &second[k], OF_WARP);
            }
        }
    }
    for (size_t k = 0; k < n_second; k++) {
        suggest_flags(search, &second[k]);
        if (apart) {
            suggest_beside(search, &second[k],
                           finding->parties[1].access != WEIR_ACCESS_READ);
        }
    }
}

char *weiri_reason_in_text(struct weiri_sources *sources,
                           const struct weir_finding *finding)
{
    static const char *const replaced[]
        = { "no barrier",
            "nothing orders the accesses of two items at this one "
            "place" };
    struct weiri_search search = { .sources = sources, .finding = finding };
    struct weiri_anchor first[WEIRI_MOST_ANCHORS], second[WEIRI_MOST_ANCHORS];
    char *of_fields = weiri_reason_of_fields(sources, finding);
    if (of_fields != NULL) {
        return of_fields;
    }
    bool unsure = false;
    for (size_t i = 0; i < G_N_ELEMENTS(replaced); i++) {
        unsure |= finding->why != NULL && g_str_has_prefix(finding->why, replaced[i]);
    }
    if (!unsure || finding->n_parties != 2 || weiri_is_between_groups(finding)) {
        return NULL;
    }
    size_t n_first = weiri_anchors_of(&search, &finding->parties[0], first);
    size_t n_second = weiri_anchors_of(&search, &finding->parties[1], second);
    for (size_t i = 0; i < n_first; i++) {
        for (size_t k = 0; k < n_second; k++) {
            if (first[i].source == second[k].source
                && first[i].function == second[k].function) {
                return reason_of_rounds(&first[i], &second[k]);
            }
        }
    }
    return NULL;
}

/* Whether a statement can touch memory that items share. */
static bool touches(const struct weiri_source *source, uint32_t statement)
{
    struct weiri_range range = weiri_statement_range(source, statement);
    g_autofree char *text = weiri_text_of(source, range);
    bool is_sycl = weiri_source_is_sycl(source);
    struct weiri_call call;
    const char *const *names = weiri_words_of(source)->touching;
    bool calls = false;
    for (; !is_sycl && !calls && *names != NULL; names++) {
        calls = weiri_source_call(source, range, *names, 0, &call);
    }
    if (calls) {
        weiri_call_clear(&call);
    }
    return (calls || strchr(text, '[') != NULL || strstr(text, "->") != NULL
            || strstr(text, "atomic") != NULL || strchr(text, '*') != NULL
            || strstr(text, ".store(") != NULL || strstr(text, ".load(") != NULL
            || strstr(text, ".fetch_") != NULL)
        && strstr(text, "weir_local_array") == NULL
        && (!weiri_source_is_opencl(source)
            || !g_regex_match_simple("^(?:__)?local\\b", text, 0, 0));
}

static void suggest_in_function(struct weiri_search *search,
                                const struct weiri_anchor *anchor)
{
    const struct weiri_source *source = anchor->source;
    size_t end = weiri_source_at(source, anchor->function)->end;
    int n = 0;
    for (uint32_t i = anchor->function + 1; i < weiri_source_n(source) && n < MOST_GAPS
         && weiri_source_at(source, i)->begin < end;
         i++) {
        const struct weiri_statement *at = weiri_source_at(source, i);
        uint32_t next = at->next;
        if (!holds_gaps(source, at->parent) || !weiri_is_uniform(source, at->parent)
            || !touches(source, i)
            || (at->kind == WEIRI_STATEMENT_SIMPLE
                && weiri_meets(source, weiri_statement_range(source, i)))
            || (next != WEIRI_STATEMENT_NONE
                && weiri_source_at(source, next)->kind == WEIRI_STATEMENT_SIMPLE
                && weiri_meets(source, weiri_statement_range(source, next)))) {
            continue;
        }
        unsigned far = (unsigned)ABS((int)at->last_line - (int)anchor->line);
        add_gap(search, anchor, (struct gap){ i, true }, NULL,
                COST_ANYWHERE + MIN(far, 40), NULL);
        n++;
    }
}

void weiri_suggest_any_barrier(struct weiri_search *search)
{
    struct weiri_anchor anchors[WEIRI_MOST_ANCHORS];
    for (size_t p = 0; p < search->finding->n_parties; p++) {
        size_t n = weiri_anchors_of(search, &search->finding->parties[p], anchors);
        for (size_t i = 0; i < n; i++) {
            suggest_flags(search, &anchors[i]);
            suggest_in_function(search, &anchors[i]);
        }
    }
}
