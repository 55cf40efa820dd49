/* SPDX-License-Identifier: MIT */
#ifndef EARLY_RETURN_H
#define EARLY_RETURN_H

#include <weir-kernel.h>

/* The largest group. */
enum { MOST_ITEMS = 64 };

typedef struct {
    const int32_t *in; /* n numbers */
    int32_t *out;      /* n numbers */
    size_t n;          /* there may be more items */
} left_args;

WEIR_DECLARE_KERNEL(add_left);

#endif
