/* SPDX-License-Identifier: MIT
 *
 * check.c: `weir check`: every kernel, or a program, under one schedule after another,
 * and one verdict.
 *
 * A bug that needs a certain order of items shows under some schedules only. Which
 * schedules are tried is either asked for, or a search: first those of check->schedules
 * for every kernel, then those of search.c for as long as the search may last, each
 * kernel for its share of the time. What is found under any of them counts.
 *
 * Invariant: run i of a kernel has the same schedule and seed in every search, and runs
 * are added to the verdict in their order. So the findings depend on the number of runs
 * alone. */
#include "config.h"

#include "cli/check.h"
#include "cli/child.h"
#include "cli/search.h"

#include <string.h>

/* One kernel or program, and how far it is. */
struct target {
    const struct weiri_cli_subject *subject;
    struct weiri_cli_verdict *verdict; /* NULL where it was left out */
    uint64_t n_made;                   /* runs */
    uint64_t steps; /* that pct spreads its changes over, or 0 where not known */
};

/* The runs of one command. */
struct work {
    struct weiri_cli_check *check;
    GArray *targets;                   /* of struct target */
    uint64_t n_runs;                   /* that are asked for, or 0 where time decides */
    uint64_t n_made;                   /* of all targets */
    size_t ended_early;                /* runs left out for want of time */
    bool shown;                        /* a program's output was shown */
    int64_t progress;                  /* when that was shown last */
    struct weiri_cli_run_result *kept; /* whose schedule is to be written, or NULL */
    const struct weiri_cli_subject *kept_of;
};

static struct target *target_at(const struct work *work, guint index)
{
    return &g_array_index(work->targets, struct target, index);
}

static void clear_target(void *data)
{
    struct target *target = data;
    g_clear_pointer(&target->verdict, weiri_cli_verdict_free);
}

/* ---- Saying ---------------------------------------------------------------------- */

/* A fast run is over before its line could be read. */
enum { PROGRESS_US = 100 * 1000 };

static void show_progress(struct work *work, const struct target *target,
                          const struct weiri_cli_schedule *order)
{
    bool program_prints = target->subject->program != NULL && !work->shown;
    int64_t now = g_get_monotonic_time();
    if (program_prints) {
        weiri_cli_progress(NULL);
    } else if (now - work->progress >= PROGRESS_US) {
        g_autofree char *text = weiri_cli_schedule_text(order->schedule, order->seed);
        g_autofree char *of = work->n_runs > 0
            ? g_strdup_printf("/%" PRIu64, work->n_runs)
            : g_strdup("");
        g_autofree char *line
            = g_strdup_printf("[%" PRIu64 "%s] %s, %s", work->n_made + 1, of,
                              weiri_cli_subject_name(target->subject), text);
        weiri_cli_progress(line);
        work->progress = now;
    }
}

/* ---- Recording ------------------------------------------------------------------- */

/* How well a run's schedule serves as a record. One that is not whole does not; one
 * that does not fail shows nothing; of those that do, the in-order one is the shortest,
 * and `weir shrink` gets furthest with one that was drawn: in the others each switch
 * rests on the one before it. pct switches less often than random. */
