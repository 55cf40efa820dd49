/* SPDX-License-Identifier: MIT
 *
 * icd-source.c: which file a source comes from. Programs give the text alone, which
 * most of them have read from a file in their folder or below. Reports name that file,
 * and its includes are looked for beside it. So files of the working folder and of the
 * program's own are compared with the text. */
#include "config.h"

#include "opencl/platform/icd-program.h"

#include <glib/gstdio.h>
#include <string.h>

/* The most levels of folders, and of names that are looked at: a program may be started
 * in the folder of all a user has. */
enum { MOST_DEPTH = 3, MOST_NAMES = 20000 };

/* The bytes that readers of files may drop at the end: blanks, and a byte for a 0. */
enum { MOST_TRIMMED = 64 };

struct search {
    const char *text;
    size_t bytes;
    unsigned names; /* that were looked at */
};

/* The length without bytes that readers of files add or drop at the end. */
static size_t trimmed(const char *text, size_t bytes)
{
    while (bytes > 0 && (g_ascii_isspace(text[bytes - 1]) || text[bytes - 1] == '\0')) {
        bytes--;
    }
    return bytes;
}

static bool may_be_source(const char *name)
{
    static const char *const ends[] = { ".cl", ".ocl", ".clc", ".clh", ".h", ".txt" };
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
        if (g_str_has_suffix(name, ends[i])) {
            return true;
        }
    }
    return false;
}

static bool is_same(const char *path, const struct search *search)
{
    g_autofree char *found = NULL;
    gsize bytes;
    GStatBuf status;
    if (g_stat(path, &status) != 0 || (size_t)status.st_size < search->bytes
        || (size_t)status.st_size > search->bytes + MOST_TRIMMED) {
        return false;
    }
    if (!g_file_get_contents(path, &found, &bytes, NULL)) {
        return false;
    }
    bytes = trimmed(found, bytes);
    return bytes == search->bytes && memcmp(found, search->text, bytes) == 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names in a folder, sorted. */
static GPtrArray *names_of(const char *folder)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    GDir *dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        if (name[0] != '.') {
            g_ptr_array_add(names, g_strdup(name));
        }
    }
    g_clear_pointer(&dir, g_dir_close);
    g_ptr_array_sort(names, compare_names);
    return names;
}

/* Searches a folder and those below it. Returns: (transfer full): or NULL */
static char *search_in(const char *folder, unsigned depth, struct search *search)
{
    g_autoptr(GPtrArray) names = names_of(folder);
    char *found = NULL;
    for (int below = 0; below < 2 && found == NULL; below++) {
        for (guint i = 0; i < names->len && found == NULL && search->names < MOST_NAMES;
             i++) {
            search->names++;
            const char *name = g_ptr_array_index(names, i);
            g_autofree char *path = strcmp(folder, ".") == 0
                ? g_strdup(name)
                : g_build_filename(folder, name, NULL);
            if (below != 0) {
                found = depth > 0 && g_file_test(path, G_FILE_TEST_IS_DIR)
                        && !g_file_test(path, G_FILE_TEST_IS_SYMLINK)
                    ? search_in(path, depth - 1, search)
                    : NULL;
            } else if (may_be_source(name)) {
                found = is_same(path, search) ? g_steal_pointer(&path) : NULL;
            }
        }
    }
    return found;
}

char *weiri_icd_find_source(const char *text, size_t bytes)
{
    struct search search = { .text = text, .bytes = trimmed(text, bytes) };
    if (search.bytes == 0) {
        return NULL;
    }
    char *found = search_in(".", MOST_DEPTH, &search);
    if (found == NULL) {
        g_autofree char *own = g_file_read_link("/proc/self/exe", NULL);
        g_autofree char *folder = own != NULL ? g_path_get_dirname(own) : NULL;
        search.names = 0;
        found = folder != NULL ? search_in(folder, 1, &search) : NULL;
    }
    return found;
}
