/* SPDX-License-Identifier: MIT
 *
 * explore-patch.c: the cheapest fix of each launch as a unified diff, for --patch.
 *
 * A fix that was tried without a compiler (explore-changes.h) names a line and a value.
 * Its change of the text is the one place where a statement of that line has the
 * value's name. If the line has no such place, or several, the fix is left out, and the
 * reason is printed. */
#include "config.h"

#include "repair/explore-proposals.h"

#include "repair/explore-fixes.h"
#include "repair/rebuild.h"

#include <string.h>

/* The parts of a proposal as changes of the text. Returns: (transfer full): or NULL,
 * and *@missing: (out): why */
static GPtrArray *parts_of(const struct weiri_cli_rebuild *rebuild,
                           const struct weiri_cli_proposal *fix, char **missing)
{
    g_autoptr(GPtrArray) parts
        = g_ptr_array_new_with_free_func(weiri_fix_candidate_free);
    for (guint i = 0; i < fix->changes->len; i++) {
        const struct weiri_cli_change *change
            = &g_array_index(fix->changes, struct weiri_cli_change, i);
        const struct weiri_cli_lever *lever = &change->lever;
        const char *from = weiri_cli_value_name(lever, lever->from);
        struct weiri_fix_candidate *part = weiri_candidate_of_word(
            rebuild->sources, lever->site->file, lever->site->line, from,
            weiri_cli_value_name(lever, change->to),
            lever->site->failure != NULL
                && g_strcmp0(lever->site->failure, lever->site->order) == 0,
            lever->aspect == WEIRI_CLI_FAILURE);
        if (part == NULL) {
            g_free(*missing);
            *missing = g_strdup_printf("%s:%u does not have '%s' in exactly one place",
                                       lever->site->file, lever->site->line, from);
            return NULL;
        }
        g_ptr_array_add(parts, part);
    }
    return g_steal_pointer(&parts);
}

/* Adds a fix to the diff; one that several launches have, once. */
static void add_fix(GString *text, const struct weiri_cli_rebuild *rebuild,
                    const struct weiri_cli_proposal *fix, char **missing)
{
    g_autoptr(GPtrArray) parts = parts_of(rebuild, fix, missing);
    if (parts == NULL) {
        return;
    }
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    if (fix->part != NULL) {
        g_ptr_array_add(all, (void *)fix->part);
    }
    g_ptr_array_extend(all, parts, NULL, NULL);
    g_autofree char *diff = weiri_cli_rebuild_diff(rebuild, all);
    if (strstr(text->str, diff) == NULL) {
        g_string_append(text, diff);
    }
}

void weiri_cli_proposals_make_diff(struct weiri_cli_proposals *proposals,
                                   const struct weiri_cli_rebuild *rebuild,
                                   const char *why)
{
    GString *text = g_string_new(NULL);
    char *missing = NULL;
    for (guint i = 0; i < proposals->launches->len; i++) {
        const GPtrArray *fixes
            = g_array_index(proposals->launches, struct weiri_cli_launch_proposals, i)
                  .fixes;
        if (fixes->len > 0 && rebuild == NULL) {
            g_free(missing);
            missing = g_strdup(why);
        } else if (fixes->len > 0) {
            add_fix(text, rebuild, g_ptr_array_index((GPtrArray *)fixes, 0), &missing);
        }
    }
    proposals->diff = g_string_free(text, FALSE);
    proposals->missing = missing;
}

bool weiri_cli_explore_patch(const char *path,
                             const struct weiri_cli_proposals *proposals)
{
    if (path == NULL || proposals == NULL) {
        return true;
    }
    bool empty = proposals->diff[0] == '\0';
    if (!weiri_cli_write_file("--patch", path, proposals->diff)) {
        return false;
    }
    if (empty || proposals->missing != NULL) {
        weiri_cli_complain(
            "--patch: %s %s: %s", path, empty ? "is empty" : "lacks a fix",
            proposals->missing != NULL ? proposals->missing : "no fix was found");
    }
    return true;
}
