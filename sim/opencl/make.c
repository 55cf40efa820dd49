/* SPDX-License-Identifier: MIT
 *
 * make.c: see make.h. */
#include "config.h"

#include "opencl/make.h"

#include <string.h>

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
    char *text = weiri_process_text(step);
    char *end = strchr(text, '\n');
    if (end != NULL) {
        *end = '\0';
    }
    g_set_error(error, WEIRI_CL_ERROR, WEIRI_CL_ERROR_COMPILER,
                "%s failed on what Weir made of the program: %s", step->words[0],
                *text != '\0' ? text : "it could not be run");
    g_free(text);
    return false;
}
