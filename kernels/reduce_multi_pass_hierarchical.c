/* SPDX-License-Identifier: MIT
 *
 * reduce_multi_pass_hierarchical.c: reduce_multi_pass in hierarchical form.
 *
 * Source:  "Memory and synchronization", parallel reduction.
 * Teaches: index = 2 x stride x local id touches every second, fourth, eighth …
 *          word: a loop over the items shows it to the compiler, which cannot
 *          make vector loads of it as it can of reduce_tree_hierarchical. */
#include "reduce_passes.h"

WEIR_GROUP_KERNEL(reduce_multi_pass_hierarchical, reduce_pass_args)
{
    size_t size = weir_group_size(group, 0);
    uint32_t *out = args->out;
    uint32_t *scratch = weir_group_local_array(group, uint32_t, size);
    weir_for_each_item(item, group) {
        size_t lid = weir_local_id(item, 0), first = 2 * weir_global_id(item, 0);
        const uint32_t *in = args->in;
        scratch[lid] = 0;
        if (first < args->n) {
            scratch[lid] = in[first] + (first + 1 < args->n ? in[first + 1] : 0);
        }
    }
    for (size_t stride = 1; stride < size; stride *= 2) {
        weir_for_each_item(item, group) {
            size_t index = 2 * stride * weir_local_id(item, 0);
            if (index + stride < size) {
                scratch[index] += scratch[index + stride];
            }
        }
    }
    out[weir_group_index(group, 0)] = scratch[0];
}

static bool run(struct kernel_job *job, GError **error)
{
    return reduce_passes(job, &reduce_multi_pass_hierarchical, error);
}

KERNEL_ROW reduce_multi_pass_hierarchical_row = {
    .name = "reduce_multi_pass_hierarchical",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "C",
    .summary = "reduce_multi_pass, each barrier the end of a loop over the items",
    .even = true,
    .hierarchical = true,
    .run = run,
};
