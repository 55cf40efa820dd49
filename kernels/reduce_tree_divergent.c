/* SPDX-License-Identifier: MIT
 *
 * reduce_tree_divergent.c: the tree whose active items lie scattered: at stride s
 * those whose local id is a multiple of 2 s.
 *
 * Source:  none of the documents; the first step of every course on reductions
 *          (M. Harris, "Optimizing Parallel Reduction in CUDA", 2007).
 * Teaches: divergent addressing. Idle and active items alternate, so on a device
 *          that runs a sub-group in lockstep each sub-group takes every level at
 *          full cost though ever fewer of its items work. It differs from
 *          reduce_tree_sequential in nothing but the items it chooses. */
#include "reduce_common.h"

WEIR_KERNEL(reduce_tree_divergent, reduce_args)
{
    size_t size = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    uint32_t *scratch = weir_local_array(item, uint32_t, size);
    size_t i = weir_global_id(item, 0);
    scratch[lid] = i < args->n ? args->in[i] : 0;

    for (size_t stride = 1; stride < size; stride *= 2) {
        weir_barrier(item, WEIR_LOCAL);
        if (lid % (2 * stride) == 0 && lid + stride < size) {
            scratch[lid] += scratch[lid + stride];
        }
    }
    if (lid == 0) {
        weir_atomic_add(weir_atomic_ref_space(args->sum, memory_order_relaxed,
                                              memory_scope_device, WEIR_GLOBAL),
                        scratch[0]);
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    return reduce_launch(job, &reduce_tree_divergent, job->n, error);
}

KERNEL_ROW reduce_tree_divergent_row = {
    .name = "reduce_tree_divergent",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "",
    .summary = "a tree whose active items are scattered: divergent addressing",
    .run = run,
};
