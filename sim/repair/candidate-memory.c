/* SPDX-License-Identifier: MIT
 *
 * candidate-memory.c: memory that is too small, an index that goes one too far, and
 * memory that nothing has written. The name of the object in the finding leads to the
 * call that made it; that call is enlarged, or zeroes are written after it. An index
 * gets a test, or the comparison of its loop is made stricter. The limit in a test is a
 * guess from the names around it. */
#include "config.h"

#include "repair/kernel-names.h"
#include "repair/kernel-text.h"
#include "repair/opencl-text.h"
#include "repair/sycl-change.h"
#include "repair/words.h"

#include <string.h>

enum {
    COST_GUARD = 12, /* before COST_ENLARGE: memory that is larger hides an index */
    COST_LIMIT = 13, /* an index below what the launch says */
    COST_ENLARGE = 14,
    COST_ROOM = 18, /* an index below the size of the memory */
    COST_ZERO = 14,
};

/* ---- Where memory is made -------------------------------------------------------- */

/* The call that made the finding's object. */
struct maker {
    const struct weiri_source *source;
    const char *file;
    struct weiri_call call; /* to be cleared */
    size_t count;           /* which argument is the number of elements */
};

/* The line of a local accessor, which has the name of its variable; or 0. */
static uint32_t accessor_line(const struct weiri_search *search, struct maker *maker)
{
    const struct weir_finding *finding = search->finding;
    const char *file = finding->n_parties > 0 ? finding->parties[0].file : NULL;
    if (g_strcmp0(finding->space, "local") != 0 || file == NULL) {
        return 0;
    }
    maker->source = weiri_sources_get(search->sources, file);
    maker->file = g_intern_string(file);
    return maker->source != NULL && weiri_source_is_sycl(maker->source)
        ? weiri_sycl_local_line(maker->source, finding->object)
        : 0;
}

/* The line of "local array of FILE:LINE", or of a local accessor, or 0; sets @source
 * and @file. */
static uint32_t local_line(const struct weiri_search *search, struct maker *maker)
{
    static const char prefix[] = "local array of ";
    const char *object = search->finding->object;
    const char *colon = strrchr(object, ':');
    if (!g_str_has_prefix(object, prefix) || colon == NULL) {
        return accessor_line(search, maker);
    }
    g_autofree char *file
        = g_strndup(object + strlen(prefix), (gsize)(colon - object) - strlen(prefix));
    maker->source = weiri_sources_get(search->sources, file);
    maker->file = g_intern_string(file);
    return maker->source != NULL ? (uint32_t)g_ascii_strtoull(colon + 1, NULL, 10) : 0;
}

/* The number of elements in "__shared__ T NAME[N];". */
static bool find_shared(const struct weiri_search *search, struct maker *maker)
{
    const struct weir_finding *finding = search->finding;
    const char *file = finding->n_parties > 0 ? finding->parties[0].file : NULL;
    maker->source = weiri_sources_get(search->sources, file);
    if (maker->source == NULL || !weiri_source_is_cuda(maker->source)
        || g_strcmp0(finding->space, "local") != 0) {
        return false;
    }
    g_autofree char *pattern = weiri_names_pattern(
        "^__shared__\\b[^*;=,]*\\b@\\s*\\[([^][]+)\\]\\s*;$", finding->object);
    g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
    for (uint32_t i = 1; i < weiri_source_n(maker->source); i++) {
        struct weiri_range range = weiri_statement_range(maker->source, i);
        g_autofree char *text = weiri_text_of(maker->source, range);
        g_autoptr(GMatchInfo) match = NULL;
        int begin, end;
        if (weiri_source_at(maker->source, i)->kind == WEIRI_STATEMENT_SIMPLE
            && g_regex_match(regex, text, 0, &match)) {
            g_match_info_fetch_pos(match, 1, &begin, &end);
            maker->file = g_intern_string(file);
            maker->count = 0;
            maker->call
                = (struct weiri_call){ range, range, g_new(struct weiri_range, 1), 1 };
            maker->call.arguments[0]
                = (struct weiri_range){ range.begin + (size_t)begin,
                                        range.begin + (size_t)end };
            return true;
        }
    }
    return false;
}

