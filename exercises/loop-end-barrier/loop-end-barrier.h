/* SPDX-License-Identifier: MIT */
#ifndef LOOP_END_BARRIER_H
#define LOOP_END_BARRIER_H

#include <weir-kernel.h>

/* The largest group. */
enum { MOST_ITEMS = 64 };

typedef struct {
    const int32_t *in; /* n numbers, whole tiles of the size of a group */
    int32_t *out;      /* a sum for each item */
    size_t n;
} fold_args;

WEIR_DECLARE_KERNEL(fold_tiles);

#endif
