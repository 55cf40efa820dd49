/* SPDX-License-Identifier: MIT
 *
 * exercise-class.c: the answers of a class.
 *
 * `weir exercise check --all DIR --json` prints
 *
 *   version, seed   with which the same result is had again
 *   results         [{student, exercise, file, passed, undecided, judge, why, findings,
 *                   executions, explored}], by student and exercise
 *   students        [{student, passed, of}]: how many of their answers have passed;
 *                   with --set also missing, the exercises that were set and not
 *                   answered
 *   ignored         files that do not answer an exercise
 *
 * A process judges each different answer, as `weir exercise check NAME FILE` does; its
 * JSON is the result. The judge of an exercise is compiled once for all. It is handed
 * over in sealed memory, which no answer can change for those after it. */
#include "config.h"

#include "exercise/exercise.h"

#include "cli/child.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* An answer of a student. */
struct answer {
    guint student;
    const struct weiri_exercise *exercise;
    char *file;          /* owned */
    char *key;           /* equal ones have equal verdicts; owned */
    struct answer *same; /* the first with this key, unless it is this one */
    GPid pid;            /* of the process that judges it */
    char *output;        /* its file; owned, or NULL */
    char *text;          /* that file's text; owned, or NULL */
    JsonNode *verdict;   /* the same, or NULL; owned */
};

/* The results of a class while they come in. */
struct class
{
    const struct weiri_exercise_judging *judging;
    const GPtrArray *exercises;
    GPtrArray *students; /* of char * */
    GPtrArray *answers;  /* of struct answer *, by student and exercise */
    GPtrArray *ignored;  /* of char * */
    GPtrArray *meant;    /* for each of these an exercise, or NULL */
    char **set;          /* the exercises that count, or NULL: all that are answered */
    GHashTable *judges;  /* exercise to the path of its compiled judge, or to NULL */
    char *early;         /* the path of the header that is compiled early; or NULL */
    bool undecided, rejected;
};

static void free_answer(void *data)
{
    struct answer *answer = data;
    g_free(answer->file);
    g_free(answer->key);
    g_free(answer->output);
    g_free(answer->text);
    g_clear_pointer(&answer->verdict, json_node_unref);
    g_free(answer);
}

/* The exercise that NAME.c or NAME.cu answers, or NULL. */
static const struct weiri_exercise *exercise_of(const GPtrArray *exercises,
                                                const char *name)
{
    for (guint i = 0; i < exercises->len; i++) {
        const struct weiri_exercise *exercise = exercises->pdata[i];
        g_autofree char *file
            = g_strconcat(exercise->name, ".", exercise->ending, NULL);
        if (strcmp(name, file) == 0) {
            return exercise;
        }
    }
    return NULL;
}

/* The exercise whose name a file's name resembles: "Relaxed_Flag (1).c". */
static const struct weiri_exercise *meant_by(const GPtrArray *exercises,
                                             const char *path)
{
    g_autofree char *base = g_path_get_basename(path);
    g_autofree char *name = g_ascii_strdown(base, -1);
    char *end = strrchr(name, '.');
    if (end == NULL || g_file_test(path, G_FILE_TEST_IS_DIR)) {
        return NULL;
    }
    *end = '\0';
    g_strdelimit(name, "_ ", '-');
    const struct weiri_exercise *nearest = NULL;
    size_t least = SIZE_MAX;
    for (guint i = 0; i < exercises->len; i++) {
        const struct weiri_exercise *exercise = exercises->pdata[i];
        size_t distance = g_str_has_prefix(name, exercise->name)
            ? 0
            : weiri_cli_distance(name, exercise->name);
        if (distance < least && distance <= MAX(strlen(name) / 4, 1)) {
            least = distance;
            nearest = exercise;
        }
    }
    return nearest;
}

static void ignore(struct class *class, guint at, char *path)
{
    const struct weiri_exercise *meant = meant_by(class->exercises, path);
    g_ptr_array_insert(class->ignored, (gint)at, path);
    g_ptr_array_insert(class->meant, (gint)at, (gpointer)meant);
}

