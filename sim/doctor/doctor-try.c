/* SPDX-License-Identifier: MIT
 *
 * doctor-try.c: how `weir doctor` tries commands and reads why they fail; see doctor.h.
 * The reason is the first line of standard error that states an error. The remedy is a
 * package, found by a word of that text in a table, or the advice of the caller. */
#include "config.h"

#include "doctor/doctor.h"

#include "cli/child.h"
#include "cli/clock.h"

#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>

enum { SECONDS = 60 }; /* of a command that hangs */

/* ---- Findings -------------------------------------------------------------------- */

struct weiri_doctor_finding weiri_doctor_ok(char *found)
{
    return (struct weiri_doctor_finding){ WEIRI_DOCTOR_OK, found, NULL };
}

struct weiri_doctor_finding weiri_doctor_limited(char *found, char *remedy)
{
    return (struct weiri_doctor_finding){ WEIRI_DOCTOR_LIMITED, found, remedy };
}

struct weiri_doctor_finding weiri_doctor_missing(char *found, char *remedy)
{
    return (struct weiri_doctor_finding){ WEIRI_DOCTOR_MISSING, found, remedy };
}

/* ---- Commands -------------------------------------------------------------------- */

char *weiri_doctor_file(const struct weiri_doctor *doctor, const char *name)
{
    return g_build_filename(doctor->folder, name, NULL);
}

int weiri_doctor_try(struct weiri_doctor *doctor, const char *program, ...)
{
    g_autofree char *path = weiri_doctor_file(doctor, "output");
    g_autoptr(GPtrArray) argv = g_ptr_array_new();
    /* The shell puts standard output into a file, and ends with status 127 if the
     * program does not exist. */
    char *const shell[]
        = { (char *)"/bin/sh", (char *)"-c", (char *)"exec \"$@\" >\"$0\"", path };
    for (size_t i = 0; i < G_N_ELEMENTS(shell); i++) {
        g_ptr_array_add(argv, shell[i]);
    }
    va_list arguments;
    va_start(arguments, program);
    for (const char *word = program; word != NULL; word = va_arg(arguments, char *)) {
        g_ptr_array_add(argv, (char *)word);
    }
    va_end(arguments);
    g_ptr_array_add(argv, NULL);
    struct weiri_cli_child child
        = { .argv = (char *const *)argv->pdata,
            .deadline_us = weiri_cli_clock_us() + SECONDS * G_USEC_PER_SEC };
    g_autoptr(GError) error = NULL;
    bool started = weiri_cli_child_run(&child, &error);
    g_clear_pointer(&doctor->output, g_free);
    g_free(doctor->said);
    doctor->said = started ? child.said : g_strdup(error->message);
    if (!g_file_get_contents(path, &doctor->output, NULL, NULL)) {
        doctor->output = g_strdup("");
    }
    if (started && child.timed_out) {
        g_free(doctor->said);
        doctor->said = g_strdup_printf("%s: ended after %d seconds", program, SECONDS);
    }
    return started && !child.timed_out && WIFEXITED(child.status)
        ? WEXITSTATUS(child.status)
        : -1;
}

/* ---- Reasons --------------------------------------------------------------------- */

/* Messages of compilers and linkers about a thing that is missing, and the package that
 * has it. The first one that is found counts. */
static const struct {
    const char *text, *package;
} hints[] = {
    { "glib.h", "libglib2.0-dev" },
    { "glibconfig.h", "libglib2.0-dev" },
    { "-lglib-2.0", "libglib2.0-dev" },
    { "-ldw", "libdw-dev" },
    { "CL/cl.h", "opencl-headers" },
    { "-lOpenCL", "ocl-icd-opencl-dev" },
    { "crt1.o", "libc6-dev" },
    { "Scrt1.o", "libc6-dev" },
    { "-lc:", "libc6-dev" },
    { "stdio.h", "libc6-dev" },
    { "stdlib.h", "libc6-dev" },
    { "stdint.h", "libc6-dev" },
    { "limits.h", "libc6-dev" },
    { "cannot execute 'as'", "binutils" },
    { "cannot execute \xe2\x80\x98"
      "as",
      "binutils" },
    { "cannot find 'ld'", "binutils" },
    { "objcopy", "binutils" },
    { "objdump", "binutils" },
    { "needs nm", "binutils" },
    { "needs ld", "binutils" },
    { "cc1", "gcc" },
    { "no compiler", "gcc libc6-dev (or name a compiler in CC)" },
    { "WEIR_CLANG", "clang" },
};

/* The line that states an error, or the first one. Returns: (transfer full) */
static char *reason_of(const char *said)
{
    g_auto(GStrv) lines = g_strsplit(said, "\n", -1);
    const char *reason = lines[0] != NULL ? lines[0] : "";
    for (size_t i = 0; lines[i] != NULL; i++) {
        if (strstr(lines[i], "error:") != NULL || strstr(lines[i], "cannot ") != NULL
            || strstr(lines[i], "not found") != NULL) {
            reason = lines[i];
            break;
        }
    }
    return reason[0] != '\0' ? g_strstrip(g_strdup(reason)) : g_strdup("it failed");
}

char *weiri_doctor_reason(const struct weiri_doctor *doctor)
{
    return reason_of(doctor->said);
}

struct weiri_doctor_finding weiri_doctor_why(const struct weiri_doctor *doctor,
                                             const char *otherwise)
{
    const char *package = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(hints) && package == NULL; i++) {
        package = strstr(doctor->said, hints[i].text) != NULL ? hints[i].package : NULL;
    }
    return weiri_doctor_missing(reason_of(doctor->said),
                                package != NULL
                                    ? g_strdup_printf("apt-get install %s", package)
                                    : g_strdup(otherwise));
}
