/* SPDX-License-Identifier: MIT
 *
 * check.c: `weir check`: every kernel, or a program, under every schedule that is
 * asked for, and one verdict.
 *
 * A bug that needs a certain order of items shows under some schedules only, so
 * several are tried by default. What is found under any of them counts. */
#include "config.h"

#include "cli/check.h"
#include "cli/child.h"

#include <string.h>

/* The runs of one command. */
struct work {
    struct weiri_cli_check *check;
    GPtrArray *verdicts; /* of struct weiri_cli_verdict */
    guint n_runs;        /* that are asked for */
    guint n_made;        /* of these, those left out for want of time included */
    size_t ended_early;  /* runs left out for want of time */
    bool shown;          /* a program's output was shown */
    struct weiri_cli_run_result *kept; /* whose schedule is to be written, or NULL */
    const struct weiri_cli_subject *kept_of;
};

static void free_verdict(void *verdict)
{
    weiri_cli_verdict_free(verdict);
}

static void show_progress(const struct work *work,
                          const struct weiri_cli_subject *subject,
                          const struct weiri_cli_schedule *order)
{
    g_autofree char *text = weiri_cli_schedule_text(order->schedule, order->seed);
    g_autofree char *line
        = g_strdup_printf("[%u/%u] %s, %s", work->n_made + 1, work->n_runs,
                          weiri_cli_subject_name(subject), text);
    weiri_cli_progress(line);
}

/* How well a run's schedule serves as a record. One that is not whole does not; one
 * that does not fail shows nothing; of those that do, the in-order one is the shortest,
 * and `weir shrink` gets furthest with one that was drawn: in the others each switch
 * rests on the one before it. */
static int worth(const struct weiri_cli_run_result *run)
{
    return run->lost != NULL                     ? -1
        : weiri_cli_run_n_defects(run) == 0      ? 0
        : strcmp(run->schedule, "in-order") == 0 ? 3
        : strcmp(run->schedule, "random") == 0 || g_str_has_prefix(run->schedule, "pct")
        ? 2
        : 1;
}

/* Keeps the run whose schedule is to be written: the first of those worth most. */
static void keep(struct work *work, struct weiri_cli_run_result *run,
                 const struct weiri_cli_subject *subject)
{
    if (run->recorded != NULL
        && (work->kept == NULL || worth(run) > worth(work->kept))) {
        weiri_cli_run_unref(work->kept);
        work->kept = weiri_cli_run_ref(run);
        work->kept_of = subject;
    }
}

static bool still_recording(const struct work *work)
{
    return work->check->record != NULL && (work->kept == NULL || worth(work->kept) < 2);
}

/* pct:D wants to know how many steps there are to spread its D changes over:
 * those of an in-order run. @steps is 0 where there was none yet.
 *
 * Returns: (transfer full): the schedule in full, or NULL with @error set */
static char *resolve(const struct work *work, const struct weiri_cli_subject *subject,
                     const char *schedule, uint64_t *steps, GError **error)
{
    if (!g_str_has_prefix(schedule, "pct:") || strchr(schedule + 4, ':') != NULL) {
        return g_strdup(schedule);
    }
    if (*steps == 0) {
        struct weiri_cli_run_options run_options = { .schedule = "in-order" };
        struct weiri_cli_run_result *run
            = weiri_cli_run_once(work->check, subject, &run_options);
        *steps = MAX(weiri_cli_run_most_steps(run), 1);
        GError *failure = g_steal_pointer(&run->error);
        weiri_cli_run_unref(run);
        if (failure != NULL) {
            g_propagate_error(error, failure);
            return NULL;
        }
    }
    return g_strdup_printf("%s:%" PRIu64, schedule, *steps);
}

