/* SPDX-License-Identifier: MIT
 *
 * check.c: `weir check`: every kernel, or a program, under one schedule after another,
 * and one verdict.
 *
 * A bug that needs a certain order of items shows under some schedules only. Which
 * schedules are tried is either asked for, or a search: first the schedules of
 * check->schedules for every kernel, then the schedules of search.c for as long as the
 * search may last, each kernel for its share of the time. A finding under any of them
 * counts.
 *
 * Invariant: run i of a kernel has the same schedule and seed in every search, and runs
 * are added to the verdict in their order. So the findings depend on the number of runs
 * alone. */
#include "config.h"

#include "cli/child.h"
#include "cli/clock.h"
#include "cli/ranks.h"
#include "engine/check.h"
#include "engine/jobs.h"
#include "engine/lockstep.h"
#include "engine/run-record.h"
#include "engine/search.h"
#include "engine/wrong-answer.h"

#include <string.h>

/* One kernel or program, and how far it is. */
struct target {
    const struct weiri_cli_subject *subject;
    struct weiri_cli_verdict *verdict; /* NULL where it was left out */
    uint64_t n_made;                   /* runs */
    uint64_t steps; /* of a run, over which pct spreads its changes; 0: not known */
};

/* The runs of one command. */
struct work {
    struct weiri_cli_check *check;
    GArray *targets;                   /* of struct target */
    uint64_t n_runs;                   /* that are asked for, or 0 where time decides */
    uint64_t n_made;                   /* of all targets */
    size_t ended_early;                /* runs left out for want of time */
    struct weiri_cli_jobs *jobs;       /* that make the runs, or NULL */
    bool whole;                        /* no copies: they were seen to differ */
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

/* ---- Progress and the record ----------------------------------------------------- */

/* A fast run is over before its line could be read. */
enum { PROGRESS_US = 100 * 1000 };

static void show_progress(struct work *work, const struct target *target,
                          const struct weiri_cli_schedule *order)
{
    bool program_prints = target->subject->program != NULL && !work->shown;
    int64_t now = weiri_cli_clock_us();
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

/* The run that shows a wrong answer with few switches, where that is the defect of the
 * run that was kept; else this one. */
static struct weiri_cli_run_result *shortest_kept(const struct work *work,
                                                  GPtrArray *verdicts)
{
    const struct weiri_cli_verdict *first
        = verdicts->len > 0 ? g_ptr_array_index(verdicts, 0) : NULL;
    bool shorter = first != NULL && first->wrong_run != NULL && first->wrong_fails
        && work->kept->answers && weiri_cli_run_n_defects(work->kept) == 1;
    return shorter ? first->wrong_run : work->kept;
}

/* Writes the schedule that was kept, and prints which run's it is if there were
 * several. Returns: the exit status, or @status */
static int save_kept(const struct work *work, GPtrArray *verdicts, int status)
{
    if (work->kept == NULL) {
        return status;
    }
    const char *path = work->check->record;
    struct weiri_cli_run_result *kept = shortest_kept(work, verdicts);
    if (!weiri_cli_save_run(work->check, work->kept_of, kept, path)) {
        return WEIRI_CLI_USAGE;
    }
    if (work->n_runs != 1) {
        g_autofree char *order = weiri_cli_schedule_text(kept->schedule, kept->seed);
        weiri_cli_complain("recorded in %s: %s under %s%s", path,
                           weiri_cli_subject_name(work->kept_of), order,
                           kept != work->kept ? ", made minimal" : "");
    }
    return status;
}

/* ---- Runs ------------------------------------------------------------------------ */

/* Completes "pct:D" to "pct:D:K", where K is the number of steps of an in-order run:
 * the D changes are spread over them.
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

/* The schedule and the seed of a run. Returns: false with @error set */
static bool order_of(const struct work *work, struct target *target, uint64_t index,
                     struct weiri_cli_schedule *order, GError **error)
{
    const GArray *asked = work->check->schedules;
    if (index >= asked->len) {
        *order = weiri_cli_search_order(index - asked->len, target->steps);
        return true;
    }
    *order = g_array_index(asked, struct weiri_cli_schedule, index);
    order->schedule = resolve(work, target, order->schedule, error);
    return order->schedule != NULL;
}

/* Makes the run again, in a process of its own, if it was made in a copy of a process
 * and shows something new, or if its schedule is wanted and was not recorded. So a
 * report has what the command line after "again:" shows.
 *
 * Returns: (transfer full): the run to take */
static struct weiri_cli_run_result *make_again(struct work *work, struct target *target,
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
        work->whole = true;
    }
    weiri_cli_run_unref(run);
    return again;
}

/* Adds @run, and takes it. Returns: false with @error set where it could not be made */
static bool take_run(struct work *work, struct target *target,
                     struct weiri_cli_run_result *run, bool forked, GError **error)
{
    if (run->error == NULL) {
        run = make_again(work, target, run, forked);
    }
    g_autoptr(GError) failure = g_steal_pointer(&run->error);
    if (failure != NULL) {
        g_propagate_error(error, g_steal_pointer(&failure));
        weiri_cli_run_unref(run);
        return false;
    }
    /* In a search the reverse run counts, too: an in-order run may have ended early. A
     * random run takes more steps than a run of pct, since items fail and try again,
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
    if (!order_of(work, target, target->n_made, &order, error)) {
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

/* ---- Runs of other processes ----------------------------------------------------- */

/* Does the work of a request, whose words are the number of the subject, whether a
 * program is shown, whether it may be a copy, the seed and the schedule. */
static GString *work_on(void *data, const char *request)
{
    const struct work *work = data;
    g_auto(GStrv) words = g_strsplit(request, " ", 5);
    guint subject = (guint)g_ascii_strtoull(words[0], NULL, 10);
    bool shown = words[1][0] == '1';
    struct weiri_cli_run_options run_options
        = { .schedule = words[4],
            .seed = g_ascii_strtoull(words[3], NULL, 10),
            .shown = shown,
            .error_shown = shown,
            .forked = words[2][0] == '1' };
    struct weiri_cli_run_result *run = weiri_cli_run_once(
        work->check,
        &g_array_index(work->check->subjects, struct weiri_cli_subject, subject),
        &run_options);
    GString *lines = weiri_cli_run_to_lines(run);
    weiri_cli_run_unref(run);
    return lines;
}

/* Runs of one target that others make, from @first on. */
struct handed {
    uint64_t first;
    GPtrArray *runs; /* of weiri_cli_run_result: without a result as long as it runs */
    GArray *here;    /* of bool: which have one */
    size_t n_out;    /* that have none */
};

static void unref_run(void *run)
{
    weiri_cli_run_unref(run);
}

/* Gives the next run to a worker. Returns: false with @error set */
static bool hand_out(struct work *work, struct target *target, struct handed *handed,
                     GError **error)
{
    uint64_t index = handed->first + handed->runs->len;
    struct weiri_cli_schedule order;
    if (!order_of(work, target, index, &order, error)) {
        return false;
    }
    show_progress(work, target, &order);
    g_autofree char *request = g_strdup_printf(
        "%zu %d %d %" PRIu64 " %s",
        (size_t)(target->subject
                 - &g_array_index(work->check->subjects, struct weiri_cli_subject, 0)),
        !work->shown, !work->whole && index >= work->check->schedules->len, order.seed,
        order.schedule);
    work->shown = true;
    bool here = false;
    g_ptr_array_add(handed->runs, weiri_cli_run_new(order.schedule, order.seed));
    g_array_append_val(handed->here, here);
    handed->n_out++;
    weiri_cli_jobs_give(work->jobs, handed->runs->len - 1, request);
    g_free(order.schedule);
    return true;
}

/* Waits for a run. Returns: false where the command is over, or with @error set */
static bool take_back(struct work *work, struct handed *handed, GError **error)
{
    uint64_t ticket;
    g_autofree char *why = NULL;
    g_autoptr(GBytes) lines = weiri_cli_jobs_take(work->jobs, &ticket, &why);
    if (lines == NULL && why == NULL) {
        return false;
    }
    struct weiri_cli_run_result *run = g_ptr_array_index(handed->runs, ticket);
    size_t bytes = 0;
    const char *text = lines != NULL ? g_bytes_get_data(lines, &bytes) : NULL;
    if (lines == NULL) {
        run->incomplete = g_strdup_printf("the process that made it %s", why);
    } else if (!weiri_cli_run_read(text, bytes, run, error)) {
        return false;
    }
    run->rank = weiri_cli_jobs_rank(work->jobs);
    g_array_index(handed->here, bool, ticket) = true;
    handed->n_out--;
    return true;
}

/* Whether a search that chooses the number of its runs has made enough of a target. */
static bool is_over(const struct target *target)
{
    return target->verdict->n_wanted > 0 && weiri_cli_search_is_over(target->verdict);
}

/* Whether a run can be handed out: those that search need the steps of those before. */
static bool is_next(const struct work *work, const struct target *target,
                    const struct handed *handed, uint64_t end, int64_t until_us)
{
    uint64_t index = handed->first + handed->runs->len;
    uint64_t asked = work->check->schedules->len;
    return index < end && !is_over(target) && weiri_cli_jobs_n_idle(work->jobs) > 0
        && (index < asked || target->n_made >= asked)
        && ((work->n_made == 0 && index == 0) || weiri_cli_clock_us() < until_us);
}

/* make_runs() by other processes: taken in their order, not in the order in which they
 * arrive. */
static bool hand_runs(struct work *work, struct target *target, uint64_t end,
                      int64_t until_us, GError **error)
{
    struct handed handed = { .first = target->n_made };
    g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func(unref_run);
    g_autoptr(GArray) here = g_array_new(FALSE, FALSE, sizeof(bool));
    handed.runs = runs;
    handed.here = here;
    bool sound = true, goes_on = true;
    while (sound && goes_on) {
        while (sound && is_next(work, target, &handed, end, until_us)) {
            sound = hand_out(work, target, &handed, error);
        }
        if (!sound || handed.n_out == 0) {
            break;
        }
        g_autoptr(GError) failure = NULL;
        goes_on = take_back(work, &handed, &failure);
        sound = failure == NULL;
        if (!sound) {
            g_propagate_error(error, g_steal_pointer(&failure));
        }
        uint64_t at;
        while (sound && !is_over(target)
               && (at = target->n_made - handed.first) < runs->len
               && g_array_index(here, bool, at)) {
            bool forked = target->n_made >= work->check->schedules->len;
            sound = take_run(work, target, weiri_cli_run_ref(runs->pdata[at]), forked,
                             error);
        }
    }
    return sound;
}

/* Makes runs of a target until there are @end of them, or a search is over, or it is
 * @until_us.
 *
 * Returns: false with @error set where it cannot be run */
static bool make_runs(struct work *work, struct target *target, uint64_t end,
                      int64_t until_us, GError **error)
{
    if (work->jobs != NULL) {
        return hand_runs(work, target, end, until_us, error);
    }
    /* The first run is made in any case: it shows how far it came. */
    while (target->n_made < end && !is_over(target) && !weiri_cli_interrupted()
           && (work->n_made == 0 || weiri_cli_clock_us() < until_us)) {
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

/* Searches on, each target for its share of the time: until that is over where it was
 * asked for, else for a number of runs, if the time suffices. Returns: false after a
 * complaint */
static bool search_on(struct work *work)
{
    bool timed = work->check->search_time != NULL;
    for (guint i = 0; i < work->targets->len; i++) {
        struct target *target = target_at(work, i);
        struct weiri_cli_verdict *verdict = target->verdict;
        if (verdict == NULL || !weiri_cli_search_helps(verdict)) {
            continue;
        }
        int64_t now = weiri_cli_clock_us();
        int64_t end = MIN(work->check->search_end_us, work->check->limit.deadline_us);
        int64_t share = MAX(end - now, 0) / (work->targets->len - i);
        verdict->n_wanted = timed
            ? 0
            : target->n_made + weiri_cli_search_runs(verdict, work->targets->len);
        GError *error = NULL;
        if (!make_runs(work, target, timed ? UINT64_MAX : verdict->n_wanted,
                       now + share, &error)) {
            weiri_cli_take_error(error);
            return false;
        }
        verdict->cut = target->n_made < verdict->n_wanted && !is_over(target)
            && !weiri_cli_interrupted();
    }
    return true;
}

/* Returns: false after a complaint */
static bool make_all(struct work *work)
{
    const struct weiri_cli_check *check = work->check;
    GError *error = NULL;
    if (check->n_jobs > 1 || weiri_cli_ranks_are_there()) {
        work->jobs = weiri_cli_jobs_new((unsigned)check->n_jobs, work_on, work, &error);
    }
    if (error != NULL) {
        weiri_cli_take_error(error);
        return false;
    }
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
    g_clear_pointer(&work.jobs, weiri_cli_jobs_free);
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
    for (guint i = 0; ran && i < verdicts->len; i++) {
        weiri_cli_lockstep_try(g_ptr_array_index(verdicts, i));
        weiri_cli_wrong_answer(g_ptr_array_index(verdicts, i), NULL);
    }
    check->fixes = !check->no_fixes && !weiri_cli_interrupted();
    int status = ran && verdicts->len > 0
        ? weiri_cli_verdicts_finish(check, verdicts, work.ended_early)
        : WEIRI_CLI_USAGE;
    weiri_cli_folder_remove();
    status = save_kept(&work, verdicts, status);
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
    return weiri_cli_jobs_leave(status);
}
