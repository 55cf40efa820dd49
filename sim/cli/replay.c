/* SPDX-License-Identifier: MIT
 *
 * replay.c: `weir replay`: a recorded run again, by its schedule and not by the seed
 * that produced it. The entry "command" at the head of the file is the command line of
 * `weir check` that makes the same run. */
#include "config.h"

#include "cli/check.h"
#include "cli/child.h"
#include "cli/gdb.h"
#include "cli/wrong-answer.h"

#include <stdio.h>
#include <string.h>

static const char SUMMARY[]
    = "Runs what --record of 'weir check' or 'weir explore' has written, turn for\n"
      "turn, and prints what is found.";

/* Of a launch, that --steps lists. */
enum { MOST_STEPS = 100 * 1000 };

/* ---- Files ----------------------------------------------------------------------- */

bool weiri_cli_save_run(const struct weiri_cli_check *check,
                        const struct weiri_cli_subject *subject,
                        struct weiri_cli_run_result *run, const char *path)
{
    if (run->lost != NULL) {
        weiri_cli_complain("%s: nothing is recorded: %s", path, run->lost);
        return false;
    }
    g_autofree char *again = weiri_cli_again(check, subject, run->schedule, run->seed);
    weir_schedule_set(run->recorded, "command", again);
    GError *error = NULL;
    if (!weir_schedule_save(run->recorded, path, &error)) {
        weiri_cli_take_error(error);
        return false;
    }
    return true;
}

/* Whether @argv is a line as weiri_cli_again() writes them. @complained: (out): what is
 * wrong with it was said */
static bool read_command(struct weiri_cli_recorded *recorded, int argc,
                         bool *complained)
{
    int status;
    if (argc <= 2 || strcmp(recorded->argv[0], "weir") != 0
        || strcmp(recorded->argv[1], "check") != 0) {
        return false;
    }
    bool read
        = weiri_cli_check_read(argc - 1, recorded->argv + 1, &recorded->check, &status);
    *complained = !read;
    return read && recorded->check.subjects->len == 1
        && recorded->check.schedules->len == 1;
}

bool weiri_cli_recorded_load(struct weiri_cli_recorded *recorded, const char *path)
{
    *recorded = (struct weiri_cli_recorded){ 0 };
    GError *error = NULL;
    recorded->schedule = weir_schedule_load(path, &error);
    if (recorded->schedule == NULL) {
        weiri_cli_take_error(error);
        return false;
    }
    const char *command = weir_schedule_get(recorded->schedule, "command");
    int argc = 0;
    bool complained = false;
    bool read = command != NULL
        && g_shell_parse_argv(command, &argc, &recorded->argv, NULL)
        && read_command(recorded, argc, &complained);
    if (!read && !complained) {
        weiri_cli_complain("%s: it does not say what it is a schedule of: record it "
                           "with 'weir check --record'",
                           path);
    }
    return read;
}

bool weiri_cli_recorded_parse(const GOptionEntry *entries, const char *summary,
                              int argc, char **argv, const char **path, int *status)
{
    g_unsetenv("WEIR_OPTIONS");
    if (!weiri_cli_parse(entries, "FILE", summary, NULL, &argc, &argv, status)) {
        return false;
    }
    if (argc != 2) {
        *status = weiri_cli_complain("name one file of 'weir check --record'");
        return false;
    }
    *path = argv[1];
    return true;
}

void weiri_cli_recorded_clear(struct weiri_cli_recorded *recorded)
{
    weir_schedule_free(recorded->schedule);
    if (recorded->check.subjects != NULL) {
        weiri_cli_check_clear(&recorded->check);
    }
    g_strfreev(recorded->argv);
    *recorded = (struct weiri_cli_recorded){ 0 };
}

/* ---- Following ------------------------------------------------------------------- */

struct weiri_cli_run_result *weiri_cli_follow(struct weiri_cli_recorded *recorded,
                                              const char *path, bool record, bool shown)
{
    const struct weiri_cli_check *check = &recorded->check;
    const struct weiri_cli_schedule *order
        = &g_array_index(check->schedules, struct weiri_cli_schedule, 0);
    struct weiri_cli_run_options run_options
        = { .schedule = order->schedule,
            .seed = order->seed,
            .replay = recorded->schedule,
            .record = record,
            .list_steps = shown ? check->list_steps : 0,
            .shown = shown };
    size_t wanted = weir_schedule_n_launches(recorded->schedule);
    struct weiri_cli_run_result *run = weiri_cli_run_once(
        check, &g_array_index(check->subjects, struct weiri_cli_subject, 0),
        &run_options);
    size_t made = weiri_cli_run_n_launches(run);
    if (run->error != NULL) {
        weiri_cli_complain("%s: %s", path, run->error->message);
    } else if (made != wanted && run->incomplete == NULL) {
        weiri_cli_complain("%s: it is of %zu launch%s, but %zu %s made", path, wanted,
                           wanted == 1 ? "" : "es", made, made == 1 ? "was" : "were");
    } else {
        return run;
    }
    weiri_cli_run_unref(run);
    return NULL;
}

