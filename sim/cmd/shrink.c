/* SPDX-License-Identifier: MIT
 *
 * shrink.c: `weir shrink`: leaves out of a recorded schedule every switch that the
 * failure can do without.
 *
 * A candidate is followed loosely, as switches that others have led to may not be
 * possible without them. So the rest at the end is not yet a record of a run: it is run
 * once more and recorded, and the record is followed strictly before it is written. */
#include "config.h"

#include "cli/child.h"
#include "cli/clock.h"
#include "engine/check.h"

#include "finding/identity.h"
#include "report/report.h"

#include <string.h>

static const char SUMMARY[]
    = "Makes a recorded schedule minimal: without any one of the remaining switches\n"
      "the failure is lost.";

/* A candidate that takes this many times as long as the whole does something else. */
enum { STEPS_FACTOR = 10, STEPS_MORE = 10000 };

/* The most switches that are printed; for more, a reader looks at the file. */
enum { MOST_SHOWN = 20 };

/* For the first run, and the last ones, which make the result sure, even where the time
 * is over. */
static const int64_t LAST_RUNS_US = 10 * (int64_t)G_USEC_PER_SEC;

struct work {
    struct weiri_cli_recorded recorded;
    struct weiri_cli_run_result *original; /* a reference */
    const struct weir_finding *target;     /* of @original, or NULL: its failure */
    struct weiri_cli_run_result *result;   /* the last run, under what is left; owned */
    uint64_t step_limit;
    size_t n_runs;
    size_t n_left; /* switches of the best candidate */
    size_t n_vain; /* runs since the last that left some out */
    bool out_of_time;
    bool kept; /* the file that was there was not replaced */
};

static const struct weiri_cli_subject *subject_of(const struct work *work)
{
    return &g_array_index(work->recorded.check.subjects, struct weiri_cli_subject, 0);
}

/* Whether what is looked for is in @run. */
static bool shows(const struct work *work, const struct weiri_cli_run_result *run)
{
    if (run->error != NULL) {
        return false;
    }
    if (work->target == NULL) {
        return run->failure != NULL && run->status == work->original->status;
    }
    const struct weir_finding *finding;
    size_t launch;
    for (size_t i = 0; (finding = weiri_cli_run_finding(run, i, &launch)) != NULL;
         i++) {
        if (weiri_finding_compare(finding, work->target, WEIRI_IDENTITY_PLACES) == 0) {
            return true;
        }
    }
    return false;
}

static struct weiri_cli_run_result *run_loosely(struct work *work,
                                                struct weir_schedule *candidate,
                                                bool record)
{
    struct weiri_cli_run_options run_options = { .schedule = work->original->schedule,
                                                 .seed = work->original->seed,
                                                 .replay = candidate,
                                                 .loosely = true,
                                                 .record = record,
                                                 .step_limit = work->step_limit };
    return weiri_cli_run_once(&work->recorded.check, subject_of(work), &run_options);
}

static bool fails(struct weir_schedule *candidate, void *user)
{
    struct work *work = user;
    if (weiri_cli_clock_us() >= work->recorded.check.limit.deadline_us) {
        work->out_of_time = true;
        return false;
    }
    g_autofree char *line
        = g_strdup_printf("%zu runs, %zu switches left", work->n_runs, work->n_left);
    weiri_cli_progress(line);
    struct weiri_cli_run_result *run = run_loosely(work, candidate, false);
    work->n_runs++;
    bool still = shows(work, run);
    /* A run that was cut short has not shown that the failure is gone. */
    if (!still && run->incomplete != NULL
        && weiri_cli_clock_us() >= work->recorded.check.limit.deadline_us) {
        work->out_of_time = true;
    }
    weiri_cli_run_unref(run);
    work->n_vain++;
    if (still) {
        work->n_left = weir_schedule_n_switches(candidate);
        work->n_vain = 0;
    }
    return still;
}

/* ---- The result ------------------------------------------------------------------ */

/* "a.txt" gives "a.min.txt". Returns: (transfer full) */
static char *output_path(const char *path)
{
    g_autofree char *base = g_path_get_basename(path);
    const char *dot = strrchr(base, '.');
    size_t suffix = dot != NULL && dot != base ? strlen(dot) : 0;
    size_t stem = strlen(path) - suffix;
    return g_strdup_printf("%.*s.min%s", (int)stem, path, path + stem);
}

