/* SPDX-License-Identifier: MIT
 *
 * make.h: a build of kernels, which build.c and the files make*.c share. */
#ifndef WEIRI_MAKE_H
#define WEIRI_MAKE_H

#include <glib.h>
#include <stdbool.h>

#include "opencl/compile/options.h"
#include "opencl/compile/process.h"
#include "opencl/compile/tools.h"
#include "opencl/opencl.h"

/* Ways of compiling: the values of WEIRI_FAT. */
enum weiri_make_mode {
    WEIRI_MAKE_FAST = 1,
    WEIRI_MAKE_CHECKED,
    WEIRI_MAKE_SPLIT,
    WEIRI_MAKE_N_MODES,
};

/* The outputs of the front end for a source, and their part in names of files. */
enum weiri_make_half {
    WEIRI_MAKE_FAST_HALF,
    WEIRI_MAKE_CHECKED_HALF,
    WEIRI_MAKE_N_HALVES,
};
#define WEIRI_MAKE_HALF_NAME(half) ((half) == WEIRI_MAKE_FAST_HALF ? "fast" : "checked")

/* The halves that a build has, from the first to before the end. */
#define WEIRI_MAKE_FIRST_HALF(build)                                                   \
    ((build)->entries == WEIRI_CL_CHECKED ? WEIRI_MAKE_CHECKED_HALF                    \
                                          : WEIRI_MAKE_FAST_HALF)
#define WEIRI_MAKE_END_HALF(build)                                                     \
    ((build)->entries == WEIRI_CL_FAST ? WEIRI_MAKE_CHECKED_HALF : WEIRI_MAKE_N_HALVES)

/* Whether it has a way. */
#define WEIRI_MAKE_HAS(build, mode)                                                    \
    ((mode) == WEIRI_MAKE_CHECKED ? (build)->entries != WEIRI_CL_FAST                  \
                                  : (build)->entries != WEIRI_CL_CHECKED)

/**
 * weiri_make:
 * @folder: of this build; owned
 * @keys: of the sources: checksums of all that goes into the front end; owned
 * @names: of the sources in messages; owned
 * @texts: the texts that are compiled: the sources', or others (texts.c); owned
 * @expanded: the preprocessed texts of those that include files, others NULL; owned
 * @builtins: bitcode, by mode; owned
 */
struct weiri_make {
    struct weiri_cl_tools tools;
    struct weiri_cl_options options;
    const struct weiri_cl_facts *facts;
    enum weiri_cl_entries entries;
    const struct weiri_cl_source *sources;
    size_t n_sources;
    char *folder;
    char **keys;
    char **names;
    char **texts;
    char **expanded;
    char *builtins[WEIRI_MAKE_N_MODES];
    GString *log;
};

/** A file of the build's folder. Returns: (transfer full) */
char *weiri_make_path(const struct weiri_make *build, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

/** A command, for weiri_process_start(). Returns: (transfer full) */
GPtrArray *weiri_make_words(const char *first);

/** Sets the error of a command of ours that has failed, which shows that something is
 *  wrong with the tools. Returns: false */
bool weiri_make_fail(const struct weiri_process *step, GError **error);

/* ---- texts.c --------------------------------------------------------------- */

/** The text to be compiled in place of a source's. Returns: (transfer full) */
char *weiri_make_text(const char *text);

/* ---- make-front.c ---------------------------------------------------------- */

/** Writes the sources into the folder, and sets their names and keys. */
bool weiri_make_sources(struct weiri_make *build, GError **error);

/** Runs the front end for the halves of each source. The messages of the first go to
 *  the log. */
bool weiri_make_front(struct weiri_make *build, GError **error);

/** The folder of clang's own headers; its last part is the version. Borrowed, of the
 *  process. */
const char *weiri_make_resources(const struct weiri_make *build);

/* ---- included.c ------------------------------------------------------------ */

/** The files that the first source includes, by the names that it includes them by.
 *  Returns: (transfer full): of struct weiri_cl_included */
GPtrArray *weiri_make_included(const struct weiri_make *build);

/* ---- make-objects.c -------------------------------------------------------- */

/** Makes the builtins as bitcode for each mode, or finds them in the cache. */
bool weiri_make_builtins(struct weiri_make *build, GError **error);

/** Makes the objects of the program, in the folder. The stackless entries are left out
 *  where they cannot be made, as weir-cc does. */
bool weiri_make_objects(struct weiri_make *build, GError **error);

/* ---- make-link.c ----------------------------------------------------------- */

/** Makes the shared object @path of the objects in the folder. */
bool weiri_make_link(const struct weiri_make *build, const char *path, GError **error);

#endif
