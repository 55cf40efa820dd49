/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_COUNTER_H
#define PLAIN_COUNTER_H

#include <weir-kernel.h>

/* The largest group. */
enum { MOST_ITEMS = 64 };

typedef struct {
    const int32_t *in; /* one for each item */
    int32_t *count;    /* 0 at first */
    int32_t limit;     /* numbers above it are counted */
} count_args;

WEIR_DECLARE_KERNEL(count_large);

#endif
