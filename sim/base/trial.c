/* SPDX-License-Identifier: MIT
 *
 * trial.c: see trial.h. The environment is read once, so that a change costs a
 * comparison of two integers. */
#include "config.h"

#include "base/trial.h"

#include <stdlib.h>

static int chosen;
static size_t more[WEIRI_TRIAL_SIZES];

/* Before main(): items must never see another value. */
static __attribute__((constructor)) void read_chosen(void)
{
    const char *number = getenv("WEIR_TRIAL"), *sizes = getenv("WEIR_TRIAL_MORE");
    chosen = number != NULL ? atoi(number) : 0;
    for (int i = 0; i < WEIRI_TRIAL_SIZES && sizes != NULL; i++) {
        char *end;
        more[i] = strtoull(sizes, &end, 10);
        sizes = *end == ',' ? end + 1 : NULL;
    }
}

int weiri_trial(int number)
{
    return number == chosen;
}

size_t weiri_trial_more(int size)
{
    return more[size - 1];
}
