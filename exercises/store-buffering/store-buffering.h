/* SPDX-License-Identifier: MIT */
#ifndef STORE_BUFFERING_H
#define STORE_BUFFERING_H

#include <weir-kernel.h>

typedef struct {
    const int32_t *wants; /* one for each group: whether it wants to enter */
    int32_t *flag;        /* one for each group; 0 at first */
    int32_t *entered;     /* one for each group; 0 at first */
} enter_args;

WEIR_DECLARE_KERNEL(enter);

#endif
