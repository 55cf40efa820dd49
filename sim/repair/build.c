/* SPDX-License-Identifier: MIT
 *
 * build.c: see build.h. Reads how a program was built. */
#include "config.h"

#include "repair/build.h"

#include "repair/build-units.h"
#include "weir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *weiri_build_resolve(const char *name, const char *folder)
{
    g_autofree char *whole = g_canonicalize_filename(name, folder);
    char *real = realpath(whole, NULL);
    char *path = g_strdup(real != NULL ? real : whole);
    free(real);
    return path;
}

static void clear_unit(void *data)
{
    struct weiri_build_unit *unit = data;
    g_free(unit->path);
}

static void add_units(struct weiri_build *build,
                      const struct weiri_build_record *record)
{
    for (size_t i = 0; i < record->n_sources; i++) {
        size_t place = record->source_places[i];
        struct weiri_build_unit unit = { record, place, NULL };
        unit.path = weiri_build_resolve(record->arguments[place - 1], record->folder);
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
    build->units = g_array_new(FALSE, FALSE, sizeof(struct weiri_build_unit));
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
        add_units(build, weiri_build_link(build));
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
        const struct weiri_build_unit *unit = weiri_build_unit_at(build, i);
        g_autofree char *meant = weiri_build_resolve(path, unit->record->folder);
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
