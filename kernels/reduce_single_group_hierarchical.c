/* SPDX-License-Identifier: MIT
 *
 * reduce_single_group_hierarchical.c: reduce_single_group in hierarchical form:
 * code of the group outside, a loop over its items inside, and the barrier is
 * the end of that loop.
 *
 * Source:  "Local Barriers vs global atomics", third listing.
 * Teaches: no item is suspended where the barrier is the end of a loop, and an
 *          implied barrier cannot diverge. */
#include "reduce_common.h"

WEIR_GROUP_KERNEL(reduce_single_group_hierarchical, reduce_args)
{
    size_t size = weir_group_size(group, 0);
    uint32_t *scratch = weir_group_local_array(group, uint32_t, size);
    weir_for_each_item(item, group) {
        size_t lid = weir_local_id(item, 0);
        const uint32_t *in = args->in;
        size_t n = args->n;
        uint32_t sum = 0;
        for (size_t i = lid; i < n; i += size) {
            sum += in[i];
        }
        scratch[lid] = sum;
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
    *args->sum = scratch[0];
}

static bool run(struct kernel_job *job, GError **error)
{
    return reduce_launch(job, &reduce_single_group_hierarchical, job->local, error);
}

KERNEL_ROW reduce_single_group_hierarchical_row = {
    .name = "reduce_single_group_hierarchical",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "A",
    .summary = "reduce_single_group, each barrier the end of a loop over the items",
    .single_group = true,
    .hierarchical = true,
    .run = run,
};
