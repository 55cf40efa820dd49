/* SPDX-License-Identifier: MIT
 *
 * verdict-print.c: verdicts as text and as JSON.
 *
 * `--json` prints an object for one kernel or program, and an array otherwise:
 *
 *   kernel      its name; for a program, the first kernel that it launched, or null
 *   program     a program's words; absent for a kernel
 *   n, local, groups   of a built-in kernel's first launch
 *   seed, schedule     of the first run with a finding, else of the first run
 *   launches    of all runs
 *   complete    every run was made, and ran to its end
 *   incomplete  the first reason why not, or null
 *   searched    {runs, items, kinds: [{schedule, runs, depth, bound}]}: search.h
 *   runs        one object each: {schedule, seed, launches, steps, findings,
 *               incomplete, failure}
 *   findings    as in a launch's report, and {launch, seed, schedule, runs, shown,
 *               known, again, fixes: [{what, file, line, from, to, title, tried: {runs,
 *               clean, right}, verified, alone}], same_cause: findings}; a wrong answer
 *               also has switches: [{launch, step, group, item, stop, file, line,
 *               to_group, to_item}]
 *   suppressed  the same for findings that a file of --suppress names, and
 *               {suppressed_by, reason}
 *   gone        entries of the baseline that no run has shown: lines of text
 *   notes       lines of text
 *
 * docs/weir-check.schema.json says the same to programs. */
#include "config.h"

#include "engine/search.h"
#include "repair/fixes.h"

#include "report/record.h"
#include "report/report.h"
#include "show/wrong.h"

#include <string.h>

/* ---- For people ------------------------------------------------------------------ */

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* Ranges of seeds that are printed of one schedule. */
enum { MOST_RANGES = 4 };

/* Appends "1-3,7": the seeds of the runs under @schedule that @found was seen in. */
static void add_seeds(GString *text, const struct weiri_cli_verdict *verdict,
                      const struct weiri_cli_found *found, const char *schedule)
{
    uint64_t first = 0, last = 0;
    unsigned n_ranges = 0;
    for (guint i = 0; i <= found->runs->len; i++) {
        const struct weiri_cli_summary *run
            = i < found->runs->len ? weiri_cli_shown_run(verdict, found, i) : NULL;
        if (run != NULL
            && (strcmp(run->schedule, schedule) != 0
                || (n_ranges > 0 && run->seed == last + 1))) {
            last += strcmp(run->schedule, schedule) == 0;
            continue;
        }
        if (n_ranges > 0 && last > first) {
            g_string_append_printf(text, "-%" PRIu64, last);
        }
        if (run != NULL && n_ranges == MOST_RANGES) {
            g_string_append(text, ",…");
            return;
        }
        if (run != NULL) {
            first = last = run->seed;
            g_string_append_printf(text, "%s%" PRIu64, n_ranges > 0 ? "," : " ", first);
            n_ranges++;
        }
    }
}

/* "reverse, random 1-3,7". */
static char *orders_text(const struct weiri_cli_verdict *verdict,
                         const struct weiri_cli_found *found)
{
    GString *text = g_string_new(NULL);
    g_autoptr(GPtrArray) schedules = g_ptr_array_new();
    for (guint i = 0; i < found->runs->len; i++) {
        char *schedule = weiri_cli_shown_run(verdict, found, i)->schedule;
        if (g_ptr_array_find_with_equal_func(schedules, schedule, g_str_equal, NULL)) {
            continue;
        }
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", schedule);
        if (weiri_cli_is_seeded(schedule)) {
            add_seeds(text, verdict, found, schedule);
        }
        g_ptr_array_add(schedules, schedule);
    }
    return g_string_free(text, FALSE);
}

char *weiri_cli_shown_text(const struct weiri_cli_verdict *verdict,
                           const struct weiri_cli_found *found)
{
    if (verdict->check->shrunk != NULL) { /* it is not a named schedule */
        return g_strdup_printf("under the schedule of %s", verdict->check->shrunk);
    }
    const struct weiri_cli_summary *run = weiri_cli_shown_run(verdict, found, 0);
    g_autofree char *first = weiri_cli_schedule_text(run->schedule, run->seed);
    guint n = found->runs->len;
    if (n == 1 || n == verdict->runs->len) {
        g_autofree char *share = weiri_cli_share_text(verdict, n);
        return g_strconcat(share, first, NULL);
    }
    g_autofree char *orders = orders_text(verdict, found);
    return g_strdup_printf("in %u of %u runs (%s), first under %s", n,
                           verdict->runs->len, orders, first);
}

