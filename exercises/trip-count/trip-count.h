/* SPDX-License-Identifier: MIT */
#ifndef TRIP_COUNT_H
#define TRIP_COUNT_H

#include <weir-kernel.h>

/* The largest group. */
enum { MOST_ITEMS = 64 };

typedef struct {
    const int32_t *in; /* n numbers, at least one */
    int32_t *out;      /* a sum for each item */
    size_t n;
} next_args;

WEIR_DECLARE_KERNEL(sum_next);

#endif
