/* SPDX-License-Identifier: MIT */
#ifndef DEVICE_BARRIER_H
#define DEVICE_BARRIER_H

#include <weir-kernel.h>

typedef struct {
    const int32_t *in; /* one for each item, greater than 0 */
    int32_t *total;    /* 0 at first */
    int32_t *arrived;  /* 0 at first */
    int32_t *out;      /* one for each item: its share of the total, in per cent */
} share_args;

WEIR_DECLARE_KERNEL(shares);
WEIR_DECLARE_KERNEL(finish);

#endif
