/* SPDX-License-Identifier: MIT */
#ifndef WAITING_GROUPS_H
#define WAITING_GROUPS_H

#include <weir-kernel.h>

typedef struct {
    const int32_t *in; /* one for each group */
    int32_t *sum;      /* 0 at first */
    int32_t *arrived;  /* 0 at first */
    int32_t *out; /* one for each group: the sum of the others' numbers; 0 at first */
} others_args;

WEIR_DECLARE_KERNEL(sum_of_others);

#endif
