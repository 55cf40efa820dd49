/* SPDX-License-Identifier: MIT
 *
 * reduce_passes.h: launching a kernel again and again until one value is left:
 * the host's half of the sums that have no atomic. Elements are of 4 bytes,
 * int32 or float; the kernel knows which. */
#ifndef KERNEL_REDUCE_PASSES_H
#define KERNEL_REDUCE_PASSES_H

#include "kernels.h"

/* Group g of a pass leaves the sum of its part of @in in element g of @out. */
typedef struct {
    const void *in;
    void *out;
    size_t n; /* elements of in */
} reduce_pass_args;

/**
 * reduce_passes:
 * @kernel: takes reduce_pass_args
 *
 * Every item of a pass takes two elements, so a group of any size leaves fewer
 * than it takes. The first pass reads the job's input, the last writes its
 * answer; those between write two buffers in turn. No pass for no elements, one
 * for a single element.
 */
bool reduce_passes(struct kernel_job *job, const struct weir_kernel *kernel,
                   GError **error);

/* The longest chain of rounded additions in such a sum of @n floats: a tree has
 * log2 n levels, and rounding the levels of each pass up to whole ones does not
 * double them. Adding a 0 does not round. */
static inline size_t reduce_pairwise_chain(size_t n)
{
    size_t levels = 0;
    for (; n > 0; n /= 2) {
        levels++;
    }
    return 2 * levels;
}

#endif
