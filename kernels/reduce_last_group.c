/* SPDX-License-Identifier: MIT
 *
 * reduce_last_group.c: each group writes its partial sum and adds to a counter with
 * acq_rel order; the group that finds all others arrived sums the partial sums.
 *
 * Source:  "Data Parallel C++ TAB Meeting: Atomics", "Common Patterns Are Broken"
 *          and its remedy.
 * Teaches: one atomic does both halves. It releases this group's partial sum to
 *          later groups, and acquires those of all groups before it; the
 *          chain of read-modify-writes carries every release to the last group.
 *          No group waits for another, so no progress of others is needed. */
#include "reduce_last_group.h"

WEIR_KERNEL(reduce_last_group, reduce_last_group_args)
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
        size_t groups = weir_num_groups(item, 0);
        args->partials[weir_group_id(item, 0)] = scratch[0];
        /* acq_rel: the release pairs with the acquire of the last group to come
         * here, the acquire with the releases of all groups before this one. */
        uint32_t arrived = weir_atomic_fetch_add(
            weir_atomic_ref_space(args->arrived, memory_order_acq_rel,
                                  memory_scope_device, WEIR_GLOBAL),
            1);
        if (arrived == groups - 1) {
            uint32_t sum = 0;
            for (size_t g = 0; g < groups; g++) {
                sum += args->partials[g];
            }
            *args->sum = sum;
        }
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    return reduce_last_group_launch(job, &reduce_last_group, error);
}

KERNEL_ROW reduce_last_group_row = {
    .name = "reduce_last_group",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "B",
    .summary = "the last group to arrive, by an acq_rel counter, finishes",
    .local = LAST_GROUP_LOCAL,
    .twin = { KERNEL_H200, 536870912, 52.3148 },
    .run = run,
};
