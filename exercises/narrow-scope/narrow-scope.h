/* SPDX-License-Identifier: MIT */
#ifndef NARROW_SCOPE_H
#define NARROW_SCOPE_H

#include <weir-kernel.h>

/* The largest group. */
enum { MOST_ITEMS = 64 };

typedef struct {
    const int32_t *in; /* one for each item, none below 0 */
    int32_t *out;      /* the largest of them; 0 at first */
} largest_args;

WEIR_DECLARE_KERNEL(find_largest);

#endif