/* The findings that the same change removes, counted by their kinds. */
static void add_grouped(GString *out, const struct weiri_cli_verdict *verdict,
                        const struct weiri_cli_found *leader)
{
    size_t n[64] = { 0 }, all = 0;
    for (guint i = 0; i < verdict->found->len; i++) {
        const struct weiri_cli_found *found = g_ptr_array_index(verdict->found, i);
        if (found->leader == leader && found->finding->kind < G_N_ELEMENTS(n)) {
            n[found->finding->kind]++;
            all++;
        }
    }
    if (all == 0) {
        return;
    }
    if (leader->leads) {
        g_string_append_printf(out,
                               "  with --order %s it and %zu more finding%s are gone:",
                               leader->finding->cause, all, plural(all));
    } else {
        g_string_append_printf(out, "  the fix removes %zu more finding%s:", all,
                               plural(all));
    }
    for (size_t kind = 0, shown = 0; kind < G_N_ELEMENTS(n); kind++) {
        if (n[kind] > 0) {
            g_string_append_printf(
                out, "%s %zu %s", shown++ > 0 ? "," : "", n[kind],
                weir_finding_kind_name((enum weir_finding_kind)kind));
        }
    }
    g_string_append_c(out, '\n');
}

/* The run that is shown need not be the first: an access out of bounds is shown with
 * its largest index, a wrong answer by one that was shrunk. Appends which one it is. */
static void add_shown_run(GString *out, const struct weiri_cli_verdict *verdict,
                          const struct weiri_cli_found *found)
{
    const struct weiri_cli_summary *first = weiri_cli_shown_run(verdict, found, 0);
    const struct weiri_cli_run_result *run = found->run;
    if (strcmp(first->schedule, run->schedule) != 0 || first->seed != run->seed) {
        g_autofree char *order = weiri_cli_schedule_text(run->schedule, run->seed);
        g_string_append_printf(
            out, ", %s under %s",
            found == verdict->wrong ? "explained" : "with the largest index", order);
    }
}

