/* SPDX-License-Identifier: MIT
 *
 * explore-record.c: see explore-record.h. The turns of a finding are followed loosely
 * in a run that is recorded, and the record is followed strictly before it counts. So a
 * file that is written has the switches of a run that was seen to have the finding.
 *
 * A record has the launch's sizes and more, by which a replay knows the launch. They
 * come from a run in order, of which the launch's switches are replaced. */
#include "config.h"

#include "engine/explore-record.h"

#include "cli/child.h"
#include "cli/clock.h"
#include "engine/check.h"

#include "finding/identity.h"
#include "report/report.h"
#include "show/record-read.h"

#include <string.h>

/* For the runs, even where the time of the command is over. */
static const int64_t LEAST_US = 10 * (int64_t)G_USEC_PER_SEC;

/* The result of looking for a finding in runs. */
struct replay {
    const struct weir_finding *finding; /* borrowed */
    char *command;                      /* or NULL */
    char *why_none;                     /* or NULL */
};

struct weiri_cli_replays {
    GArray *all; /* of struct replay */
};

struct work {
    const struct weiri_cli_native *native;
    struct weiri_cli_check check; /* of the run in order */
    char **argv;                  /* its command line, owned */
    struct weir_schedule *turns;  /* that are followed; borrowed from @in_order */
    struct weiri_cli_run_result *in_order;
    const char *file, *folder;
    guint n_written;
};

static const struct weiri_cli_subject *subject_of(const struct work *work)
{
    return &g_array_index(work->check.subjects, struct weiri_cli_subject, 0);
}

/* ---- The run in order ------------------------------------------------------------ */

static void add_option(GPtrArray *argv, const char *name, const char *value)
{
    if (value != NULL) {
        g_ptr_array_add(argv, g_strdup_printf("--%s=%s", name, value));
    }
}

/* The command line of `weir check` for the same launches. Returns: (transfer full) */
static char **command_line(const struct weiri_cli_native *native)
{
    GPtrArray *argv = g_ptr_array_new();
    g_ptr_array_add(argv, g_strdup("check"));
    add_option(argv, "schedule", "in-order");
    add_option(argv, "device", native->device);
    add_option(argv, "sub-group", native->sub_group);
    add_option(argv, "order", native->order);
    if (g_strcmp0(native->model, "sycl-split") == 0) {
        add_option(argv, "spaces", "opencl");
    } else if (g_strcmp0(native->model, "ptx") == 0) {
        add_option(argv, "model", "ptx");
    }
    if (native->kernel != NULL) {
        g_autofree char *n = g_strdup_printf("%zu", native->n);
        g_autofree char *local = g_strdup_printf("%zu", native->local);
        add_option(argv, "input", native->input);
        add_option(argv, "n", native->input == NULL ? n : NULL);
        add_option(argv, "local", local);
        g_ptr_array_add(argv, g_strdup(native->kernel));
    } else {
        g_ptr_array_add(argv, g_strdup("--"));
        for (size_t i = 0; native->program[i] != NULL; i++) {
            g_ptr_array_add(argv, g_strdup(native->program[i]));
        }
    }
    g_ptr_array_add(argv, NULL);
    return (char **)g_ptr_array_free(argv, FALSE);
}

/* Returns: the run, recorded */
static struct weiri_cli_run_result *run_once(const struct work *work,
                                             struct weir_schedule *turns)
{
    const struct weiri_cli_schedule *order
        = &g_array_index(work->check.schedules, struct weiri_cli_schedule, 0);
    const struct weiri_cli_run_options how = { .schedule = order->schedule,
                                               .seed = order->seed,
                                               .replay = turns,
                                               .loosely = turns != NULL,
                                               .record = true };
    return weiri_cli_run_once(&work->check, subject_of(work), &how);
}

/* Returns: false after a complaint */
static bool begin(struct work *work)
{
    int status;
    work->argv = command_line(work->native);
    if (!weiri_cli_check_read((int)g_strv_length(work->argv), work->argv, &work->check,
                              &status)) {
        return false;
    }
    work->check.limit = *work->native->limit;
    work->check.limit.deadline_us
        = MAX(work->check.limit.deadline_us, weiri_cli_clock_us() + LEAST_US);
    g_autoptr(GError) error = NULL;
    work->folder = weiri_cli_folder(&error);
    if (work->folder == NULL) {
        weiri_cli_complain("--record: %s", error->message);
        return false;
    }
    work->in_order = run_once(work, NULL);
    work->turns = work->in_order->recorded;
    if (work->in_order->error != NULL) {
        weiri_cli_complain("--record: %s", work->in_order->error->message);
        return false;
    }
    return true;
}

