/* SPDX-License-Identifier: MIT
 *
 * reduce_two_pass_hierarchical.c: reduce_two_pass in hierarchical form, both
 * passes.
 *
 * Source:  the code that "Analyzing the Performance of Reduction Operations in
 *          Data Parallel C++" refers to: buffer to buffer, then buffer to final.
 * Teaches: the implied barrier ends a loop over the items of one group. What
 *          has to wait for all groups is a launch of its own in this form too. */
#include "reduce_two_pass.h"

WEIR_DECLARE_KERNEL(reduce_tree_hierarchical);

WEIR_GROUP_KERNEL(reduce_two_pass_hierarchical, reduce_first_pass_args)
{
    size_t size = weir_group_size(group, 0);
    uint32_t *scratch = weir_group_local_array(group, uint32_t, size);
    weir_for_each_item(item, group) {
        size_t i = weir_global_id(item, 0);
        scratch[weir_local_id(item, 0)] = i < args->n ? args->in[i] : 0;
    }
    for (size_t active = size; active > 1;) {
        size_t half = (active + 1) / 2;
        weir_for_each_item(item, group) {
            size_t lid = weir_local_id(item, 0);
            if (lid < active - half) {
                scratch[lid] += scratch[lid + half];
            }
        }
        active = half;
    }
    args->partials[weir_group_index(group, 0)] = scratch[0];
}

static bool run(struct kernel_job *job, GError **error)
{
    return reduce_two_passes(job, &reduce_two_pass_hierarchical,
                             &reduce_tree_hierarchical, error);
}

KERNEL_ROW reduce_two_pass_hierarchical_row = {
    .name = "reduce_two_pass_hierarchical",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "E",
    .summary = "reduce_two_pass, each barrier the end of a loop over the items",
    .hierarchical = true,
    .run = run,
};
