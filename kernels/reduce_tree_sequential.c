/* SPDX-License-Identifier: MIT
 *
 * reduce_tree_sequential.c: the tree whose active items are the first ones: at each
 * level item i adds the value that lies half the active ones further on.
 *
 * Source:  none of the documents by that name, though reduce_tree of the article
 *          addresses in the same way; M. Harris, "Optimizing Parallel Reduction
 *          in CUDA", 2007, has it as the remedy for reduce_tree_divergent.
 * Teaches: sequential addressing. The active items fill whole sub-groups, and the
 *          rest of the group is idle by whole sub-groups, which cost nothing;
 *          neighbours read neighbours. */
#include "reduce_common.h"

WEIR_KERNEL(reduce_tree_sequential, reduce_args)
{
    size_t size = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    uint32_t *scratch = weir_local_array(item, uint32_t, size);
    size_t i = weir_global_id(item, 0);
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
    return reduce_launch(job, &reduce_tree_sequential, job->n, error);
}

KERNEL_ROW reduce_tree_sequential_row = {
    .name = "reduce_tree_sequential",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "",
    .summary = "a tree whose active items are the first: sequential addressing",
    .run = run,
};
