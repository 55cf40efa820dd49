/* SPDX-License-Identifier: MIT */
#ifndef VOLATILE_FLAG_H
#define VOLATILE_FLAG_H

#include <weir-kernel.h>

typedef struct {
    size_t n;          /* numbers */
    const int32_t *in; /* the numbers, each of them once */
    int32_t wanted;    /* one of the numbers */
    int32_t *stop;     /* 0 at first */
    int32_t *place;    /* where the number is: -1 at first */
} search_args;

WEIR_DECLARE_KERNEL(stop_early);

#endif