/* The text without comments that have lines of their own, such as a name and a date,
 * but with their ends of lines: what a report says of a line stays the same. All is
 * left from a line on that the next one continues, or that begins a comment alone.
 * Returns: (transfer full) */
static char *without_comments(const char *text)
{
    GString *left = g_string_new(NULL);
    while (*text != '\0') {
        const char *begin = text + strspn(text, " \t"),
                   *end = text + strcspn(text, "\n");
        const char *close = g_str_has_prefix(begin, "/*") ? strstr(begin + 2, "*/")
            : g_str_has_prefix(begin, "//")               ? end
                                                          : NULL;
        if (close != NULL && close != end) {
            close += 2 + strspn(close + 2, " \t\r");
            close = *close == '\n' || *close == '\0' ? close : NULL;
        }
        end = close != NULL ? close : end;
        g_autofree char *line = g_strndup(text, (gsize)(end - text));
        const char *last = g_strrstr(line, "/*");
        if (g_str_has_suffix(line, "\\")
            || (close == NULL && last != NULL && strstr(last, "*/") == NULL)) {
            break;
        }
        for (const char *at = line; *at != '\0'; at++) {
            if (close == NULL || *at == '\n') {
                g_string_append_c(left, *at);
            }
        }
        if (*end == '\n') {
            g_string_append_c(left, '\n');
            end++;
        }
        text = end;
    }
    g_string_append(left, text);
    return g_string_free(left, FALSE);
}

/* A text that includes a file of its own, or names itself, is like no other. */
static char *key_of(const struct answer *answer)
{
    g_autofree char *text = NULL;
    gsize bytes = 0;
    g_autofree char *own = g_strdup_printf("#include \"%s.h\"", answer->exercise->name);
    if (!g_file_get_contents(answer->file, &text, &bytes, NULL)
        || strlen(text) != bytes) {
        return g_strdup(answer->file);
    }
    for (const char *at = text; (at = strstr(at, "include")) != NULL; at++) {
        const char *rest = at + strlen("include");
        rest += strspn(rest, " \t");
        if (*rest == '<' && strchr(rest, '>') != NULL) {
            continue;
        }
        if (at == text || !g_str_has_prefix(at - 1, own)) {
            return g_strdup(answer->file);
        }
    }
    g_autofree char *code = without_comments(text);
    return strstr(code, "__") == NULL
        ? g_strconcat(answer->exercise->name, "\n", code, NULL)
        : g_strdup(answer->file);
}

static bool collect_student(struct class *class, const char *dir, guint student,
                            GHashTable *first, GError **error)
{
    g_autofree char *folder
        = g_build_filename(dir, class->students->pdata[student], NULL);
    g_autoptr(GPtrArray) names = names_in(folder, error);
    for (guint i = 0; names != NULL && i < names->len; i++) {
        g_autofree char *file = g_build_filename(folder, names->pdata[i], NULL);
        const struct weiri_exercise *exercise
            = exercise_of(class->exercises, names->pdata[i]);
        if (exercise == NULL) {
            ignore(class, class->ignored->len, g_steal_pointer(&file));
            continue;
        }
        struct answer *answer = g_new0(struct answer, 1);
        answer->student = student;
        answer->exercise = exercise;
        answer->file = g_steal_pointer(&file);
        answer->key = key_of(answer);
        answer->same = g_hash_table_lookup(first, answer->key);
        if (answer->same == NULL) {
            g_hash_table_insert(first, answer->key, answer);
        }
        g_ptr_array_add(class->answers, answer);
    }
    return names != NULL;
}

/* ---- Processes ------------------------------------------------------------------- */

/* A file of these bytes that nothing can change, alive as long as this process.
 * Returns: (transfer full): its path, or NULL */
static char *sealed(GBytes *bytes)
{
    gsize n = 0;
    const char *at = bytes != NULL ? g_bytes_get_data(bytes, &n) : NULL;
    int file = at != NULL ? memfd_create("judge", MFD_CLOEXEC | MFD_ALLOW_SEALING) : -1;
    if (file < 0) {
        return NULL;
    }
    if (write(file, at, n) != (ssize_t)n
        || fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW) != 0) {
        close(file);
        return NULL;
    }
    return g_strdup_printf("/proc/%d/fd/%d", (int)getpid(), file);
}

