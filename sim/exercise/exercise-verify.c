/* SPDX-License-Identifier: MIT
 *
 * exercise-verify.c: the answers that the exercises themselves hold: the wrong form,
 * the solutions, and the near misses, each of which names the judge that rejects it.
 * They are judged one after the other in this process. */
#include "config.h"

#include "exercise/exercise.h"

#include "cli/child.h"

#include <string.h>

enum { LEAST_SOLUTIONS = 3, LEAST_MISSES = 5 };

/* The judge that the comment in the first line of a near miss names: "check: …". */
static char *named_judge(const char *file)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents(file, &text, NULL, NULL)) {
        return g_strdup("");
    }
    bool comment = g_str_has_prefix(text, "/* ") || g_str_has_prefix(text, "// ");
    const char *start = text + (comment ? 3 : 0);
    return g_strndup(start, strcspn(start, ": \n"));
}

/* Judges one file. @expected: the judge that is to reject it, or NULL for none.
 * Returns: false where the file is judged otherwise, or with @error set */
static bool verify_file(struct weiri_exercise_judging *judging,
                        const struct weiri_exercise *exercise, const char *file,
                        const char *expected, GString *out, GError **error)
{
    struct weiri_exercise_verdict verdict;
    bool judged = weiri_exercise_judge(judging, exercise, file, &verdict, error);
    const char *judge
        = verdict.passed ? NULL : weiri_exercise_judge_name(verdict.judge);
    bool right = judged && !verdict.undecided && g_strcmp0(judge, expected) == 0;
    if (judged) {
        g_string_append_printf(out, "%s %s/%s: %s%s%s%s\n", right ? "ok  " : "FAIL",
                               exercise->name, file + strlen(exercise->folder) + 1,
                               verdict.passed          ? "accepted"
                                   : verdict.undecided ? "undecided by "
                                                       : "rejected by ",
                               judge != NULL ? judge : "", right ? "" : "; expected ",
                               right                  ? ""
                                   : expected != NULL ? expected
                                                      : "accepted");
    }
    if (judged && !right) {
        g_string_append_printf(out, "%s\n", verdict.why != NULL ? verdict.why : "");
        guint n
            = verdict.findings != NULL ? json_array_get_length(verdict.findings) : 0;
        for (guint i = 0; i < n; i++) {
            weiri_exercise_add_finding(
                out, json_array_get_object_element(verdict.findings, i));
        }
    }
    weiri_exercise_verdict_clear(&verdict);
    return right;
}

static bool verify_one(struct weiri_exercise_judging *judging,
                       const struct weiri_exercise *exercise, GString *out,
                       GError **error)
{
    g_autofree char *wrong
        = g_strdup_printf("%s/kernel.%s", exercise->folder, exercise->ending);
    bool right = verify_file(judging, exercise, wrong, exercise->wrong_by, out, error);
    g_autoptr(GPtrArray) solutions = weiri_exercise_files(exercise, "solutions");
    g_autoptr(GPtrArray) misses = weiri_exercise_files(exercise, "misses");
    if (solutions->len < LEAST_SOLUTIONS || misses->len < LEAST_MISSES
        || exercise->hints[0] == NULL) {
        g_string_append_printf(out,
                               "FAIL %s: %u solutions, %u misses, %u hints; at least "
                               "%d, %d and 1 are needed\n",
                               exercise->name, solutions->len, misses->len,
                               g_strv_length(exercise->hints), LEAST_SOLUTIONS,
                               LEAST_MISSES);
        right = false;
    }
    for (guint i = 0; i < solutions->len && *error == NULL; i++) {
        right &= verify_file(judging, exercise, solutions->pdata[i], NULL, out, error);
    }
    for (guint i = 0; i < misses->len && *error == NULL; i++) {
        g_autofree char *judge = named_judge(misses->pdata[i]);
        right &= verify_file(judging, exercise, misses->pdata[i], judge, out, error);
    }
    return right;
}

int weiri_exercise_verify(struct weiri_exercise_judging *judging,
                          const GPtrArray *exercises, char *const *names)
{
    GError *error = NULL;
    GString *out = g_string_new(NULL);
    guint n = 0, n_right = 0;
    judging->many = true;
    for (size_t i = 0; names[i] != NULL; i++) {
        if (weiri_exercise_find(exercises, names[i]) == NULL) {
            g_string_free(out, TRUE);
            return WEIRI_CLI_USAGE;
        }
    }
    for (guint i = 0; i < exercises->len && error == NULL; i++) {
        const struct weiri_exercise *exercise = exercises->pdata[i];
        if (names[0] == NULL
            || g_strv_contains((const char *const *)names, exercise->name)) {
            weiri_cli_progress(exercise->name);
            n++;
            n_right += verify_one(judging, exercise, out, &error);
        }
    }
    if (error != NULL) {
        g_string_free(out, TRUE);
        return weiri_cli_take_error(error);
    }
    g_string_append_printf(out, "%u of %u exercises are as they should be\n", n_right,
                           n);
    return weiri_cli_finish(g_string_free(out, FALSE),
                            n_right == n ? WEIRI_CLI_CLEAN : WEIRI_CLI_FINDINGS);
}
