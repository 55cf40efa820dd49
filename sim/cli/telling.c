/* SPDX-License-Identifier: MIT
 *
 * telling.c: verdicts as text and as JSON.
 *
 * `--json` prints an object for one kernel or program, and an array otherwise:
 *
 *   kernel      its name; of a program, that of the first kernel it launched, or null
 *   program     a program's words; not there for a kernel
 *   n, local, groups   of a built-in kernel's first launch
 *   seed, schedule     of the first run with a finding, else of the first run
 *   launches    of all runs
 *   complete    every run was made, and ran to its end
 *   incomplete  the first reason why not, or null
 *   runs        one object each: {schedule, seed, launches, steps, findings,
 *               incomplete, failure}
 *   findings    as in a launch's report, and {launch, seed, schedule, runs, again}
 *   notes       lines of text */
#include "config.h"

#include "cli/verdict.h"

#include "report/report.h"

/* ---- For people ------------------------------------------------------------------ */

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static void add_found(GString *out, const struct weiri_cli_verdict *verdict,
                      const struct weiri_cli_found *found)
{
    const struct weiri_cli_run_result *run = found->run;
    weiri_report_add_finding_text(out, found->finding, NULL);
    g_autofree char *order = weiri_cli_order_text(run->schedule, run->seed);
    g_autofree char *again = weiri_cli_told_again(verdict->check, &verdict->subject,
                                                  run->schedule, run->seed);
    g_autofree char *runs = weiri_cli_share_text(verdict, found->n_runs);
    g_string_append_printf(out, "  %s%s", runs, order);
    if (run->launches->len > 1) {
        g_string_append_printf(out, ", in launch %zu of %u", found->launch,
                               run->launches->len);
    }
    g_string_append_printf(out, "\n  again: %s\n\n", again);
}

static void add_incomplete(GString *out, const struct weiri_cli_verdict *verdict)
{
    const struct weiri_cli_summary *first;
    const char *reason = weiri_cli_verdict_incomplete(verdict, &first);
    if (reason != NULL) {
        size_t n = 0;
        for (guint i = 0; i < verdict->runs->len; i++) {
            n += weiri_cli_verdict_run(verdict, i)->incomplete != NULL;
        }
        g_autofree char *order = weiri_cli_order_text(first->schedule, first->seed);
        g_autofree char *runs = weiri_cli_share_text(verdict, n);
        g_string_append_printf(out, "incomplete: %s %s%s: %s\n",
                               weiri_cli_subject_name(&verdict->subject), runs, order,
                               reason);
    }
}

static void add_count(GString *out, size_t n, const char *what)
{
    if (n == 0) {
        g_string_append_printf(out, "no %ss", what);
    } else {
        g_string_append_printf(out, "%zu %s%s", n, what, plural(n));
    }
}

static void add_totals(GString *out, GPtrArray *verdicts,
                       const struct weiri_cli_totals *totals, size_t ended_early)
{
    const struct weiri_cli_verdict *first = g_ptr_array_index(verdicts, 0);
    add_count(out, totals->n_runs, "run");
    if (verdicts->len == 1) {
        g_string_append_printf(out,
                               " of %s: ", weiri_cli_subject_name(&first->subject));
    } else {
        g_string_append_printf(out, " of %u kernels: ", verdicts->len);
    }
    add_count(out, totals->n_defects, "finding");
    if (totals->n_counted < totals->n_defects) {
        g_string_append_printf(out, " (%zu in kernels that are broken on purpose)",
                               totals->n_defects - totals->n_counted);
    }
    if (totals->n_notes > 0) {
        g_string_append(out, ", ");
        add_count(out, totals->n_notes, "note");
    }
    if (totals->n_failed > 0) {
        g_string_append_printf(out, ", failed by itself in %zu", totals->n_failed);
    }
    if (totals->n_incomplete > 0) {
        g_string_append_printf(out, ", %zu incomplete", totals->n_incomplete);
    }
    if (ended_early > 0) {
        g_string_append_printf(out, ", %zu not made", ended_early);
    }
    g_string_append_c(out, '\n');
}

char *weiri_cli_verdicts_to_text(GPtrArray *verdicts,
                                 const struct weiri_cli_totals *totals,
                                 size_t ended_early)
{
    GString *out = g_string_new(NULL);
    for (guint v = 0; v < verdicts->len; v++) {
        const struct weiri_cli_verdict *verdict = g_ptr_array_index(verdicts, v);
        for (guint i = 0; i < verdict->found->len; i++) {
            add_found(out, verdict, g_ptr_array_index(verdict->found, i));
        }
    }
    for (guint v = 0; v < verdicts->len; v++) {
        const struct weiri_cli_verdict *verdict = g_ptr_array_index(verdicts, v);
        for (guint i = 0; i < verdict->notes->len; i++) {
            g_string_append_printf(out, "note: %s\n",
                                   (char *)g_ptr_array_index(verdict->notes, i));
        }
        add_incomplete(out, verdict);
    }
    if (ended_early > 0) {
        g_string_append(out, "incomplete: the time limit was reached\n");
    }
    add_totals(out, verdicts, totals, ended_early);
    return g_string_free(out, FALSE);
}