/* The compiled judge of an exercise. Returns: (transfer none): or NULL, where the
 * process of an answer compiles it and says why that fails */
static const char *judge_of(const struct class *class,
                            const struct weiri_exercise *exercise)
{
    gpointer path = NULL;
    if (!g_hash_table_lookup_extended(class->judges, exercise, NULL, &path)) {
        struct weiri_exercise_judging judging = *class->judging;
        GBytes *object = weiri_exercise_compile_judge(&judging, exercise);
        path = sealed(object);
        g_clear_pointer(&object, g_bytes_unref);
        g_hash_table_insert(class->judges, (gpointer)exercise, path);
    }
    return path;
}

/* Starts `weir exercise check` for one answer, with its output in a file. */
static bool start(const struct class *class, struct answer *answer, guint number,
                  GError **error)
{
    const char *folder = weiri_cli_folder(error);
    char seconds[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_dtostr(seconds, sizeof(seconds), class->judging->seconds);
    g_autofree char *own = weiri_cli_tool("weir");
    g_autofree char *seed = g_strdup_printf("%" G_GUINT64_FORMAT, class->judging->seed);
    const char *argv[] = { own,
                           "exercise",
                           "check",
                           "--json",
                           "--seed",
                           seed,
                           "--time-limit",
                           seconds,
                           answer->exercise->name,
                           answer->file,
                           NULL };
    if (folder == NULL) {
        return false;
    }
    answer->output = g_strdup_printf("%s/answer-%u", folder, number);
    int file = open(answer->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_RESOURCE, "%s: %s", answer->output,
                    g_strerror(errno));
        return false;
    }
    const char *judge = judge_of(class, answer->exercise);
    g_auto(GStrv) environment = g_get_environ();
    if (judge != NULL) {
        environment
            = g_environ_setenv(environment, WEIRI_EXERCISE_COMPILED, judge, TRUE);
    }
    if (class->early != NULL) {
        environment
            = g_environ_setenv(environment, WEIRI_EXERCISE_EARLY, class->early, TRUE);
    }
    bool started = g_spawn_async_with_fds(NULL, (char **)argv, environment,
                                          G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL,
                                          &answer->pid, -1, file, -1, error);
    close(file);
    return started;
}

