/* SPDX-License-Identifier: MIT
 *
 * recorded.c: a run as a file of --record, and such a run again. The entry "command" at
 * the head of the file is the command line of `weir check` that makes the same run: a
 * file is followed with its options, and its schedule in the place of the seed. */
#include "config.h"

#include "engine/check.h"

#include <string.h>

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
        weiri_cli_complain("%s: it does not name the program or kernel that it is a "
                           "schedule of: record it with 'weir check --record'",
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
        *status = weiri_cli_complain("name one file that 'weir check --record' has "
                                     "written, and nothing else: the file says what "
                                     "to run");
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
        weiri_cli_complain("%s: it has %zu launch%s, but %zu %s made", path, wanted,
                           wanted == 1 ? "" : "es", made, made == 1 ? "was" : "were");
    } else {
        return run;
    }
    weiri_cli_run_unref(run);
    return NULL;
}
