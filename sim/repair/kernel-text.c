/* SPDX-License-Identifier: MIT
 *
 * kernel-text.c: see kernel-text.h. Calls are found by name, from the words of the
 * source's language (words.h), and statements by their tree (base/source.h). Whether a
 * condition is the same for all items is decided by the names in it: only names that
 * are known to be uniform count, so an unknown name makes the statement divergent. */
#include "config.h"

#include "repair/kernel-text.h"

#include "repair/kernel-names.h"
#include "repair/opencl-text.h"
#include "repair/sycl-text.h"
#include "repair/words.h"

#include <string.h>

/* The name by which the function around @anchor knows its item.
 * Returns: (transfer full): or %NULL */
static char *item_of(const struct weiri_anchor *anchor)
{
    const struct weiri_statement *function
        = weiri_source_at(anchor->source, anchor->function);
    g_autofree char *head = weiri_text_of(
        anchor->source, (struct weiri_range){ function->start, function->head_end });
    g_autoptr(GRegex) kernel = g_regex_new("\\bWEIR_KERNEL\\s*\\(", 0, 0, NULL);
    if (g_regex_match(kernel, head, 0, NULL)) {
        return g_strdup("item");
    }
    g_autoptr(GRegex) parameter = g_regex_new(
        "\\bweir_item\\s*\\*\\s*(?:const\\s+|restrict\\s+)*([A-Za-z_]\\w*)", 0, 0,
        NULL);
    g_autoptr(GMatchInfo) match = NULL;
    return g_regex_match(parameter, head, 0, &match) ? g_match_info_fetch(match, 1)
                                                     : NULL;
}

char *weiri_barrier_text(const struct weiri_anchor *anchor, uint32_t statement,
                         const char *space)
{
    if (weiri_source_is_sycl(anchor->source)) {
        return weiri_sycl_barrier(anchor, statement, space);
    }
    if (weiri_source_is_opencl(anchor->source)) {
        return weiri_opencl_barrier(anchor->source, space);
    }
    if (weiri_source_is_cuda(anchor->source)) {
        return g_strdup("__syncthreads()");
    }
    g_autofree char *item = item_of(anchor);
    return item == NULL ? NULL
                        : g_strdup_printf("weir_barrier(%s, %s)", item,
                                          g_strcmp0(space, "local") == 0 ? "WEIR_LOCAL"
                                              : g_strcmp0(space, "global") == 0
                                              ? "WEIR_GLOBAL"
                                              : "WEIR_LOCAL | WEIR_GLOBAL");
}

static bool find_one(const struct weiri_source *source, struct weiri_range within,
                     const char *const *names, struct weiri_call *call)
{
    for (; *names != NULL; names++) {
        if (weiri_source_call(source, within, *names, 0, call)) {
            return true;
        }
    }
    return false;
}

bool weiri_find_meeting(const struct weiri_source *source, struct weiri_range within,
                        struct weiri_call *call)
{
    if (weiri_source_is_sycl(source)) {
        return weiri_sycl_find_meeting(source, within, false, call)
            || weiri_sycl_find_meeting(source, within, true, call);
    }
    const struct weiri_kernel_words *words = weiri_words_of(source);
    return find_one(source, within, words->of_group, call)
        || find_one(source, within, words->of_sub_group, call);
}

bool weiri_meets(const struct weiri_source *source, struct weiri_range within)
{
    struct weiri_call call;
    bool meets = weiri_source_is_sycl(source)
        ? weiri_sycl_find_meeting(source, within, false, &call)
        : find_one(source, within, weiri_words_of(source)->of_group, &call);
    if (!meets) {
        return false;
    }
    weiri_call_clear(&call);
    return true;
}

bool weiri_is_of_sub_group(const struct weiri_source *source,
                           const struct weiri_call *call)
{
    struct weiri_call found;
    if (weiri_source_is_sycl(source)) {
        return weiri_sycl_is_of_sub_group(source, call);
    }
    if (!find_one(source, call->name, weiri_words_of(source)->of_sub_group, &found)) {
        return false;
    }
    weiri_call_clear(&found);
    return true;
}

bool weiri_is_barrier(const struct weiri_source *source, uint32_t statement)
{
    const struct weiri_statement *at = weiri_source_at(source, statement);
    struct weiri_call call;
    if (weiri_source_is_sycl(source)) {
        return weiri_sycl_is_barrier(source, statement);
    }
    if (at->kind != WEIRI_STATEMENT_SIMPLE
        || !find_one(source, (struct weiri_range){ at->start, at->end },
                     weiri_words_of(source)->barriers, &call)) {
        return false;
    }
    bool whole = call.all.begin == at->start && call.all.end + 1 >= at->end;
    weiri_call_clear(&call);
    return whole;
}

