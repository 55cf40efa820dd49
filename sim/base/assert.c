/* SPDX-License-Identifier: MIT
 *
 * assert.c: the message of a failed assertion. */
#include "config.h"

#include "base/assert.h"

#include "base/gdb.h"

#include <stdio.h>
#include <stdlib.h>

void (*weiri_assert_context)(void);
volatile sig_atomic_t weiri_assert_has_failed;

_Noreturn void weiri_assert_fail(const char *condition, const char *file, int line)
{
    fprintf(stderr, "weir: internal error: %s does not hold at %s:%d\n", condition,
            file, line);
    if (weiri_assert_context != NULL) {
        weiri_assert_context();
    }
    fflush(stderr);
    weiri_assert_has_failed = 1;
    abort();
}
