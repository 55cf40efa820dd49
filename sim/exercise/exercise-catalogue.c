/* SPDX-License-Identifier: MIT
 *
 * exercise-catalogue.c: reads the exercises: a folder each, whose exercise.ini is a key
 * file.
 *
 * Invariants: an exercise that is loaded has every key that is required, and no key or
 * group that is unknown; so a misspelt key is an error and not a default. */
#include "config.h"

#include "exercise/exercise.h"

#include <string.h>

enum { DEFAULT_RUNS = 8, DEFAULT_EXECUTIONS = 20000 };

/* The keys that exercise.ini may have, by group; those with ! must be there. */
static const struct {
    const char *group;
    const char *keys;
} known[] = {
    { "exercise",
      "title! idea! kinds! difficulty! source! task! lesson! kernels! wrong-by!" },
    { "check", "sizes! runs options" },
    { "explore", "sizes options max-executions" },
    { "answer", "sizes!" },
    { "rules", "busiest least-busy most-atomics most-barriers" },
};

static void exercise_free(gpointer data)
{
    struct weiri_exercise *exercise = data;
    struct weiri_exercise_sizes *of_judges[]
        = { &exercise->check, &exercise->explore, &exercise->answer };
    for (size_t i = 0; i < G_N_ELEMENTS(of_judges); i++) {
        g_strfreev(of_judges[i]->sizes);
        g_strfreev(of_judges[i]->options);
    }
    char *texts[]
        = { exercise->name, exercise->folder, exercise->title,  exercise->idea,
            exercise->task, exercise->lesson, exercise->source, exercise->wrong_by };
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_free(texts[i]);
    }
    g_strfreev(exercise->kinds);
    g_strfreev(exercise->kernels);
    g_strfreev(exercise->hints);
    g_clear_pointer(&exercise->file, g_key_file_free);
    g_free(exercise);
}

/* The folder of all exercises. Returns: (transfer full): or %NULL with @error set */
static char *exercises_folder(GError **error)
{
    const char *asked = g_getenv("WEIR_EXERCISE_DIR");
    const char *headers = g_getenv("WEIR_INCLUDE_DIR");
    g_autofree char *beside
        = headers != NULL ? g_build_filename(headers, "..", "exercises", NULL) : NULL;
    const char *folders[] = { asked, asked == NULL ? beside : NULL,
                              asked == NULL ? WEIRI_EXERCISES : NULL };
    for (size_t i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *header
            = folders[i] != NULL ? g_build_filename(folders[i], "judge.h", NULL) : NULL;
        if (header != NULL && g_file_test(header, G_FILE_TEST_IS_REGULAR)) {
            return g_canonicalize_filename(folders[i], NULL);
        }
    }
    g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT,
                "%s has no exercises: set WEIR_EXERCISE_DIR to their folder",
                asked != NULL ? asked : WEIRI_EXERCISES);
    return NULL;
}

/* ---- Keys ------------------------------------------------------------------------ */

/* Whether a list of keys has @key, with or without the mark. */
static bool is_listed(const char *keys, const char *key)
{
    g_auto(GStrv) words = g_strsplit(keys, " ", -1);
    for (size_t i = 0; words[i] != NULL; i++) {
        size_t length = strcspn(words[i], "!");
        if (strlen(key) == length && strncmp(words[i], key, length) == 0) {
            return true;
        }
    }
    return false;
}

/* A hint is a key 1, 2, ...; "after-check" is the number of one. */
static bool is_key_of_hints(const char *key)
{
    return strspn(key, "0123456789") == strlen(key) || g_str_has_prefix(key, "after-");
}

static const char *keys_of(const char *group)
{
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
        if (strcmp(known[i].group, group) == 0) {
            return known[i].keys;
        }
    }
    return NULL;
}

