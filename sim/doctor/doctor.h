/* SPDX-License-Identifier: MIT
 *
 * doctor.h: shared by the files of `weir doctor`. A feature of Weir has one row in a
 * table, and the row has a probe, which uses the feature and states the result.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_DOCTOR_H
#define WEIRI_CLI_DOCTOR_H

#include "cli/cli.h"

/** The text of doctor-program.c. */
extern const char weiri_doctor_program[];

/**
 * weiri_doctor:
 *
 * One examination. Texts are owned, and %NULL until they are known.
 * @folder: for files; borrowed
 * @own: this command
 * @output: of the last command that was tried: its standard output
 * @said: the same of standard error
 * @weir_cc: its path
 * @include_dir: the folder that weir-cc uses, if it has weir.h
 * @paths: the state of weir-cc, its headers and its library
 * @compiled: how compiling the program ended, with the default compiler
 */
struct weiri_doctor {
    const char *folder;
    char *own;
    char *output, *said;
    char *weir_cc, *include_dir;
    struct weiri_doctor_finding *paths, *compiled;
};

/**
 * weiri_doctor_finding:
 * @found: (transfer full): one line
 * @remedy: (transfer full): one line; %NULL where nothing is wrong
 */
struct weiri_doctor_finding {
    enum { WEIRI_DOCTOR_OK, WEIRI_DOCTOR_LIMITED, WEIRI_DOCTOR_MISSING } state;
    char *found, *remedy;
};

/**
 * weiri_doctor_feature:
 * @necessary: without it Weir is of little use
 */
struct weiri_doctor_feature {
    const char *name;
    const char *needed_for;
    bool necessary;
    struct weiri_doctor_finding (*probe)(struct weiri_doctor *doctor);
};

/** Each of these ends with a row without a name. */
extern const struct weiri_doctor_feature weiri_doctor_machine[];
extern const struct weiri_doctor_feature weiri_doctor_build[];
extern const struct weiri_doctor_feature weiri_doctor_tools[];

/* ---- doctor-try.c ---------------------------------------------------------------- */

/** These take the ownership of their texts. */
struct weiri_doctor_finding weiri_doctor_ok(char *found);
struct weiri_doctor_finding weiri_doctor_limited(char *found, char *remedy);
struct weiri_doctor_finding weiri_doctor_missing(char *found, char *remedy);

/**
 * weiri_doctor_try:
 * @program: its name or path; arguments follow, and a %NULL
 *
 * Runs a command without input, for at most a minute. @doctor->output and @doctor->said
 * get its output.
 *
 * Returns: its exit status; 127: the program does not exist; -1: a signal or the limit
 *          of time ended it
 */
int weiri_doctor_try(struct weiri_doctor *doctor, const char *program,
                     ...) G_GNUC_NULL_TERMINATED;

/** The line of the last command's messages that says why it failed; (transfer full). */
char *weiri_doctor_reason(const struct weiri_doctor *doctor);

/**
 * weiri_doctor_why:
 * @otherwise: the remedy if the messages of the last command are of no known kind
 *
 * Returns: (transfer full): a "missing" of the line of those messages that says why,
 *          with the package that has what is missing
 */
struct weiri_doctor_finding weiri_doctor_why(const struct weiri_doctor *doctor,
                                             const char *otherwise);

/** The path of a file in @doctor->folder. Returns: (transfer full) */
char *weiri_doctor_file(const struct weiri_doctor *doctor, const char *name);

/* ---- doctor-build.c -------------------------------------------------------------- */

/** Whether doctor-program.c could be compiled by weir-cc; the program is "program" in
 *  @doctor->folder then. Otherwise @finding is a "missing". */
bool weiri_doctor_has_program(struct weiri_doctor *doctor,
                              struct weiri_doctor_finding *finding);

#endif
