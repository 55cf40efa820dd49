/* SPDX-License-Identifier: MIT
 *
 * wrong-answer.c: see wrong-answer.h. A program may fail for many reasons. That it is
 * the schedule is shown by two runs that are made again: one that fails and one that
 * does not. The schedule of the run that fails is then shrunk, as `weir shrink` does
 * it. Where the program fails in order, it is the schedule of the run that is right.
 *
 * The number of runs is limited, so that the finding depends on the runs of the verdict
 * alone, unless a run takes long. */
#include "config.h"

#include "engine/wrong-answer.h"

#include "cli/child.h"
#include "cli/clock.h"
#include "show/wrong.h"

#include <string.h>
#include <sys/wait.h>

enum {
    MOST_RUNS = 300,     /* that shrink a schedule */
    MOST_SECONDS = 15,   /* that they take */
    MOST_STEPS = 100000, /* that are listed of a launch */
    STEPS_FACTOR = 10,   /* a run that takes this many times as long does something
                          else */
    STEPS_MORE = 10000,
};

/* Schedules that are tried where no run was right: those that a search begins with. */
static const struct {
    const char *schedule;
    uint64_t seed;
} probes[] = { { "in-order", 0 }, { "reverse", 0 }, { "random", 1 }, { "random", 2 } };

struct work {
    struct weiri_cli_verdict *verdict;
    struct weiri_cli_run_result *failing; /* owned, as the next one */
    struct weiri_cli_run_result *right;
    bool fails; /* the schedule that is shrunk makes the program fail */
    uint64_t step_limit;
    int64_t deadline_us;
    size_t n_runs;
    bool cut;
};

/* ---- Runs ------------------------------------------------------------------------ */

static bool is_right(const struct weiri_cli_run_result *run)
{
    return run->error == NULL && run->incomplete == NULL
        && weiri_cli_run_n_defects(run) == 0;
}

/* Whether it fails by itself, for no reason that is reported: as @like does, if that is
 * not NULL. */
static bool is_wrong(const struct weiri_cli_run_result *run,
                     const struct weiri_cli_run_result *like)
{
    return run->error == NULL && run->answers && weiri_cli_run_n_defects(run) == 1
        && (like == NULL || WIFSIGNALED(run->status) == WIFSIGNALED(like->status));
}

static struct weiri_cli_run_result *make(const struct work *work, const char *schedule,
                                         uint64_t seed, bool record)
{
    struct weiri_cli_run_options run_options
        = { .schedule = schedule, .seed = seed, .record = record };
    return weiri_cli_run_once(work->verdict->check, &work->verdict->subject,
                              &run_options);
}

/* How well the schedule of a run can be shrunk. As for --record: pct switches less
 * often than random, and of the others each switch rests on the one before it. */
static int worth(const struct weiri_cli_summary *run)
{
    return g_str_has_prefix(run->schedule, "pct") ? 3
        : strcmp(run->schedule, "random") == 0    ? 2
        : strcmp(run->schedule, "in-order") == 0  ? 0
                                                  : 1;
}

/* The first of the best runs that are wrong, or right. Returns: NULL where none is */
static const struct weiri_cli_summary *best(const struct weiri_cli_verdict *verdict,
                                            bool wrong)
{
    const struct weiri_cli_summary *found = NULL;
    for (guint i = 0; i < verdict->runs->len; i++) {
        const struct weiri_cli_summary *run = weiri_cli_verdict_run(verdict, i);
        bool fits = wrong
            ? run->answers && run->n_defects == 1
            : run->n_defects == 0 && run->incomplete == NULL && run->n_launches > 0;
        if (fits && (found == NULL || worth(run) > worth(found))) {
            found = run;
        }
    }
    return found;
}

static bool was_made(const struct weiri_cli_verdict *verdict, const char *schedule,
                     uint64_t seed)
{
    for (guint i = 0; i < verdict->runs->len; i++) {
        const struct weiri_cli_summary *run = weiri_cli_verdict_run(verdict, i);
        if (strcmp(run->schedule, schedule) == 0
            && (run->seed == seed || !weiri_cli_is_seeded(schedule))) {
            return true;
        }
    }
    return false;
}

static bool is_over(const struct work *work)
{
    return weiri_cli_interrupted() || weiri_cli_clock_us() >= work->deadline_us;
}

/* Makes a run that is right. Returns: whether there is one */
static bool make_right(struct work *work)
{
    const struct weiri_cli_summary *known = best(work->verdict, false);
    if (known != NULL) {
        work->right = make(work, known->schedule, known->seed, true);
        return is_right(work->right);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(probes) && !is_over(work); i++) {
        bool followed = work->verdict->check->shrunk != NULL;
        if (!followed && was_made(work->verdict, probes[i].schedule, probes[i].seed)) {
            continue;
        }
        work->right = make(work, probes[i].schedule, probes[i].seed, true);
        if (is_right(work->right)) {
            return true;
        }
        g_clear_pointer(&work->right, weiri_cli_run_unref);
    }
    return false;
}

/* ---- Shrinking ------------------------------------------------------------------- */

/* Whether a run shows what is looked for. */
static bool shows(const struct work *work, const struct weiri_cli_run_result *run)
{
    return work->fails ? is_wrong(run, work->failing) : is_right(run);
}

