/* SPDX-License-Identifier: MIT
 *
 * reduce_tree_divergent_hierarchical.c: reduce_tree_divergent in hierarchical
 * form.
 *
 * Source:  none of the documents; see reduce_tree_divergent.c.
 * Teaches: a condition that holds for every second, fourth, eighth … turn of a
 *          loop is hard on a CPU too: no vector code, and branches to predict. */
#include "reduce_common.h"

WEIR_GROUP_KERNEL(reduce_tree_divergent_hierarchical, reduce_args)
{
    size_t size = weir_group_size(group, 0);
    uint32_t *scratch = weir_group_local_array(group, uint32_t, size);
    weir_for_each_item(item, group) {
        size_t lid = weir_local_id(item, 0);
        size_t i = weir_global_id(item, 0);
        scratch[lid] = i < args->n ? args->in[i] : 0;
    }
    for (size_t stride = 1; stride < size; stride *= 2) {
        weir_for_each_item(item, group) {
            size_t lid = weir_local_id(item, 0);
            if (lid % (2 * stride) == 0 && lid + stride < size) {
                scratch[lid] += scratch[lid + stride];
            }
        }
    }
    weir_atomic_add(weir_atomic_ref_space(args->sum, memory_order_relaxed,
                                          memory_scope_device, WEIR_GLOBAL),
                    scratch[0]);
}

static bool run(struct kernel_job *job, GError **error)
{
    return reduce_launch(job, &reduce_tree_divergent_hierarchical, job->n, error);
}

KERNEL_ROW reduce_tree_divergent_hierarchical_row = {
    .name = "reduce_tree_divergent_hierarchical",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "",
    .summary = "reduce_tree_divergent, each barrier the end of a loop over the items",
    .hierarchical = true,
    .run = run,
};