/* Returns: NULL with @error set where it cannot be run */
static struct weiri_cli_run_result *run_order(struct work *work,
                                              const struct weiri_cli_subject *subject,
                                              const struct weiri_cli_schedule *order,
                                              uint64_t *steps, GError **error)
{
    g_autofree char *schedule = resolve(work, subject, order->schedule, steps, error);
    if (schedule == NULL) {
        return NULL;
    }
    struct weiri_cli_run_options run_options = { .schedule = schedule,
                                                 .seed = order->seed,
                                                 .record = still_recording(work),
                                                 .shown = !work->shown,
                                                 .error_shown = !work->shown };
    work->shown = true;
    struct weiri_cli_run_result *run
        = weiri_cli_run_once(work->check, subject, &run_options);
    if (run->error != NULL) {
        g_propagate_error(error, g_steal_pointer(&run->error));
        weiri_cli_run_unref(run);
        return NULL;
    }
    if (strcmp(schedule, "in-order") == 0) {
        *steps = weiri_cli_run_most_steps(run);
    }
    return run;
}

/* Returns: false with @error set where it cannot be run */
static bool check_subject(struct work *work, const struct weiri_cli_subject *subject,
                          GError **error)
{
    GArray *schedules = work->check->schedules;
    struct weiri_cli_verdict *verdict = weiri_cli_verdict_new(work->check, subject);
    uint64_t steps = 0;
    for (guint i = 0; i < schedules->len; i++, work->n_made++) {
        const struct weiri_cli_schedule *order
            = &g_array_index(schedules, struct weiri_cli_schedule, i);
        /* The first run is made in any case: it shows how far it came. */
        if (work->n_made > 0
            && g_get_monotonic_time() >= work->check->limit.deadline_us) {
            work->ended_early++;
            continue;
        }
        show_progress(work, subject, order);
        struct weiri_cli_run_result *run
            = run_order(work, subject, order, &steps, error);
        if (run == NULL) {
            weiri_cli_verdict_free(verdict);
            return false;
        }
        weiri_cli_verdict_add(verdict, run);
        keep(work, run, subject);
        weiri_cli_run_unref(run);
    }
    g_ptr_array_add(work->verdicts, verdict);
    return true;
}

/* Returns: false after a complaint */
static bool check_all(struct work *work)
{
    GArray *subjects = work->check->subjects;
    for (guint i = 0; i < subjects->len; i++) {
        const struct weiri_cli_subject *subject
            = &g_array_index(subjects, struct weiri_cli_subject, i);
        GError *error = NULL;
        if (check_subject(work, subject, &error)) {
            continue;
        }
        if (!work->check->all
            || !g_error_matches(error, WEIR_ERROR, WEIR_ERROR_RANGE)) {
            weiri_cli_take_error(error);
            return false;
        }
        weiri_cli_complain("left out: %s", error->message);
        g_error_free(error);
        work->n_made = (i + 1) * work->check->schedules->len;
    }
    return work->verdicts->len > 0;
}

/* Writes the schedule that was kept, and says whose it is where that is not clear.
 * Returns: the exit status, or @status */
static int save_kept(const struct work *work, int status)
{
    if (work->kept == NULL) {
        return status;
    }
    const char *path = work->check->record;
    if (!weiri_cli_save_run(work->check, work->kept_of, work->kept, path)) {
        return WEIRI_CLI_USAGE;
    }
    if (work->n_runs > 1) {
        g_autofree char *order
            = weiri_cli_schedule_text(work->kept->schedule, work->kept->seed);
        weiri_cli_complain("recorded in %s: %s under %s", path,
                           weiri_cli_subject_name(work->kept_of), order);
    }
    return status;
}

int weiri_cli_check(int argc, char **argv)
{
    struct weiri_cli_check check;
    int status;
    g_unsetenv("WEIR_OPTIONS"); /* this command may be checked itself */
    bool ready = weiri_cli_check_read(argc, argv, &check, &status);
    if (ready && !weiri_cli_known_read(&check)) {
        status = WEIRI_CLI_USAGE;
        ready = false;
    }
    if (ready) {
        struct work work
            = { .check = &check, .n_runs = check.subjects->len * check.schedules->len };
        work.verdicts = g_ptr_array_new_with_free_func(free_verdict);
        bool ran = check_all(&work);
        weiri_cli_folder_remove();
        status = ran
            ? weiri_cli_verdicts_finish(&check, work.verdicts, work.ended_early)
            : WEIRI_CLI_USAGE;
        status = save_kept(&work, status);
        weiri_cli_run_unref(work.kept);
        g_ptr_array_unref(work.verdicts);
    }
    weiri_cli_check_clear(&check);
    return status;
}
