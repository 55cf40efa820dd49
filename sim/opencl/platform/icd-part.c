/* SPDX-License-Identifier: MIT
 *
 * icd-part.c: the sources of a program; see icd-program.h. A part is a text with its
 * headers, which are parts themselves. */
#include "config.h"

#include "opencl/platform/icd-program.h"

struct weiri_icd_part *weiri_icd_part(const char *name, const char *text)
{
    struct weiri_icd_part *part = g_new0(struct weiri_icd_part, 1);
    part->name = g_strdup(name);
    part->text = g_strdup(text);
    part->headers = g_ptr_array_new_with_free_func(weiri_icd_part_free);
    return part;
}

struct weiri_icd_part *weiri_icd_part_copy(const struct weiri_icd_part *part)
{
    struct weiri_icd_part *copy = weiri_icd_part(part->name, part->text);
    for (guint i = 0; i < part->headers->len; i++) {
        g_ptr_array_add(copy->headers,
                        weiri_icd_part_copy(g_ptr_array_index(part->headers, i)));
    }
    return copy;
}

void weiri_icd_part_free(void *data)
{
    struct weiri_icd_part *part = data;
    g_ptr_array_unref(part->headers);
    g_free(part->name);
    g_free(part->text);
    g_free(part);
}