static bool find_local(const struct weiri_search *search, struct maker *maker)
{
    if (find_shared(search, maker)) {
        return true;
    }
    uint32_t line = local_line(search, maker);
    struct weiri_call second;
    if (line == 0) {
        return false;
    }
    maker->count = weiri_source_is_sycl(maker->source) ? 0 : 2;
    if (weiri_source_is_sycl(maker->source)) {
        g_autofree char *name
            = weiri_sycl_find_local(maker->source, line, &maker->call);
        return name != NULL;
    }
    if (!weiri_source_call_at(maker->source, line, "weir_local_array", 0,
                              &maker->call)) {
        return false;
    }
    bool only
        = !weiri_source_call_at(maker->source, line, "weir_local_array", 1, &second);
    if (!only) {
        weiri_call_clear(&second);
    }
    if (!only || maker->call.n_arguments != 3) {
        weiri_call_clear(&maker->call);
        return false;
    }
    return true;
}

static bool is_named(const struct maker *maker, const char *name)
{
    if (maker->call.n_arguments < 4) {
        return false;
    }
    g_autofree char *text = weiri_text_of(maker->source, maker->call.arguments[3]);
    g_autofree char *literal = g_strdup_printf("\"%s\"", name);
    return strcmp(text, literal) == 0;
}

/* The name of a file as the finding's parties have it; else @path. */
static const char *name_of(const struct weiri_search *search, const char *path)
{
    for (size_t i = 0; i < search->finding->n_parties; i++) {
        const char *file = search->finding->parties[i].file;
        size_t n = file != NULL ? strlen(file) : 0;
        if (n > 0 && g_str_has_suffix(path, file)
            && (path[strlen(path) - n] == '/' || path[strlen(path) - n - 1] == '/')) {
            return file;
        }
    }
    return path;
}

/* cudaMalloc(&NAME, bytes) or its like, in any source of the program. */
static bool find_allocation(const struct weiri_search *search, struct maker *maker)
{
    g_autofree char *pattern
        = g_strdup_printf("^(?:\\([^()]*\\)\\s*)?&\\s*%s$", search->finding->object);
    for (guint f = 0; f < search->files->len; f++) {
        const char *file = name_of(search, g_ptr_array_index(search->files, f));
        maker->source = weiri_sources_get(search->sources, file);
        maker->file = g_intern_string(file);
        if (maker->source == NULL || !weiri_source_is_cuda(maker->source)) {
            continue;
        }
        const struct weiri_range all = { 0, weiri_source_at(maker->source, 0)->end };
        for (uint32_t k = 0;
             weiri_source_call(maker->source, all, "cudaMalloc*", k, &maker->call);
             k++) {
            g_autofree char *text = maker->call.n_arguments >= 2
                ? weiri_text_of(maker->source, maker->call.arguments[0])
                : g_strdup("");
            if (g_regex_match_simple(pattern, text, 0, 0)) {
                return true;
            }
            weiri_call_clear(&maker->call);
        }
    }
    return false;
}

/* weir_new(device, type, n, "NAME"), in any source of the program. */
static bool find_global(const struct weiri_search *search, struct maker *maker)
{
    static const char *const names[] = { "weir_new", "weir_try_new" };
    maker->count = 2;
    for (guint f = 0; f < search->files->len; f++) {
        const char *file = name_of(search, g_ptr_array_index(search->files, f));
        maker->source = weiri_sources_get(search->sources, file);
        maker->file = g_intern_string(file);
        if (maker->source == NULL) {
            continue;
        }
        if (weiri_source_is_sycl(maker->source)) {
            maker->count = 0;
            if (weiri_sycl_find_global(maker->source, search->finding->object,
                                       &maker->call)) {
                return true;
            }
            continue;
        }
        const struct weiri_range all = { 0, weiri_source_at(maker->source, 0)->end };
        for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
            for (uint32_t k = 0;
                 weiri_source_call(maker->source, all, names[i], k, &maker->call);
                 k++) {
                if (is_named(maker, search->finding->object)) {
                    return true;
                }
                weiri_call_clear(&maker->call);
            }
        }
    }
    return false;
}

