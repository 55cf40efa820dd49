/* SPDX-License-Identifier: MIT */
#ifndef WRONG_DIMENSION_H
#define WRONG_DIMENSION_H

#include <weir-kernel.h>

typedef struct {
    const int32_t *in; /* the elements, row by row */
    int32_t *out;      /* the sum of each row; 0 at first */
} matrix_args;

/* The range has as many rows and columns as the matrix, and groups of one row. */
WEIR_DECLARE_KERNEL(row_sums);

#endif
