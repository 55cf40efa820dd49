/* SPDX-License-Identifier: MIT
 *
 * build.h: the commands that built a program, as weir-cc recorded them in it, and the
 * same program built again from changed sources.
 *
 * The new program is built in a folder of its own, by the recorded commands, in the
 * folders where these ran. Files from elsewhere (sources, objects, archives) are only
 * read. The copy of a changed source names the original, so findings, __FILE__ and
 * debug information of the new program name the original file. */
#ifndef WEIRI_BUILD_H
#define WEIRI_BUILD_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weiri_build;

/* A source file with another text than on disk. */
struct weiri_build_change {
    const char *path; /* as for weiri_build_source() */
    const char *text;
};

/**
 * weiri_build_read:
 * @program: as execvp() would take it
 *
 * Returns: (transfer full) the recorded commands
 * Errors:  %WEIR_ERROR_ARGUMENT if the program does not exist, or holds no record of
 *          weir-cc, or a malformed one
 */
struct weiri_build *weiri_build_read(const char *program, GError **error);
void weiri_build_free(struct weiri_build *build);

/** Returns: (transfer none) the recorded sources, as absolute paths, each once */
const GPtrArray *weiri_build_sources(const struct weiri_build *build);

/**
 * weiri_build_source:
 * @path: absolute, or relative to the folder where the source was compiled, as
 *        debug information and __FILE__ give it
 *
 * Returns: (transfer none) the absolute path of that source, or %NULL if @path is not a
 *          recorded source, or may be two of them
 */
const char *weiri_build_source(const struct weiri_build *build, const char *path);

static inline bool weiri_build_has(const struct weiri_build *build, const char *path)
{
    return weiri_build_source(build, path) != NULL;
}

/** Whether no recorded source is newer than the program. Errors:
 * %WEIR_ERROR_ARGUMENT, with the name of a source that is newer, or that is gone. */
bool weiri_build_is_current(const struct weiri_build *build, GError **error);

/**
 * weiri_build_again:
 * @folder: absolute; the caller makes and removes it. It gets no sub-folders. A later
 *          build in it replaces the program, and takes from there the objects of
 *          sources that have not changed
 * @deadline_us: on the clock of g_get_monotonic_time()
 *
 * Builds the program again with the texts of @files instead of what is on disk. It also
 * ends, with an error, where a signal that ends the command is pending.
 *
 * Returns: (transfer full) the new program
 * Errors:  %WEIR_ERROR_ARGUMENT if a file is not a recorded source;
 *          %WEIR_ERROR_RESOURCE where the build fails (with the first line of the
 *          compiler's that says error) or takes longer
 */
char *weiri_build_again(const struct weiri_build *build, const char *folder,
                        const struct weiri_build_change *files, size_t n,
                        int64_t deadline_us, GError **error);

#endif
