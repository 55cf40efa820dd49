/* SPDX-License-Identifier: MIT */
#ifndef DOUBLE_CHECK_H
#define DOUBLE_CHECK_H

#include <weir-kernel.h>

typedef struct {
    int32_t seed;   /* what the table is made from */
    int32_t *ready; /* 0 at first */
    int32_t *lock;  /* 0: free, 1: taken; free at first */
    int32_t *table; /* seed * 3 and seed + 7, as soon as a group has made it */
    int32_t *made;  /* how often it was made; 0 at first, 1 in the end */
    int32_t *out;   /* one for each group: table[group % 2] */
} table_args;

WEIR_DECLARE_KERNEL(use_table);

#endif
