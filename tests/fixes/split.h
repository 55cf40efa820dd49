/* SPDX-License-Identifier: MIT
 *
 * Arguments of the kernel in split_kernel.c, which split_main.c launches. */
#ifndef FIXES_SPLIT_H
#define FIXES_SPLIT_H

#include <stdint.h>

enum { LOCAL = 16 };

typedef struct {
    const uint32_t *in;
    uint32_t *out, *n;
} split_args;

#endif
