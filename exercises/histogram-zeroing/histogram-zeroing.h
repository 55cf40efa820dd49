/* SPDX-License-Identifier: MIT */
#ifndef HISTOGRAM_ZEROING_H
#define HISTOGRAM_ZEROING_H

#include <weir-kernel.h>

/* The largest group. */
enum { MOST_ITEMS = 64 };

enum { BINS = 4 };

typedef struct {
    const int32_t *in; /* one for each item, from 0 to BINS - 1 */
    int32_t *bins;     /* BINS counts; 0 at first */
} histogram_args;

WEIR_DECLARE_KERNEL(histogram);

#endif
