/* SPDX-License-Identifier: MIT
 *
 * sycl-text.c: see sycl-text.h. Regular expressions over the text of one function: a
 * wrong guess is a change that does not compile, or that the trial refuses. */
#include "config.h"

#include "repair/sycl-text.h"

#include <string.h>

#define QUALIFIED "(?:::)?(?:\\w+::)*"

/* ---- Names ----------------------------------------------------------------------- */

/* The group @n of the first match. Returns: (transfer full): or NULL */
static char *match_of(const char *pattern, const char *text, int n)
{
    g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    return g_regex_match(regex, text, 0, &match) ? g_match_info_fetch(match, n) : NULL;
}

char *weiri_sycl_prefix(const struct weiri_source *source)
{
    char *prefix = match_of("(?<![\\w:])(" QUALIFIED ")"
                            "(?:nd_item|nd_range|handler|queue|local_accessor)\\b",
                            weiri_source_text(source, NULL), 1);
    return prefix != NULL ? prefix : g_strdup("sycl::");
}

static char *head_of(const struct weiri_anchor *anchor)
{
    const struct weiri_statement *function
        = weiri_source_at(anchor->source, anchor->function);
    return weiri_text_of(anchor->source,
                         (struct weiri_range){ function->start, function->head_end });
}

static char *body_of(const struct weiri_anchor *anchor)
{
    return weiri_text_of(anchor->source,
                         weiri_statement_range(anchor->source, anchor->function));
}

char *weiri_sycl_item(const struct weiri_anchor *anchor)
{
    g_autofree char *head = head_of(anchor);
    char *item = match_of(
        "\\bnd_item\\s*<[^<>]*>\\s*(?:const\\b\\s*)?&?\\s*([A-Za-z_]\\w*)", head, 1);
    if (item != NULL) {
        return item;
    }
    g_autofree char *any
        = match_of("\\bauto\\s*(?:const\\b\\s*)?&?\\s*([A-Za-z_]\\w*)", head, 1);
    g_autofree char *body = any != NULL ? body_of(anchor) : NULL;
    g_autofree char *used = g_strdup_printf(
        "\\b%s\\s*\\.\\s*(?:get_local_\\w+|get_group\\w*|get_sub_group|barrier)\\s*\\(",
        any);
    return any != NULL && g_regex_match_simple(used, body, 0, 0) ? g_steal_pointer(&any)
                                                                 : NULL;
}

/* Whether a declaration that is a statement of its own is visible at @statement. */
static bool is_visible(const struct weiri_source *source, uint32_t declaration,
                       uint32_t statement)
{
    uint32_t block = weiri_source_at(source, declaration)->parent;
    if (declaration >= statement) {
        return false;
    }
    while (statement != block && statement != 0) {
        statement = weiri_source_at(source, statement)->parent;
    }
    return statement == block;
}

/* A variable of the function that has the group. Returns: (transfer full): or NULL */
static char *group_variable(const struct weiri_anchor *anchor, uint32_t statement,
                            const char *item)
{
    const struct weiri_source *source = anchor->source;
    g_autofree char *pattern = g_strdup_printf(
        "^(?:const\\s+)?(?:auto|" QUALIFIED "group\\s*<[^<>]*>)\\s*"
        "(?:const\\b\\s*)?&{0,2}\\s*([A-Za-z_]\\w*)\\s*"
        "[={(]\\s*%s\\s*\\.\\s*get_group\\s*\\(\\s*\\)\\s*[)}]?\\s*;$",
        item);
    for (uint32_t i = anchor->function + 1; i < statement; i++) {
        if (weiri_source_at(source, i)->kind != WEIRI_STATEMENT_SIMPLE
            || !is_visible(source, i, statement)) {
            continue;
        }
        g_autofree char *text = weiri_text_of(source, weiri_statement_range(source, i));
        char *name = match_of(pattern, text, 1);
        if (name != NULL) {
            return name;
        }
    }
    return NULL;
}

/* Whether the source is of SYCL 1.2.1, which has no group_barrier(). */
static bool is_older(const char *text)
{
    return strstr(text, "CL/sycl.hpp") != NULL && strstr(text, "group_barrier") == NULL;
}

char *weiri_sycl_barrier(const struct weiri_anchor *anchor, uint32_t statement,
                         const char *space)
{
    g_autofree char *item = weiri_sycl_item(anchor);
    g_autofree char *prefix = weiri_sycl_prefix(anchor->source);
    if (item == NULL) {
        g_autofree char *head = head_of(anchor);
        g_autofree char *group = match_of(
            "\\bgroup\\s*<[^<>]*>\\s*(?:const\\b\\s*)?&?\\s*([A-Za-z_]\\w*)", head, 1);
        return group != NULL ? g_strdup_printf("%sgroup_barrier(%s)", prefix, group)
                             : NULL;
    }
    if (is_older(weiri_source_text(anchor->source, NULL))) {
        return g_strdup_printf("%s.barrier(%saccess::fence_space::%s)", item, prefix,
                               g_strcmp0(space, "local") == 0 ? "local_space"
                                   : g_strcmp0(space, "global") == 0
                                   ? "global_space"
                                   : "global_and_local");
    }
    g_autofree char *group = group_variable(anchor, statement, item);
    return group != NULL
        ? g_strdup_printf("%sgroup_barrier(%s)", prefix, group)
        : g_strdup_printf("%sgroup_barrier(%s.get_group())", prefix, item);
}

/* ---- Where items meet ------------------------------------------------------------ */

