/* SPDX-License-Identifier: MIT
 *
 * explored.h: results of explorations that are compared. */
#ifndef WEIR_TESTS_EXPLORED_H
#define WEIR_TESTS_EXPLORED_H

#include "report/record.h"
#include "support.h"

#include <string.h>

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
