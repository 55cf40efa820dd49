/* SPDX-License-Identifier: MIT */
#ifndef SUB_GROUP_SIZE_H
#define SUB_GROUP_SIZE_H

#include <weir-kernel.h>

/* The largest group. */
enum { MOST_ITEMS = 64 };

typedef struct {
    const int32_t *in; /* one for each item */
    int32_t *out;      /* one for each group: the sum of its numbers */
} sum_args;

WEIR_DECLARE_KERNEL(add_up);

#endif
