/* SPDX-License-Identifier: MIT
 *
 * sycl-memory.c: where memory of a SYCL program is made, and how it is set to zero:
 * unified shared memory by its queue before the launch, local memory by the items of
 * the group at the beginning of the kernel. */
#include "config.h"

#include "repair/sycl-change.h"

#include "repair/kernel-text.h"
#include "repair/sycl-text.h"

#include <string.h>

static char *match_of(const char *text, const char *pattern, int n)
{
    g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_DOTALL, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    return g_regex_match(regex, text, 0, &match) ? g_match_info_fetch(match, n) : NULL;
}

/* "range<1>(n)" counts as n; a range of two dimensions is not a count. */
static bool count_in(const struct weiri_source *source, struct weiri_range *argument)
{
    g_autofree char *text = weiri_text_of(source, *argument);
    g_autoptr(GRegex) regex = g_regex_new(
        "^(?:\\w+::)*range\\s*(?:<\\s*1\\s*>)?\\s*[({]\\s*([^,]*?)\\s*[)}]$", 0, 0,
        NULL);
    g_autoptr(GMatchInfo) match = NULL;
    int begin, end;
    if (g_regex_match(regex, text, 0, &match)
        && g_match_info_fetch_pos(match, 1, &begin, &end)) {
        *argument = (struct weiri_range){ argument->begin + (size_t)begin,
                                          argument->begin + (size_t)end };
        return true;
    }
    return strstr(text, "range") == NULL && text[0] != '{';
}

uint32_t weiri_sycl_local_line(const struct weiri_source *source, const char *name)
{
    const char *text = weiri_source_text(source, NULL);
    g_autofree char *escaped = g_regex_escape_string(name, -1);
    g_autofree char *pattern
        = g_strdup_printf("\\b(?:local_)?accessor\\s*<[^;]*>\\s*%s\\s*[({]", escaped);
    g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    int begin, end;
    if (!g_regex_match(regex, text, 0, &match)
        || !g_match_info_fetch_pos(match, 0, &begin, &end)
        || g_match_info_next(match, NULL)) {
        return 0;
    }
    return weiri_source_line_of(source, (size_t)end - 1);
}

char *weiri_sycl_find_local(const struct weiri_source *source, uint32_t line,
                            struct weiri_call *call)
{
    uint32_t statement = weiri_source_find(source, line);
    if (statement == WEIRI_STATEMENT_NONE
        || weiri_source_at(source, statement)->kind != WEIRI_STATEMENT_SIMPLE) {
        return NULL;
    }
    struct weiri_range range = weiri_statement_range(source, statement);
    g_autofree char *text = weiri_text_of(source, range);
    g_autofree char *name = match_of(
        text, "\\b(?:local_accessor|accessor)\\s*<.*>\\s*([A-Za-z_]\\w*)\\s*\\(", 1);
    if (name == NULL || !weiri_source_call(source, range, name, 0, call)) {
        return NULL;
    }
    if (call->n_arguments != 2 || !count_in(source, &call->arguments[0])) {
        weiri_call_clear(call);
        return NULL;
    }
    return g_steal_pointer(&name);
}

bool weiri_sycl_find_global(const struct weiri_source *source, const char *object,
                            struct weiri_call *call)
{
    const struct weiri_range all = { 0, weiri_source_at(source, 0)->end };
    g_autofree char *name = g_regex_escape_string(object, -1);
    g_autofree char *pattern = g_strdup_printf("(?<![\\w.])%s\\s*=\\s*$", name);
    for (uint32_t i = 0; weiri_source_call(source, all, "malloc_*", i, call); i++) {
        call->all = weiri_sycl_whole_call(source, call);
        uint32_t statement
            = weiri_source_find(source, weiri_source_line_of(source, call->all.begin));
        g_autofree char *before = statement == WEIRI_STATEMENT_NONE
            ? g_strdup("")
            : weiri_text_of(
                source,
                (struct weiri_range){
                    MIN(weiri_source_at(source, statement)->start, call->all.begin),
                    call->all.begin });
        g_autofree char *called = weiri_text_of(source, call->all);
        if (call->n_arguments >= 2 && strchr(called, '<') != NULL
            && g_regex_match_simple(pattern, before, 0, 0)) {
            return true;
        }
        weiri_call_clear(call);
    }
    return false;
}

char *weiri_sycl_zero(const struct weiri_source *source, const struct weiri_call *call,
                      const char *variable)
{
    g_autofree char *queue = weiri_text_of(source, call->arguments[1]);
    g_autofree char *count = weiri_text_of(source, call->arguments[0]);
    if (call->n_arguments != 2
        || !g_regex_match_simple("^[A-Za-z_]\\w*$", queue, 0, 0)) {
        return NULL;
    }
    if (strcmp(count, "1") == 0) {
        return g_strdup_printf("%s.memset(%s, 0, sizeof(*%s)).wait();", queue, variable,
                               variable);
    }
    bool simple = strpbrk(count, "+-?:,&|<>=") == NULL;
    return g_strdup_printf(simple ? "%s.memset(%s, 0, %s * sizeof(*%s)).wait();"
                                  : "%s.memset(%s, 0, (%s) * sizeof(*%s)).wait();",
                           queue, variable, count, variable);
}

void weiri_sycl_suggest_zero_local(struct weiri_search *search, uint32_t line,
                                   unsigned cost)
{
    const struct weir_finding *finding = search->finding;
    struct weiri_anchor anchors[WEIRI_MOST_ANCHORS];
    struct weiri_call call;
    if (finding->n_parties == 0
        || weiri_anchors_of(search, &finding->parties[0], anchors) == 0) {
        return;
    }
    const struct weiri_anchor *anchor = &anchors[0];
    const struct weiri_source *source = anchor->source;
    uint32_t block = weiri_source_at(source, anchor->function)->first_child;
    uint32_t first = block != WEIRI_STATEMENT_NONE
        ? weiri_source_at(source, block)->first_child
        : block;
    g_autofree char *name = weiri_sycl_find_local(source, line, &call);
    if (name == NULL) {
        return;
    }
    g_autofree char *count = weiri_text_of(source, call.arguments[0]);
    weiri_call_clear(&call);
    g_autofree char *item = weiri_sycl_item(anchor);
    g_autofree char *barrier = first != WEIRI_STATEMENT_NONE
        ? weiri_barrier_text(anchor, first, "local")
        : NULL;
    if (item == NULL || barrier == NULL) {
        return;
    }
    size_t begin = weiri_source_at(source, first)->start;
    g_autofree char *indent = weiri_source_indent(source, begin);
    g_autofree char *loop
        = g_strdup_printf("for (size_t i = %s.get_local_linear_id(); i < %s; "
                          "i += %s.get_local_range().size())",
                          item, count, item);
    g_autofree char *code = g_strdup_printf("%s\n%s    %s[i] = 0;\n%s%s;\n%s", loop,
                                            indent, name, indent, barrier, indent);
    GArray *edits = weiri_edits_new();
    weiri_edit_add(edits, begin, begin, code);
    const struct weiri_fix_candidate draft = {
        .kind = WEIRI_FIX_ZERO_BEFORE_LAUNCH,
        .file = anchor->file,
        .line = weiri_source_at(source, first)->first_line,
        .to = g_strdup_printf("%s %s[i] = 0; %s;", loop, name, barrier),
        .title
        = g_strdup_printf("insert '%s %s[i] = 0;' and %s before", loop, name, barrier),
        .cost = cost,
        .edits = edits,
    };
    weiri_search_add(search, &draft);
}
