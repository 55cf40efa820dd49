/* SPDX-License-Identifier: MIT */
#ifndef SCAN_IN_PLACE_H
#define SCAN_IN_PLACE_H

#include <weir-kernel.h>

/* The largest group. */
enum { MOST_ITEMS = 64 };

typedef struct {
    const int32_t *in; /* one for each item */
    int32_t *out;      /* of each item the sum of its group up to its own number */
} scan_args;

WEIR_DECLARE_KERNEL(scan);

#endif
