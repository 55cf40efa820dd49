/* SPDX-License-Identifier: MIT
 *
 * build.c: see build.h.
 *
 * A program is made of units: sources that a command compiled. A unit of a compilation
 * by -c has its own record and object; the units of a command that also linked have
 * that command's record in common. To build the program again:
 *
 *   changed unit of -c   its record again, from the copy to an object in the folder
 *   link                 its record again, with the words of changed sources and
 *                        objects replaced; an object that came from an archive goes
 *                        before the first archive, so that the archive's is not taken
 *
 * Words that would make the compiler write other files than its output are left out. */
#include "config.h"

#include "repair/build.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "repair/build-record.h"
#include "repair/command.h"
#include "weir.h"

struct unit {
    const struct weiri_build_record *record; /* borrowed from the build */
    size_t place;                            /* of the source among its arguments */
    char *path;                              /* owned, absolute */
};

struct weiri_build {
    char *program; /* owned, absolute */
    struct timespec built;
    GBytes *compile_section; /* owned; NULL where no object has a record */
    GBytes *link_section;    /* owned */
    GPtrArray *compiles;     /* of struct weiri_build_record, owned */
    GPtrArray *links;        /* the same; of one element */
    GArray *units;
    GPtrArray *sources; /* borrowed from the units */
};

static const struct weiri_build_record *link_of(const struct weiri_build *build)
{
    return g_ptr_array_index(build->links, 0);
}

static struct unit *unit_at(const struct weiri_build *build, size_t index)
{
    return &g_array_index(build->units, struct unit, index);
}

/* ---- Reading --------------------------------------------------------------------- */

/* The file that a name means in a folder; if the file does not exist, its name from the
 * root. */
static char *resolve(const char *name, const char *folder)
{
    g_autofree char *whole = g_canonicalize_filename(name, folder);
    char *real = realpath(whole, NULL);
    char *path = g_strdup(real != NULL ? real : whole);
    free(real);
    return path;
}

static void clear_unit(void *data)
{
    struct unit *unit = data;
    g_free(unit->path);
}

static void add_units(struct weiri_build *build,
                      const struct weiri_build_record *record)
{
    for (size_t i = 0; i < record->n_sources; i++) {
        size_t place = record->source_places[i];
        struct unit unit = { record, place, NULL };
        unit.path = resolve(record->arguments[place - 1], record->folder);
        g_array_append_val(build->units, unit);
        if (!g_ptr_array_find_with_equal_func(build->sources, unit.path, g_str_equal,
                                              NULL)) {
            g_ptr_array_add(build->sources, unit.path);
        }
    }
}

static bool parse_section(GBytes *section, GPtrArray *records)
{
    size_t bytes = 0;
    const char *from = section != NULL ? g_bytes_get_data(section, &bytes) : NULL;
    return weiri_build_record_parse(from, bytes, records);
}

static bool read_records(struct weiri_build *build, int fd, GError **error)
{
    build->compile_section = weiri_build_record_section(fd, ".weir.build");
    build->link_section = weiri_build_record_section(fd, ".weir.link");
    if (build->link_section == NULL) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                    "'%s' has no record of how it was built: link it with weir-cc",
                    build->program);
        return false;
    }
    bool sound = parse_section(build->compile_section, build->compiles)
        && parse_section(build->link_section, build->links) && build->links->len == 1;
    for (guint i = 0; sound && i < build->compiles->len; i++) {
        const struct weiri_build_record *record = g_ptr_array_index(build->compiles, i);
        sound = record->n_sources == 1;
    }
    if (!sound) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                    "the record of how '%s' was built is malformed: build it again",
                    build->program);
        return false;
    }
    return true;
}

static void free_record(void *record)
{
    weiri_build_record_free(record);
}

static struct weiri_build *new_build(char *program)
{
    struct weiri_build *build = g_new0(struct weiri_build, 1);
    build->program = program;
    build->compiles = g_ptr_array_new_with_free_func(free_record);
    build->links = g_ptr_array_new_with_free_func(free_record);
    build->units = g_array_new(FALSE, FALSE, sizeof(struct unit));
    g_array_set_clear_func(build->units, clear_unit);
    build->sources = g_ptr_array_new();
    return build;
}

void weiri_build_free(struct weiri_build *build)
{
    if (build == NULL) {
        return;
    }
    g_ptr_array_unref(build->sources);
    g_array_unref(build->units);
    g_ptr_array_unref(build->links);
    g_ptr_array_unref(build->compiles);
    g_clear_pointer(&build->compile_section, g_bytes_unref);
    g_clear_pointer(&build->link_section, g_bytes_unref);
    g_free(build->program);
    g_free(build);
}

