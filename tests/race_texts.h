/* SPDX-License-Identifier: MIT
 *
 * race_texts.h: programs of race_program.h in a line or two, and those that one test
 * judges by hand and another holds the detector to. */
#ifndef WEIR_TESTS_RACE_TEXTS_H
#define WEIR_TESTS_RACE_TEXTS_H

#include "support.h"

#define OF(groups, items, sub_groups, scopes, spaces)                                  \
    "groups " groups " items " items " sub-groups " sub_groups " scopes " scopes       \
    " spaces " spaces "\n"

/* @head: lines up to the first step, as they are.
 * @steps: "ITEM STEP, STEP; ITEM STEP"; an access without bytes is of [0..3]
 * Returns: (transfer full): the text that program_read() takes */
TEST_HELPER char *race_text(const char *head, const char *steps)
{
    GString *text = g_string_new(head);
    g_autoptr(GRegex) without_bytes = g_regex_new(" ([a-d])(?![[\\w])", 0, 0, NULL);
    g_autofree char *full
        = g_regex_replace(without_bytes, steps, -1, 0, " \\1[0..3]", 0, NULL);
    g_auto(GStrv) items = g_strsplit(full, "; ", -1);
    for (char **item = items; *item != NULL; item++) {
        g_auto(GStrv) each = g_strsplit(*item + strlen("0.0 "), ", ", -1);
        for (char **step = each; *step != NULL; step++) {
            g_string_append_printf(text, "%.3s %s\n", *item, *step);
        }
    }
    return g_string_free(text, FALSE);
}

/* Item 0 writes a global word and signals item 1, which signals item 2, which reads it:
 * by flags in local memory and fences of @order, of which that of item 1 is of local
 * memory alone. A head and steps, as the next one. */
#define HANDED_ON(order)                                                               \
    OF("1", "3", "1", "mutual", "opencl")                                              \
    "object a global 8\nobject b local 8 of 0\n",                                      \
        "0.0 write a, fence " order " work_group both, store b relaxed work_group; "   \
        "0.1 load b relaxed work_group, fence " order " work_group local, "            \
        "store b[4..7] relaxed work_group; "                                           \
        "0.2 load b[4..7] relaxed work_group, fence " order " work_group both, read a"

/* The same by one flag, and all that item 1 does is a read-modify-write of it. The
 * first fence reaches that item, of the same sub-group, but not item 2. */
#define HANDED_ON_BY_AN_UPDATE                                                         \
    OF("1", "4", "2", "mutual", "opencl")                                              \
    "object a global 8\nobject b local 8 of 0\n",                                      \
        "0.0 write a, fence seq_cst sub_group both, store b relaxed work_group; "      \
        "0.1 fetch_add b seq_cst work_group; "                                         \
        "0.2 load b relaxed work_group, fence seq_cst work_group both, read a"

#endif
