/* SPDX-License-Identifier: MIT
 *
 * build-again.c: weiri_build_again() of build.h:
 *
 *   changed unit of -c   its record again, from the copy to an object in the folder
 *   link                 its record again, with the words of changed sources and
 *                        objects replaced; an object that came from an archive goes
 *                        before the first archive, so that the archive's is not taken
 *
 * Words that would make the compiler write other files than its output are left out. */
#include "config.h"

#include "repair/build.h"

#include "repair/build-units.h"
#include "repair/command.h"
#include "weir.h"

#include <errno.h>
#include <string.h>

/* ---- The words of a command ------------------------------------------------------ */

/* One build: what it changes, and where it goes. */
struct job {
    const struct weiri_build *build;
    const char *folder;
    const char **texts; /* of units; NULL where they have not changed */
    char **objects;     /* of units; NULL where the object is not a new one */
    int64_t deadline_us;
};

/* How many words begin here that have the compiler write another file. */
static size_t other_output(const char *word)
{
    static const char *const pairs[]
        = { "-MF", "-MT", "-MQ", "-MJ", "-aux-info", "-dumpdir", "-dumpbase" };
    static const char *const beginnings[]
        = { "-MD",     "-MMD",         "-MP",          "-MG",
            "-MF",     "-MT",          "-MQ",          "-MJ",
            "-Wp,-M",  "-save-temps",  "--save-temps", "-fopt-info",
            "-fdump-", "-ftime-trace", "-Wa,-a",       "-Wl,-Map" };
    for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
        if (strcmp(word, pairs[i]) == 0) {
            return 2;
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(beginnings); i++) {
        if (g_str_has_prefix(word, beginnings[i])) {
            return 1;
        }
    }
    return 0;
}

static GPtrArray *new_words(const struct job *job,
                            const struct weiri_build_record *record)
{
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(words, g_strdup(record->command));
    g_ptr_array_add(words, g_strdup("--no-record"));
    g_ptr_array_add(words, g_strdup_printf("--objects=%s", job->folder));
    return words;
}

static const char *name_of(const struct weiri_build_unit *unit)
{
    return unit->record->arguments[unit->place - 1];
}

/* The copy of a unit's source; the ending tells its language. */
static char *copy_path(const struct job *job, const struct weiri_build_unit *unit)
{
    size_t number = (size_t)(unit - weiri_build_unit_at(job->build, 0)) + 1;
    const char *ending = strrchr(name_of(unit), '.');
    return g_strdup_printf("%s/build-%zu%s", job->folder, number,
                           ending != NULL ? ending : "");
}

/* The flags with which a copy is compiled like the original: quoted includes begin in
 * the original's folder, and debug information names the original. */
static void add_copy_flags(const struct job *job, const struct weiri_build_unit *unit,
                           GPtrArray *words)
{
    const char *name = name_of(unit);
    g_autofree char *copy = copy_path(job, unit);
    g_ptr_array_add(words, g_strdup("-iquote"));
    g_ptr_array_add(words, g_path_get_dirname(name));
    if (strchr(name, '/') == NULL) {
        g_ptr_array_add(words, g_strdup("--here"));
    }
    if (strchr(name, '=') == NULL && strchr(copy, '=') == NULL) {
        g_ptr_array_add(words, g_strdup_printf("-fdebug-prefix-map=%s=%s", copy, name));
    }
}

/* The new object that takes the place of a word of the link, or NULL. */
static const char *new_object(const struct job *job, const char *word)
{
    g_autofree char *meant
        = weiri_build_resolve(word, weiri_build_link(job->build)->folder);
    for (guint i = 0; i < job->build->units->len; i++) {
        const struct weiri_build_record *record
            = weiri_build_unit_at(job->build, i)->record;
        if (job->objects[i] == NULL) {
            continue;
        }
        g_autofree char *object = weiri_build_resolve(record->output, record->folder);
        if (strcmp(object, meant) == 0) {
            return job->objects[i];
        }
    }
    return NULL;
}

/* The word of a record at @place in this build. Returns: (transfer full) */
static char *word_at(const struct job *job, const struct weiri_build_record *record,
                     size_t place, const char *output)
{
    const char *word = record->arguments[place - 1];
    if (place == record->output_place) {
        bool joined = place < 2 || strcmp(record->arguments[place - 2], "-o") != 0;
        return g_strconcat(joined ? "-o" : "", output, NULL);
    }
    for (guint i = 0; i < job->build->units->len; i++) {
        const struct weiri_build_unit *unit = weiri_build_unit_at(job->build, i);
        if (unit->record == record && unit->place == place) {
            return job->texts[i] != NULL ? copy_path(job, unit) : g_strdup(word);
        }
    }
    const char *object = word[0] != '-' && record == weiri_build_link(job->build)
        ? new_object(job, word)
        : NULL;
    return g_strdup(object != NULL ? object : word);
}

/* Adds the words of a record, with @output as what it makes. */
static void add_words(const struct job *job, const struct weiri_build_record *record,
                      const char *output, GPtrArray *words)
{
    for (guint i = 0; i < job->build->units->len; i++) {
        const struct weiri_build_unit *unit = weiri_build_unit_at(job->build, i);
        if (unit->record == record && job->texts[i] != NULL) {
            add_copy_flags(job, unit, words);
        }
    }
    if (record->output_place == 0) {
        g_ptr_array_add(words, g_strdup("-o"));
        g_ptr_array_add(words, g_strdup(output));
    }
    for (size_t place = 1; place <= record->n_arguments;) {
        size_t left_out = other_output(record->arguments[place - 1]);
        if (left_out == 0) {
            g_ptr_array_add(words, word_at(job, record, place, output));
        }
        place += MAX(left_out, 1);
    }
}

