/* SPDX-License-Identifier: MIT */
#ifndef LAST_GROUP_H
#define LAST_GROUP_H

#include <weir-kernel.h>

typedef struct {
    const int32_t *in; /* one for each item */
    int32_t *partials; /* one for each group; 0 at first */
    int32_t *arrived;  /* groups that have stored their sum; 0 at first */
    int32_t *total;    /* the sum of all numbers; 0 at first */
} sum_args;

WEIR_DECLARE_KERNEL(add_up);

#endif