/* Describes the failure that must stay. Returns: (transfer full) */
static char *target_text(const struct work *work)
{
    if (work->target == NULL) {
        return g_strdup_printf("that the program %s", work->original->failure);
    }
    return g_strdup_printf("\"%.*s\"", (int)strcspn(work->target->message, "\n"),
                           work->target->message);
}

/* Says what a run shows in place of the failure. @what: was done. */
static void complain_of(const struct work *work, const struct weiri_cli_run_result *run,
                        const char *what)
{
    size_t launch;
    const struct weir_finding *other = weiri_cli_run_finding(run, 0, &launch);
    g_autofree char *target = target_text(work);
    g_autofree char *instead = run->error != NULL ? g_strdup(run->error->message)
        : run->incomplete != NULL
        ? g_strdup_printf("it was ended early: %s", run->incomplete)
        : other != NULL ? g_strdup_printf(
              "it shows \"%.*s\"", (int)strcspn(other->message, "\n"), other->message)
        : run->failure != NULL ? g_strdup_printf("the program %s", run->failure)
                               : g_strdup("it ends without a finding");
    weiri_cli_complain("the %zu switch%s left of the schedule, %s, %s not show %s: %s: "
                       "the failure depends on more than the schedule",
                       work->n_left, work->n_left == 1 ? "" : "es", what,
                       work->n_left == 1 ? "does" : "do", target, instead);
}

/* Whether what was written shows the failure when it is followed strictly. Returns:
 * false after a complaint */
static bool is_sure(const struct work *work, const char *path)
{
    struct weiri_cli_recorded result;
    bool sure = false;
    if (weiri_cli_recorded_load(&result, path)) {
        result.check.limit.deadline_us = work->recorded.check.limit.deadline_us;
        const struct weiri_cli_schedule *order
            = &g_array_index(result.check.schedules, struct weiri_cli_schedule, 0);
        const struct weiri_cli_run_options options = { .schedule = order->schedule,
                                                       .seed = order->seed,
                                                       .replay = result.schedule };
        struct weiri_cli_run_result *again
            = weiri_cli_run_once(&result.check, subject_of(work), &options);
        sure = shows(work, again);
        if (!sure) {
            complain_of(work, again, "recorded and followed once more");
        }
        weiri_cli_run_unref(again);
    }
    weiri_cli_recorded_clear(&result);
    return sure;
}

/* Whether @path exists and should not be replaced by the result of a search that was
 * ended early: it has a smaller schedule of the same run, or something else
 * altogether. */
static bool keeps(const struct work *work, const char *path)
{
    if (!work->out_of_time || !g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        return false;
    }
    struct weir_schedule *there = weir_schedule_load(path, NULL);
    bool replaced = there != NULL
        && g_strcmp0(weir_schedule_get(there, "command"),
                     weir_schedule_get(work->recorded.schedule, "command"))
            == 0
        && weir_schedule_n_switches(there) >= work->n_left;
    weir_schedule_free(there);
    return !replaced;
}

/* Records a run under @shrunk and makes sure of it. Returns: false after a complaint */
static bool write_result(struct work *work, struct weir_schedule *shrunk,
                         const char *path)
{
    struct weiri_cli_check *check = &work->recorded.check;
    check->limit.deadline_us = weiri_cli_clock_us() + LAST_RUNS_US;
    struct weiri_cli_run_result *run = work->result = run_loosely(work, shrunk, true);
    GError *error = NULL;
    const char *folder = weiri_cli_folder(&error);
    if (folder == NULL) {
        weiri_cli_take_error(error);
        return false;
    }
    g_autofree char *unsure = g_build_filename(folder, "shrunk", NULL);
    if (!shows(work, run)) {
        complain_of(work, run, "run again");
        return false;
    } else {
        g_autofree char *key
            = work->target != NULL ? weiri_finding_fingerprint(work->target) : NULL;
        weir_schedule_set(run->recorded, "shrunk", "yes");
        weir_schedule_set(run->recorded, "finding", key);
        if (!weiri_cli_save_run(check, subject_of(work), run, unsure)) {
            return false;
        }
    }
    if (!is_sure(work, unsure)) {
        return false;
    }
    work->n_left = weir_schedule_n_switches(run->recorded);
    work->kept = keeps(work, path);
    return work->kept || weiri_cli_save_run(check, subject_of(work), run, path);
}

