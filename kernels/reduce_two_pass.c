/* SPDX-License-Identifier: MIT
 *
 * reduce_two_pass.c: a tree leaves one value a group in a buffer; a second launch
 * over the buffer, reduce_tree itself, finishes.
 *
 * Source:  the code that "Analyzing the Performance of Reduction Operations in
 *          Data Parallel C++" refers to: buffer to buffer, then buffer to final.
 * Teaches: atomics are for the few: the first pass of n elements has none, the
 *          second one a group of a vector that is smaller by the local size. */
#include "reduce_two_pass.h"

WEIR_DECLARE_KERNEL(reduce_tree);

WEIR_KERNEL(reduce_two_pass, reduce_first_pass_args)
{
    size_t size = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    size_t i = weir_global_id(item, 0);
    uint32_t *scratch = weir_local_array(item, uint32_t, size);
    scratch[lid] = i < args->n ? args->in[i] : 0;

    for (size_t active = size; active > 1;) {
        size_t half = (active + 1) / 2;
        weir_barrier(item, WEIR_LOCAL);
        if (lid < active - half) {
            scratch[lid] += scratch[lid + half];
        }
        active = half;
    }
    if (lid == 0) {
        args->partials[weir_group_id(item, 0)] = scratch[0];
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    return reduce_two_passes(job, &reduce_two_pass, &reduce_tree, error);
}

KERNEL_ROW reduce_two_pass_row = {
    .name = "reduce_two_pass",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "E",
    .summary = "a tree to one value a group, then reduce_tree over these",
    .twin = { KERNEL_H200, 536870912, 3.6852 },
    .run = run,
};
