/* SPDX-License-Identifier: MIT */
#ifndef LOCAL_GARBAGE_H
#define LOCAL_GARBAGE_H

#include <weir-kernel.h>

/* The largest group. */
enum { MOST_ITEMS = 64 };

typedef struct {
    const int32_t *in; /* one for each item, of any sign */
    int32_t *out;      /* one for each group: the greatest of its numbers */
} greatest_args;

WEIR_DECLARE_KERNEL(greatest);

#endif
