/* SPDX-License-Identifier: MIT
 *
 * replay.c: `weir replay`: a recorded run again, by its schedule and not by the seed
 * that produced it. */
#include "config.h"

#include "cli/child.h"
#include "engine/check.h"
#include "engine/gdb.h"
#include "engine/wrong-answer.h"

#include <stdio.h>

static const char SUMMARY[]
    = "Repeats a run that --record of 'weir check' or 'weir explore' has written,\n"
      "turn for turn, and prints its findings.";

/* The most steps of a launch that --steps lists. */
enum { MOST_STEPS = 100 * 1000 };

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
        WEIRI_CLI_JSON(&json),
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
        return weiri_cli_complain("--finding needs --gdb: without it all findings are "
                                  "printed");
    }
    return gdb ? debug(path, finding, time_limit)
               : replay(path, json, steps, time_limit);
}