static int worth(const struct weiri_cli_run_result *run)
{
    return run->lost != NULL                     ? -1
        : weiri_cli_run_n_defects(run) == 0      ? 0
        : strcmp(run->schedule, "in-order") == 0 ? 4
        : g_str_has_prefix(run->schedule, "pct") ? 3
        : strcmp(run->schedule, "random") == 0   ? 2
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

static bool is_recorded(const struct work *work, const struct target *target)
{
    return work->check->record != NULL && target->n_made < work->check->schedules->len
        && (work->kept == NULL || worth(work->kept) < 2);
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
    if (work->n_runs != 1) {
        g_autofree char *order
            = weiri_cli_schedule_text(work->kept->schedule, work->kept->seed);
        weiri_cli_complain("recorded in %s: %s under %s", path,
                           weiri_cli_subject_name(work->kept_of), order);
    }
    return status;
}

/* ---- Runs ------------------------------------------------------------------------ */

/* pct:D wants to know how many steps there are to spread its D changes over:
 * those of an in-order run.
 *
 * Returns: (transfer full): the schedule in full, or NULL with @error set */
static char *resolve(const struct work *work, struct target *target,
                     const char *schedule, GError **error)
{
    if (!g_str_has_prefix(schedule, "pct:") || strchr(schedule + 4, ':') != NULL) {
        return g_strdup(schedule);
    }
    if (target->steps == 0) {
        struct weiri_cli_run_options run_options = { .schedule = "in-order" };
        struct weiri_cli_run_result *run
            = weiri_cli_run_once(work->check, target->subject, &run_options);
        target->steps = MAX(weiri_cli_run_most_steps(run), 1);
        GError *failure = g_steal_pointer(&run->error);
        weiri_cli_run_unref(run);
        if (failure != NULL) {
            g_propagate_error(error, failure);
            return NULL;
        }
    }
    return g_strdup_printf("%s:%" PRIu64, schedule, target->steps);
}

/* The schedule and the seed of the next run. Returns: false with @error set */
static bool next_order(const struct work *work, struct target *target,
                       struct weiri_cli_schedule *order, GError **error)
{
    const GArray *asked = work->check->schedules;
    if (target->n_made >= asked->len) {
        *order = weiri_cli_search_order(target->n_made - asked->len, target->steps);
        return true;
    }
    *order = g_array_index(asked, struct weiri_cli_schedule, target->n_made);
    order->schedule = resolve(work, target, order->schedule, error);
    return order->schedule != NULL;
}

/* A run that was made as it is not to be shown: as a copy, or without a record where its
 * schedule is wanted. It is made again, as a whole, so that what is reported is what the
 * command line that shows it again shows.
 *
 * Returns: (transfer full): the run to take */
static struct weiri_cli_run_result *settle(struct work *work, struct target *target,
                                           struct weiri_cli_run_result *run,
                                           bool forked)
{
    bool record = work->check->record != NULL && run->recorded == NULL
        && (work->kept == NULL || worth(run) > worth(work->kept));
    bool news = forked && weiri_cli_verdict_is_news(target->verdict, run);
    if ((!record && !news) || weiri_cli_interrupted()) {
        return run;
    }
    struct weiri_cli_run_options run_options
        = { .schedule = run->schedule, .seed = run->seed, .record = record };
    struct weiri_cli_run_result *again
        = weiri_cli_run_once(work->check, target->subject, &run_options);
    bool same = weiri_cli_run_n_defects(again) == weiri_cli_run_n_defects(run)
        && (again->incomplete == NULL) == (run->incomplete == NULL);
    if (forked && !same) {
        weiri_cli_child_stop_forking();
    }
    weiri_cli_run_unref(run);
    return again;
}

/* Adds @run, and takes it. Returns: false with @error set where it could not be made */
static bool take_run(struct work *work, struct target *target,
                     struct weiri_cli_run_result *run, bool forked, GError **error)
{
    if (run->error == NULL) {
        run = settle(work, target, run, forked);
    }
    g_autoptr(GError) failure = g_steal_pointer(&run->error);
    if (failure != NULL) {
        g_propagate_error(error, g_steal_pointer(&failure));
        weiri_cli_run_unref(run);
        return false;
    }
    /* Of a search the reverse run counts, too: an in-order one may have ended early. A
     * random one takes more steps than those of pct, where items fail and try again,
     * and changes beyond the end of a run change nothing. */
    if (target->n_made < work->check->schedules->len
        && (strcmp(run->schedule, "in-order") == 0
            || (work->check->search && strcmp(run->schedule, "reverse") == 0))) {
        target->steps = MAX(target->steps, weiri_cli_run_most_steps(run));
    }
    weiri_cli_verdict_add(target->verdict, run);
    keep(work, run, target->subject);
    target->n_made++;
    work->n_made++;
    weiri_cli_run_unref(run);
    return true;
}

/* Returns: false with @error set where it cannot be run */
static bool make_run(struct work *work, struct target *target, GError **error)
{
    struct weiri_cli_schedule order;
    if (!next_order(work, target, &order, error)) {
        return false;
    }
    show_progress(work, target, &order);
    bool forked = target->n_made >= work->check->schedules->len;
    struct weiri_cli_run_options run_options = { .schedule = order.schedule,
                                                 .seed = order.seed,
                                                 .record = is_recorded(work, target),
                                                 .shown = !work->shown,
                                                 .error_shown = !work->shown,
                                                 .forked = forked };
    struct weiri_cli_run_result *run
        = weiri_cli_run_once(work->check, target->subject, &run_options);
    work->shown = true;
    g_free(order.schedule);
    return take_run(work, target, run, forked, error);
}

/* Makes runs of a target until there are @end of them, or it is @until_us.
 *
 * Returns: false with @error set where it cannot be run */
static bool make_runs(struct work *work, struct target *target, uint64_t end,
                      int64_t until_us, GError **error)
{
    /* The first run is made in any case: it shows how far it came. */
    while (target->n_made < end && !weiri_cli_interrupted()
           && (work->n_made == 0 || g_get_monotonic_time() < until_us)) {
        if (!make_run(work, target, error)) {
            return false;
        }
    }
    return true;
}

/* Runs that are asked for by number. Returns: false after a complaint */
static bool make_asked(struct work *work, struct target *target, uint64_t end)
{
    GError *error = NULL;
    if (make_runs(work, target, end, work->check->limit.deadline_us, &error)) {
        work->ended_early += end - target->n_made;
        return true;
    }
    if (!work->check->all || !g_error_matches(error, WEIR_ERROR, WEIR_ERROR_RANGE)) {
        weiri_cli_take_error(error);
        return false;
    }
    weiri_cli_complain("left out: %s", error->message);
    g_error_free(error);
    clear_target(target);
    return true;
}

/* Spends what is left of the time of a search. Returns: false after a complaint */
static bool search_on(struct work *work)
{
    for (guint i = 0; i < work->targets->len; i++) {
        struct target *target = target_at(work, i);
        int64_t now = g_get_monotonic_time();
        int64_t end = MIN(work->check->search_end_us, work->check->limit.deadline_us);
        int64_t share = MAX(end - now, 0) / (work->targets->len - i);
        GError *error = NULL;
        if (target->verdict != NULL && weiri_cli_search_helps(target->verdict)
            && !make_runs(work, target, UINT64_MAX, now + share, &error)) {
            weiri_cli_take_error(error);
            return false;
        }
    }
    return true;
}

/* Returns: false after a complaint */
static bool make_all(struct work *work)
{
    const struct weiri_cli_check *check = work->check;
    for (guint i = 0; i < check->subjects->len; i++) {
        struct target target = { .subject = &g_array_index(
                                     check->subjects, struct weiri_cli_subject, i) };
        target.verdict = weiri_cli_verdict_new(check, target.subject);
        g_array_append_val(work->targets, target);
    }
    uint64_t asked = check->n_runs > 0 ? check->n_runs : check->schedules->len;
    work->n_runs = check->search && check->n_runs == 0 ? 0 : asked * work->targets->len;
    for (guint i = 0; i < work->targets->len; i++) {
        if (!make_asked(work, target_at(work, i), asked)) {
            return false;
        }
    }
    return !check->search || check->n_runs > 0 || search_on(work);
}

/* ---- The command ----------------------------------------------------------------- */

static void free_verdict(void *verdict)
{
    weiri_cli_verdict_free(verdict);
}

/* Returns: the exit status */
static int check_all(struct weiri_cli_check *check)
{
    struct work work = { .check = check };
    work.targets = g_array_new(FALSE, FALSE, sizeof(struct target));
    g_array_set_clear_func(work.targets, clear_target);
    g_autoptr(GPtrArray) verdicts = g_ptr_array_new_with_free_func(free_verdict);
    weiri_cli_catch_interrupts();
    bool ran = make_all(&work);
    weiri_cli_folder_remove();
    for (guint i = 0; i < work.targets->len; i++) {
        struct target *target = target_at(&work, i);
        if (target->verdict != NULL) {
            g_ptr_array_add(verdicts, g_steal_pointer(&target->verdict));
        }
    }
    if (weiri_cli_interrupted()) {
        check->why_ended = "it was interrupted";
        work.ended_early = work.n_runs > 0 ? work.ended_early : WEIRI_CLI_SOME_RUNS;
    }
    int status = ran && verdicts->len > 0
        ? weiri_cli_verdicts_finish(check, verdicts, work.ended_early)
        : WEIRI_CLI_USAGE;
    status = save_kept(&work, status);
    weiri_cli_run_unref(work.kept);
    g_array_unref(work.targets);
    return status;
}

int weiri_cli_check(int argc, char **argv)
{
    struct weiri_cli_check check;
    int status;
    g_unsetenv("WEIR_OPTIONS"); /* this command may be checked itself */
    if (weiri_cli_check_read(argc, argv, &check, &status)) {
        status = weiri_cli_known_read(&check) ? check_all(&check) : WEIRI_CLI_USAGE;
    }
    weiri_cli_check_clear(&check);
    return status;
}