static void add_found(GString *out, const struct weiri_cli_verdict *verdict,
                      const struct weiri_cli_found *found)
{
    const struct weiri_cli_run_result *run = found->run;
    struct weir_finding finding = *found->finding;
    bool counted = finding.count > 0 && weiri_report_is_of_accesses(&finding);
    finding.count = counted ? 0 : finding.count; /* printed below, of all runs */
    g_autofree char *fix = weiri_cli_found_words(verdict, found, &finding);
    (void)fix; /* it is the finding's, and freed here */
    weiri_report_add_finding_text(out, &finding, NULL);
    g_autofree char *again = weiri_cli_shown_again(verdict->check, &verdict->subject,
                                                   run->schedule, run->seed);
    g_autofree char *shown = weiri_cli_shown_text(verdict, found);
    g_string_append(out, "  ");
    if (counted) {
        g_string_append_printf(out, "seen %" PRIu64 " time%s ", found->count,
                               plural(found->count));
    }
    g_string_append(out, shown);
    add_shown_run(out, verdict, found);
    size_t n, number = weiri_cli_run_launch_number(run, found->launch, &n);
    if (n > 1 && number > 0) {
        g_string_append_printf(out, ", in launch %zu of %zu", number, n);
    }
    g_string_append_printf(out, "\n  again: %s\n", again);
    add_grouped(out, verdict, found);
    g_string_append_c(out, '\n');
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
        g_autofree char *order = weiri_cli_schedule_text(first->schedule, first->seed);
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

/* The effect of files of --suppress and --baseline on findings, a line for each
 * entry. */
static void add_judgement(GString *out, GPtrArray *verdicts,
                          const struct weiri_cli_totals *totals)
{
    const struct weiri_cli_verdict *first = g_ptr_array_index(verdicts, 0);
    const struct weiri_suppressions *list = first->check->suppressions;
    for (size_t i = 0; list != NULL && i < weiri_suppress_n(list); i++) {
        const struct weiri_suppression *entry = weiri_suppress_entry(list, i);
        if (entry->n_findings > 0) {
            g_string_append_printf(out, "%zu finding%s suppressed by %s:%zu%s%s\n",
                                   entry->n_findings, plural(entry->n_findings),
                                   entry->file, entry->line,
                                   entry->reason != NULL ? ": " : "",
                                   entry->reason != NULL ? entry->reason : "");
        }
    }
    if (totals->n_known > 0) {
        g_string_append_printf(out, "%zu finding%s known from %s\n", totals->n_known,
                               plural(totals->n_known), first->check->baseline);
    }
    for (guint v = 0; v < verdicts->len; v++) {
        g_autoptr(GPtrArray) gone
            = weiri_cli_known_gone(g_ptr_array_index(verdicts, v));
        for (guint i = 0; i < gone->len; i++) {
            g_string_append_printf(out, "gone since %s: %s\n", first->check->baseline,
                                   (char *)g_ptr_array_index(gone, i));
        }
    }
}

char *weiri_cli_totals_text(GPtrArray *verdicts, const struct weiri_cli_totals *totals,
                            size_t ended_early)
{
    GString *out = g_string_new(NULL);
    const struct weiri_cli_verdict *first = g_ptr_array_index(verdicts, 0);
    add_count(out, totals->n_runs, "run");
    if (verdicts->len == 1) {
        g_string_append_printf(out, " of %s", weiri_cli_subject_name(&first->subject));
        for (guint i = 0;
             first->check->options.device != NULL && i < first->devices->len; i++) {
            g_string_append_printf(out, "%s '%s'", i == 0 ? " on device" : ",",
                                   (char *)g_ptr_array_index(first->devices, i));
        }
        g_string_append(out, ": ");
    } else {
        g_string_append_printf(out, " of %u kernels: ", verdicts->len);
    }
    if (totals->n_silent > 0 && totals->n_defects == 0 && totals->n_known == 0) {
        g_string_append(out, "nothing to check");
    } else {
        add_count(out, totals->n_defects, "finding");
    }
    if (totals->n_counted < totals->n_defects) {
        g_string_append_printf(out, " (%zu in kernels that are broken on purpose)",
                               totals->n_defects - totals->n_counted);
    }
    if (totals->n_known > 0) {
        g_string_append_printf(out, ", %zu known", totals->n_known);
    }
    if (totals->n_suppressed > 0) {
        g_string_append_printf(out, ", %zu suppressed", totals->n_suppressed);
    }
    if (totals->n_notes > 0) {
        g_string_append(out, ", ");
        add_count(out, totals->n_notes, "note");
    }
    if (totals->n_in_step > 0) {
        g_string_append(out, ", relies on lockstep");
    }
    if (totals->n_unseen > 0) {
        g_string_append(out, ", not all accesses seen");
    }
    if (totals->n_failed > 0) {
        g_string_append_printf(out, ", failed by itself in %zu", totals->n_failed);
    }
    if (totals->n_incomplete > 0) {
        g_string_append_printf(out, ", %zu incomplete", totals->n_incomplete);
    }
    if (ended_early > 0 && ended_early != WEIRI_CLI_SOME_RUNS) {
        g_string_append_printf(out, ", %zu not made", ended_early);
    }
    return g_string_free(out, FALSE);
}

static void add_steps(GString *out, const struct weiri_cli_run_result *run)
{
    for (guint i = 0; i < run->launches->len; i++) {
        const struct weiri_launch_record *record = g_ptr_array_index(run->launches, i);
        weiri_report_add_steps(out, i + 1, record->kernel, record->steps,
                               record->n_listed, record->n_unlisted);
    }
}

char *weiri_cli_verdicts_to_text(GPtrArray *verdicts,
                                 const struct weiri_cli_totals *totals,
                                 size_t ended_early)
{
    GString *out = g_string_new(NULL);
    const struct weiri_cli_verdict *only = g_ptr_array_index(verdicts, 0);
    if (only->listed != NULL) {
        add_steps(out, only->listed);
    }
    for (guint v = 0; v < verdicts->len; v++) {
        const struct weiri_cli_verdict *verdict = g_ptr_array_index(verdicts, v);
        for (guint i = 0; i < verdict->found->len; i++) {
            const struct weiri_cli_found *found = g_ptr_array_index(verdict->found, i);
            if (found->suppression == NULL && !found->known && found->leader == NULL) {
                add_found(out, verdict, found);
            }
        }
        if (verdict->unfixed != NULL) {
            g_string_append_printf(out, "%s\n", verdict->unfixed);
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
        const struct weiri_cli_verdict *first = g_ptr_array_index(verdicts, 0);
        g_string_append_printf(out, "incomplete: %s\n", first->check->why_ended);
    }
    add_judgement(out, verdicts, totals);
    const struct weiri_cli_verdict *any = g_ptr_array_index(verdicts, 0);
    if (any->check->search) {
        g_autofree char *searched = weiri_cli_searched_text(verdicts);
        g_string_append(out, searched);
    }
    g_autofree char *last = weiri_cli_totals_text(verdicts, totals, ended_early);
    g_string_append_printf(out, "%s\n", last);
    return g_string_free(out, FALSE);
}

/* ---- For programs ---------------------------------------------------------------- */

static void json_found(JsonBuilder *builder, const struct weiri_cli_verdict *verdict,
                       const struct weiri_cli_found *found);

/* The member of a finding with those that the same change removes. */
static void json_grouped(JsonBuilder *builder, const struct weiri_cli_verdict *verdict,
                         const struct weiri_cli_found *leader)
{
    weiri_json_array(builder, "same_cause");
    for (guint i = 0; i < verdict->found->len; i++) {
        const struct weiri_cli_found *found = g_ptr_array_index(verdict->found, i);
        if (found->leader == leader) {
            json_found(builder, verdict, found);
        }
    }
    json_builder_end_array(builder);
}

/* The places of a finding. If it is a pair of accesses, the places of pairs of its kind
 * that the same change removes follow: they are one defect. Returns: struct weir_party,
 * borrowed */
static GArray *places_of(const struct weiri_cli_verdict *verdict,
                         const struct weiri_cli_found *leader)
{
    const struct weir_finding *own = leader->finding;
    GArray *places = g_array_new(FALSE, FALSE, sizeof(struct weir_party));
    g_array_append_vals(places, own->parties, (guint)own->n_parties);
    for (guint i = 0; own->n_parties == 2 && i < verdict->found->len; i++) {
        const struct weiri_cli_found *found = g_ptr_array_index(verdict->found, i);
        const struct weir_finding *other = found->finding;
        if (found->leader == leader && other->kind == own->kind) {
            g_array_append_vals(places, other->parties, (guint)other->n_parties);
        }
    }
    return places;
}

static void json_found(JsonBuilder *builder, const struct weiri_cli_verdict *verdict,
                       const struct weiri_cli_found *found)
{
    const struct weiri_cli_run_result *run = found->run;
    g_autoptr(GArray) places = places_of(verdict, found);
    struct weir_finding finding = *found->finding;
    finding.count = found->count;
    finding.parties = (const struct weir_party *)(void *)places->data;
    finding.n_parties = places->len;
    g_autofree char *fix = weiri_cli_found_words(verdict, found, &finding);
    g_autofree char *again = weiri_cli_shown_again(verdict->check, &verdict->subject,
                                                   run->schedule, run->seed);
    json_builder_begin_object(builder);
    weiri_report_add_finding_members(builder, &finding);
    weiri_cli_fix_json(builder, fix != NULL ? verdict->fix : NULL);
    if (found == verdict->wrong) {
        weiri_wrong_switches_json(builder, verdict->wrong_run->recorded);
    }
    if (found->leader == NULL) {
        json_grouped(builder, verdict, found);
    }
    size_t n;
    weiri_json_int(builder, "launch",
                   weiri_cli_run_launch_number(run, found->launch, &n));
    weiri_json_int(builder, "seed", run->seed);
    weiri_json_text(builder, "schedule", run->schedule);
    weiri_json_int(builder, "runs", found->runs->len);
    weiri_json_array(builder, "shown");
    for (guint i = 0; i < found->runs->len; i++) {
        const struct weiri_cli_summary *shown = weiri_cli_shown_run(verdict, found, i);
        json_builder_begin_object(builder);
        weiri_json_text(builder, "schedule", shown->schedule);
        weiri_json_int(builder, "seed", shown->seed);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
    weiri_json_bool(builder, "known", found->known);
    weiri_json_text(builder, "again", again);
    if (found->suppression != NULL) {
        g_autofree char *by = g_strdup_printf("%s:%zu", found->suppression->file,
                                              found->suppression->line);
        weiri_json_text(builder, "suppressed_by", by);
        weiri_json_text(builder, "reason", found->suppression->reason);
    }
    json_builder_end_object(builder);
}

/* The findings that are suppressed, or those that are not. */
static void json_findings(JsonBuilder *builder, const char *name,
                          const struct weiri_cli_verdict *verdict, bool suppressed)
{
    weiri_json_array(builder, name);
    for (guint i = 0; i < verdict->found->len; i++) {
        const struct weiri_cli_found *found = g_ptr_array_index(verdict->found, i);
        if ((found->suppression != NULL) == suppressed && found->leader == NULL) {
            json_found(builder, verdict, found);
        }
    }
    json_builder_end_array(builder);
}

static void json_texts(JsonBuilder *builder, const char *name, GPtrArray *texts)
{
    weiri_json_array(builder, name);
    for (guint i = 0; i < texts->len; i++) {
        weiri_json_text(builder, NULL, g_ptr_array_index(texts, i));
    }
    json_builder_end_array(builder);
}

static void json_run(JsonBuilder *builder, const struct weiri_cli_verdict *verdict,
                     const struct weiri_cli_summary *run)
{
    bool apart = run->failure != NULL && !weiri_cli_verdict_explains(verdict, run);
    json_builder_begin_object(builder);
    weiri_json_text(builder, "schedule", run->schedule);
    weiri_json_int(builder, "seed", run->seed);
    weiri_json_int(builder, "launches", run->n_launches);
    weiri_json_int(builder, "steps", run->most_steps);
    weiri_json_int(builder, "findings", run->n_defects - (apart ? 1 : 0));
    weiri_json_text(builder, "incomplete", run->incomplete);
    weiri_json_text(builder, "failure", run->failure);
    json_builder_end_object(builder);
}

static void json_subject(JsonBuilder *builder, const struct weiri_cli_verdict *verdict)
{
    char *const *program = verdict->subject.program;
    if (program == NULL) {
        weiri_json_text(builder, "kernel", verdict->subject.row->name);
        weiri_json_int(builder, "n", verdict->elements);
        weiri_json_int(builder, "local", verdict->local);
        weiri_json_int(builder, "groups", verdict->groups);
        weiri_json_bool(builder, "broken", verdict->subject.row->broken);
        return;
    }
    weiri_json_text(builder, "kernel",
                    verdict->kernels->len > 0 ? g_ptr_array_index(verdict->kernels, 0)
                                              : NULL);
    weiri_json_texts(builder, "program", (const char *const *)program);
}

static void json_steps(JsonBuilder *builder, const struct weiri_cli_run_result *run)
{
    uint64_t n_more = 0;
    weiri_json_array(builder, "steps");
    for (guint i = 0; i < run->launches->len; i++) {
        const struct weiri_launch_record *record = g_ptr_array_index(run->launches, i);
        weiri_report_add_steps_json(builder, i + 1, record->steps, record->n_listed);
        n_more += record->n_unlisted;
    }
    json_builder_end_array(builder);
    weiri_json_int(builder, "steps_more", n_more);
}

static void json_verdict(JsonBuilder *builder, const struct weiri_cli_verdict *verdict,
                         size_t ended_early)
{
    const struct weiri_cli_summary *speaks = weiri_cli_verdict_speaker(verdict), *first;
    const char *incomplete = weiri_cli_verdict_incomplete(verdict, &first);
    if (incomplete == NULL && ended_early > 0) {
        incomplete = verdict->check->why_ended;
    }
    json_builder_begin_object(builder);
    json_subject(builder, verdict);
    weiri_json_int(builder, "seed", speaks != NULL ? speaks->seed : 0);
    weiri_json_text(builder, "schedule", speaks != NULL ? speaks->schedule : NULL);
    weiri_json_int(builder, "launches", verdict->n_launches);
    json_texts(builder, "devices", verdict->devices);
    weiri_json_bool(builder, "complete", incomplete == NULL);
    weiri_json_text(builder, "incomplete", incomplete);
    weiri_cli_searched_json(builder, verdict);
    weiri_json_array(builder, "runs");
    for (guint i = 0; i < verdict->runs->len; i++) {
        json_run(builder, verdict, weiri_cli_verdict_run(verdict, i));
    }
    json_builder_end_array(builder);
    json_findings(builder, "findings", verdict, false);
    json_findings(builder, "suppressed", verdict, true);
    g_autoptr(GPtrArray) gone = weiri_cli_known_gone(verdict);
    json_texts(builder, "gone", gone);
    json_texts(builder, "notes", verdict->notes);
    if (verdict->listed != NULL) {
        json_steps(builder, verdict->listed);
    }
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
    return weiri_json_take(builder);
}
