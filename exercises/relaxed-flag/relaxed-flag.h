/* SPDX-License-Identifier: MIT */
#ifndef RELAXED_FLAG_H
#define RELAXED_FLAG_H

#include <weir-kernel.h>

typedef struct {
    const int32_t *in; /* what is passed on: one for each pair of groups */
    int32_t *data;     /* one for each pair; 0 at first */
    int32_t *flag;     /* one for each pair; 0 at first */
    int32_t *out;      /* what has arrived */
} message_args;

WEIR_DECLARE_KERNEL(pass_on);

#endif
