/* SPDX-License-Identifier: MIT
 *
 * reduce_first_add.c: reduce_tree with the first addition made during the load:
 * every item takes two elements, one local size apart.
 *
 * Source:  none of the documents; M. Harris, "Optimizing Parallel Reduction in
 *          CUDA", 2007.
 * Teaches: half the items of reduce_tree are idle from the first level on. Here
 *          they are not started: half the groups, the same barriers in each. The
 *          distance keeps neighbours reading neighbours, unlike the adjacent pairs
 *          of reduce_multi_pass. */
#include "reduce_common.h"

WEIR_KERNEL(reduce_first_add, reduce_args)
{
    size_t size = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    uint32_t *scratch = weir_local_array(item, uint32_t, size);
    size_t i = weir_group_id(item, 0) * 2 * size + lid;
    uint32_t first = i < args->n ? args->in[i] : 0;
    uint32_t second = i + size < args->n ? args->in[i + size] : 0;
    scratch[lid] = first + second;

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
    return reduce_launch(job, &reduce_first_add, kernel_div_up(job->n, 2), error);
}

KERNEL_ROW reduce_first_add_row = {
    .name = "reduce_first_add",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "",
    .summary = "two elements an item, added during the load, then reduce_tree's tree",
    .run = run,
};
