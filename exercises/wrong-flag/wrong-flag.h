/* SPDX-License-Identifier: MIT */
#ifndef WRONG_FLAG_H
#define WRONG_FLAG_H

#include <weir-kernel.h>

/* The largest group. */
enum { MOST_ITEMS = 64 };

typedef struct {
    const int32_t *in; /* one for each item */
    int32_t *spare;    /* one for each item */
    int32_t *out;      /* twice the number of the other item of the pair */
} swap_args;

WEIR_DECLARE_KERNEL(swap_pairs);

#endif
