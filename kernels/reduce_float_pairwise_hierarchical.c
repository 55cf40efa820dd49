/* SPDX-License-Identifier: MIT
 *
 * reduce_float_pairwise_hierarchical.c: reduce_float_pairwise in hierarchical form.
 *
 * Source:  none of the documents.
 * Teaches: the same tree, so the same bits as the plain form at the same local
 *          size: the last bits depend on the order of addition alone. */
#include "reduce_passes.h"

WEIR_GROUP_KERNEL(reduce_float_pairwise_hierarchical, reduce_pass_args)
{
    size_t size = weir_group_size(group, 0);
    float *out = args->out;
    float *scratch = weir_group_local_array(group, float, size);
    weir_for_each_item(item, group) {
        size_t lid = weir_local_id(item, 0), first = 2 * weir_global_id(item, 0);
        const float *in = args->in;
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
    return reduce_passes(job, &reduce_float_pairwise_hierarchical, error);
}

KERNEL_ROW reduce_float_pairwise_hierarchical_row = {
    .name = "reduce_float_pairwise_hierarchical",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_FLOAT,
    .source = "",
    .summary = "reduce_float_pairwise, each barrier the end of a loop over the items",
    .hierarchical = true,
    .chain = reduce_pairwise_chain,
    .run = run,
};
