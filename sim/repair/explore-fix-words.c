/* SPDX-License-Identifier: MIT
 *
 * explore-fix-words.c: the results of explore-fixes.c, as text and as JSON. Changes
 * that are needed together have one number. Without a fix the text states the reason,
 * and with --weaken also which changes would make the launch wrong. */
#include "config.h"

#include "repair/explore-fixes.h"

#include "repair/explore-proposals.h"
#include "report/report.h"

static void add_changes(GString *out, const struct weiri_cli_proposal *proposal)
{
    if (proposal->part != NULL) {
        g_string_append_printf(out, "%s %s:%u", proposal->part->title,
                               proposal->part->file, proposal->part->line);
    }
    for (guint i = 0; i < proposal->changes->len; i++) {
        const struct weiri_cli_change *change
            = &g_array_index(proposal->changes, struct weiri_cli_change, i);
        g_autofree char *title = weiri_cli_change_title(change);
        g_string_append_printf(out, "%s%s %s:%u", i > 0 ? "; and " : "", title,
                               change->lever.site->file, change->lever.site->line);
    }
}

static void add_fixes(GString *out, const struct weiri_cli_launch_proposals *launch)
{
    if (launch->fixes->len > 0) {
        g_string_append_c(out, '\n');
    }
    for (guint i = 0; i < launch->fixes->len; i++) {
        const struct weiri_cli_proposal *fix = g_ptr_array_index(launch->fixes, i);
        g_string_append(out, i == 0 ? "fix: " : "or:  ");
        add_changes(out, fix);
        g_string_append_printf(out,
                               " (proved%s: %" PRIu64 " execution%s, exhaustive%s)\n",
                               fix->changes->len > 1 ? " together" : "",
                               fix->executions, fix->executions == 1 ? "" : "s",
                               fix->weakest ? "; the weakest that was tried" : "");
    }
    if (launch->none != NULL) {
        g_string_append_printf(out, "\nno fix: %s%s%s\n", launch->none,
                               launch->unbuilt != NULL ? ": " : "",
                               launch->unbuilt != NULL ? launch->unbuilt : "");
    }
}

static void add_weaker(GString *out, const struct weiri_cli_launch_proposals *launch,
                       bool late)
{
    g_string_append_c(out, '\n');
    if (launch->weaker->len > 0) {
        g_string_append(out,
                        "could be weaker, each alone, at this size and under this "
                        "model:\n");
    } else if (!late) {
        g_string_append(out,
                        "nothing could be weaker, at this size and under this "
                        "model\n");
    }
    for (guint i = 0; i < launch->weaker->len; i++) {
        const struct weiri_cli_proposal *weaker = g_ptr_array_index(launch->weaker, i);
        g_string_append(out, "  ");
        add_changes(out, weaker);
        g_string_append_printf(out, " (proved: %" PRIu64 " execution%s, exhaustive)\n",
                               weaker->executions, weaker->executions == 1 ? "" : "s");
    }
    if (launch->n_needed > 0) {
        g_string_append_printf(out,
                               "needed as strong as %s: %u of the orders, scopes and "
                               "barrier flags\n",
                               launch->n_needed == 1 ? "it is" : "they are",
                               launch->n_needed);
    }
    for (guint i = 0; i < launch->needed->len; i++) {
        const struct weiri_cli_proposal *needed = g_ptr_array_index(launch->needed, i);
        g_string_append(out, "  ");
        add_changes(out, needed);
        g_string_append_printf(out, " would be wrong: %s\n", needed->breaks);
    }
    if (launch->n_alike > 0) {
        g_string_append_printf(out,
                               "not tried: %u scope%s without any effect in a launch "
                               "of this size\n",
                               launch->n_alike, launch->n_alike == 1 ? "" : "s");
    }
    if (late) {
        g_string_append(
            out, "not every weaker value was tried: the time limit was reached\n");
    }
}

void weiri_cli_proposals_add_text(const struct weiri_cli_proposals *proposals,
                                  guint launch, GString *out)
{
    if (proposals == NULL) {
        return;
    }
    const struct weiri_cli_launch_proposals *of = &g_array_index(
        proposals->launches, struct weiri_cli_launch_proposals, launch);
    if (!proposals->weakens) {
        add_fixes(out, of);
    } else if (proposals->refused == NULL) {
        add_weaker(out, of, proposals->late);
    } else if (launch == 0) {
        g_string_append_printf(out, "\n%s\n", proposals->refused);
    }
}

