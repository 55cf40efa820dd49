/* SPDX-License-Identifier: MIT */
#ifndef SHUFFLE_EDGE_H
#define SHUFFLE_EDGE_H

#include <weir-kernel.h>

/* The largest group. */
enum { MOST_ITEMS = 64 };

typedef struct {
    int32_t *data; /* one for each item; in the end the differences */
} difference_args;

WEIR_DECLARE_KERNEL(differences);

#endif
