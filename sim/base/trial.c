/* SPDX-License-Identifier: MIT
 *
 * trial.c: see trial.h. */
#include "config.h"

#include "base/trial.h"

#include <stdlib.h>

static int chosen;

/* Before main(), so that items find it as it stays. */
static __attribute__((constructor)) void read_chosen(void)
{
    const char *number = getenv("WEIR_TRIAL");
    chosen = number != NULL ? atoi(number) : 0;
}

int weiri_trial(int number)
{
    return number == chosen;
}