static void clear(struct work *work)
{
    weiri_cli_run_unref(work->in_order);
    weiri_cli_check_clear(&work->check);
    g_strfreev(work->argv);
    weiri_cli_folder_remove();
}

/* ---- The same finding ------------------------------------------------------------ */

static bool same_place(const struct weir_party *a, const struct weir_party *b)
{
    return a->line == b->line && g_strcmp0(a->file, b->file) == 0;
}

/* Whether a run's finding is the exploration's: of the same kind, and in the same
 * places, if both have places. A livelock of the exploration is a deadlock of a run if
 * some of the items are at a barrier. */
static bool is_same(const struct weir_finding *explored,
                    const struct weir_finding *found)
{
    bool endless = explored->kind == WEIR_FINDING_LIVELOCK
        && found->kind == WEIR_FINDING_DEADLOCK;
    if (explored->kind != found->kind) {
        return endless;
    }
    const struct weir_party *a = explored->parties, *b = found->parties;
    if (weiri_finding_is_race(explored)) {
        return explored->n_parties == 2 && found->n_parties == 2
            && ((same_place(&a[0], &b[0]) && same_place(&a[1], &b[1]))
                || (same_place(&a[0], &b[1]) && same_place(&a[1], &b[0])));
    }
    return explored->n_parties != 1 || found->n_parties != 1 || same_place(a, b);
}

/* The run's finding that is the same as @explored, or NULL. */
static const struct weir_finding *same_of(const struct weiri_cli_run_result *run,
                                          const struct weir_finding *explored,
                                          guint launch)
{
    const struct weir_finding *found;
    size_t in;
    for (size_t i = 0;
         run->error == NULL && (found = weiri_cli_run_finding(run, i, &in)) != NULL;
         i++) {
        if ((in == launch + 1 || found == run->wrong) && is_same(explored, found)) {
            return found;
        }
    }
    return NULL;
}

/* ---- Files ----------------------------------------------------------------------- */

/* Follows the turns in that launch, and what comes before it in order. A finding
 * without turns is of several executions, or of the run that follows the exploration:
 * it is looked for in order. Returns: the run, or NULL with @why_none */
static struct weiri_cli_run_result *follow(struct work *work,
                                           const struct weir_finding *finding,
                                           guint launch, char **why_none)
{
    g_autoptr(GError) error = NULL;
    const char *turns = finding->turns != NULL ? finding->turns : "";
    bool sound = true;
    for (guint i = 0; sound && i <= launch; i++) {
        sound
            = weir_schedule_set_turns(work->turns, i, i == launch ? turns : "", &error);
    }
    if (!sound) {
        *why_none = g_strdup_printf("a run in order does not reach the launch: %s",
                                    error->message);
        return NULL;
    }
    struct weiri_cli_run_result *run = run_once(work, work->turns);
    if (run->error != NULL || run->lost != NULL) {
        *why_none
            = g_strdup_printf("a run with its turns cannot be recorded: %s",
                              run->error != NULL ? run->error->message : run->lost);
    } else if (same_of(run, finding, launch) == NULL) {
        *why_none
            = g_strdup(finding->turns != NULL ? "a run with its turns does not show it"
                                              : "a run in order does not show it");
    } else {
        return run;
    }
    weiri_cli_run_unref(run);
    return NULL;
}

/* Whether the file shows the finding when it is followed strictly. */
static bool is_sure(const struct work *work, const char *path,
                    const struct weir_finding *finding, guint launch)
{
    struct weiri_cli_recorded recorded;
    struct weiri_cli_run_result *again = NULL;
    if (weiri_cli_recorded_load(&recorded, path)) {
        recorded.check.limit = work->check.limit;
        again = weiri_cli_follow(&recorded, path, false, false);
    }
    bool sure = again != NULL && same_of(again, finding, launch) != NULL;
    weiri_cli_run_unref(again);
    weiri_cli_recorded_clear(&recorded);
    return sure;
}

