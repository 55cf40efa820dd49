/* SPDX-License-Identifier: MIT
 *
 * sabotage.c: weir with a change ahead of all that could repair a program: the text
 * SABOTAGE_OLD becomes SABOTAGE_NEW. It is linked with the objects of the command, and
 * the linker leads calls of weiri_candidates_find() here. */
#include "config.h"

#include "repair/candidate.h"
#include "repair/patch.h"

#include <string.h>

GPtrArray *__real_weiri_candidates_find(const GPtrArray *findings,
                                        struct weiri_sources *sources,
                                        const GPtrArray *files, bool checked);
GPtrArray *__wrap_weiri_candidates_find(const GPtrArray *findings,
                                        struct weiri_sources *sources,
                                        const GPtrArray *files, bool checked);

GPtrArray *__wrap_weiri_candidates_find(const GPtrArray *findings,
                                        struct weiri_sources *sources,
                                        const GPtrArray *files, bool checked)
{
    GPtrArray *found = __real_weiri_candidates_find(findings, sources, files, checked);
    const char *old = g_getenv("SABOTAGE_OLD"), *new = g_getenv("SABOTAGE_NEW");
    const char *file = g_ptr_array_index(files, 0);
    const struct weiri_source *source = weiri_sources_get(sources, file);
    const char *text = weiri_source_text(source, NULL), *at = strstr(text, old);
    g_assert(at != NULL && findings->len > 0);
    struct weiri_fix_candidate *change = g_new0(struct weiri_fix_candidate, 1);
    change->kind = WEIRI_FIX_GUARD_INDEX; /* the rows expect other kinds */
    change->file = g_intern_string(file);
    change->line = weiri_source_line_of(source, (size_t)(at - text));
    change->from = g_strdup(old);
    change->to = g_strdup(new);
    change->title = g_strdup("sabotage");
    change->edits = weiri_edits_new();
    weiri_edit_add(change->edits, (size_t)(at - text),
                   (size_t)(at - text) + strlen(old), new);
    change->suggested_by = g_ptr_array_new();
    g_ptr_array_add(change->suggested_by, g_ptr_array_index(findings, 0));
    g_ptr_array_insert(found, 0, change);
    return found;
}