/* Returns: whether the answer has a verdict; where not, its process has said why */
static bool finish(struct answer *answer)
{
    int status = 0;
    while (waitpid(answer->pid, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) && WEXITSTATUS(status) != WEIRI_CLI_USAGE
        && g_file_get_contents(answer->output, &answer->text, NULL, NULL);
}

/* Compiles the header that all answers in C include, if enough answers use it. No
 * answer runs yet. */
static void prepare(struct class *class)
{
    enum { LEAST_ANSWERS = 4 };
    guint n = 0;
    for (guint i = 0; i < class->answers->len; i++) {
        const struct answer *answer = class->answers->pdata[i];
        n += answer->same == NULL && !weiri_exercise_is_cuda(answer->exercise);
    }
    if (n >= LEAST_ANSWERS) {
        struct weiri_exercise_judging judging = *class->judging;
        GBytes *header = weiri_exercise_compile_early(&judging);
        class->early = sealed(header);
        g_clear_pointer(&header, g_bytes_unref);
    }
}

/* Judges each different answer once, in as many processes at a time as there are jobs.
 * Returns: false with @error set, or where a process has said why */
static bool judge_all(struct class *class, guint n_jobs, GError **error)
{
    bool judged = true;
    guint next = 0, running = 0;
    prepare(class);
    for (guint i = 0; i < class->answers->len; i++) {
        struct answer *answer = class->answers->pdata[i];
        for (; judged && next < class->answers->len && running < n_jobs; next++) {
            struct answer *begun = class->answers->pdata[next];
            if (begun->same == NULL) {
                judged = start(class, begun, next, error);
                running += judged;
            }
        }
        if (answer->same == NULL && answer->pid != 0) {
            g_autofree char *progress = g_strdup_printf(
                "%s: %s", (char *)class->students->pdata[answer->student],
                answer->exercise->name);
            weiri_cli_progress(progress);
            judged = finish(answer) && judged;
            running--;
        } else if (judged) { /* its findings are on lines of its own file */
            GString *text = g_string_new(answer->same->text);
            g_string_replace(text, answer->same->file, answer->file, 0);
            answer->text = g_string_free(text, FALSE);
        }
    }
    for (guint i = 0; judged && i < class->answers->len; i++) {
        struct answer *answer = class->answers->pdata[i];
        answer->verdict = json_from_string(answer->text, error);
        judged = answer->verdict != NULL;
        if (judged) {
            JsonObject *it = json_node_get_object(answer->verdict);
            bool undecided = json_object_get_boolean_member(it, "undecided");
            class->undecided |= undecided;
            class->rejected
                |= !undecided && !json_object_get_boolean_member(it, "passed");
        }
    }
    weiri_cli_progress(NULL);
    return judged;
}

/* ---- Results --------------------------------------------------------------------- */

static bool has_passed(const struct answer *answer)
{
    return json_object_get_boolean_member(json_node_get_object(answer->verdict),
                                          "passed");
}

/* Counts what @student has answered. Returns: (transfer full): the exercises that were
 * set and are missing */
static GPtrArray *count(const struct class *class, guint student, guint *passed,
                        guint *of)
{
    GPtrArray *missing = g_ptr_array_new();
    for (size_t k = 0; class->set != NULL && class->set[k] != NULL; k++) {
        g_ptr_array_add(missing, class->set[k]);
    }
    *passed = 0;
    *of = missing->len;
    for (guint i = 0; i < class->answers->len; i++) {
        const struct answer *answer = class->answers->pdata[i];
        guint at;
        bool counts = answer->student == student
            && (class->set == NULL
                || g_ptr_array_find_with_equal_func(missing, answer->exercise->name,
                                                    g_str_equal, &at));
        *passed += counts && has_passed(answer);
        *of += counts && class->set == NULL;
        if (counts && class->set != NULL) {
            g_ptr_array_remove_index(missing, at);
        }
    }
    return missing;
}

static void add_result(JsonBuilder *builder, const struct class *class,
                       const struct answer *answer)
{
    JsonObject *it = json_node_get_object(answer->verdict);
    g_autoptr(GList) members = json_object_get_members(it);
    json_builder_begin_object(builder);
    weiri_json_text(builder, "student", class->students->pdata[answer->student]);
    for (GList *member = members; member != NULL; member = member->next) {
        if (strcmp(member->data, "seed") != 0) {
            json_builder_set_member_name(builder, member->data);
            json_builder_add_value(builder, json_object_dup_member(it, member->data));
        }
    }
    json_builder_end_object(builder);
}

static char *class_json(const struct class *class)
{
    JsonBuilder *builder = json_builder_new();
    json_builder_begin_object(builder);
    weiri_json_text(builder, "version", PACKAGE_VERSION);
    weiri_json_int(builder, "seed", class->judging->seed);
    weiri_json_array(builder, "results");
    for (guint i = 0; i < class->answers->len; i++) {
        add_result(builder, class, class->answers->pdata[i]);
    }
    json_builder_end_array(builder);
    weiri_json_array(builder, "students");
    for (guint i = 0; i < class->students->len; i++) {
        guint passed, of;
        g_autoptr(GPtrArray) missing = count(class, i, &passed, &of);
        json_builder_begin_object(builder);
        weiri_json_text(builder, "student", class->students->pdata[i]);
        weiri_json_int(builder, "passed", passed);
        weiri_json_int(builder, "of", of);
        if (class->set != NULL) {
            weiri_json_array(builder, "missing");
            for (guint k = 0; k < missing->len; k++) {
                weiri_json_text(builder, NULL, missing->pdata[k]);
            }
            json_builder_end_array(builder);
        }
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

static char *class_text(const struct class *class)
{
    GString *out = g_string_new(NULL);
    struct weiri_cli_table *table = weiri_cli_table_new("lll");
    weiri_cli_table_add(table, "student\texercise\tresult");
    for (guint i = 0; i < class->answers->len; i++) {
        const struct answer *answer = class->answers->pdata[i];
        JsonObject *it = json_node_get_object(answer->verdict);
        const char *judge = weiri_exercise_member(it, "judge");
        weiri_cli_table_add(
            table, "%s\t%s\t%s%s", (char *)class->students->pdata[answer->student],
            answer->exercise->name,
            judge == NULL                                         ? "passed"
                : json_object_get_boolean_member(it, "undecided") ? "undecided by "
                                                                  : "rejected by ",
            judge != NULL ? judge : "");
    }
    weiri_cli_table_take_text(table, out);
    g_string_append_c(out, '\n');
    for (guint i = 0; i < class->students->len; i++) {
        guint passed, of;
        g_autoptr(GPtrArray) missing = count(class, i, &passed, &of);
        g_string_append_printf(out, "%s: %u of %u passed",
                               (char *)class->students->pdata[i], passed, of);
        for (guint k = 0; k < missing->len; k++) {
            g_string_append_printf(out, "%s%s", k == 0 ? "; missing: " : ", ",
                                   (char *)missing->pdata[k]);
        }
        g_string_append_c(out, '\n');
    }
    for (guint i = 0; i < class->ignored->len; i++) {
        const struct weiri_exercise *meant = class->meant->pdata[i];
        g_string_append_printf(
            out, "%s: no answer to an exercise%s%s%s%s\n",
            (char *)class->ignored->pdata[i], meant != NULL ? "; for one it is " : "",
            meant != NULL ? meant->name : "", meant != NULL ? "." : "",
            meant != NULL ? meant->ending : "");
    }
    return g_string_free(out, FALSE);
}

/* Leaves only folders in @names; everything else there is ignored. */
static void keep_folders(struct class *class, const char *dir, GPtrArray *names)
{
    for (guint i = names->len; i-- > 0;) {
        g_autofree char *path = g_build_filename(dir, names->pdata[i], NULL);
        if (!g_file_test(path, G_FILE_TEST_IS_DIR)) {
            ignore(class, 0, g_steal_pointer(&path));
            g_ptr_array_remove_index(names, i);
        }
    }
}

static bool lacks_some(const struct class *class)
{
    bool lacks = false;
    for (guint i = 0; i < class->students->len; i++) {
        guint passed, of;
        g_autoptr(GPtrArray) missing = count(class, i, &passed, &of);
        lacks |= missing->len > 0;
    }
    return lacks;
}

int weiri_exercise_class(const struct weiri_exercise_judging *judging,
                         const GPtrArray *exercises, const char *dir, char **set,
                         guint n_jobs, bool json)
{
    GError *error = NULL;
    struct class class = {
        .judging = judging,
        .exercises = exercises,
        .students = names_in(dir, &error),
        .answers = g_ptr_array_new_with_free_func(free_answer),
        .ignored = g_ptr_array_new_with_free_func(g_free),
        .meant = g_ptr_array_new(),
        .judges = g_hash_table_new_full(NULL, NULL, NULL, g_free),
        .set = set,
    };
    g_autoptr(GHashTable) first = g_hash_table_new(g_str_hash, g_str_equal);
    int status = WEIRI_CLI_USAGE;
    if (error == NULL) {
        keep_folders(&class, dir, class.students);
    }
    for (guint i = 0; error == NULL && i < class.students->len; i++) {
        collect_student(&class, dir, i, first, &error);
    }
    if (error == NULL && judge_all(&class, n_jobs, &error)) {
        status = class.rejected || lacks_some(&class) ? WEIRI_CLI_FINDINGS
            : class.undecided                         ? WEIRI_CLI_INCOMPLETE
                                                      : WEIRI_CLI_CLEAN;
        status
            = weiri_cli_finish(json ? class_json(&class) : class_text(&class), status);
    } else if (error != NULL) {
        status = weiri_cli_take_error(error);
    }
    g_clear_pointer(&class.students, g_ptr_array_unref);
    g_ptr_array_unref(class.answers);
    g_ptr_array_unref(class.ignored);
    g_ptr_array_unref(class.meant);
    g_hash_table_unref(class.judges);
    g_free(class.early);
    return status;
}