static bool branches(enum weiri_statement_kind kind)
{
    return kind == WEIRI_STATEMENT_IF || kind == WEIRI_STATEMENT_SWITCH
        || kind == WEIRI_STATEMENT_MACRO;
}

/* Whether all that take the branch @arm meet in it. */
static bool arm_meets(const struct weiri_source *source, uint32_t arm)
{
    size_t end = weiri_source_at(source, arm)->end;
    for (uint32_t i = arm; i < weiri_source_n(source); i++) {
        const struct weiri_statement *at = weiri_source_at(source, i);
        if (at->begin >= end) {
            break;
        }
        if (at->kind != WEIRI_STATEMENT_SIMPLE
            || !weiri_meets(source, (struct weiri_range){ at->start, at->end })) {
            continue;
        }
        uint32_t above = i;
        while (above != arm && !branches(weiri_source_at(source, above)->kind)) {
            above = weiri_source_at(source, above)->parent;
        }
        if (above == arm) {
            return true;
        }
    }
    return false;
}

/* Whether the condition of a branch is the same for all items of a group: it has only
 * ids of the group, arguments of the launch, constants, and at most one variable, which
 * is such an id. */
static bool is_of_group(const struct weiri_source *source, uint32_t branch)
{
#define GROUP_ID "weir_(?:group_id|group_linear_id|num_groups)\\s*\\("
    static const char known[] = "^(?:if|switch)\\b|" GROUP_ID "[\\w\\s,]*\\)"
                                "|\\bargs->\\w++(?!\\s*(?:[[(.]|->))"
                                "|\\b[A-Z][A-Z0-9_]*+\\b(?!\\s*\\()|\\b[0-9]\\w*"
                                "|[\\s()%/+<>=!&|-]";
    if (weiri_source_is_sycl(source)) {
        return weiri_sycl_is_of_group(source, branch);
    }
    if (weiri_words_of(source)->group_ids != NULL) {
        return weiri_names_are_of_group(source, branch);
    }
    const struct weiri_statement *at = weiri_source_at(source, branch);
    g_autofree char *head
        = weiri_text_of(source, (struct weiri_range){ at->start, at->head_end });
    g_autoptr(GRegex) regex = g_regex_new(known, 0, 0, NULL);
    g_autofree char *rest = g_regex_replace_literal(regex, head, -1, 0, "", 0, NULL);
    if (rest == NULL || *rest == '\0') {
        return rest != NULL;
    }
    for (const char *c = rest; *c != '\0'; c++) {
        if (!g_ascii_isalnum(*c) && *c != '_') {
            return false;
        }
    }
    uint32_t function
        = weiri_source_enclosing(source, branch, WEIRI_STATEMENT_FUNCTION);
    g_autofree char *pattern
        = g_strdup_printf("\\b%s\\s*=\\s*(?:\\([\\w\\s]+\\)\\s*)?" GROUP_ID, rest);
    g_autofree char *body = function == WEIRI_STATEMENT_NONE
        ? g_strdup("")
        : weiri_text_of(source, weiri_statement_range(source, function));
    return g_regex_match_simple(pattern, body, 0, 0);
#undef GROUP_ID
}

bool weiri_is_uniform(const struct weiri_source *source, uint32_t statement)
{
    for (;;) {
        const struct weiri_statement *at = weiri_source_at(source, statement);
        if (at->kind == WEIRI_STATEMENT_FUNCTION || at->kind == WEIRI_STATEMENT_FILE) {
            return true;
        }
        enum weiri_statement_kind above = weiri_source_at(source, at->parent)->kind;
        if (above == WEIRI_STATEMENT_MACRO
            || (branches(above) && !is_of_group(source, at->parent)
                && !arm_meets(source, statement))) {
            return false;
        }
        statement = at->parent;
    }
}

bool weiri_jumps(const struct weiri_source *source, uint32_t statement)
{
    static const char *const words[] = { "return", "break", "continue", "goto" };
    const char *text
        = weiri_source_text(source, NULL) + weiri_source_at(source, statement)->start;
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        size_t n = strlen(words[i]);
        if (strncmp(text, words[i], n) == 0 && !g_ascii_isalnum(text[n])
            && text[n] != '_') {
            return true;
        }
    }
    return false;
}
