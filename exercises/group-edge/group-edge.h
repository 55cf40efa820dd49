/* SPDX-License-Identifier: MIT */
#ifndef GROUP_EDGE_H
#define GROUP_EDGE_H

#include <weir-kernel.h>

/* The largest group. */
enum { MOST_ITEMS = 64 };

typedef struct {
    int32_t *data; /* one for each item */
    int32_t *out;  /* twice the number, plus twice its right neighbour */
    size_t n;      /* items */
} smooth_args;

WEIR_DECLARE_KERNEL(smooth);

#endif
