/* SPDX-License-Identifier: MIT
 *
 * reduce_multi_pass.c: every item loads two elements, an interleaved tree leaves
 * one value a group, and the host launches again over these until one is left.
 *
 * Source:  "Memory and synchronization", parallel reduction. Its local size must
 *          be even, and so must the number of elements of every pass and the
 *          tree be that of a power of two, else it reads past its arrays: here
 *          both reads are guarded.
 * Teaches: groups cannot wait for each other, so what has to wait for all of
 *          them is a launch of its own. Local memory holds garbage until it is
 *          written: 0 first, for the items that have no element. */
#include "reduce_passes.h"

WEIR_KERNEL(reduce_multi_pass, reduce_pass_args)
{
    size_t size = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    size_t first = 2 * weir_global_id(item, 0);
    const uint32_t *in = args->in;
    uint32_t *out = args->out;
    uint32_t *scratch = weir_local_array(item, uint32_t, size);
    scratch[lid] = 0;
    if (first < args->n) {
        scratch[lid] = in[first] + (first + 1 < args->n ? in[first + 1] : 0);
    }
    weir_barrier(item, WEIR_LOCAL);

    for (size_t stride = 1; stride < size; stride *= 2) {
        size_t index = 2 * stride * lid;
        if (index + stride < size) {
            scratch[index] += scratch[index + stride];
        }
        weir_barrier(item, WEIR_LOCAL);
    }
    if (lid == 0) {
        out[weir_group_id(item, 0)] = scratch[0];
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    return reduce_passes(job, &reduce_multi_pass, error);
}

KERNEL_ROW reduce_multi_pass_row = {
    .name = "reduce_multi_pass",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "C",
    .summary = "two elements an item, an interleaved tree; launched until one is left",
    .even = true,
    .twin = { KERNEL_H200, 536870912, 2.0814 },
    .run = run,
};