static bool find_maker(const struct weiri_search *search, struct maker *maker)
{
    return search->finding->object != NULL
        && (find_local(search, maker) || find_global(search, maker));
}

/* ---- Too small ------------------------------------------------------------------- */

/* "of 33 elements"; or 0 */
static uint64_t elements_of(const struct weir_finding *finding)
{
    g_autoptr(GRegex) regex = g_regex_new("of (\\d+) elements?", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    if (!g_regex_match(regex, finding->message, 0, &match)) {
        return 0;
    }
    g_autofree char *digits = g_match_info_fetch(match, 1);
    return g_ascii_strtoull(digits, NULL, 10);
}

/* The expression @count plus @more, as a person would write it.
 * Returns: (transfer full) */
static char *sum_text(const char *count, uint64_t elements, uint64_t more)
{
    if (g_ascii_string_to_unsigned(count, 10, 0, UINT64_MAX, NULL, NULL)) {
        return g_strdup_printf("%" PRIu64, elements + more);
    }
    g_autoptr(GRegex) less = g_regex_new("^(.*\\S)\\s*-\\s*(\\d+)$", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    if (g_regex_match(less, count, 0, &match)) {
        g_autofree char *head = g_match_info_fetch(match, 1);
        g_autofree char *digits = g_match_info_fetch(match, 2);
        uint64_t taken = g_ascii_strtoull(digits, NULL, 10);
        return taken == more ? g_steal_pointer(&head)
            : taken > more   ? g_strdup_printf("%s - %" PRIu64, head, taken - more)
                             : g_strdup_printf("%s + %" PRIu64, head, more - taken);
    }
    bool simple = strpbrk(count, "?:,&|<>=") == NULL;
    return g_strdup_printf(simple ? "%s + %" PRIu64 : "(%s) + %" PRIu64, count, more);
}

void weiri_fix_candidate_resize(struct weiri_fix_candidate *candidate, uint64_t room)
{
    struct weiri_edit *edit = &g_array_index(candidate->edits, struct weiri_edit, 0);
    candidate->room = room;
    g_free(candidate->to);
    g_free(candidate->title);
    g_free(candidate->missing);
    g_free(edit->text);
    candidate->to
        = sum_text(candidate->from, candidate->elements, room - candidate->elements);
    candidate->title = g_strdup_printf("enlarge to %" PRIu64 " elements, '%s', at",
                                       room, candidate->to);
    candidate->missing
        = g_strdup_printf("the largest index seen is %" PRIu64, room - 1);
    edit->text = g_strdup(candidate->to);
}

/* The change that enlarges what @maker makes, if a finding has suggested it. */
static struct weiri_fix_candidate *suggested(const struct weiri_search *search,
                                             const struct maker *maker)
{
    for (guint i = 0; i < search->found->len; i++) {
        struct weiri_fix_candidate *other = g_ptr_array_index(search->found, i);
        if (other->kind == WEIRI_FIX_ENLARGE && other->file == maker->file
            && g_array_index(other->edits, struct weiri_edit, 0).begin
                == maker->call.arguments[maker->count].begin) {
            return other;
        }
    }
    return NULL;
}

/* One candidate for each object, with room for the largest index of all findings. */
static void suggest_size(struct weiri_search *search)
{
    const struct weir_finding *finding = search->finding;
    struct maker maker;
    uint64_t elements = elements_of(finding);
    if (finding->index < 0 || elements == 0 || (uint64_t)finding->index < elements
        || !find_maker(search, &maker)) {
        return;
    }
    uint64_t room = (uint64_t)finding->index + 1;
    struct weiri_fix_candidate *other = suggested(search, &maker);
    if (other != NULL) {
        g_ptr_array_add(other->suggested_by, (void *)finding);
        weiri_fix_candidate_resize(other, MAX(other->room, room));
    } else {
        struct weiri_range range = maker.call.arguments[maker.count];
        struct weiri_fix_candidate draft = {
            .kind = WEIRI_FIX_ENLARGE,
            .file = maker.file,
            .line = weiri_source_line_of(maker.source, maker.call.name.begin),
            .from = weiri_text_of(maker.source, range),
            .cost = COST_ENLARGE,
            .edits = weiri_edits_new(),
            .object = g_intern_string(finding->object),
            .elements = elements,
        };
        weiri_edit_add(draft.edits, range.begin, range.end, "");
        weiri_fix_candidate_resize(&draft, room);
        weiri_search_add(search, &draft);
    }
    weiri_call_clear(&maker.call);
}

/* ---- One too far ----------------------------------------------------------------- */

/* Each comparison in @head that admits its limit, or goes beyond it, made stricter. */
static void suggest_stricter(struct weiri_search *search,
                             const struct weiri_anchor *anchor, struct weiri_range head)
{
    g_autofree char *text = weiri_text_of(anchor->source, head);
    /* Where nothing was written, a loop goes one too far upward only. */
    bool upward = search->finding->kind == WEIR_FINDING_UNINITIALIZED_READ;
    g_autoptr(GRegex) regex = g_regex_new(
        upward ? "(?<!<)<=(?!=)" : "(?<![-<>=])>(?![>=])|(?<!<)<=(?!=)", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(regex, text, 0, &match);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
        int begin, end;
        g_match_info_fetch_pos(match, 0, &begin, &end);
        const char *to = text[begin] == '>' ? ">=" : "<";
        size_t at = head.begin + (size_t)begin;
        GArray *edits = weiri_edits_new();
        weiri_edit_add(edits, at, head.begin + (size_t)end, to);
        const struct weiri_fix_candidate draft = {
            .kind = WEIRI_FIX_GUARD_INDEX,
            .file = anchor->file,
            .line = weiri_source_line_of(anchor->source, at),
            .from = g_match_info_fetch(match, 0),
            .to = g_strdup(to),
            .title = g_strdup_printf("'%s' instead of '%.*s' in the condition at", to,
                                     end - begin, text + begin),
            .cost = COST_GUARD,
            .edits = edits,
        };
        weiri_search_add(search, &draft);
    }
}

static void suggest_guards(struct weiri_search *search)
{
    struct weiri_anchor anchors[WEIRI_MOST_ANCHORS];
    if (search->finding->n_parties == 0) {
        return;
    }
    size_t n = weiri_anchors_of(search, &search->finding->parties[0], anchors);
    for (size_t a = 0; a < n; a++) {
        const struct weiri_source *source = anchors[a].source;
        size_t end = weiri_source_at(source, anchors[a].statement)->end;
        for (uint32_t i = anchors[a].function + 1;
             i < weiri_source_n(source) && weiri_source_at(source, i)->begin < end;
             i++) {
            const struct weiri_statement *at = weiri_source_at(source, i);
            if (at->kind == WEIRI_STATEMENT_IF || at->kind == WEIRI_STATEMENT_LOOP) {
                suggest_stricter(search, &anchors[a],
                                 (struct weiri_range){ at->start, at->head_end });
            } else if (i == anchors[a].statement) {
                suggest_stricter(search, &anchors[a], weiri_statement_range(source, i));
            }
        }
    }
}

/* ---- Not tested ------------------------------------------------------------------ */

/* Possible upper limits of an index: the number of elements as the host or the kernel
 * writes it, and arguments of the launch that are compared, or named as a number.
 * Returns: (transfer full): of char * */
static GPtrArray *limits_of(const struct weiri_search *search,
                            const struct weiri_anchor *anchor, bool *of_launch)
{
    const struct weiri_source *source = anchor->source;
    if (weiri_source_is_opencl(source) || weiri_source_is_cuda(source)) {
        struct maker shared;
        GPtrArray *numbers = weiri_names_numbers(source, anchor->function);
        if (find_shared(search, &shared)) {
            g_ptr_array_add(numbers,
                            weiri_text_of(shared.source, shared.call.arguments[0]));
            weiri_call_clear(&shared.call);
        }
        *of_launch = true;
        return numbers;
    }
    GPtrArray *limits = g_ptr_array_new_with_free_func(g_free);
    struct maker maker;
    *of_launch = false;
    if (find_maker(search, &maker)) {
        char *count = weiri_text_of(maker.source, maker.call.arguments[maker.count]);
        bool constant = maker.source == source
            && (weiri_source_is_sycl(source) /* the kernel captures it */
                || g_regex_match_simple("^[A-Z0-9_ +*/-]+$", count, 0, 0));
        bool local = g_strcmp0(search->finding->space, "local") == 0;
        weiri_call_clear(&maker.call);
        if (local || constant) {
            g_ptr_array_add(limits, count);
        } else {
            g_free(count);
        }
    }
    if (g_strcmp0(search->finding->space, "local") == 0) {
        return limits;
    }
    g_autoptr(GRegex) regex
        = g_regex_new(weiri_source_is_sycl(source)
                          ? "(?<![\\w.>:])(n|N|size|count|length|n_\\w+|num_\\w+)\\b"
                            "(?=\\s*[={](?!=))"
                          : "(?:[<>]=?\\s*(args->\\w+)\\b(?!\\s*[[(]))"
                            "|\\b(args->\\w+)\\s*(?:<=?|>=?)"
                            "|\\b(args->(?:n|N|size|count|length|n_\\w+|num_\\w+))\\b"
                            "(?!\\s*[[(])",
                      0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(regex, weiri_source_text(source, NULL), 0, &match);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
        g_auto(GStrv) parts = g_match_info_fetch_all(match);
        char *limit = parts[g_strv_length(parts) - 1];
        if (!g_ptr_array_find_with_equal_func(limits, limit, g_str_equal, NULL)) {
            g_ptr_array_add(limits, g_strdup(limit));
            *of_launch = true;
        }
    }
    return limits;
}

static const char ELEMENT[]
    = "[A-Za-z_]\\w*(?:(?:->|\\.)\\w+)*\\[((?:[^][]|\\[[^][]*\\])*)\\]";

/* Puts what the statement does with elements of @index under @condition: all of it, if
 * it writes one; else what it reads. Returns: whether it has one */
static bool guard(GArray *edits, const struct weiri_source *source, uint32_t statement,
                  const char *index, const char *condition)
{
    const struct weiri_statement *at = weiri_source_at(source, statement);
    g_autofree char *text
        = weiri_text_of(source, (struct weiri_range){ at->start, at->head_end });
    g_autoptr(GRegex) regex = g_regex_new(ELEMENT, 0, 0, NULL);
    g_autoptr(GArray) reads = weiri_edits_new();
    g_autoptr(GMatchInfo) match = NULL;
    bool writes = false;
    g_regex_match(regex, text, 0, &match);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
        g_autofree char *element = g_match_info_fetch(match, 0);
        g_autofree char *own = g_match_info_fetch(match, 1);
        int begin, end;
        if (strcmp(own, index) != 0) {
            continue;
        }
        g_match_info_fetch_pos(match, 0, &begin, &end);
        writes = writes
            || g_regex_match_simple("^\\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\\+\\+|--|,)",
                                    text + end, 0, 0);
        g_autofree char *guarded = g_strdup_printf("(%s ? %s : 0)", condition, element);
        weiri_edit_add(reads, at->start + (size_t)begin, at->start + (size_t)end,
                       guarded);
    }
    if (writes && at->kind == WEIRI_STATEMENT_SIMPLE) {
        g_autofree char *head = g_strdup_printf("if (%s) ", condition);
        weiri_edit_add(edits, at->start, at->start, head);
        return true;
    }
    for (guint i = 0; i < reads->len && !writes; i++) {
        const struct weiri_edit *edit = &g_array_index(reads, struct weiri_edit, i);
        weiri_edit_add(edits, edit->begin, edit->end, edit->text);
    }
    return reads->len > 0 && !writes;
}

/* Elements of @index under @condition: in the statement, and in the whole function. */
static void suggest_test(struct weiri_search *search, const struct weiri_anchor *anchor,
                         const char *index, const char *condition, unsigned cost)
{
    const struct weiri_source *source = anchor->source;
    size_t end = weiri_source_at(source, anchor->function)->end;
    for (int whole = 0; whole < 2; whole++) {
        GArray *edits = weiri_edits_new();
        unsigned n = 0;
        for (uint32_t i = anchor->function + 1;
             i < weiri_source_n(source) && weiri_source_at(source, i)->begin < end;
             i++) {
            if (whole || i == anchor->statement) {
                n += guard(edits, source, i, index, condition);
            }
        }
        if (n == 0 || (whole && n < 2)) {
            g_array_unref(edits);
            return;
        }
        const struct weiri_fix_candidate draft = {
            .kind = WEIRI_FIX_GUARD_INDEX,
            .file = anchor->file,
            .line = anchor->line,
            .to = g_strdup(condition),
            .title = whole
                ? g_strdup_printf(
                    "use elements [%s] only if %s, in %u statements, as at", index,
                    condition, n)
                : g_strdup_printf("use elements [%s] only if %s, at", index, condition),
            .cost = cost + (whole ? 1 : 0),
            .edits = edits,
        };
        weiri_search_add(search, &draft);
    }
}

/* Each element "a[i]" of the finding's line, with "i < limit" or, for "a[i - k]" that
 * is below 0, with "i >= k". */
static void suggest_tests(struct weiri_search *search)
{
    const struct weir_finding *finding = search->finding;
    struct weiri_anchor anchor[WEIRI_MOST_ANCHORS];
    if (finding->n_parties == 0
        || weiri_anchors_of(search, &finding->parties[0], anchor) == 0) {
        return;
    }
    bool of_launch;
    g_autoptr(GPtrArray) limits = limits_of(search, anchor, &of_launch);
    const struct weiri_statement *at
        = weiri_source_at(anchor->source, anchor->statement);
    g_autofree char *text = weiri_text_of(
        anchor->source, (struct weiri_range){ at->start, at->head_end });
    g_autoptr(GRegex) regex = g_regex_new(ELEMENT, 0, 0, NULL);
    g_autoptr(GRegex) difference = g_regex_new("^(.*\\S)\\s*-\\s*([^-]+)$", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(regex, text, 0, &match);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
        g_autofree char *index = g_match_info_fetch(match, 1);
        g_autoptr(GMatchInfo) minus = NULL;
        if (finding->index < 0 && g_regex_match(difference, index, 0, &minus)) {
            g_autofree char *from = g_match_info_fetch(minus, 1);
            g_autofree char *taken = g_match_info_fetch(minus, 2);
            g_autofree char *condition = g_strdup_printf("%s >= %s", from, taken);
            suggest_test(search, anchor, index, condition, COST_LIMIT);
        }
        for (guint i = 0; i < limits->len && finding->index >= 0; i++) {
            g_autofree char *condition = g_strdup_printf(
                "%s < %s", index, (char *)g_ptr_array_index(limits, i));
            suggest_test(search, anchor, index, condition,
                         of_launch ? COST_LIMIT : COST_ROOM);
        }
    }
}

void weiri_suggest_bounds(struct weiri_search *search)
{
    suggest_guards(search);
    if (search->checked) {
        suggest_tests(search);
    }
    suggest_size(search);
}

/* ---- Nothing written ------------------------------------------------------------- */

/* The variable that the call's result goes to. Returns: (transfer full): or NULL */
static char *variable_of(const struct maker *maker, uint32_t statement)
{
    struct weiri_range before
        = { weiri_source_at(maker->source, statement)->start, maker->call.all.begin };
    g_autofree char *text = weiri_text_of(maker->source, before);
    g_autoptr(GRegex) regex
        = g_regex_new("([A-Za-z_]\\w*(?:(?:->|\\.)\\w+)*)\\s*=\\s*$", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    return g_regex_match(regex, text, 0, &match) ? g_match_info_fetch(match, 1) : NULL;
}

/* Whether the statement adds to what the variable holds, or its like. */
static bool accumulates(const char *text, const char *name)
{
    return weiri_names_matches(
        "\\b@\\b[^=;]*(?:\\+\\+|--|[-+*/&|^]=(?!=))|(?:\\+\\+|--)\\s*@\\b"
        "|\\batom(?:ic)?(?:_|[A-Z])(?!store|load|init|xch)\\w*"
        "\\s*\\([^,;]*\\b@\\b",
        name, text);
}

/* The statement of the function that declares a local variable, with the number of its
 * elements; NULL for one. Returns: the statement, or NONE */
static uint32_t local_declaration(const struct weiri_anchor *anchor, const char *name,
                                  char **count)
{
    const struct weiri_source *source = anchor->source;
    g_autofree char *local
        = g_strdup_printf("^%s\\b[^*;,]*\\b%s\\s*(?:\\[([^][]+)\\])?\\s*;$",
                          weiri_words_of(source)->local_head, name);
    g_autoptr(GRegex) regex = g_regex_new(local, 0, 0, NULL);
    for (uint32_t i = anchor->function + 1; i < anchor->statement; i++) {
        const struct weiri_statement *at = weiri_source_at(source, i);
        g_autofree char *text = weiri_text_of(source, weiri_statement_range(source, i));
        g_autoptr(GMatchInfo) match = NULL;
        if (at->kind == WEIRI_STATEMENT_SIMPLE
            && g_regex_match(regex, text, 0, &match)) {
            *count = g_match_info_get_match_count(match) > 1
                ? g_match_info_fetch(match, 1)
                : NULL;
            return i;
        }
    }
    return WEIRI_STATEMENT_NONE;
}

/* Local memory that accumulates set to zero at its declaration. */
static void suggest_zero_local(struct weiri_search *search)
{
    const struct weir_finding *finding = search->finding;
    struct weiri_anchor anchors[WEIRI_MOST_ANCHORS];
    if (g_strcmp0(finding->space, "local") != 0 || finding->n_parties == 0
        || weiri_anchors_of(search, &finding->parties[0], anchors) == 0) {
        return;
    }
    const struct weiri_anchor *anchor = &anchors[0];
    const struct weiri_source *source = anchor->source;
    const struct weiri_kernel_words *words = weiri_words_of(source);
    if (words->local_head == NULL) {
        return;
    }
    g_autofree char *text
        = weiri_text_of(source, weiri_statement_range(source, anchor->statement));
    g_autofree char *count = NULL;
    uint32_t at = accumulates(text, finding->object)
        ? local_declaration(anchor, finding->object, &count)
        : WEIRI_STATEMENT_NONE;
    if (at == WEIRI_STATEMENT_NONE) {
        return;
    }
    g_autofree char *zero = count != NULL
        ? g_strdup_printf("for (%s i = %s; i < %s; i += %s) %s[i] = 0;",
                          weiri_source_is_opencl(source) ? "size_t" : "unsigned",
                          words->item_id, count, words->group_size, finding->object)
        : g_strdup_printf("if (%s == 0) %s = 0;", words->item_id, finding->object);
    g_autofree char *barrier = weiri_barrier_text(anchor, at, "local");
    GArray *edits = weiri_edits_new();
    char *code = g_strdup_printf("%s %s;", zero, barrier);
    weiri_edit_insert_after(edits, source, at, code);
    const struct weiri_fix_candidate draft = {
        .kind = WEIRI_FIX_ZERO_BEFORE_LAUNCH,
        .file = anchor->file,
        .line = weiri_source_at(source, at)->last_line,
        .to = code,
        .title = g_strdup_printf("insert '%s' and %s after", zero, barrier),
        .cost = COST_ZERO,
        .edits = edits,
    };
    weiri_search_add(search, &draft);
}

/* cudaMemset() after cudaMalloc(), in the same macro that checks it. */
static void suggest_zero_device(struct weiri_search *search)
{
    struct maker maker;
    if (!find_allocation(search, &maker)) {
        return;
    }
    uint32_t line = weiri_source_line_of(maker.source, maker.call.name.begin);
    uint32_t statement = weiri_source_find(maker.source, line);
    g_autofree char *bytes = weiri_text_of(maker.source, maker.call.arguments[1]);
    struct weiri_range all = maker.call.all;
    weiri_call_clear(&maker.call);
    const struct weiri_statement *at = statement != WEIRI_STATEMENT_NONE
        ? weiri_source_at(maker.source, statement)
        : NULL;
    if (at == NULL || at->kind != WEIRI_STATEMENT_SIMPLE || all.begin < at->start
        || all.end > at->end) {
        return;
    }
    g_autofree char *before
        = weiri_text_of(maker.source, (struct weiri_range){ at->start, all.begin });
    g_autofree char *after
        = weiri_text_of(maker.source, (struct weiri_range){ all.end, at->end });
    bool wrapped = g_regex_match_simple("^[A-Za-z_]\\w*\\s*\\($", before, 0, 0);
    char *code = g_strdup_printf("%scudaMemset(%s, 0, %s)%s", wrapped ? before : "",
                                 search->finding->object, bytes, wrapped ? after : ";");
    GArray *edits = weiri_edits_new();
    weiri_edit_insert_after(edits, maker.source, statement, code);
    const struct weiri_fix_candidate draft = {
        .kind = WEIRI_FIX_ZERO_BEFORE_LAUNCH,
        .file = maker.file,
        .line = at->last_line,
        .to = code,
        .title = g_strdup_printf("write '%s' before the launch, '%s', after",
                                 search->finding->object, code),
        .cost = COST_ZERO,
        .edits = edits,
    };
    weiri_search_add(search, &draft);
}

void weiri_suggest_zero(struct weiri_search *search)
{
    struct maker maker;
    if (search->finding->object == NULL) {
        return;
    }
    if (search->checked) {
        suggest_guards(search);
    }
    suggest_zero_local(search);
    suggest_zero_device(search);
    uint32_t line = local_line(search, &maker);
    if (line != 0 && weiri_source_is_sycl(maker.source)) {
        weiri_sycl_suggest_zero_local(search, line, COST_ZERO);
        return;
    }
    if (!find_global(search, &maker)) {
        return;
    }
    line = weiri_source_line_of(maker.source, maker.call.name.begin);
    uint32_t statement = weiri_source_find(maker.source, line);
    g_autofree char *variable
        = statement != WEIRI_STATEMENT_NONE ? variable_of(&maker, statement) : NULL;
    g_autofree char *count
        = weiri_text_of(maker.source, maker.call.arguments[maker.count]);
    bool is_sycl = weiri_source_is_sycl(maker.source);
    char *code = is_sycl && variable != NULL
        ? weiri_sycl_zero(maker.source, &maker.call, variable)
        : NULL;
    weiri_call_clear(&maker.call);
    if (variable == NULL || (is_sycl && code == NULL)) {
        return;
    }
    bool simple = strpbrk(count, "+-?:,&|<>=") == NULL;
    bool has_memset
        = strstr(weiri_source_text(maker.source, NULL), "<string.h>") != NULL;
    g_autofree char *n = g_strdup_printf(simple ? "%s" : "(%s)", count);
    if (!is_sycl) {
        code = has_memset
            ? g_strdup_printf("memset(%s, 0, %s * sizeof *%s);", variable, n, variable)
            : g_strdup_printf("for (size_t i = 0; i < %s; i++) %s[i] = 0;", n,
                              variable);
    }
    GArray *edits = weiri_edits_new();
    weiri_edit_insert_after(edits, maker.source, statement, code);
    const struct weiri_fix_candidate draft = {
        .kind = WEIRI_FIX_ZERO_BEFORE_LAUNCH,
        .file = maker.file,
        .line = weiri_source_at(maker.source, statement)->last_line,
        .to = code,
        .title = g_strdup_printf("write '%s' before the launch, '%s', after",
                                 search->finding->object, code),
        .cost = COST_ZERO,
        .edits = edits,
    };
    weiri_search_add(search, &draft);
}