static int replay(const char *path, bool json, bool steps, const char *time_limit)
{
    struct weiri_cli_limit limit;
    struct weiri_cli_recorded recorded = { 0 };
    int status = WEIRI_CLI_USAGE;
    if (weiri_cli_read_time_limit(time_limit, &limit)
        && weiri_cli_recorded_load(&recorded, path)) {
        recorded.check.json = json;
        recorded.check.list_steps = steps ? MOST_STEPS : 0;
        recorded.check.limit = limit;
        if (weir_schedule_get(recorded.schedule, "shrunk") != NULL
            || weir_schedule_get(recorded.schedule, "finding") != NULL) {
            recorded.check.shrunk = path;
        }
        struct weiri_cli_run_result *run
            = weiri_cli_follow(&recorded, path, true, true);
        if (run != NULL) {
            if (run->said != NULL && run->failure == NULL) {
                fputs(run->said, stderr);
            }
            g_autoptr(GPtrArray) verdicts = g_ptr_array_new();
            struct weiri_cli_verdict *verdict = weiri_cli_verdict_new(
                &recorded.check,
                &g_array_index(recorded.check.subjects, struct weiri_cli_subject, 0));
            weiri_cli_verdict_add(verdict, run);
            verdict->listed = steps ? run : NULL;
            weiri_cli_wrong_answer(verdict, run);
            g_ptr_array_add(verdicts, verdict);
            status = weiri_cli_verdicts_finish(&recorded.check, verdicts, 0);
            weiri_cli_verdict_free(verdict);
            weiri_cli_run_unref(run);
        }
        weiri_cli_folder_remove();
    }
    weiri_cli_recorded_clear(&recorded);
    return status;
}

static int debug(const char *path, const char *wanted, const char *time_limit)
{
    struct weiri_cli_limit limit;
    struct weiri_cli_recorded recorded = { 0 };
    int status = WEIRI_CLI_USAGE;
    if (weiri_cli_read_time_limit(time_limit, &limit)
        && weiri_cli_recorded_load(&recorded, path) && weiri_cli_gdb_prepare()) {
        recorded.check.limit = limit;
        struct weiri_cli_run_result *run
            = weiri_cli_follow(&recorded, path, false, false);
        const struct weir_finding *finding;
        size_t launch = 1;
        if (run != NULL
            && weiri_cli_choose_finding(run, path, recorded.schedule, wanted, &finding,
                                        &launch)) {
            status = weiri_cli_gdb_run(&recorded, path, run, finding,
                                       finding != NULL ? launch : 1);
        }
        weiri_cli_folder_remove();
        weiri_cli_run_unref(run);
    }
    weiri_cli_recorded_clear(&recorded);
    return status;
}

int weiri_cli_replay(int argc, char **argv)
{
    gboolean json = FALSE, gdb = FALSE, steps = FALSE;
    g_autofree char *finding = NULL, *time_limit = NULL;
    const GOptionEntry entries[] = {
        { "gdb", 0, 0, G_OPTION_ARG_NONE, &gdb, "Start gdb where the finding is made",
          NULL },
        { "finding", 0, 0, G_OPTION_ARG_STRING, &finding,
          "For --gdb: number or key of a finding", "K" },
        { "steps", 0, 0, G_OPTION_ARG_NONE, &steps,
          "List what each step did, with values", NULL },
        { "json", 0, 0, G_OPTION_ARG_NONE, &json, "Print JSON", NULL },
        WEIRI_CLI_TIME_LIMIT(&time_limit),
        { 0 },
    };
    const char *path;
    int status;
    if (!weiri_cli_recorded_parse(entries, SUMMARY, argc, argv, &path, &status)) {
        return status;
    }
    if (gdb && (json || steps)) {
        return weiri_cli_complain("--gdb and %s exclude each other",
                                  json ? "--json" : "--steps");
    }
    if (finding != NULL && !gdb) {
        return weiri_cli_complain("--finding is of --gdb: all findings are printed");
    }
    return gdb ? debug(path, finding, time_limit)
               : replay(path, json, steps, time_limit);
}
