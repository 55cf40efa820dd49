/* SPDX-License-Identifier: MIT
 *
 * exercise-class.c: many answers: those of a class, and those that the exercises
 * themselves hold.
 *
 * `weir exercise check --all DIR --json` prints
 *
 *   version, seed   with which the same result is had again
 *   results         [{student, exercise, file, passed, undecided, judge, why, findings,
 *                   executions, explored}], by student and exercise
 *   students        [{student, passed, of}]: how many of their answers have passed
 *   ignored         files that are no answer to an exercise */
#include "config.h"

#include "cli/exercise.h"

#include "cli/child.h"

#include <string.h>

/* ---- JSON ------------------------------------------------------------------------ */

void weiri_exercise_json_verdict(JsonBuilder *builder,
                                 const struct weiri_exercise_verdict *verdict)
{
    weiri_json_bool(builder, "passed", verdict->passed);
    weiri_json_bool(builder, "undecided", verdict->undecided);
    weiri_json_text(builder, "judge",
                    verdict->passed ? NULL : weiri_exercise_judge_name(verdict->judge));
    weiri_json_text(builder, "why", verdict->why);
    weiri_json_array(builder, "findings");
    guint n = verdict->findings != NULL ? json_array_get_length(verdict->findings) : 0;
    for (guint i = 0; i < n; i++) {
        weiri_exercise_json_finding(
            builder, json_array_get_object_element(verdict->findings, i));
    }
    json_builder_end_array(builder);
    weiri_json_int(builder, "executions", verdict->executions);
    weiri_json_text(builder, "explored",
                    verdict->executions == 0 ? NULL
                        : verdict->partly    ? "partly"
                                             : "all");
}

/* ---- A class --------------------------------------------------------------------- */

static gint by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in a folder, sorted. Returns: (transfer full): or NULL with @error set */
static GPtrArray *names_in(const char *path, GError **error)
{
    g_autoptr(GDir) dir = g_dir_open(path, 0, error);
    GPtrArray *names = dir != NULL ? g_ptr_array_new_with_free_func(g_free) : NULL;
    const char *name;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        g_ptr_array_add(names, g_strdup(name));
    }
    if (names != NULL) {
        g_ptr_array_sort(names, by_name);
    }
    return names;
}

/* The results of a class while they come in. */
struct class
{
    struct weiri_exercise_judging *judging;
    const GPtrArray *exercises;
    JsonBuilder *results;  /* of the JSON; or NULL */
    GString *text;         /* or NULL */
    GPtrArray *ignored;    /* of char * */
    GArray *passed, *made; /* of guint, by student */
    bool undecided, rejected;
};

static void add_result(struct class *class, const char *student,
                       const struct weiri_exercise *exercise, const char *file,
                       const struct weiri_exercise_verdict *verdict)
{
    class->undecided |= verdict->undecided;
    class->rejected |= !verdict->passed && !verdict->undecided;
    if (class->text != NULL) {
        g_string_append_printf(
            class->text, "%s\t%s\t%s%s\n", student, exercise->name,
            verdict->passed          ? "passed"
                : verdict->undecided ? "undecided by "
                                     : "rejected by ",
            verdict->passed ? "" : weiri_exercise_judge_name(verdict->judge));
        return;
    }
    json_builder_begin_object(class->results);
    weiri_json_text(class->results, "student", student);
    weiri_json_text(class->results, "exercise", exercise->name);
    weiri_json_text(class->results, "file", file);
    weiri_exercise_json_verdict(class->results, verdict);
    json_builder_end_object(class->results);
}

/* The exercise that NAME.c answers, or NULL. */
static const struct weiri_exercise *exercise_of(const GPtrArray *exercises,
                                                const char *name)
{
    for (guint i = 0; i < exercises->len; i++) {
        const struct weiri_exercise *exercise = exercises->pdata[i];
        size_t length = strlen(exercise->name);
        if (strncmp(name, exercise->name, length) == 0
            && strcmp(name + length, ".c") == 0) {
            return exercise;
        }
    }
    return NULL;
}

static bool judge_student(struct class *class, const char *dir, const char *student,
                          GError **error)
{
    g_autofree char *folder = g_build_filename(dir, student, NULL);
    g_autoptr(GPtrArray) names = names_in(folder, error);
    guint passed = 0, made = 0;
    for (guint i = 0; names != NULL && i < names->len; i++) {
        const char *name = names->pdata[i];
        g_autofree char *file = g_build_filename(folder, name, NULL);
        const struct weiri_exercise *exercise = exercise_of(class->exercises, name);
        if (exercise == NULL) {
            g_ptr_array_add(class->ignored, g_steal_pointer(&file));
            continue;
        }
        g_autofree char *progress = g_strdup_printf("%s: %s", student, exercise->name);
        weiri_cli_progress(progress);
        struct weiri_exercise_verdict verdict;
        bool judged
            = weiri_exercise_judge(class->judging, exercise, file, &verdict, error);
        if (judged) {
            add_result(class, student, exercise, file, &verdict);
            passed += verdict.passed;
            made++;
        }
        weiri_exercise_verdict_clear(&verdict);
        if (!judged) {
            return false;
        }
    }
    g_array_append_val(class->passed, passed);
    g_array_append_val(class->made, made);
    return names != NULL;
}