/* Adds the last members of a proposal, which all kinds have. */
static void json_end(JsonBuilder *builder, const struct weiri_cli_proposal *proposal)
{
    if (proposal->breaks == NULL) {
        weiri_json_object(builder, "proved");
        weiri_json_int(builder, "executions", proposal->executions);
        json_builder_end_object(builder);
    } else {
        weiri_json_text(builder, "breaks", proposal->breaks);
    }
    weiri_json_bool(builder, "verified", proposal->breaks == NULL);
    weiri_json_bool(builder, "alone", proposal->changes->len < 2);
}

static void json_change(JsonBuilder *builder, const struct weiri_cli_change *change,
                        bool stronger)
{
    static const enum weiri_fix_kind kinds[]
        = { [WEIRI_CLI_ORDER] = WEIRI_FIX_STRENGTHEN_ORDER,
            [WEIRI_CLI_FAILURE] = WEIRI_FIX_STRENGTHEN_ORDER,
            [WEIRI_CLI_SCOPE] = WEIRI_FIX_WIDEN_SCOPE,
            [WEIRI_CLI_SPACES] = WEIRI_FIX_WIDEN_BARRIER };
    static const char *const weaker[] = { [WEIRI_CLI_ORDER] = "weaken-order",
                                          [WEIRI_CLI_FAILURE] = "weaken-order",
                                          [WEIRI_CLI_SCOPE] = "narrow-scope",
                                          [WEIRI_CLI_SPACES] = "narrow-barrier" };
    const struct weiri_cli_lever *lever = &change->lever;
    g_autofree char *title = weiri_cli_change_title(change);
    weiri_json_text(builder, "what",
                    stronger ? weiri_fix_kind_name(kinds[lever->aspect])
                             : weaker[lever->aspect]);
    weiri_json_text(builder, "file", lever->site->file);
    weiri_json_int(builder, "line", lever->site->line);
    weiri_json_text(builder, "from", weiri_cli_value_name(lever, lever->from));
    weiri_json_text(builder, "to", weiri_cli_value_name(lever, change->to));
    weiri_json_text(builder, "title", title);
}

static void json_part(JsonBuilder *builder, const struct weiri_fix_candidate *part)
{
    weiri_json_text(builder, "what", weiri_fix_kind_name(part->kind));
    weiri_json_text(builder, "file", part->file);
    weiri_json_int(builder, "line", part->line);
    weiri_json_text(builder, "from", part->from);
    weiri_json_text(builder, "to", part->to);
    weiri_json_text(builder, "title", part->title);
}

/* One member for each change; changes of one proposal have one number. */
static void add_json(JsonBuilder *builder, const char *name, const GPtrArray *proposals,
                     bool stronger)
{
    weiri_json_array(builder, name);
    for (guint p = 0; p < proposals->len; p++) {
        const struct weiri_cli_proposal *proposal
            = g_ptr_array_index((GPtrArray *)proposals, p);
        guint n = proposal->part != NULL ? 1 : proposal->changes->len;
        for (guint i = 0; i < n; i++) {
            weiri_json_object(builder, NULL);
            weiri_json_int(builder, "number", p + 1);
            if (proposal->part != NULL) {
                json_part(builder, proposal->part);
            } else {
                json_change(
                    builder,
                    &g_array_index(proposal->changes, struct weiri_cli_change, i),
                    stronger);
            }
            json_end(builder, proposal);
            json_builder_end_object(builder);
        }
    }
    json_builder_end_array(builder);
}

void weiri_cli_proposals_add_json(const struct weiri_cli_proposals *proposals,
                                  guint launch, JsonBuilder *builder)
{
    if (proposals == NULL) {
        return;
    }
    const struct weiri_cli_launch_proposals *of = &g_array_index(
        proposals->launches, struct weiri_cli_launch_proposals, launch);
    if (!proposals->weakens) {
        add_json(builder, "fixes", of->fixes, true);
        weiri_json_text(builder, "unfixed", of->none);
        return;
    }
    add_json(builder, "weaker", of->weaker, false);
    add_json(builder, "needed", of->needed, false);
    weiri_json_text(builder, "unweakened",
                    proposals->refused != NULL ? proposals->refused
                        : proposals->late      ? "the time limit was reached"
                                               : NULL);
}
