/* SPDX-License-Identifier: MIT
 *
 * reduce_tree_hierarchical.c: reduce_tree in hierarchical form.
 *
 * Source:  the tree reduction of "Analyzing the Performance of Reduction
 *          Operations in Data Parallel C++" (the code that it refers to).
 * Teaches: what the barriers of reduce_tree cost on a CPU: the levels are the
 *          same, but a level is a loop that the compiler may vectorise, and no
 *          item is parked. */
#include "reduce_common.h"

WEIR_GROUP_KERNEL(reduce_tree_hierarchical, reduce_args)
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
    weir_atomic_add(weir_atomic_ref_space(args->sum, memory_order_relaxed,
                                          memory_scope_device, WEIR_GLOBAL),
                    scratch[0]);
}

static bool run(struct kernel_job *job, GError **error)
{
    return reduce_launch(job, &reduce_tree_hierarchical, job->n, error);
}

KERNEL_ROW reduce_tree_hierarchical_row = {
    .name = "reduce_tree_hierarchical",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "E",
    .summary = "reduce_tree, each barrier the end of a loop over the items",
    .hierarchical = true,
    .run = run,
};
