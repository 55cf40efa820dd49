/* SPDX-License-Identifier: MIT
 *
 * rebuild.h: a program with changed sources: one of weir-cc, built again in the
 * command's folder; or one whose kernels are in OpenCL C, which are given other texts
 * when it builds them.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_REBUILD_H
#define WEIRI_CLI_REBUILD_H

#include "engine/check.h"
#include "repair/build.h"
#include "repair/candidate.h"

struct weiri_cli_rebuild {
    struct weiri_cli_subject subject; /* the program */
    struct weiri_build *build;        /* owned; NULL with kernels in OpenCL C, */
    GPtrArray *opencl;                /* of char *: whose sources these are; owned */
    const GPtrArray *files;           /* of char *: the sources of either; borrowed */
    struct weiri_sources *sources;    /* owned */
    const char *folder;
    guint n_built; /* programs with changes */
    GBytes *made;  /* the changes of the last of them, or NULL */
    bool has_less; /* it can also be run with less than a part inserts */
    char **words;  /* that run it */
    char *failed;  /* why the first one could not be built, a line; owned, or NULL */
};

/**
 * weiri_cli_rebuild_init:
 * @subject: a program
 * @findings: of const struct weir_finding *: they show whether its kernels are in
 *            OpenCL C
 *
 * Reads how the program was built. To be cleared either way, and not to be moved.
 *
 * Returns: false where it cannot be built again
 */
bool weiri_cli_rebuild_init(struct weiri_cli_rebuild *rebuild,
                            const struct weiri_cli_subject *subject,
                            const GPtrArray *findings, GError **error);
void weiri_cli_rebuild_clear(struct weiri_cli_rebuild *rebuild);

/** The source that a finding calls @file. Returns: (transfer none): its path, always
 *  the same; or %NULL where it is not the program's */
const char *weiri_cli_rebuild_path(const struct weiri_cli_rebuild *rebuild,
                                   const char *file);

/** Builds the program with @parts, of struct weiri_fix_candidate *, unless the last
 *  call has done so. The next build ends its use. Sets @failed or
 *  counts in @n_built. Returns: (transfer full): the words that run it, or %NULL */
char **weiri_cli_rebuild_with(struct weiri_cli_rebuild *rebuild, const GPtrArray *parts,
                              const struct weiri_cli_limit *limit);

/** The words that run the program of the last weiri_cli_rebuild_with(), if that was of
 *  @parts, with the first @weaker of part @k. Returns: (transfer full): or %NULL where
 *  it has to be built for that */
char **weiri_cli_rebuild_less(struct weiri_cli_rebuild *rebuild, const GPtrArray *parts,
                              guint k);

/**
 * weiri_cli_rebuild_failure:
 *
 * Where no change could be built: builds the program without any, to see whether it is
 * the changes that cannot be. Ends the use of the last build.
 *
 * Returns: (transfer full): why none was tried, without an end of the line; %NULL where
 *          one was built, or none was to be
 */
char *weiri_cli_rebuild_failure(struct weiri_cli_rebuild *rebuild,
                                const struct weiri_cli_limit *limit);

/**
 * weiri_cli_rebuild_several:
 * @candidates: of struct weiri_fix_candidate *
 * @most: how many of them may be taken
 * @numbers: (inout): not 0 for a candidate that is not wanted; of the others the number
 *           in the program, from 1, or 0 where one was not taken
 *
 * Builds one program with @parts and with several of @candidates, each of which takes
 * effect alone: with the variable WEIR_TRIAL, its number. Those are taken that stand on
 * lines of their own. The next build ends its use.
 *
 * Returns: (transfer full): the words that run it, or %NULL
 */
char **weiri_cli_rebuild_several(struct weiri_cli_rebuild *rebuild,
                                 const GPtrArray *parts, const GPtrArray *candidates,
                                 unsigned most, const struct weiri_cli_limit *limit,
                                 unsigned *numbers);

/**
 * weiri_cli_rebuild_sized:
 *
 * Builds one program with @parts whose enlarged memory has sizes of the run's choice:
 * with the variable WEIR_TRIAL_MORE, "N,N", the elements that each part adds; of one
 * that adds none the number has no effect. The next build ends its use.
 *
 * Returns: (transfer full): the words that run it, or %NULL, as where a size has to be
 *          constant
 */
char **weiri_cli_rebuild_sized(struct weiri_cli_rebuild *rebuild,
                               const GPtrArray *parts,
                               const struct weiri_cli_limit *limit);

/** The words that run a program with a variable. Returns: (transfer full) */
char **weiri_cli_words_with(char *const *program, const char *variable,
                            const char *value);

/** All parts as one diff, of files as they are named below the folder that the
 *  program's sources are in. Returns: (transfer full) */
char *weiri_cli_rebuild_diff(const struct weiri_cli_rebuild *rebuild,
                             const GPtrArray *parts);

#endif