/* Whether the expression is a sub-group. */
static bool is_sub_group(const struct weiri_source *source,
                         struct weiri_range expression)
{
    g_autofree char *text = weiri_text_of(source, expression);
    if (strstr(text, "get_sub_group") != NULL) {
        return true;
    }
    g_autofree char *name = g_regex_escape_string(text, -1);
    g_autofree char *pattern = g_strdup_printf(
        "\\bsub_group\\s*&?\\s*%s\\b|\\b%s\\s*[={(][^;]*\\bget_sub_group\\b", name,
        name);
    return g_regex_match_simple(pattern, weiri_source_text(source, NULL), 0, 0);
}

struct weiri_range weiri_sycl_whole_call(const struct weiri_source *source,
                                         const struct weiri_call *call)
{
    const char *text = weiri_source_text(source, NULL);
    size_t begin = call->all.begin;
    while (begin > 0
           && (g_ascii_isalnum(text[begin - 1])
               || strchr("_.:()", text[begin - 1]) != NULL)) {
        begin--;
    }
    /* "(group_barrier(g)": the parenthesis is of something else. */
    while (text[begin] == '(' || text[begin] == ')') {
        begin++;
    }
    return (struct weiri_range){ begin, call->all.end };
}

bool weiri_sycl_is_of_sub_group(const struct weiri_source *source,
                                const struct weiri_call *call)
{
    const char *text = weiri_source_text(source, NULL);
    size_t begin = weiri_sycl_whole_call(source, call).begin, end = call->all.begin;
    if (end > begin && text[end - 1] == '.') {
        return is_sub_group(source, (struct weiri_range){ begin, end - 1 });
    }
    return call->n_arguments > 0 && is_sub_group(source, call->arguments[0]);
}

bool weiri_sycl_is_barrier(const struct weiri_source *source, uint32_t statement)
{
    static const char *const names[] = { "group_barrier", "barrier" };
    const struct weiri_statement *at = weiri_source_at(source, statement);
    struct weiri_call call;
    for (size_t i = 0; at->kind == WEIRI_STATEMENT_SIMPLE && i < G_N_ELEMENTS(names);
         i++) {
        struct weiri_range range = { at->start, at->end };
        if (weiri_source_call(source, range, names[i], 0, &call)) {
            bool whole = weiri_sycl_whole_call(source, &call).begin <= at->start
                && call.all.end + 1 >= at->end;
            weiri_call_clear(&call);
            return whole;
        }
    }
    return false;
}

bool weiri_sycl_find_meeting(const struct weiri_source *source,
                             struct weiri_range within, bool of_sub_groups,
                             struct weiri_call *call)
{
    static const char *const names[]
        = { "group_barrier",     "barrier",
            "reduce_over_group", "inclusive_scan_over_group",
            "joint_*",           "exclusive_scan_over_group",
            "any_of_group",      "all_of_group",
            "none_of_group",     "group_broadcast",
            "shift_group_*",     "permute_group_by_xor",
            "select_from_group", "async_work_group_copy" };
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        struct weiri_call found;
        for (uint32_t k = 0; weiri_source_call(source, within, names[i], k, &found);
             k++) {
            if (weiri_sycl_is_of_sub_group(source, &found) == of_sub_groups) {
                *call = found;
                return true;
            }
            weiri_call_clear(&found);
        }
    }
    return false;
}

/* ---- What is the same for a group ------------------------------------------------ */

#define GROUP_ID                                                                       \
    "\\b\\w+\\s*\\.\\s*(?:get_group(?:_linear_id|_id|_range)?|get_local_range|"        \
    "get_global_range|get_group_linear_range)\\s*\\("

/* Whether the function declares the name, or has it as a parameter. */
static bool is_declared(const char *function, const char *name)
{
    g_autofree char *pattern
        = g_strdup_printf("[\\w>&*]\\s+[&*]?%s\\s*(?:=(?!=)|[({;,)\\[:])", name);
    return g_regex_match_simple(pattern, function, 0, 0);
}

static bool is_group_id(const char *function, const char *name)
{
    g_autofree char *pattern = g_strdup_printf(
        "\\b%s\\s*[={(]\\s*(?:static_cast\\s*<\\w+>\\s*\\(\\s*|\\w+\\()?" GROUP_ID,
        name);
    return g_regex_match_simple(pattern, function, 0, 0);
}

bool weiri_sycl_is_of_group(const struct weiri_source *source, uint32_t branch)
{
    const struct weiri_statement *at = weiri_source_at(source, branch);
    uint32_t function
        = weiri_source_enclosing(source, branch, WEIRI_STATEMENT_FUNCTION);
    if (function == WEIRI_STATEMENT_NONE) {
        return false;
    }
    g_autofree char *head
        = weiri_text_of(source, (struct weiri_range){ at->start, at->head_end });
    g_autofree char *body
        = weiri_text_of(source, weiri_statement_range(source, function));
    g_autoptr(GRegex) ids = g_regex_new("^(?:if\\s*(?:constexpr)?|switch)\\b|" GROUP_ID
                                        "[\\w\\s,]*\\)(?:\\s*\\[\\s*\\d\\s*\\])?",
                                        0, 0, NULL);
    g_autofree char *rest = g_regex_replace_literal(ids, head, -1, 0, "", 0, NULL);
    if (strpbrk(rest, "[.?\"") != NULL || strstr(rest, "->") != NULL) {
        return false;
    }
    g_autoptr(GRegex) word = g_regex_new("\\b([A-Za-z_]\\w*)\\s*(\\(?)", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(word, rest, 0, &match);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
        g_autofree char *name = g_match_info_fetch(match, 1);
        g_autofree char *call = g_match_info_fetch(match, 2);
        if (*call != '\0' || (is_declared(body, name) && !is_group_id(body, name))) {
            return false;
        }
    }
    return true;
}