static int report_result(const struct work *work, const char *path, size_t n_before,
                         const char *output)
{
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "%s: %zu switch%s -> %zu in %zu run%s\n", path,
                           n_before, n_before == 1 ? "" : "es", work->n_left,
                           work->n_runs, work->n_runs == 1 ? "" : "s");
    if (work->out_of_time) {
        g_string_append(out,
                        "incomplete: the time limit was reached: more switches may be "
                        "superfluous\n");
        if (work->n_vain > 0) {
            g_string_append_printf(out, "the last %zu run%s removed no switch\n",
                                   work->n_vain, work->n_vain == 1 ? "" : "s");
        }
    } else if (work->n_left == n_before && n_before > 0) {
        g_autofree char *target = target_text(work);
        g_string_append_printf(out,
                               "no switch can be removed: without any one of them a "
                               "run does not show %s\n",
                               target);
    }
    if (work->n_left == 0) {
        g_string_append(out, "no switch is needed: it fails in order already\n");
    }
    if (work->kept) {
        g_string_append_printf(out,
                               "not written: %s exists, and is smaller or belongs to "
                               "another run: give more time, or another file with -o\n",
                               output);
    } else {
        weiri_report_add_switches(out, work->result->recorded, MOST_SHOWN);
        g_string_append_printf(out, "written to %s\n", output);
    }
    return weiri_cli_finish(g_string_free(out, FALSE),
                            work->out_of_time ? WEIRI_CLI_INCOMPLETE : WEIRI_CLI_CLEAN);
}

/* After the failure was seen. Returns: the exit status */
static int shrink_failure(struct work *work, const char *path, const char *output)
{
    GError *error = NULL;
    struct weir_schedule *whole = weir_schedule_load(path, &error);
    if (whole == NULL) {
        return weiri_cli_take_error(error);
    }
    size_t n_before = weir_schedule_n_switches(whole);
    work->n_left = n_before;
    struct weir_schedule *shrunk = weir_schedule_shrink(whole, fails, work);
    bool written = write_result(work, shrunk, output);
    weir_schedule_free(shrunk);
    weir_schedule_free(whole);
    weiri_cli_progress(NULL);
    return written ? report_result(work, path, n_before, output) : WEIRI_CLI_USAGE;
}

static int shrink(const char *path, const char *output, const char *wanted,
                  const char *time_limit)
{
    struct work work = { 0 };
    struct weiri_cli_limit limit;
    size_t launch;
    int status = WEIRI_CLI_USAGE;
    if (weiri_cli_read_time_limit(time_limit, &limit)
        && weiri_cli_recorded_load(&work.recorded, path)) {
        work.recorded.check.limit = limit;
        /* The recorded run is made even if no time is left for the search. */
        work.recorded.check.limit.deadline_us
            = MAX(limit.deadline_us, weiri_cli_clock_us() + LAST_RUNS_US);
        work.original = weiri_cli_follow(&work.recorded, path, false, false);
        work.recorded.check.limit = limit;
        work.n_runs = 1;
        if (work.original != NULL && weiri_cli_run_n_defects(work.original) == 0) {
            weiri_cli_complain("%s: this run does not fail: there is nothing to keep",
                               path);
        } else if (work.original != NULL
                   && weiri_cli_choose_finding(work.original, path,
                                               work.recorded.schedule, wanted,
                                               &work.target, &launch)) {
            work.step_limit
                = weiri_cli_run_most_steps(work.original) * STEPS_FACTOR + STEPS_MORE;
            g_autofree char *fitting
                = output != NULL ? g_strdup(output) : output_path(path);
            status = shrink_failure(&work, path, fitting);
        }
        weiri_cli_folder_remove();
    }
    weiri_cli_run_unref(work.original);
    weiri_cli_run_unref(work.result);
    weiri_cli_recorded_clear(&work.recorded);
    return status;
}

int weiri_cli_shrink(int argc, char **argv)
{
    g_autofree char *output = NULL, *finding = NULL, *time_limit = NULL;
    const GOptionEntry entries[] = {
        { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
          "Result file (default: .min before FILE's suffix)", "OUT" },
        { "finding", 0, 0, G_OPTION_ARG_STRING, &finding,
          "Finding to keep: its number or key", "K" },
        WEIRI_CLI_TIME_LIMIT(&time_limit),
        { 0 },
    };
    const char *path;
    int status;
    return !weiri_cli_recorded_parse(entries, SUMMARY, argc, argv, &path, &status)
        ? status
        : !weiri_cli_can_write("--output", output)
        ? WEIRI_CLI_USAGE
        : shrink(path, output, finding, time_limit);
}
