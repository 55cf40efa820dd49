/* SPDX-License-Identifier: MIT
 *
 * rebuild.c: see rebuild.h.
 *
 * Invariant: changed sources keep the numbers of their lines, so that a finding of the
 * changed program can be compared with those of the original. */
#include "config.h"

#include "cli/rebuild.h"

#include "cli/child.h"
#include "cli/opencl-kernel.h"
#include "fix/patch.h"

#include <string.h>

enum { BUILD_SECONDS = 60 };

/* ---- Changed sources ------------------------------------------------------------- */

static char *read_source(void *data, const char *file, size_t *bytes)
{
    const struct weiri_cli_rebuild *rebuild = data;
    const char *path = weiri_build_source(rebuild->build, file);
    char *text = NULL;
    return path != NULL && g_file_get_contents(path, &text, bytes, NULL) ? text : NULL;
}

/* The edits of all parts in one file. Returns: (transfer full) */
static GArray *edits_of(const struct weiri_cli_rebuild *rebuild, const GPtrArray *parts,
                        const char *path)
{
    GArray *edits = weiri_edits_new();
    for (guint i = 0; i < parts->len; i++) {
        const struct weiri_fix_candidate *part = g_ptr_array_index(parts, i);
        if (g_strcmp0(weiri_build_source(rebuild->build, part->file), path) != 0) {
            continue;
        }
        for (guint k = 0; k < part->edits->len; k++) {
            const struct weiri_edit *edit
                = &g_array_index(part->edits, struct weiri_edit, k);
            weiri_edit_add(edits, edit->begin, edit->end, edit->text);
        }
    }
    return edits;
}

/* The text with the edits, on the lines that it had: what is inserted stands on the
 * line that it is inserted at, and what is removed leaves its line empty.
 * Returns: (transfer full): or NULL if edits overlap */
static char *text_on_same_lines(GArray *edits, const struct weiri_source *source)
{
    size_t bytes;
    const char *text = weiri_source_text(source, &bytes);
    for (guint i = 0; i < edits->len; i++) {
        struct weiri_edit *edit = &g_array_index(edits, struct weiri_edit, i);
        GString *line = g_string_new(g_strdelimit(edit->text, "\r\n", ' '));
        for (size_t k = edit->begin; k < edit->end; k++) {
            if (text[k] == '\n') {
                g_string_append_c(line, '\n');
            }
        }
        g_free(edit->text);
        edit->text = g_string_free(line, FALSE);
    }
    return weiri_edits_apply(edits, text, bytes, NULL, NULL);
}

char *weiri_cli_rebuild_with(const struct weiri_cli_rebuild *rebuild,
                             const GPtrArray *parts,
                             const struct weiri_cli_limit *limit)
{
    g_autoptr(GArray) changed
        = g_array_new(FALSE, FALSE, sizeof(struct weiri_build_change));
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < parts->len; i++) {
        const struct weiri_fix_candidate *part = g_ptr_array_index(parts, i);
        struct weiri_build_change one
            = { .path = weiri_build_source(rebuild->build, part->file) };
        bool done = one.path == NULL;
        for (guint k = 0; k < changed->len; k++) {
            done = done
                || g_array_index(changed, struct weiri_build_change, k).path
                    == one.path;
        }
        if (done) {
            continue;
        }
        g_autoptr(GArray) edits = edits_of(rebuild, parts, one.path);
        char *text = text_on_same_lines(
            edits, weiri_sources_get(rebuild->sources, part->file));
        if (text == NULL) {
            return NULL;
        }
        g_ptr_array_add(texts, text);
        one.text = text;
        g_array_append_val(changed, one);
    }
    int64_t deadline
        = MIN(g_get_monotonic_time() + BUILD_SECONDS * (int64_t)G_USEC_PER_SEC,
              limit->deadline_us);
    return weiri_build_again(rebuild->build, rebuild->folder,
                             (const struct weiri_build_change *)changed->data,
                             changed->len, deadline, NULL);
}

/* The folder that all sources of the program are in, ending in a slash.
 * Returns: (transfer full) */
static char *common_folder(const GPtrArray *files)
{
    char *folder = g_strdup(g_ptr_array_index(files, 0));
    for (guint i = 0; i < files->len; i++) {
        const char *file = g_ptr_array_index(files, i);
        size_t n = 0, slash = 0;
        for (; folder[n] != '\0' && folder[n] == file[n]; n++) {
            slash = folder[n] == '/' ? n + 1 : slash;
        }
        folder[slash] = '\0';
    }
    return folder;
}

char *weiri_cli_rebuild_diff(const struct weiri_cli_rebuild *rebuild,
                             const GPtrArray *parts)
{
    GString *diff = g_string_new(NULL);
    const GPtrArray *files = weiri_build_sources(rebuild->build);
    g_autofree char *folder = common_folder(files);
    for (guint i = 0; i < files->len; i++) {
        const char *path = g_ptr_array_index(files, i);
        const struct weiri_source *source = weiri_sources_get(rebuild->sources, path);
        g_autoptr(GArray) edits = edits_of(rebuild, parts, path);
        if (source != NULL && edits->len > 0) {
            size_t bytes;
            const char *text = weiri_source_text(source, &bytes);
            bool applied = weiri_edits_diff(diff, path + strlen(folder), text, bytes,
                                            edits, NULL);
            g_warn_if_fail(applied); /* they were, when the program was built */
        }
    }
    return g_string_free(diff, FALSE);
}

/* ---- The whole ------------------------------------------------------------------- */

bool weiri_cli_rebuild_init(struct weiri_cli_rebuild *rebuild, const char *program,
                            GError **error)
{
    *rebuild = (struct weiri_cli_rebuild){ .folder = weiri_cli_folder(error) };
    if (rebuild->folder != NULL && weiri_cli_names_opencl(program)) {
        rebuild->sources = weiri_sources_new(read_source, rebuild);
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                    "changes of kernels in OpenCL C are not tried");
        return false;
    }
    rebuild->build = rebuild->folder != NULL ? weiri_build_read(program, error) : NULL;
    rebuild->sources = weiri_sources_new(read_source, rebuild);
    return rebuild->build != NULL && weiri_build_is_current(rebuild->build, error);
}

void weiri_cli_rebuild_clear(struct weiri_cli_rebuild *rebuild)
{
    weiri_sources_free(rebuild->sources);
    weiri_build_free(rebuild->build);
}

GPtrArray *weiri_cli_rebuild_candidates(const struct weiri_cli_rebuild *rebuild,
                                        const GPtrArray *findings, bool checked)
{
    return weiri_candidates_find(findings, rebuild->sources,
                                 weiri_build_sources(rebuild->build), checked);
}
