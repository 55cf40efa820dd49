/* SPDX-License-Identifier: MIT */
#ifndef BARRIER_IN_BRANCH_H
#define BARRIER_IN_BRANCH_H

#include <weir-kernel.h>

/* The largest group. */
enum { MOST_ITEMS = 64 };

typedef struct {
    const int32_t *in; /* one for each item */
    int32_t *out;      /* the sum of each group */
} pair_args;

WEIR_DECLARE_KERNEL(pair_sum);

#endif
