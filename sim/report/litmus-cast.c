/* SPDX-License-Identifier: MIT
 *
 * litmus-cast.c: who takes part in a litmus test, read off the text that
 * weir_litmus_print() gives. In that, and in no other, each of these is a line:
 *
 *     { [x] = 0; atomic_int y = 1; int 0:r1 = 2; }
 *     P0@wg 0, dev 0 (global int* x, ...) {
 *
 * and all within threads is indented. */
#include "config.h"

#include "report/litmus-cast.h"

#include <stdio.h>
#include <string.h>

static void clear_initial(void *data)
{
    struct weiri_litmus_initial *initial = data;
    g_free(initial->name);
    g_free(initial->value);
}

/* "{ [x] = 0; atomic_int y = 1; }"; registers are left out. */
static void read_initials(struct weiri_litmus_cast *cast, const char *line)
{
    g_auto(GStrv) parts = g_strsplit_set(line, "{;}", -1);
    for (size_t i = 0; parts[i] != NULL; i++) {
        char *value = strstr(parts[i], " = ");
        if (value == NULL || strchr(parts[i], ':') != NULL) {
            continue;
        }
        *value = '\0';
        char *name = strrchr(parts[i], ' ');
        name = name != NULL ? name + 1 : parts[i];
        g_strdelimit(name, "[]", ' ');
        struct weiri_litmus_initial initial
            = { g_strdup(g_strstrip(name)), g_strdup(g_strstrip(value + 3)) };
        g_array_append_val(cast->initials, initial);
    }
}

struct weiri_litmus_cast *weiri_litmus_cast_new(const struct weir_litmus *test)
{
    struct weiri_litmus_cast *cast = g_new0(struct weiri_litmus_cast, 1);
    cast->threads = g_array_new(FALSE, FALSE, sizeof(struct weiri_litmus_member));
    cast->initials = g_array_new(FALSE, FALSE, sizeof(struct weiri_litmus_initial));
    g_array_set_clear_func(cast->initials, clear_initial);
    g_autofree char *text = weir_litmus_print(test);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (size_t i = 1; lines[i] != NULL; i++) {
        struct weiri_litmus_member member = { 0, 0 };
        unsigned index;
        char end;
        if (lines[i][0] == '{' && cast->initials->len == 0) {
            read_initials(cast, lines[i]);
        } else if (sscanf(lines[i], "P%u@wg %u, dev %u (", &index, &member.group,
                          &member.device)
                   == 3) {
            cast->placed = true;
            g_array_append_val(cast->threads, member);
        } else if (sscanf(lines[i], "P%u (%c", &index, &end) == 2) {
            member.group = cast->threads->len;
            g_array_append_val(cast->threads, member);
        }
    }
    return cast;
}

void weiri_litmus_cast_free(struct weiri_litmus_cast *cast)
{
    if (cast != NULL) {
        g_array_unref(cast->threads);
        g_array_unref(cast->initials);
        g_free(cast);
    }
}
