/* SPDX-License-Identifier: MIT
 *
 * reduce_last_group_relaxed.c: each group writes its partial sum and adds to a
 * counter, *relaxed*; the group that finds all others arrived sums the partial
 * sums. Broken on purpose: weir check finds the race.
 *
 * Source:  "Data Parallel C++ TAB Meeting: Atomics", "Common Patterns Are Broken".
 * Teaches: what a relaxed atomic does not do. It counts, and nothing else: an
 *          item that reads the new count need not see what was written before
 *          the addition. The last group may sum partial sums that have not
 *          arrived. A correct answer on most machines proves nothing:
 *          the two accesses race, and `weir check` says so in any schedule. */
#include "reduce_last_group.h"

WEIR_KERNEL(reduce_last_group_relaxed, reduce_last_group_args)
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
        /* relaxed: pairs with nothing, which is the mistake; see reduce_last_group.c */
        uint32_t arrived = weir_atomic_fetch_add(
            weir_atomic_ref_space(args->arrived, memory_order_relaxed,
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
    return reduce_last_group_launch(job, &reduce_last_group_relaxed, error);
}

KERNEL_ROW reduce_last_group_relaxed_row = {
    .name = "reduce_last_group_relaxed",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "B",
    .summary = "BROKEN: the last group to arrive, by a relaxed counter, finishes",
    .local = LAST_GROUP_LOCAL,
    .broken = true,
    .twin = { KERNEL_H200, 536870912, 51.9684 },
    .run = run,
};
