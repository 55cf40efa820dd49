/* SPDX-License-Identifier: MIT
 *
 * explored.h: what explored kernels are given, and results of explorations that are
 * compared. */
#ifndef WEIR_TESTS_EXPLORED_H
#define WEIR_TESTS_EXPLORED_H

#include "native_kernels.h"
#include "report/record.h"
#include "support.h"

#include <string.h>

/* Words for the kernels of native_kernels.h, all 0: of up to WORDS_ITEMS items. */
enum { WORDS_ITEMS = 64 };
TEST_HELPER words_args words_new(struct weir_device *device)
{
    words_args args
        = { weir_new(device, uint32_t, 8, "x"), weir_new(device, uint32_t, 8, "y"),
            weir_new(device, uint32_t, WORDS_ITEMS, "out") };
    memset(args.x, 0, 8 * sizeof(*args.x));
    memset(args.y, 0, 8 * sizeof(*args.y));
    memset(args.out, 0, WORDS_ITEMS * sizeof(*args.out));
    return args;
}

/* The steps of STEP_ITEMS items from a text with a | after each item but the last: a
 * letter and a digit a step. The place of a letter in @letters is its code. @rest is
 * the code and the word of steps that the text lacks. */
TEST_HELPER void read_steps(const char *text, const char *letters,
                            const uint8_t rest[2], uint8_t *steps)
{
    g_auto(GStrv) items = g_strsplit(text, "|", STEP_ITEMS);
    for (size_t i = 0; i < STEP_ITEMS; i++) {
        for (size_t s = 0; s < STEPS; s++) {
            uint8_t *step = steps + (i * STEPS + s) * 2;
            bool there = strlen(items[i]) > 2 * s;
            const char *at = items[i] + 2 * s;
            step[0] = there ? (uint8_t)(strchr(letters, at[0]) - letters) : rest[0];
            step[1] = there ? (uint8_t)(at[1] - '0') : rest[1];
        }
    }
}

/* All that a launch's report has, as a line. An address sanitizer leaves words of
 * earlier calls on the stacks of items, so that loops take more histories to be
 * recognised in one process than in another: then their number does not count. */
TEST_HELPER char *record_of_report(const struct weir_report *report)
{
    static const char member[] = "\"histories\":";
    static const struct weiri_launch_record head = { .kernel = "kernel" };
    char *line = g_string_free(weiri_record_of_report(&head, report), FALSE);
    char *number = UNDER_ASAN ? strstr(line, member) : NULL;
    if (number != NULL) {
        number += strlen(member);
        size_t length = strspn(number, "0123456789");
        memmove(number, number + length, strlen(number + length) + 1);
    }
    return line;
}

#endif
