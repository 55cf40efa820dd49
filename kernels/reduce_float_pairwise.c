/* SPDX-License-Identifier: MIT
 *
 * reduce_float_pairwise.c: a sum of floats by pairs of neighbours, a tree in each
 * group and launches over what the groups leave: reduce_multi_pass for floats, of
 * any local size.
 *
 * Source:  none of the documents.
 * Teaches: additions of floats round, and rounding is not associative: a sum
 *          depends on the order of its additions, in its last bits. Here the order
 *          is a tree fixed by the number of elements and the local size, so each
 *          run has the same bits; the local size changes them. An element goes
 *          through about log2 n additions, where a loop has n: the error grows with
 *          the logarithm (N. J. Higham, "The accuracy of floating point summation",
 *          1993). Compare reduce_float_atomic. */
#include "reduce_passes.h"

WEIR_KERNEL(reduce_float_pairwise, reduce_pass_args)
{
    size_t size = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    size_t first = 2 * weir_global_id(item, 0);
    const float *in = args->in;
    float *out = args->out;
    float *scratch = weir_local_array(item, float, size);
    scratch[lid] = 0;
    if (first < args->n) {
        scratch[lid] = in[first] + (first + 1 < args->n ? in[first + 1] : 0);
    }
    for (size_t stride = 1; stride < size; stride *= 2) {
        weir_barrier(item, WEIR_LOCAL);
        size_t index = 2 * stride * lid;
        if (index + stride < size) {
            scratch[index] += scratch[index + stride];
        }
    }
    if (lid == 0) {
        out[weir_group_id(item, 0)] = scratch[0];
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    return reduce_passes(job, &reduce_float_pairwise, error);
}

KERNEL_ROW reduce_float_pairwise_row = {
    .name = "reduce_float_pairwise",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_FLOAT,
    .source = "",
    .summary = "float sum by pairs: a fixed tree, the same bits in every run",
    .chain = reduce_pairwise_chain,
    .run = run,
};