struct weiri_build *weiri_build_read(const char *program, GError **error)
{
    char *path = strchr(program, '/') != NULL ? g_canonicalize_filename(program, NULL)
                                              : g_find_program_in_path(program);
    int fd = path != NULL ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT, "cannot read '%s': %s",
                    program,
                    path != NULL ? g_strerror(errno) : "there is no such program");
        g_free(path);
        return NULL;
    }
    struct weiri_build *build = new_build(path);
    build->built = status.st_mtim;
    if (read_records(build, fd, error)) {
        add_units(build, link_of(build));
        for (guint i = 0; i < build->compiles->len; i++) {
            add_units(build, g_ptr_array_index(build->compiles, i));
        }
    } else {
        g_clear_pointer(&build, weiri_build_free);
    }
    close(fd);
    return build;
}

const GPtrArray *weiri_build_sources(const struct weiri_build *build)
{
    return build->sources;
}

const char *weiri_build_source(const struct weiri_build *build, const char *path)
{
    const char *found = NULL;
    for (guint i = 0; i < build->units->len; i++) {
        const struct unit *unit = unit_at(build, i);
        g_autofree char *meant = resolve(path, unit->record->folder);
        if (strcmp(meant, unit->path) != 0) {
            continue;
        }
        if (found != NULL && strcmp(found, meant) != 0) {
            return NULL;
        }
        found = unit->path;
    }
    return found;
}

static bool is_newer(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

bool weiri_build_is_current(const struct weiri_build *build, GError **error)
{
    for (guint i = 0; i < build->sources->len; i++) {
        const char *path = g_ptr_array_index(build->sources, i);
        struct stat status;
        if (stat(path, &status) != 0) {
            g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT, "cannot read '%s': %s",
                        path, g_strerror(errno));
            return false;
        }
        if (is_newer(&status.st_mtim, &build->built)) {
            g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                        "'%s' has changed since '%s' was built: build it again", path,
                        build->program);
            return false;
        }
    }
    return true;
}

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

static const char *name_of(const struct unit *unit)
{
    return unit->record->arguments[unit->place - 1];
}

/* The copy of a unit's source; the ending tells its language. */
static char *copy_path(const struct job *job, const struct unit *unit)
{
    size_t number = (size_t)(unit - unit_at(job->build, 0)) + 1;
    const char *ending = strrchr(name_of(unit), '.');
    return g_strdup_printf("%s/build-%zu%s", job->folder, number,
                           ending != NULL ? ending : "");
}

/* The flags with which a copy is compiled like the original: quoted includes begin in
 * the original's folder, and debug information names the original. */
static void add_copy_flags(const struct job *job, const struct unit *unit,
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
    g_autofree char *meant = resolve(word, link_of(job->build)->folder);
    for (guint i = 0; i < job->build->units->len; i++) {
        const struct weiri_build_record *record = unit_at(job->build, i)->record;
        if (job->objects[i] == NULL) {
            continue;
        }
        g_autofree char *object = resolve(record->output, record->folder);
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
        const struct unit *unit = unit_at(job->build, i);
        if (unit->record == record && unit->place == place) {
            return job->texts[i] != NULL ? copy_path(job, unit) : g_strdup(word);
        }
    }
    const char *object = word[0] != '-' && record == link_of(job->build)
        ? new_object(job, word)
        : NULL;
    return g_strdup(object != NULL ? object : word);
}

/* Adds the words of a record, with @output as what it makes. */
static void add_words(const struct job *job, const struct weiri_build_record *record,
                      const char *output, GPtrArray *words)
{
    for (guint i = 0; i < job->build->units->len; i++) {
        const struct unit *unit = unit_at(job->build, i);
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
            if (strcmp(unit_at(job->build, k)->path, path) == 0) {
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

static bool write_copy(const struct job *job, const struct unit *unit, const char *text,
                       GError **error)
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
        const struct unit *unit = unit_at(job->build, i);
        if (job->texts[i] == NULL) {
            continue;
        }
        if (!write_copy(job, unit, job->texts[i], error)) {
            return false;
        }
        if (unit->record == link_of(job->build)) {
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
                unit_at(job->build, i)->path);
            return fail(job, reason, error);
        }
        g_ptr_array_insert(words, (gint)place, g_strdup(object));
    }
    return true;
}

/* Links the program; compiles, too, what the same command compiled. */
static bool link_program(const struct job *job, const char *program, GError **error)
{
    GPtrArray *words = new_words(job, link_of(job->build));
    add_words(job, link_of(job->build), program, words);
    if (!add_archived(job, words, error)) {
        g_ptr_array_unref(words);
        return false;
    }
    return run(job, link_of(job->build), words, error);
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
