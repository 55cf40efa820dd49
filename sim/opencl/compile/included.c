/* SPDX-License-Identifier: MIT
 *
 * included.c: the files that a compiled source has included, with their texts. A link
 * compiles the source again and takes these, since clCompileProgram() has read them and
 * they may be gone or changed by then.
 *
 * The preprocessed source states the path of each file when it enters it. Below which
 * folder of the search the file lay gives the name that an #include finds it by. A file
 * that was named by its whole path, or one of two with the same name, is not kept: the
 * link reads it where it is. */
#include "config.h"

#include "opencl/compile/make.h"

#include <string.h>

/* The folders that the compiler has searched, as it was given them but for a '/' at the
 * end: whether the paths of files have it once or twice is the compiler's choice. */
static GPtrArray *folders_of(const struct weiri_make *build)
{
    GPtrArray *folders = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(folders, g_path_get_dirname(build->names[0]));
    for (guint i = 0; i < build->options.words->len; i++) {
        const char *word = g_ptr_array_index(build->options.words, i);
        bool apart = strcmp(word, "-I") == 0 && i + 1 < build->options.words->len;
        if (g_str_has_prefix(word, "-I")) {
            const char *folder
                = apart ? g_ptr_array_index(build->options.words, ++i) : word + 2;
            size_t length = strlen(folder);
            while (length > 0 && folder[length - 1] == '/') {
                length--;
            }
            g_ptr_array_add(folders, g_strndup(folder, length));
        }
    }
    g_ptr_array_add(folders, g_strdup("."));
    return folders;
}

/* What follows the longest of the folders in a path. Returns: (nullable): in @path */
static const char *name_of(const GPtrArray *folders, const char *path)
{
    const char *name = NULL;
    for (guint i = 0; i < folders->len; i++) {
        const char *folder = g_ptr_array_index(folders, i);
        size_t length = strlen(folder);
        size_t slashes = strspn(path + MIN(length, strlen(path)), "/");
        if (g_str_has_prefix(path, folder) && slashes > 0
            && (name == NULL || path + length + slashes > name)) {
            name = path + length + slashes;
        }
    }
    bool climbs = name != NULL
        && (g_str_has_prefix(name, "../") || strstr(name, "/../") != NULL);
    return climbs ? NULL : name;
}

/* The path of a line `# 1 "path" 1`, which enters a file. Returns: (transfer full)
 * (nullable) */
static char *entered(const char *line)
{
    static const char begins[] = "# 1 \"";
    const char *end = strrchr(line, '"');
    if (!g_str_has_prefix(line, begins) || end < line + strlen(begins)
        || !g_str_has_prefix(end, "\" 1")) {
        return NULL;
    }
    g_autofree char *escaped
        = g_strndup(line + strlen(begins), (size_t)(end - line) - strlen(begins));
    return g_strcompress(escaped);
}

/* Its text with the line that keeps its path in messages and findings. */
static void add_file(GPtrArray *files, const char *name, const char *path)
{
    g_autofree char *text = NULL;
    if (g_file_get_contents(path, &text, NULL, NULL)) {
        g_autofree char *shown = g_strescape(path, NULL);
        struct weiri_cl_included *file = g_new0(struct weiri_cl_included, 1);
        file->name = g_strdup(name);
        file->text = g_strdup_printf("#line 1 \"%s\"\n%s", shown, text);
        g_ptr_array_add(files, file);
    }
}

void weiri_cl_included_free(void *data)
{
    struct weiri_cl_included *file = data;
    g_free(file->name);
    g_free(file->text);
    g_free(file);
}

GPtrArray *weiri_make_included(const struct weiri_make *build)
{
    GPtrArray *files = g_ptr_array_new_with_free_func(weiri_cl_included_free);
    g_autoptr(GPtrArray) folders = folders_of(build);
    g_autoptr(GHashTable) paths /* name -> path, or "" for two */
        = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_auto(GStrv) lines
        = g_strsplit(build->expanded[0] != NULL ? build->expanded[0] : "", "\n", -1);
    for (size_t i = 0; lines[i] != NULL; i++) {
        g_autofree char *path = entered(lines[i]);
        const char *name = path == NULL || g_str_has_prefix(path, build->folder)
            ? NULL
            : name_of(folders, path);
        if (name != NULL) {
            const char *other = g_hash_table_lookup(paths, name);
            bool same = other == NULL || strcmp(other, path) == 0;
            g_hash_table_insert(paths, g_strdup(name), g_strdup(same ? path : ""));
        }
    }
    GList *names = g_list_sort(g_hash_table_get_keys(paths), (GCompareFunc)strcmp);
    for (const GList *at = names; at != NULL; at = at->next) {
        add_file(files, at->data, g_hash_table_lookup(paths, at->data));
    }
    g_list_free(names);
    return files;
}
