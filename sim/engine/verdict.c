/* SPDX-License-Identifier: MIT
 *
 * verdict.c: the findings of all runs of one kernel or program.
 *
 * A defect that several runs show is reported once: as the first run showed it, with
 * the number of runs and of groups, and with the command line that shows it again. So
 * a verdict keeps the runs that were the first to show a defect, and of others a few
 * numbers. */
#include "config.h"

#include "engine/verdict.h"

#include "finding/identity.h"
#include "report/record.h"

#include <string.h>

/* ---- Joining --------------------------------------------------------------------- */

static void free_found(void *data)
{
    struct weiri_cli_found *found = data;
    weiri_cli_run_unref(found->run);
    g_array_unref(found->runs);
    g_free(found->reason);
    g_free(found);
}

static void clear_summary(void *data)
{
    struct weiri_cli_summary *summary = data;
    g_free(summary->schedule);
    g_free(summary->incomplete);
    g_free(summary->failure);
    g_free(summary->said);
}

static void free_fix(struct weiri_cli_fix *fix)
{
    if (fix != NULL) {
        g_ptr_array_unref(fix->parts);
        g_free(fix);
    }
}

struct weiri_cli_verdict *weiri_cli_verdict_new(const struct weiri_cli_check *check,
                                                const struct weiri_cli_subject *subject)
{
    struct weiri_cli_verdict *verdict = g_new0(struct weiri_cli_verdict, 1);
    verdict->check = check;
    verdict->subject = *subject;
    verdict->found = g_ptr_array_new_with_free_func(free_found);
    verdict->runs = g_array_new(FALSE, FALSE, sizeof(struct weiri_cli_summary));
    g_array_set_clear_func(verdict->runs, clear_summary);
    verdict->notes = g_ptr_array_new_with_free_func(g_free);
    verdict->kernels = g_ptr_array_new_with_free_func(g_free);
    verdict->devices = g_ptr_array_new_with_free_func(g_free);
    return verdict;
}

void weiri_cli_verdict_free(struct weiri_cli_verdict *verdict)
{
    g_ptr_array_unref(verdict->found);
    g_array_unref(verdict->runs);
    g_ptr_array_unref(verdict->notes);
    g_ptr_array_unref(verdict->kernels);
    g_ptr_array_unref(verdict->devices);
    free_fix(verdict->fix);
    g_clear_pointer(&verdict->candidates, g_ptr_array_unref);
    g_free(verdict->diff);
    g_free(verdict->unfixed);
    weiri_cli_run_unref(verdict->wrong_run);
    g_free(verdict);
}

/* Takes @text, unless the list has it. */
static void take_once(GPtrArray *texts, char *text)
{
    if (g_ptr_array_find_with_equal_func(texts, text, g_str_equal, NULL)) {
        g_free(text);
    } else {
        g_ptr_array_add(texts, text);
    }
}

static struct weiri_cli_found *find(const struct weiri_cli_verdict *verdict,
                                    const struct weir_finding *finding)
{
    for (guint i = 0; i < verdict->found->len; i++) {
        struct weiri_cli_found *found = g_ptr_array_index(verdict->found, i);
        if (weiri_finding_compare(found->finding, finding, WEIRI_IDENTITY_PLACES)
            == 0) {
            return found;
        }
    }
    return NULL;
}

static void add_finding(struct weiri_cli_verdict *verdict,
                        struct weiri_cli_run_result *run,
                        const struct weir_finding *finding, size_t launch)
{
    struct weiri_cli_found *found = find(verdict, finding);
    if (found == NULL) {
        found = g_new0(struct weiri_cli_found, 1);
        found->run = weiri_cli_run_ref(run);
        found->finding = finding;
        found->launch = launch;
        found->runs = g_array_new(FALSE, FALSE, sizeof(guint));
        g_ptr_array_add(verdict->found, found);
        verdict->news = verdict->runs->len;
        verdict->defective |= !finding->note;
    }
    if (finding->kind == WEIR_FINDING_OUT_OF_BOUNDS
        && finding->index > found->finding->index) {
        weiri_cli_run_unref(found->run);
        found->run = weiri_cli_run_ref(run);
        found->finding = finding;
        found->launch = launch;
    }
    found->count += finding->count;
    guint number = verdict->runs->len - 1;
    if (found->runs->len == 0
        || g_array_index(found->runs, guint, found->runs->len - 1) != number) {
        g_array_append_val(found->runs, number);
    }
}