/* ---- The build ------------------------------------------------------------------- */

static bool fail(const struct job *job, const char *reason, GError **error)
{
    g_set_error(error, WEIR_ERROR, WEIR_ERROR_RESOURCE, "cannot build '%s' again: %s",
                job->build->program, reason);
    return false;
}

/* Runs a command of this build; takes @words. */
static bool run(const struct job *job, const struct weiri_build_record *record,
                GPtrArray *words, GError **error)
{
    g_ptr_array_add(words, NULL);
    struct weiri_command command = { .record = record,
                                     .words = (char **)words->pdata,
                                     .temporary = job->folder,
                                     .deadline_us = job->deadline_us };
    g_autofree char *why = weiri_command_run(&command);
    g_ptr_array_unref(words);
    return why == NULL || fail(job, why, error);
}

/* Texts of the units that changed. */
static bool find_changed(struct job *job, const struct weiri_build_change *files,
                         size_t n, GError **error)
{
    for (size_t i = 0; i < n; i++) {
        const char *path = weiri_build_source(job->build, files[i].path);
        if (path == NULL) {
            g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                        "'%s' is not one of the files that weir-cc compiled for '%s'",
                        files[i].path, job->build->program);
            return false;
        }
        for (guint k = 0; k < job->build->units->len; k++) {
            if (strcmp(weiri_build_unit_at(job->build, k)->path, path) == 0) {
                job->texts[k] = files[i].text;
            }
        }
    }
    return true;
}

/* "#line" takes a string literal. */
static void append_quoted(GString *text, const char *name)
{
    g_string_append_c(text, '"');
    for (; *name != '\0'; name++) {
        if (*name == '\n') {
            g_string_append(text, "\\n");
        } else {
            g_string_append_printf(text, *name == '"' || *name == '\\' ? "\\%c" : "%c",
                                   *name);
        }
    }
    g_string_append_c(text, '"');
}

static bool write_copy(const struct job *job, const struct weiri_build_unit *unit,
                       const char *text, GError **error)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    g_autofree char *path = copy_path(job, unit);
    g_autoptr(GError) reason = NULL;
    GString *copy = g_string_new("#line 1 ");
    append_quoted(copy, name_of(unit));
    g_string_append_c(copy, '\n');
    /* A mark is one at the beginning of a file only. */
    g_string_append(copy, g_str_has_prefix(text, byte_order_mark) ? text + 3 : text);
    bool written = g_file_set_contents(path, copy->str, (gssize)copy->len, &reason);
    if (!written) {
        fail(job, reason->message, error);
    }
    g_string_free(copy, TRUE);
    return written;
}

/* Copies of the changed sources, and new objects of those that -c compiled. */
static bool compile(struct job *job, GError **error)
{
    for (guint i = 0; i < job->build->units->len; i++) {
        const struct weiri_build_unit *unit = weiri_build_unit_at(job->build, i);
        if (job->texts[i] == NULL) {
            continue;
        }
        if (!write_copy(job, unit, job->texts[i], error)) {
            return false;
        }
        if (unit->record == weiri_build_link(job->build)) {
            continue;
        }
        job->objects[i] = g_strdup_printf("%s/build-%u.o", job->folder, i + 1);
        GPtrArray *words = new_words(job, unit->record);
        add_words(job, unit->record, job->objects[i], words);
        if (!run(job, unit->record, words, error)) {
            return false;
        }
    }
    return true;
}

/* Where the new objects go that replace the objects of an archive. */
static bool find_archive(const GPtrArray *words, guint *place)
{
    for (*place = 1; *place < words->len; (*place)++) {
        const char *word = g_ptr_array_index(words, *place);
        if (g_str_has_prefix(word, "-l")
            || (word[0] != '-' && g_str_has_suffix(word, ".a"))) {
            return true;
        }
    }
    return false;
}

static bool add_archived(const struct job *job, GPtrArray *words, GError **error)
{
    for (guint i = job->build->units->len; i-- > 0;) {
        const char *object = job->objects[i];
        if (object == NULL
            || g_ptr_array_find_with_equal_func(words, object, g_str_equal, NULL)) {
            continue;
        }
        guint place;
        if (!find_archive(words, &place)) {
            g_autofree char *reason = g_strdup_printf(
                "the object of '%s' is not in the command that linked",
                weiri_build_unit_at(job->build, i)->path);
            return fail(job, reason, error);
        }
        g_ptr_array_insert(words, (gint)place, g_strdup(object));
    }
    return true;
}

/* Links the program; compiles, too, what the same command compiled. */
static bool link_program(const struct job *job, const char *program, GError **error)
{
    GPtrArray *words = new_words(job, weiri_build_link(job->build));
    add_words(job, weiri_build_link(job->build), program, words);
    if (!add_archived(job, words, error)) {
        g_ptr_array_unref(words);
        return false;
    }
    return run(job, weiri_build_link(job->build), words, error);
}

char *weiri_build_again(const struct weiri_build *build, const char *folder,
                        const struct weiri_build_change *files, size_t n,
                        int64_t deadline_us, GError **error)
{
    size_t n_units = build->units->len;
    struct job job = {
        .build = build,
        .folder = folder,
        .texts = g_new0(const char *, n_units),
        .objects = g_new0(char *, n_units),
        .deadline_us = deadline_us,
    };
    g_autofree char *name = g_path_get_basename(build->program);
    char *program = g_strdup_printf("%s/build-%s", folder, name);
    if (!find_changed(&job, files, n, error) || !compile(&job, error)
        || !link_program(&job, program, error)) {
        g_clear_pointer(&program, g_free);
    }
    for (size_t i = 0; i < n_units; i++) {
        g_free(job.objects[i]);
    }
    g_free(job.objects);
    g_free(job.texts);
    return program;
}
