/* SPDX-License-Identifier: MIT */
#ifndef IMPLICIT_LOCKSTEP_H
#define IMPLICIT_LOCKSTEP_H

#include <weir-kernel.h>

/* The largest group. Every group has a power of two of items. */
enum { MOST_ITEMS = 64 };

typedef struct {
    const int32_t *in; /* one for each item */
    int32_t *out;      /* one for each group: the sum of its numbers */
} sum_args;

WEIR_DECLARE_KERNEL(add_up);

#endif