/* ---- For programs ---------------------------------------------------------------- */

/* JSON is UTF-8, and what a user has typed may be anything. */
static void json_bytes(JsonBuilder *builder, const char *name, const char *value)
{
    g_autofree char *valid = value != NULL ? g_utf8_make_valid(value, -1) : NULL;
    weiri_cli_json_text(builder, name, valid);
}

static void json_found(JsonBuilder *builder, const struct weiri_cli_verdict *verdict,
                       const struct weiri_cli_found *found)
{
    const struct weiri_cli_run_result *run = found->run;
    struct weir_finding finding = *found->finding;
    finding.count = found->count;
    g_autofree char *again = weiri_cli_told_again(verdict->check, &verdict->subject,
                                                  run->schedule, run->seed);
    json_builder_begin_object(builder);
    weiri_report_add_finding_members(builder, &finding);
    weiri_cli_json_int(builder, "launch", found->launch);
    weiri_cli_json_int(builder, "seed", run->seed);
    weiri_cli_json_text(builder, "schedule", run->schedule);
    weiri_cli_json_int(builder, "runs", found->n_runs);
    json_bytes(builder, "again", again);
    json_builder_end_object(builder);
}

static void json_run(JsonBuilder *builder, const struct weiri_cli_summary *run)
{
    json_builder_begin_object(builder);
    weiri_cli_json_text(builder, "schedule", run->schedule);
    weiri_cli_json_int(builder, "seed", run->seed);
    weiri_cli_json_int(builder, "launches", run->n_launches);
    weiri_cli_json_int(builder, "steps", run->most_steps);
    weiri_cli_json_int(builder, "findings",
                       run->n_defects - (run->failure != NULL ? 1 : 0));
    json_bytes(builder, "incomplete", run->incomplete);
    json_bytes(builder, "failure", run->failure);
    json_builder_end_object(builder);
}

static void json_subject(JsonBuilder *builder, const struct weiri_cli_verdict *verdict)
{
    char *const *program = verdict->subject.program;
    if (program == NULL) {
        weiri_cli_json_text(builder, "kernel", verdict->subject.row->name);
        weiri_cli_json_int(builder, "n", verdict->elements);
        weiri_cli_json_int(builder, "local", verdict->local);
        weiri_cli_json_int(builder, "groups", verdict->groups);
        weiri_cli_json_bool(builder, "broken", verdict->subject.row->broken);
        return;
    }
    json_bytes(builder, "kernel", verdict->kernel);
    json_builder_set_member_name(builder, "program");
    json_builder_begin_array(builder);
    for (; *program != NULL; program++) {
        g_autofree char *valid = g_utf8_make_valid(*program, -1);
        json_builder_add_string_value(builder, valid);
    }
    json_builder_end_array(builder);
}

static void json_verdict(JsonBuilder *builder, const struct weiri_cli_verdict *verdict,
                         size_t ended_early)
{
    const struct weiri_cli_summary *speaks = weiri_cli_verdict_speaker(verdict), *first;
    const char *incomplete = weiri_cli_verdict_incomplete(verdict, &first);
    if (incomplete == NULL && ended_early > 0) {
        incomplete = "the time limit was reached";
    }
    json_builder_begin_object(builder);
    json_subject(builder, verdict);
    weiri_cli_json_int(builder, "seed", speaks != NULL ? speaks->seed : 0);
    weiri_cli_json_text(builder, "schedule", speaks != NULL ? speaks->schedule : NULL);
    weiri_cli_json_int(builder, "launches", verdict->n_launches);
    weiri_cli_json_bool(builder, "complete", incomplete == NULL);
    json_bytes(builder, "incomplete", incomplete);
    json_builder_set_member_name(builder, "runs");
    json_builder_begin_array(builder);
    for (guint i = 0; i < verdict->runs->len; i++) {
        json_run(builder, weiri_cli_verdict_run(verdict, i));
    }
    json_builder_end_array(builder);
    json_builder_set_member_name(builder, "findings");
    json_builder_begin_array(builder);
    for (guint i = 0; i < verdict->found->len; i++) {
        json_found(builder, verdict, g_ptr_array_index(verdict->found, i));
    }
    json_builder_end_array(builder);
    json_builder_set_member_name(builder, "notes");
    json_builder_begin_array(builder);
    for (guint i = 0; i < verdict->notes->len; i++) {
        g_autofree char *valid
            = g_utf8_make_valid(g_ptr_array_index(verdict->notes, i), -1);
        json_builder_add_string_value(builder, valid);
    }
    json_builder_end_array(builder);
    json_builder_end_object(builder);
}

char *weiri_cli_verdicts_to_json(GPtrArray *verdicts, size_t ended_early)
{
    JsonBuilder *builder = json_builder_new();
    if (verdicts->len != 1) {
        json_builder_begin_array(builder);
    }
    for (guint i = 0; i < verdicts->len; i++) {
        json_verdict(builder, g_ptr_array_index(verdicts, i), ended_early);
    }
    if (verdicts->len != 1) {
        json_builder_end_array(builder);
    }
    return weiri_cli_json_take(builder);
}
