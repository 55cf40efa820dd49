/* SPDX-License-Identifier: MIT
 *
 * make.c: see make.h. All files of a build are in one folder, by names that a format
 * makes. If a step fails without a message, the reason may be a full disk, so the
 * message states the free room. */
#include "config.h"

#include "opencl/compile/make.h"

#include <inttypes.h>
#include <string.h>
#include <sys/statvfs.h>

/* The reason why a command may have failed without a message: the disk may have no room
 * for one.
 * Returns: (transfer full) */
static char *silent_failure(const struct weiri_process *step)
{
    g_autofree char *folder = g_path_get_dirname(step->log);
    struct statvfs disk = { 0 };
    if (step->status <= 0 || statvfs(folder, &disk) != 0) {
        return g_strdup("it could not be run, or a signal ended it");
    }
    return g_strdup_printf("it ended with status %d and without a message: is there "
                           "room in %s? %" PRIu64 " KiB are free",
                           step->status, folder,
                           (uint64_t)disk.f_bavail * disk.f_frsize / 1024);
}

char *weiri_make_path(const struct weiri_make *build, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    char *name = g_strdup_vprintf(format, values);
    va_end(values);
    char *path = g_build_filename(build->folder, name, NULL);
    g_free(name);
    return path;
}

GPtrArray *weiri_make_words(const char *first)
{
    GPtrArray *words = g_ptr_array_new();
    g_ptr_array_add(words, g_strdup(first));
    return words;
}

bool weiri_make_fail(const struct weiri_process *step, GError **error)
{
    g_autofree char *text = weiri_process_text(step);
    text[strcspn(text, "\n")] = '\0';
    g_autofree char *failure = *text != '\0' ? NULL : silent_failure(step);
    g_set_error(error, WEIRI_CL_ERROR, WEIRI_CL_ERROR_COMPILER,
                "%s failed on what Weir made of the program: %s", step->words[0],
                failure != NULL ? failure : text);
    return false;
}