static bool has_known_keys(GKeyFile *file, const char *path, GError **error)
{
    g_auto(GStrv) groups = g_key_file_get_groups(file, NULL);
    for (size_t i = 0; groups[i] != NULL; i++) {
        g_auto(GStrv) keys = g_key_file_get_keys(file, groups[i], NULL, NULL);
        bool of_hints = strcmp(groups[i], "hints") == 0;
        const char *listed = keys_of(groups[i]);
        for (size_t k = 0; keys != NULL && keys[k] != NULL; k++) {
            if (of_hints ? !is_key_of_hints(keys[k])
                         : listed == NULL || !is_listed(listed, keys[k])) {
                g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT,
                            "%s: unknown key '%s' in [%s]", path, keys[k], groups[i]);
                return false;
            }
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
        g_auto(GStrv) keys = g_strsplit(known[i].keys, " ", -1);
        for (size_t k = 0; keys[k] != NULL; k++) {
            g_autofree char *key = g_strndup(keys[k], strcspn(keys[k], "!"));
            if (g_str_has_suffix(keys[k], "!")
                && !g_key_file_has_key(file, known[i].group, key, NULL)) {
                g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT,
                            "%s: [%s] lacks the key '%s'", path, known[i].group, key);
                return false;
            }
        }
    }
    return true;
}

static char *text_of(GKeyFile *file, const char *key)
{
    char *text = g_key_file_get_string(file, "exercise", key, NULL);
    return text != NULL ? g_strstrip(text) : g_strdup("");
}

static char **words_of(GKeyFile *file, const char *group, const char *key)
{
    g_autofree char *text = g_key_file_get_string(file, group, key, NULL);
    char **words = NULL;
    if (text == NULL || !g_shell_parse_argv(text, NULL, &words, NULL)) {
        words = g_new0(char *, 1);
    }
    return words;
}

static double limit_of(GKeyFile *file, const char *key)
{
    return g_key_file_has_key(file, "rules", key, NULL)
        ? g_key_file_get_double(file, "rules", key, NULL)
        : -1;
}

static int number_of(GKeyFile *file, const char *group, const char *key, int otherwise)
{
    return g_key_file_has_key(file, group, key, NULL)
        ? g_key_file_get_integer(file, group, key, NULL)
        : otherwise;
}

static char **hints_of(GKeyFile *file)
{
    GPtrArray *hints = g_ptr_array_new();
    for (guint number = 1;; number++) {
        g_autofree char *key = g_strdup_printf("%u", number);
        char *hint = g_key_file_get_string(file, "hints", key, NULL);
        g_ptr_array_add(hints, hint);
        if (hint == NULL) {
            return (char **)g_ptr_array_free(hints, FALSE);
        }
    }
}

static struct weiri_exercise_sizes sizes_of(GKeyFile *file, const char *judge)
{
    return (struct weiri_exercise_sizes){ .sizes = words_of(file, judge, "sizes"),
                                          .options = words_of(file, judge, "options") };
}

/* ---- Exercises ------------------------------------------------------------------- */

/* Returns: (transfer full): or NULL with @error set; or NULL alone, where the folder is
 * not one of an exercise */
static struct weiri_exercise *load(const char *parent, const char *name, GError **error)
{
    g_autofree char *folder = g_build_filename(parent, name, NULL);
    g_autofree char *path = g_build_filename(folder, "exercise.ini", NULL);
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        return NULL;
    }
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autoptr(GError) reason = NULL;
    if (!g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, &reason)) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT, "%s: %s", path,
                    reason->message);
        return NULL;
    }
    if (!has_known_keys(file, path, error)) {
        return NULL;
    }
    struct weiri_exercise *exercise = g_new0(struct weiri_exercise, 1);
    g_autofree char *cuda = g_build_filename(folder, "kernel.cu", NULL);
    exercise->name = g_strdup(name);
    exercise->ending = g_file_test(cuda, G_FILE_TEST_EXISTS) ? "cu" : "c";
    exercise->folder = g_steal_pointer(&folder);
    exercise->title = text_of(file, "title");
    exercise->idea = text_of(file, "idea");
    exercise->task = text_of(file, "task");
    exercise->lesson = text_of(file, "lesson");
    exercise->source = text_of(file, "source");
    exercise->wrong_by = text_of(file, "wrong-by");
    exercise->kinds = words_of(file, "exercise", "kinds");
    exercise->kernels = words_of(file, "exercise", "kernels");
    exercise->hints = hints_of(file);
    exercise->difficulty = number_of(file, "exercise", "difficulty", 1);
    exercise->runs = number_of(file, "check", "runs", DEFAULT_RUNS);
    exercise->most_executions
        = number_of(file, "explore", "max-executions", DEFAULT_EXECUTIONS);
    exercise->check = sizes_of(file, "check");
    exercise->explore = sizes_of(file, "explore");
    exercise->answer = sizes_of(file, "answer");
    exercise->rules = (struct weiri_exercise_rules){
        .busiest = limit_of(file, "busiest"),
        .least_busy = limit_of(file, "least-busy"),
        .most_atomics = limit_of(file, "most-atomics"),
        .most_barriers = limit_of(file, "most-barriers"),
    };
    exercise->file = g_steal_pointer(&file);
    return exercise;
}