/* Returns: false after a complaint */
static bool record(struct work *work, struct replay *replay, guint launch)
{
    const struct weir_finding *finding = replay->finding;
    if (finding->no_turns != NULL) {
        replay->why_none = g_strdup(finding->no_turns);
        return true;
    }
    struct weiri_cli_run_result *run = follow(work, finding, launch, &replay->why_none);
    if (run == NULL) {
        return true;
    }
    g_autofree char *key = weiri_finding_fingerprint(same_of(run, finding, launch));
    weir_schedule_set(run->recorded, "finding", key);
    bool written = true;
    g_autofree char *path = weiri_cli_numbered_file(work->file, work->n_written);
    g_autofree char *trial = g_build_filename(work->folder, "trial", NULL);
    if (!weiri_cli_save_run(&work->check, subject_of(work), run, trial)) {
        written = false;
    } else if (!is_sure(work, trial, finding, launch)) {
        replay->why_none
            = g_strdup("another run with the same turns does not show it: it depends "
                       "on more than the schedule");
    } else if (!weiri_cli_save_run(&work->check, subject_of(work), run, path)) {
        written = false;
    } else {
        work->n_written++;
        work->check.shrunk = path;
        replay->command
            = weiri_cli_shown_again(&work->check, subject_of(work), NULL, 0);
        work->check.shrunk = NULL;
    }
    weiri_cli_run_unref(run);
    return written;
}

static void clear_replay(void *data)
{
    struct replay *replay = data;
    g_free(replay->command);
    g_free(replay->why_none);
}

struct weiri_cli_replays *weiri_cli_record_explored(
    const struct weiri_cli_native *native, const GPtrArray *records, const char *file)
{
    struct work work = { .native = native, .file = file };
    struct weiri_cli_replays *replays = g_new(struct weiri_cli_replays, 1);
    replays->all = g_array_new(FALSE, FALSE, sizeof(struct replay));
    g_array_set_clear_func(replays->all, clear_replay);
    bool fine = begin(&work);
    for (guint launch = 0; fine && launch < records->len; launch++) {
        const struct weiri_launch_record *explored
            = g_ptr_array_index((GPtrArray *)records, launch);
        for (size_t i = 0; fine && i < explored->n_findings; i++) {
            struct replay replay = { .finding = &explored->findings[i] };
            if (!replay.finding->note) {
                fine = record(&work, &replay, launch);
                g_array_append_val(replays->all, replay);
            }
        }
    }
    clear(&work);
    if (fine && work.n_written == 0) {
        weiri_cli_complain("--record: %s is not written: the exploration has %s", file,
                           replays->all->len == 0 ? "no finding"
                                                  : "no finding that can be replayed");
    }
    if (!fine) {
        g_clear_pointer(&replays, weiri_cli_replays_free);
    }
    return replays;
}

void weiri_cli_replays_free(struct weiri_cli_replays *replays)
{
    if (replays != NULL) {
        g_array_unref(replays->all);
        g_free(replays);
    }
}

/* ---- Reports --------------------------------------------------------------------- */

static const struct replay *replay_of(const struct weiri_cli_replays *replays,
                                      const struct weir_finding *finding)
{
    for (guint i = 0; replays != NULL && i < replays->all->len; i++) {
        const struct replay *replay = &g_array_index(replays->all, struct replay, i);
        if (replay->finding == finding) {
            return replay;
        }
    }
    return NULL;
}

const char *weiri_cli_replays_command(const struct weiri_cli_replays *replays,
                                      const struct weir_finding *finding)
{
    const struct replay *replay = replay_of(replays, finding);
    return replay != NULL ? replay->command : NULL;
}

void weiri_cli_replays_add_text(const struct weiri_cli_replays *replays,
                                const struct weir_finding *finding, GString *out)
{
    const struct replay *replay = replay_of(replays, finding);
    if (replay != NULL && replay->command != NULL) {
        g_string_append_printf(out, "  replay: %s\n", replay->command);
    } else if (replay != NULL) {
        g_string_append_printf(out, "  cannot be replayed: %s\n", replay->why_none);
    }
}

void weiri_cli_replays_add_json(const struct weiri_cli_replays *replays,
                                const struct weir_finding *finding,
                                JsonBuilder *builder)
{
    const struct replay *replay = replay_of(replays, finding);
    weiri_json_text(builder, "replay", weiri_cli_replays_command(replays, finding));
    weiri_json_text(builder, "no_replay", replay != NULL ? replay->why_none : NULL);
}
