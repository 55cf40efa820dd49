/* SPDX-License-Identifier: MIT
 *
 * sycl-barrier.c: barriers in SYCL that are there, and do too little: the fence space
 * of nd_item::barrier(), the scope of group_barrier(), and a barrier of a sub-group. */
#include "config.h"

#include "repair/sycl-change.h"

#include "repair/sycl-text.h"

#include <string.h>

enum { COST_GROUP = 2 /* more for a barrier of more items */ };

static void add(struct weiri_search *search, const struct weiri_anchor *anchor,
                const struct weiri_call *call, struct weiri_range range, const char *to,
                char *missing, unsigned cost)
{
    uint32_t line = weiri_source_line_of(anchor->source, call->name.begin);
    g_autofree char *from = weiri_text_of(anchor->source, range);
    GArray *edits = weiri_edits_new();
    weiri_edit_add(edits, range.begin, range.end, to);
    const struct weiri_fix_candidate draft = {
        .kind = WEIRI_FIX_WIDEN_BARRIER,
        .file = anchor->file,
        .line = line,
        .title = g_strdup_printf("%s instead of %s in the barrier at", to, from),
        .missing = missing,
        .cost
        = cost - (weiri_reason_names(search->finding, anchor->file, line) ? 1 : 0),
        .from = g_strdup(from),
        .to = g_strdup(to),
        .edits = edits,
    };
    weiri_search_add(search, &draft);
}

/* The last name of an argument, "local_space" of "access::fence_space::local_space". */
static struct weiri_range last_name(const struct weiri_source *source,
                                    struct weiri_range argument)
{
    const char *text = weiri_source_text(source, NULL);
    size_t begin = argument.end;
    while (begin > argument.begin
           && (g_ascii_isalnum(text[begin - 1]) || text[begin - 1] == '_')) {
        begin--;
    }
    return (struct weiri_range){ begin, argument.end };
}

/* "it.barrier(access::fence_space::local_space)" */
static void widen_space(struct weiri_search *search, const struct weiri_anchor *anchor,
                        const struct weiri_call *call, unsigned cost)
{
    const struct weiri_source *source = anchor->source;
    if (call->n_arguments != 1) {
        return;
    }
    struct weiri_range range = call->arguments[0];
    struct weiri_range last = last_name(source, range);
    g_autofree char *word = weiri_text_of(source, last);
    g_autofree char *before
        = weiri_text_of(source, (struct weiri_range){ range.begin, last.begin });
    const char *other = g_strcmp0(search->finding->space, "local") == 0 ? "global_space"
                                                                        : "local_space";
    if (strcmp(word, other) != 0) {
        return;
    }
    g_autofree char *to = g_strconcat(before, "global_and_local", NULL);
    add(search, anchor, call, range, to,
        g_strdup_printf("the barrier at %s:%" PRIu32 " orders %s memory only",
                        anchor->file, weiri_source_line_of(source, call->name.begin),
                        strcmp(other, "local_space") == 0 ? "local" : "global"),
        cost);
}

/* "group_barrier(g, memory_scope::sub_group)" */
static void widen_scope(struct weiri_search *search, const struct weiri_anchor *anchor,
                        const struct weiri_call *call, unsigned cost)
{
    static const char *const scopes[]
        = { "work_item", "sub_group", "work_group", "device" };
    const struct weiri_source *source = anchor->source;
    if (call->n_arguments != 2) {
        return;
    }
    struct weiri_range range = call->arguments[1];
    g_autofree char *text = weiri_text_of(source, range);
    size_t wanted = weiri_is_between_groups(search->finding) ? 3 : 2;
    for (size_t i = 0; i < wanted; i++) {
        size_t n = strlen(text) - MIN(strlen(scopes[i]), strlen(text));
        if (n > 0 && strcmp(text + n, scopes[i]) == 0
            && strchr(":_", text[n - 1]) != NULL) {
            g_autofree char *to
                = g_strdup_printf("%.*s%s", (int)n, text, scopes[wanted]);
            add(search, anchor, call, range, to, NULL, cost);
            return;
        }
    }
}

/* "group_barrier(it.get_sub_group())" */
static void widen_group(struct weiri_search *search, const struct weiri_anchor *anchor,
                        const struct weiri_call *call, unsigned cost)
{
    g_autofree char *item = weiri_sycl_item(anchor);
    if (call->n_arguments == 0 || item == NULL
        || weiri_is_between_groups(search->finding)
        || !weiri_sycl_is_of_sub_group(anchor->source, call)) {
        return;
    }
    g_autofree char *to = g_strconcat(item, ".get_group()", NULL);
    add(search, anchor, call, call->arguments[0], to,
        g_strdup_printf("the barrier at %s:%" PRIu32 " is one of a sub-group",
                        anchor->file,
                        weiri_source_line_of(anchor->source, call->name.begin)),
        cost + COST_GROUP);
}

void weiri_sycl_suggest_wider(struct weiri_search *search,
                              const struct weiri_anchor *anchor, unsigned cost)
{
    static const char *const names[] = { "barrier", "group_barrier" };
    struct weiri_range range = weiri_statement_range(anchor->source, anchor->function);
    struct weiri_call call;
    for (size_t n = 0; n < G_N_ELEMENTS(names); n++) {
        for (uint32_t i = 0;
             weiri_source_call(anchor->source, range, names[n], i, &call); i++) {
            if (n == 0) {
                widen_space(search, anchor, &call, cost);
            } else {
                widen_scope(search, anchor, &call, cost);
                widen_group(search, anchor, &call, cost);
            }
            weiri_call_clear(&call);
        }
    }
}
