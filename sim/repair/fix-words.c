/* SPDX-License-Identifier: MIT
 *
 * fix-words.c: a fix as text, as JSON and as a diff. The text states in how many runs
 * the fix was tried, whether the answer was judged, and what was proved: a fix must
 * never look better tried than it is. */
#include "config.h"

#include "repair/fixes.h"

#include "repair/candidate.h"
#include "repair/rebuild.h"
#include "report/report.h"

char *weiri_cli_found_words(const struct weiri_cli_verdict *verdict,
                            const struct weiri_cli_found *found,
                            struct weir_finding *finding)
{
    bool fixed = verdict->fix != NULL && !finding->note && !found->known
        && found->suppression == NULL;
    char *fix = fixed ? weiri_cli_fix_text(verdict->fix) : NULL;
    finding->fix = fix;
    finding->why = found->missing != NULL ? found->missing
        : found->reason != NULL           ? found->reason
                                          : finding->why;
    return fix;
}

bool weiri_cli_fixes_write(const struct weiri_cli_check *check, GPtrArray *verdicts)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < verdicts->len; i++) {
        const struct weiri_cli_verdict *verdict = g_ptr_array_index(verdicts, i);
        g_string_append(text, verdict->diff != NULL ? verdict->diff : "");
    }
    if (!weiri_cli_write_file("--patch", check->patch, text->str)) {
        return false;
    }
    if (text->len == 0) {
        weiri_cli_complain("--patch: %s is empty: there is no fix", check->patch);
    }
    return true;
}

char *weiri_cli_fix_none_text(const struct weiri_cli_rebuild *rebuild,
                              const GPtrArray *targets)
{
    g_autofree char *macro = NULL;
    for (guint i = 0; macro == NULL && rebuild != NULL && i < targets->len; i++) {
        const struct weiri_cli_found *found = g_ptr_array_index(targets, i);
        macro = weiri_unchanged_macro(rebuild->sources, found->finding);
    }
    return macro != NULL
        ? g_strdup_printf("no fix was found: the operation at %s, which weir does not "
                          "change",
                          macro)
        : g_strdup("no change of the kinds that weir tries repairs this");
}

char *weiri_cli_fix_text(const struct weiri_cli_fix *fix)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < fix->parts->len; i++) {
        const struct weiri_fix_candidate *part = g_ptr_array_index(fix->parts, i);
        g_string_append_printf(text, "%s%s %s:%" PRIu32, i > 0 ? "; and " : "",
                               part->title, part->file, part->line);
    }
    g_string_append_printf(
        text, " (tried%s: clean in %u of %u runs%s%s",
        fix->parts->len > 1 ? " together" : "", fix->clean, fix->runs,
        fix->judged         ? ", answer right"
            : fix->unjudged ? ": no finding left; the program does "
                              "not judge its answer"
                            : "",
        fix->prints_else ? ", and prints something else with the fix" : "");
    if (fix->weakest) {
        g_string_append(text, "; the weakest that was tried");
    }
    if (fix->proved_groups > 0) {
        g_string_append_printf(text, "; proved at n = %zu, %zu group%s", fix->proved_n,
                               fix->proved_groups, fix->proved_groups == 1 ? "" : "s");
    } else if (fix->proved > 1) {
        g_string_append_printf(text, "; proved: all %" PRIu64 " executions",
                               fix->proved);
    } else if (fix->proved == 1) {
        g_string_append(text, "; proved: the only execution");
    }
    g_string_append_c(text, ')');
    return g_string_free(text, FALSE);
}

static void json_proof(JsonBuilder *builder, const struct weiri_cli_fix *fix)
{
    if (fix->proved == 0) {
        weiri_json_null(builder, "proved");
        return;
    }
    weiri_json_object(builder, "proved");
    weiri_json_int(builder, "executions", fix->proved);
    if (fix->proved_groups > 0) {
        weiri_json_int(builder, "n", fix->proved_n);
        weiri_json_int(builder, "groups", fix->proved_groups);
    } else {
        weiri_json_null(builder, "n");
        weiri_json_null(builder, "groups");
    }
    json_builder_end_object(builder);
}

void weiri_cli_fix_json(JsonBuilder *builder, const struct weiri_cli_fix *fix)
{
    weiri_json_array(builder, "fixes");
    for (guint i = 0; fix != NULL && i < fix->parts->len; i++) {
        const struct weiri_fix_candidate *part = g_ptr_array_index(fix->parts, i);
        bool together = fix->parts->len > 1;
        json_builder_begin_object(builder);
        weiri_json_text(builder, "what", weiri_fix_kind_name(part->kind));
        weiri_json_text(builder, "file", part->file);
        weiri_json_int(builder, "line", part->line);
        weiri_json_text(builder, "from", together ? NULL : part->from);
        weiri_json_text(builder, "to", part->to);
        weiri_json_text(builder, "title", part->title);
        json_builder_set_member_name(builder, "tried");
        json_builder_begin_object(builder);
        weiri_json_int(builder, "runs", fix->runs);
        weiri_json_int(builder, "clean", fix->clean);
        if (fix->judged) {
            weiri_json_int(builder, "right", fix->right);
        } else {
            weiri_json_null(builder, "right");
        }
        json_builder_end_object(builder);
        json_proof(builder, fix);
        weiri_json_bool(builder, "verified", true);
        weiri_json_bool(builder, "alone", !together);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}
