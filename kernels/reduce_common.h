/* SPDX-License-Identifier: MIT
 *
 * reduce_common.h: what the sums of int32 share: their arguments, and the one
 * launch that most of them are.
 *
 * A sum of int32 wraps at 32 bits. Signed overflow is undefined in C, so
 * kernels add uint32_t, whose sum has the same bits.
 *
 * Two habits of all these kernels: loads are guarded, barriers never are, so
 * that any number of elements fits any local size; and a tree halves the active
 * items *rounded up*, which is the source documents' halving for powers of two
 * and omits no value for other sizes. */
#ifndef KERNEL_REDUCE_COMMON_H
#define KERNEL_REDUCE_COMMON_H

#include "kernels.h"

typedef struct {
    const uint32_t *in;
    uint32_t *sum;
    size_t n; /* elements of in */
} reduce_args;

/* The sum of @n consecutive elements by one item. In blocks of a constant size: a
 * compiler makes one a run of vector additions without a branch, where the plain
 * loop can be bound by its own compare and jump. */
enum { REDUCE_BLOCK = 64 };

static inline uint32_t reduce_sum(const uint32_t *in, size_t n)
{
    uint32_t sum = 0;
    size_t i = 0;
    for (; i + REDUCE_BLOCK <= n; i += REDUCE_BLOCK) {
        uint32_t block = 0;
        for (size_t k = 0; k < REDUCE_BLOCK; k++) {
            block += in[i + k];
        }
        sum += block;
    }
    for (; i < n; i++) {
        sum += in[i];
    }
    return sum;
}

/* One launch of @kernel over the job's elements with at least @items items. */
static inline bool reduce_launch(struct kernel_job *job,
                                 const struct weir_kernel *kernel, size_t items,
                                 GError **error)
{
    reduce_args args = { job->in, job->out, job->n };
    return kernel_launch(job, kernel, kernel_range(job, items), &args, error);
}

#endif
