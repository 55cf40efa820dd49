/* SPDX-License-Identifier: MIT */
#ifndef ROUNDED_RANGE_H
#define ROUNDED_RANGE_H

#include <weir-kernel.h>

typedef struct {
    size_t n;          /* numbers: at most as many as there are items */
    const int32_t *in; /* the numbers */
    int32_t *out;      /* of each number itself, or 0 if it is negative */
} clip_args;

WEIR_DECLARE_KERNEL(clip);

#endif
