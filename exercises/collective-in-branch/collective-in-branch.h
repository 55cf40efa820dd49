/* SPDX-License-Identifier: MIT */
#ifndef COLLECTIVE_IN_BRANCH_H
#define COLLECTIVE_IN_BRANCH_H

#include <weir-kernel.h>

typedef struct {
    const int32_t *in; /* one for each item */
    int32_t *out;      /* one for each group: the sum of its even numbers; 0 at first */
} sum_args;

WEIR_DECLARE_KERNEL(add_even);

#endif