/* A program may name a profile itself, which --device does not replace. */
static void add_device(struct weiri_cli_verdict *verdict,
                       const struct weiri_launch_record *record)
{
    const char *wanted = verdict->check->options.device;
    if (record->device != NULL) {
        take_once(verdict->devices, g_strdup(record->device));
        if (wanted != NULL && strcmp(record->device, wanted) != 0) {
            take_once(verdict->notes,
                      g_strdup_printf("kernel '%s' ran on device '%s', which the "
                                      "program names: --device replaces \"default\"",
                                      record->kernel, record->device));
        }
    }
}

static void add_launch(struct weiri_cli_verdict *verdict,
                       const struct weiri_launch_record *record)
{
    add_device(verdict, record);
    take_once(verdict->kernels, g_strdup(record->kernel));
    verdict->n_items = MAX(verdict->n_items, record->n_items);
    verdict->sub_group_wait |= record->sub_group_wait;
    verdict->unseen |= !record->instrumented || record->unhooked != NULL;
    if (record->error != NULL) {
        take_once(verdict->notes,
                  g_strdup_printf("a launch of kernel '%s' failed: %s", record->kernel,
                                  record->error));
    } else if (!record->accesses) {
        const char *why = record->instrumented
            ? "the schedule that it follows was recorded without them"
            : verdict->subject.row != NULL
            ? "build Weir with a compiler that has -fsanitize=thread"
            : "compile it with weir-cc, weir-c++ or weir-nvcc, and without "
              "--no-instrument";
        take_once(verdict->notes,
                  g_strdup_printf("kernel '%s'%s: its plain accesses to memory are not "
                                  "seen: %s",
                                  record->kernel,
                                  record->instrumented ? "" : " is not instrumented",
                                  why));
    } else if (record->unhooked != NULL) {
        take_once(verdict->notes,
                  g_strdup_printf("kernel '%s': %s", record->kernel, record->unhooked));
    }
}

void weiri_cli_verdict_add(struct weiri_cli_verdict *verdict,
                           struct weiri_cli_run_result *run)
{
    bool first_failure = run->failure != NULL && !verdict->fails;
    struct weiri_cli_summary summary
        = { .schedule = g_strdup(run->schedule),
            .seed = run->seed,
            .n_launches = weiri_cli_run_n_launches(run),
            .n_defects = weiri_cli_run_n_defects(run),
            .most_steps = weiri_cli_run_most_steps(run),
            .incomplete = g_strdup(run->incomplete),
            .failure = g_strdup(run->failure),
            .answers = run->answers,
            .rank = run->rank,
            .said = g_strdup(first_failure ? run->said : NULL) };
    g_array_append_val(verdict->runs, summary);
    if (first_failure) {
        verdict->fails = verdict->defective = true;
        verdict->news = verdict->runs->len;
    }
    verdict->n_steps = MAX(verdict->n_steps, weiri_cli_run_n_steps(run));
    verdict->n_launches += summary.n_launches;
    verdict->n_open += run->n_open;
    if (verdict->groups == 0) {
        verdict->elements = run->elements;
        verdict->local = run->local;
        verdict->groups = run->groups;
    }
    for (guint i = 0; i < run->launches->len; i++) {
        add_launch(verdict, g_ptr_array_index(run->launches, i));
    }
    if (run->overlap) {
        take_once(
            verdict->notes,
            g_strdup("launches were made at the same time, by several processes or "
                     "threads: which launch is the first differs from run to run"));
    }
    const struct weir_finding *finding;
    size_t launch;
    for (size_t i = 0; (finding = weiri_cli_run_finding(run, i, &launch)) != NULL;
         i++) {
        add_finding(verdict, run, finding, launch);
    }
}

