/* SPDX-License-Identifier: MIT
 *
 * texts.c: other texts for the sources of a program, with which `weir check` tries
 * fixes. The variable WEIR_CL_TEXTS has the beginning of file names: a source with the
 * text of BEGINNING-1.old is compiled with the text of BEGINNING-1.new, and so on; the
 * first missing number ends the list. The source keeps its name, so findings and
 * messages name its file, and its includes are found as before.
 *
 * Texts are compared, and not names: most programs give no names. */
#include "config.h"

#include <string.h>

#include "opencl/compile/make.h"

/* The length without bytes that readers of files add or drop at the end. */
static size_t trimmed(const char *text)
{
    size_t bytes = strlen(text);
    while (bytes > 0 && g_ascii_isspace(text[bytes - 1])) {
        bytes--;
    }
    return bytes;
}

char *weiri_make_text(const char *text)
{
    const char *beginning = g_getenv("WEIR_CL_TEXTS");
    size_t bytes = trimmed(text);
    for (unsigned n = 1; beginning != NULL; n++) {
        g_autofree char *old_path = g_strdup_printf("%s-%u.old", beginning, n);
        g_autofree char *new_path = g_strdup_printf("%s-%u.new", beginning, n);
        g_autofree char *old = NULL;
        char *other = NULL;
        if (!g_file_get_contents(old_path, &old, NULL, NULL)) {
            break;
        }
        if (trimmed(old) == bytes && memcmp(old, text, bytes) == 0
            && g_file_get_contents(new_path, &other, NULL, NULL)) {
            return other;
        }
    }
    return g_strdup(text);
}
