/* SPDX-License-Identifier: MIT
 *
 * rebuild-open.c: see rebuild.h. Opens the sources of a program: those of its build, or
 * those of its kernels in OpenCL C. */
#include "config.h"

#include "repair/rebuild.h"

#include "cli/child.h"

#include <stdlib.h>
#include <string.h>

const char *weiri_cli_rebuild_path(const struct weiri_cli_rebuild *rebuild,
                                   const char *file)
{
    if (rebuild->build != NULL) {
        return weiri_build_source(rebuild->build, file);
    }
    char *path = weiri_source_names_opencl(file) ? realpath(file, NULL) : NULL;
    guint at;
    bool known = path != NULL
        && g_ptr_array_find_with_equal_func(rebuild->opencl, path, g_str_equal, &at);
    if (path != NULL && !known && rebuild->subject.kind != WEIRI_CLI_OPENCL_KERNEL) {
        at = rebuild->opencl->len;
        known = true;
        g_ptr_array_add(rebuild->opencl, g_strdup(path));
    }
    free(path);
    return known ? g_ptr_array_index(rebuild->opencl, at) : NULL;
}

static char *read_source(void *data, const char *file, size_t *bytes)
{
    const char *path = weiri_cli_rebuild_path(data, file);
    char *text = NULL;
    return path != NULL && g_file_get_contents(path, &text, bytes, NULL) ? text : NULL;
}

/* Whether a party of a finding is on a line of a kernel in OpenCL C. */
static bool names_opencl(const GPtrArray *findings)
{
    for (guint i = 0; i < findings->len; i++) {
        const struct weir_finding *finding = g_ptr_array_index(findings, i);
        for (size_t p = 0; p < finding->n_parties; p++) {
            if (weiri_source_names_opencl(finding->parties[p].file)) {
                return true;
            }
        }
    }
    return false;
}

/* The version of OpenCL C that --cl-options asks for. */
static unsigned opencl_version(char *const *program)
{
    unsigned version = 120;
    g_autoptr(GRegex) regex
        = g_regex_new("-cl-std=(?:CL|cl)(\\d)\\.(\\d)\\b", 0, 0, NULL);
    for (; *program != NULL; program++) {
        g_autoptr(GMatchInfo) match = NULL;
        if (g_regex_match(regex, *program, 0, &match)) {
            g_autofree char *major = g_match_info_fetch(match, 1);
            g_autofree char *minor = g_match_info_fetch(match, 2);
            version = (unsigned)(*major - '0') * 100 + (unsigned)(*minor - '0') * 10;
        }
    }
    return version;
}

/* The file of "FILE.cl:KERNEL", of which alone the kernel is built. */
static void add_kernel_file(struct weiri_cli_rebuild *rebuild)
{
    if (rebuild->subject.kind != WEIRI_CLI_OPENCL_KERNEL) {
        return;
    }
    const char *word = rebuild->subject.program[1], *colon = strrchr(word, ':');
    g_autofree char *file
        = colon != NULL ? g_strndup(word, (gsize)(colon - word)) : g_strdup(word);
    char *path = realpath(file, NULL);
    if (path != NULL) {
        g_ptr_array_add(rebuild->opencl, g_strdup(path));
    }
    free(path);
}

bool weiri_cli_rebuild_init(struct weiri_cli_rebuild *rebuild,
                            const struct weiri_cli_subject *subject,
                            const GPtrArray *findings, GError **error)
{
    *rebuild = (struct weiri_cli_rebuild){ .subject = *subject,
                                           .folder = weiri_cli_folder(error) };
    rebuild->sources = weiri_sources_new(read_source, rebuild);
    if (rebuild->folder == NULL) {
        return false;
    }
    bool opencl = subject->kind == WEIRI_CLI_OPENCL_KERNEL;
    if (opencl || names_opencl(findings)) {
        rebuild->files = rebuild->opencl = g_ptr_array_new_with_free_func(g_free);
        add_kernel_file(rebuild);
        weiri_sources_set_opencl(rebuild->sources,
                                 opencl ? opencl_version(subject->program) : 0);
        return true;
    }
    rebuild->build = weiri_build_read(subject->program[0], error);
    if (rebuild->build == NULL) {
        return false;
    }
    rebuild->files = weiri_build_sources(rebuild->build);
    return weiri_build_is_current(rebuild->build, error);
}
