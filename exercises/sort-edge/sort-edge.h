/* SPDX-License-Identifier: MIT */
#ifndef SORT_EDGE_H
#define SORT_EDGE_H

#include <weir-kernel.h>

/* The largest group. */
enum { MOST_ITEMS = 64 };

typedef struct {
    const int32_t *in; /* one for each item */
    int32_t *out;      /* of each group the same numbers, the least one first */
} sort_args;

WEIR_DECLARE_KERNEL(sort);

#endif