static gint by_difficulty(gconstpointer a, gconstpointer b)
{
    const struct weiri_exercise *one = *(struct weiri_exercise *const *)a;
    const struct weiri_exercise *other = *(struct weiri_exercise *const *)b;
    return one->difficulty != other->difficulty ? one->difficulty - other->difficulty
                                                : strcmp(one->name, other->name);
}

GPtrArray *weiri_exercises_load(GError **error)
{
    g_autofree char *folder = exercises_folder(error);
    g_autoptr(GPtrArray) exercises = g_ptr_array_new_with_free_func(exercise_free);
    g_autoptr(GDir) dir = folder != NULL ? g_dir_open(folder, 0, error) : NULL;
    const char *name;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        g_autoptr(GError) reason = NULL;
        struct weiri_exercise *exercise = load(folder, name, &reason);
        if (reason != NULL) {
            g_propagate_error(error, g_steal_pointer(&reason));
            return NULL;
        }
        if (exercise != NULL) {
            g_ptr_array_add(exercises, exercise);
        }
    }
    if (dir == NULL) {
        return NULL;
    }
    g_ptr_array_sort(exercises, by_difficulty);
    return g_steal_pointer(&exercises);
}

const struct weiri_exercise *weiri_exercise_find(const GPtrArray *exercises,
                                                 const char *name)
{
    const struct weiri_exercise *nearest = NULL;
    size_t least = MAX(strlen(name) / 2, 3);
    for (guint i = 0; i < exercises->len; i++) {
        const struct weiri_exercise *exercise = exercises->pdata[i];
        size_t distance = weiri_cli_distance(name, exercise->name);
        if (distance == 0) {
            return exercise;
        }
        nearest = distance < least ? exercise : nearest;
        least = MIN(distance, least);
    }
    weiri_cli_complain("unknown exercise '%s': %s%s%s'weir exercise list' shows all",
                       name, nearest != NULL ? "did you mean '" : "",
                       nearest != NULL ? nearest->name : "",
                       nearest != NULL ? "'? " : "");
    return NULL;
}

bool weiri_exercise_is_cuda(const struct weiri_exercise *exercise)
{
    return strcmp(exercise->ending, "cu") == 0;
}

bool weiri_exercise_is_of(const struct weiri_exercise *exercise, const char *kind)
{
    return g_strv_contains((const char *const *)exercise->kinds, kind);
}

static gint by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

GPtrArray *weiri_exercise_files(const struct weiri_exercise *exercise,
                                const char *which)
{
    GPtrArray *files = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *folder = g_build_filename(exercise->folder, which, NULL);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    g_autofree char *ending = g_strconcat(".", exercise->ending, NULL);
    const char *name;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        if (g_str_has_suffix(name, ending)) {
            g_ptr_array_add(files, g_build_filename(folder, name, NULL));
        }
    }
    g_ptr_array_sort(files, by_name);
    return files;
}

guint weiri_exercise_next_hint(const struct weiri_exercise *exercise, const char *judge)
{
    g_autofree char *key = g_strconcat("after-", judge, NULL);
    guint n = g_strv_length(exercise->hints);
    int number = number_of(exercise->file, "hints", key, 1);
    return number < 1 ? 0 : MIN((guint)number, n);
}