static char *class_json(const struct class *class, const GPtrArray *students)
{
    JsonBuilder *builder = class->results;
    json_builder_end_array(builder);
    weiri_json_array(builder, "students");
    for (guint i = 0; i < students->len; i++) {
        json_builder_begin_object(builder);
        weiri_json_text(builder, "student", students->pdata[i]);
        weiri_json_int(builder, "passed", g_array_index(class->passed, guint, i));
        weiri_json_int(builder, "of", g_array_index(class->made, guint, i));
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
    weiri_json_array(builder, "ignored");
    for (guint i = 0; i < class->ignored->len; i++) {
        weiri_json_text(builder, NULL, class->ignored->pdata[i]);
    }
    json_builder_end_array(builder);
    json_builder_end_object(builder);
    return weiri_json_take(builder);
}

static char *class_text(const struct class *class, const GPtrArray *students)
{
    GString *out = g_string_new(NULL);
    struct weiri_cli_table *table = weiri_cli_table_new("lll");
    weiri_cli_table_add(table, "student\texercise\tresult");
    g_auto(GStrv) lines = g_strsplit(class->text->str, "\n", -1);
    for (size_t i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++) {
        weiri_cli_table_add(table, "%s", lines[i]);
    }
    weiri_cli_table_take_text(table, out);
    g_string_append_c(out, '\n');
    for (guint i = 0; i < students->len; i++) {
        g_string_append_printf(out, "%s: %u of %u passed\n",
                               (const char *)students->pdata[i],
                               g_array_index(class->passed, guint, i),
                               g_array_index(class->made, guint, i));
    }
    for (guint i = 0; i < class->ignored->len; i++) {
        g_string_append_printf(out, "%s: no answer to an exercise\n",
                               (const char *)class->ignored->pdata[i]);
    }
    return g_string_free(out, FALSE);
}

static void class_begin(struct class *class, bool json)
{
    if (!json) {
        class->text = g_string_new(NULL);
        return;
    }
    class->results = json_builder_new();
    json_builder_begin_object(class->results);
    weiri_json_text(class->results, "version", PACKAGE_VERSION);
    weiri_json_int(class->results, "seed", class->judging->seed);
    weiri_json_array(class->results, "results");
}

/* Leaves only folders in @names; what else is there is ignored. */
static void keep_folders(struct class *class, const char *dir, GPtrArray *names)
{
    for (guint i = names->len; i-- > 0;) {
        g_autofree char *path = g_build_filename(dir, names->pdata[i], NULL);
        if (!g_file_test(path, G_FILE_TEST_IS_DIR)) {
            g_ptr_array_insert(class->ignored, 0, g_steal_pointer(&path));
            g_ptr_array_remove_index(names, i);
        }
    }
}

int weiri_exercise_class(struct weiri_exercise_judging *judging,
                         const GPtrArray *exercises, const char *dir, bool json)
{
    GError *error = NULL;
    g_autoptr(GPtrArray) students = names_in(dir, &error);
    if (students == NULL) {
        return weiri_cli_take_error(error);
    }
    struct class class = {
        .judging = judging,
        .exercises = exercises,
        .ignored = g_ptr_array_new_with_free_func(g_free),
        .passed = g_array_new(FALSE, FALSE, sizeof(guint)),
        .made = g_array_new(FALSE, FALSE, sizeof(guint)),
    };
    class_begin(&class, json);
    keep_folders(&class, dir, students);
    for (guint i = 0; i < students->len && error == NULL; i++) {
        judge_student(&class, dir, students->pdata[i], &error);
    }
    weiri_cli_progress(NULL);
    int status = class.rejected ? WEIRI_CLI_FINDINGS
        : class.undecided       ? WEIRI_CLI_INCOMPLETE
                                : WEIRI_CLI_CLEAN;
    if (error != NULL) {
        g_clear_object(&class.results);
        status = weiri_cli_take_error(error);
    } else {
        status = weiri_cli_finish(
            json ? class_json(&class, students) : class_text(&class, students), status);
    }
    g_ptr_array_unref(class.ignored);
    g_array_unref(class.passed);
    g_array_unref(class.made);
    if (class.text != NULL) {
        g_string_free(class.text, TRUE);
    }
    return status;
}

/* ---- The exercises themselves ---------------------------------------------------- */

enum { LEAST_SOLUTIONS = 3, LEAST_MISSES = 5 };

/* The judge that the comment in the first line of a near miss names: "check: …". */
static char *named_judge(const char *file)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents(file, &text, NULL, NULL)) {
        return g_strdup("");
    }
    const char *start = g_str_has_prefix(text, "/* ") ? text + 3 : text;
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
    g_autofree char *wrong = g_build_filename(exercise->folder, "kernel.c", NULL);
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
