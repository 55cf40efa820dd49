/* SPDX-License-Identifier: MIT */
#ifndef RELAXED_UNLOCK_H
#define RELAXED_UNLOCK_H

#include <weir-kernel.h>

typedef struct {
    const int32_t *in; /* one for each group */
    int32_t *lock;     /* 0: free, 1: taken; free at first */
    int32_t *total;    /* the sum of the numbers, and that of their squares */
} lock_args;

WEIR_DECLARE_KERNEL(add_both);

#endif
