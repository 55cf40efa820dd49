/* SPDX-License-Identifier: MIT
 *
 * reduce_tree.c: one element an item into local memory, a tree with a barrier
 * before each level, and item 0 of each group adds the group's value to the
 * global sum.
 *
 * Source:  the tree reduction of "Analyzing the Performance of Reduction
 *          Operations in Data Parallel C++" (the code that it refers to).
 * Teaches: the idiom. At each level half of the items have nothing left to do:
 *          the article names that imbalance as what the kernel pays for. The
 *          guard is around the load and not around the barrier. */
#include "reduce_common.h"

WEIR_KERNEL(reduce_tree, reduce_args)
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
        weir_atomic_add(weir_atomic_ref_space(args->sum, memory_order_relaxed,
                                              memory_scope_device, WEIR_GLOBAL),
                        scratch[0]);
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    return reduce_launch(job, &reduce_tree, job->n, error);
}

KERNEL_ROW reduce_tree_row = {
    .name = "reduce_tree",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "E",
    .summary = "one element an item, a tree with barriers, one atomic add a group",
    .figures = (const struct kernel_figure[]){ { "HD Graphics 630", 536870912, 288 },
                                               { "Iris Xe", 536870912, 115 },
                                               { NULL, 0, 0 } },
    .twin = { KERNEL_H200, 536870912, 3.8162 },
    .run = run,
};