static struct weiri_cli_run_result *follow(const struct work *work,
                                           struct weir_schedule *schedule, bool loosely,
                                           bool record)
{
    const struct weiri_cli_run_result *of = work->fails ? work->failing : work->right;
    struct weiri_cli_run_options run_options = { .schedule = of->schedule,
                                                 .seed = of->seed,
                                                 .replay = schedule,
                                                 .loosely = loosely,
                                                 .record = record,
                                                 .list_steps = record ? MOST_STEPS : 0,
                                                 .step_limit = work->step_limit };
    return weiri_cli_run_once(work->verdict->check, &work->verdict->subject,
                              &run_options);
}

static bool still(struct weir_schedule *candidate, void *user)
{
    struct work *work = user;
    if (work->n_runs == MOST_RUNS || is_over(work)) {
        work->cut = true;
        return false;
    }
    struct weiri_cli_run_result *run = follow(work, candidate, true, false);
    work->n_runs++;
    bool shown = shows(work, run);
    weiri_cli_run_unref(run);
    return shown;
}

/* Whether the run is followed strictly to the same end. */
static bool is_sure(const struct work *work, const struct weiri_cli_run_result *run)
{
    struct weiri_cli_run_result *again = follow(work, run->recorded, false, false);
    bool same = shows(work, again);
    weiri_cli_run_unref(again);
    return same;
}

/* Returns: (transfer full): a run with the fewest switches; or NULL where that depends
 * on more than the schedule */
static struct weiri_cli_run_result *shrink(struct work *work)
{
    struct weiri_cli_run_result *of = work->fails ? work->failing : work->right;
    work->step_limit = weiri_cli_run_most_steps(of) * STEPS_FACTOR + STEPS_MORE;
    struct weir_schedule *shrunk = weir_schedule_shrink(of->recorded, still, work);
    struct weiri_cli_run_result *run = follow(work, shrunk, true, true);
    weir_schedule_free(shrunk);
    if (!shows(work, run) || run->lost != NULL || !is_sure(work, run)) {
        g_clear_pointer(&run, weiri_cli_run_unref);
    }
    return run;
}

/* The run as it was recorded, where a loosely followed schedule leads elsewhere.
 * Returns: (transfer full): or NULL where that depends on more than the schedule */
static struct weiri_cli_run_result *follow_whole(struct work *work)
{
    const struct weiri_cli_run_result *of = work->fails ? work->failing : work->right;
    struct weiri_cli_run_result *run = follow(work, of->recorded, false, true);
    work->cut = true;
    if (!shows(work, run) || run->lost != NULL || !is_sure(work, run)) {
        g_clear_pointer(&run, weiri_cli_run_unref);
    }
    return run;
}

/* ---- The finding ----------------------------------------------------------------- */

static bool fails_in_order(const struct work *work)
{
    struct weiri_cli_run_result *run = make(work, "in-order", 0, false);
    bool wrong = is_wrong(run, NULL);
    weiri_cli_run_unref(run);
    return wrong;
}

/* Adds the finding, which @shown explains. Takes both. */
static void add(struct work *work, struct weir_finding *finding, size_t launch,
                struct weiri_cli_run_result *shown)
{
    struct weiri_cli_verdict *verdict = work->verdict;
    struct weiri_cli_found *found = g_new0(struct weiri_cli_found, 1);
    found->run = weiri_cli_run_ref(work->failing);
    found->run->wrong = finding;
    found->finding = finding;
    found->launch = launch;
    found->runs = g_array_new(FALSE, FALSE, sizeof(guint));
    verdict->wrong = found;
    verdict->wrong_run = shown;
    verdict->wrong_fails = work->fails;
    for (guint i = 0; i < verdict->runs->len; i++) {
        if (weiri_cli_verdict_explains(verdict, weiri_cli_verdict_run(verdict, i))) {
            g_array_append_val(found->runs, i);
        }
    }
    found->count = found->runs->len;
    g_ptr_array_add(verdict->found, found);
}

static void explain(struct work *work)
{
    work->fails = !fails_in_order(work);
    struct weiri_cli_run_result *of = work->fails ? work->failing : work->right;
    struct weiri_cli_run_result *shown
        = of->lost == NULL && of->recorded != NULL ? shrink(work) : NULL;
    if (shown == NULL && of->lost == NULL && of->recorded != NULL) {
        shown = follow_whole(work);
    }
    if (shown != NULL) {
        weir_schedule_set(shown->recorded, "shrunk", "yes");
        size_t launch;
        struct weir_finding *finding = weiri_wrong_finding(
            shown->launches, shown->recorded,
            weiri_cli_subject_name(&work->verdict->subject), work->fails,
            work->failing->failure, work->cut, &launch);
        add(work, finding, launch, shown);
    }
}

void weiri_cli_wrong_answer(struct weiri_cli_verdict *verdict,
                            struct weiri_cli_run_result *followed)
{
    const struct weiri_cli_summary *wrong
        = verdict->subject.program != NULL ? best(verdict, true) : NULL;
    if (wrong == NULL) {
        return;
    }
    struct work work = { .verdict = verdict };
    work.deadline_us
        = MIN(verdict->check->limit.deadline_us,
              weiri_cli_clock_us() + MOST_SECONDS * (int64_t)G_USEC_PER_SEC);
    weiri_cli_progress("looking for the switches of a wrong answer");
    if (!is_over(&work) && make_right(&work)) {
        work.failing = followed != NULL
            ? weiri_cli_run_ref(followed)
            : make(&work, wrong->schedule, wrong->seed, true);
        if (is_wrong(work.failing, NULL)) {
            explain(&work);
        }
    }
    weiri_cli_progress(NULL);
    weiri_cli_run_unref(work.failing);
    weiri_cli_run_unref(work.right);
}
