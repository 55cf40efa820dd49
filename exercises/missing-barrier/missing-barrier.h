/* SPDX-License-Identifier: MIT */
#ifndef MISSING_BARRIER_H
#define MISSING_BARRIER_H

#include <weir-kernel.h>

/* The largest group. */
enum { MOST_ITEMS = 64 };

typedef struct {
    const int32_t *in; /* one for each item */
    int32_t *out;      /* of each group the same numbers, in reverse order */
} reverse_args;

WEIR_DECLARE_KERNEL(reverse);

#endif
