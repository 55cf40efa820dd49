/* SPDX-License-Identifier: MIT
 *
 * reduce_last_group_relaxed_read_before.c: reduce_last_group_relaxed, but each group
 * has read all partial sums before its work. Broken on purpose.
 *
 * Source:  "Data Parallel C++ TAB Meeting: Atomics", "Common Patterns Are Broken".
 * Teaches: what a correct answer on a machine is worth. The reads before compute
 *          nothing. Where a group has a cache of its own, they leave old partial sums
 *          there, and a relaxed counter gives no reason to read them again. On a GPU
 *          the sum is then wrong every time; see docs/tutorial/07-last-group.md. They
 *          race with the writes themselves, so an acq_rel counter is not the whole
 *          fix. */
#include "reduce_last_group.h"

WEIR_KERNEL(reduce_last_group_relaxed_read_before, reduce_last_group_args)
{
    size_t size = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    size_t i = weir_global_id(item, 0);
    size_t groups = weir_num_groups(item, 0);
    /* volatile: the compiler would leave out reads whose values are not used. */
    const volatile uint32_t *before = args->partials;
    for (size_t g = 0; lid == 0 && g < groups; g++) {
        (void)before[g];
    }
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
    return reduce_last_group_launch(job, &reduce_last_group_relaxed_read_before, error);
}

KERNEL_ROW reduce_last_group_relaxed_read_before_row = {
    .name = "reduce_last_group_relaxed_read_before",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "B",
    .summary = "BROKEN: reduce_last_group_relaxed, with partial sums read before",
    .local = LAST_GROUP_LOCAL,
    .broken = true,
    .run = run,
};