bool weiri_cli_verdict_is_news(const struct weiri_cli_verdict *verdict,
                               const struct weiri_cli_run_result *run)
{
    bool known = false;
    for (guint i = 0; !known && i < verdict->runs->len; i++) {
        const struct weiri_cli_summary *other = weiri_cli_verdict_run(verdict, i);
        known = (run->failure == NULL || other->failure != NULL)
            && (run->incomplete == NULL || other->incomplete != NULL);
    }
    const struct weir_finding *finding;
    size_t launch;
    for (size_t i = 0;
         known && (finding = weiri_cli_run_finding(run, i, &launch)) != NULL; i++) {
        known = find(verdict, finding) != NULL;
    }
    return !known;
}

/* ---- Counting -------------------------------------------------------------------- */

const struct weiri_cli_summary *weiri_cli_verdict_run(
    const struct weiri_cli_verdict *verdict, guint index)
{
    return &g_array_index(verdict->runs, struct weiri_cli_summary, index);
}

const struct weiri_cli_summary *weiri_cli_shown_run(
    const struct weiri_cli_verdict *verdict, const struct weiri_cli_found *found,
    guint index)
{
    return weiri_cli_verdict_run(verdict, g_array_index(found->runs, guint, index));
}

bool weiri_cli_verdict_explains(const struct weiri_cli_verdict *verdict,
                                const struct weiri_cli_summary *run)
{
    return verdict->wrong != NULL && run->answers && run->n_defects == 1;
}

void weiri_cli_verdict_count(const struct weiri_cli_verdict *verdict,
                             struct weiri_cli_totals *totals)
{
    const struct kernel_row *row = verdict->subject.row;
    bool counts = row == NULL || !row->broken || !verdict->check->all;
    for (guint i = 0; i < verdict->found->len; i++) {
        const struct weiri_cli_found *found = g_ptr_array_index(verdict->found, i);
        bool suppressed = found->suppression != NULL;
        bool known = found->known && !suppressed && !found->finding->note;
        bool defect = !found->finding->note && !suppressed && !known;
        totals->n_notes += found->finding->note && !suppressed;
        totals->n_in_step += g_strcmp0(found->finding->form, "relies on lockstep") == 0;
        totals->n_suppressed += suppressed;
        totals->n_known += known;
        totals->n_defects += defect;
        totals->n_counted += counts && defect;
    }
    totals->n_notes += verdict->notes->len;
    totals->n_runs += verdict->runs->len;
    for (guint i = 0; i < verdict->runs->len; i++) {
        totals->n_incomplete += weiri_cli_verdict_run(verdict, i)->incomplete != NULL;
        totals->n_failed += weiri_cli_verdict_run(verdict, i)->failure != NULL
            && !weiri_cli_verdict_explains(verdict, weiri_cli_verdict_run(verdict, i));
    }
    totals->n_unseen += verdict->unseen;
    totals->n_silent += verdict->n_launches + verdict->n_open == 0
        && verdict->found->len == 0 && verdict->runs->len > 0
        && verdict->subject.program != NULL;
}

const struct weiri_cli_summary *weiri_cli_verdict_speaker(
    const struct weiri_cli_verdict *verdict)
{
    for (guint i = 0; i < verdict->runs->len; i++) {
        if (weiri_cli_verdict_run(verdict, i)->n_defects > 0) {
            return weiri_cli_verdict_run(verdict, i);
        }
    }
    return verdict->runs->len > 0 ? weiri_cli_verdict_run(verdict, 0) : NULL;
}

const char *weiri_cli_verdict_incomplete(const struct weiri_cli_verdict *verdict,
                                         const struct weiri_cli_summary **run)
{
    for (guint i = 0; i < verdict->runs->len; i++) {
        *run = weiri_cli_verdict_run(verdict, i);
        if ((*run)->incomplete != NULL) {
            return (*run)->incomplete;
        }
    }
    return NULL;
}

char *weiri_cli_share_text(const struct weiri_cli_verdict *verdict, size_t n)
{
    return verdict->runs->len == 1
        ? g_strdup("under ")
        : g_strdup_printf("in %zu of %u runs, first under ", n, verdict->runs->len);
}
