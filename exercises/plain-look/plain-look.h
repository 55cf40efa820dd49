/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_LOOK_H
#define PLAIN_LOOK_H

#include <weir-kernel.h>

typedef struct {
    const int32_t *in; /* one for each item, each greater than 0 */
    int32_t *most;     /* the greatest number; 0 at first */
} greatest_args;

WEIR_DECLARE_KERNEL(greatest);

#endif
