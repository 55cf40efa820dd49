/* SPDX-License-Identifier: MIT
 *
 * reduce_shuffle.c: a tree in the registers of each sub-group by xor shuffles, the
 * values of the sub-groups through local memory to the first one, which does the
 * same with them, and one atomic a group.
 *
 * Source:  none of the documents; the form that vendors' own libraries have
 *          (M. Harris, "Faster Parallel Reductions on Kepler", 2014).
 * Teaches: items of a sub-group exchange values without local memory, and one
 *          barrier a group is left of a whole tree of them. The butterfly pairs
 *          item i with i xor mask: every item ends with the sum. A sub-group whose
 *          size is not a power of two has no such partner for some, hence the local
 *          sizes that this kernel accepts. */
#include "reduce_common.h"

/* The sum over the calling item's sub-group, to every item of it. */
static inline __attribute__((always_inline)) uint32_t sum_of_sub_group(
    struct weir_item *item, uint32_t value)
{
    for (uint32_t mask = weir_sub_group_size(item) / 2; mask > 0; mask /= 2) {
        value += weir_sub_group_shuffle_xor(item, value, mask);
    }
    return value;
}

WEIR_KERNEL(reduce_shuffle, reduce_args)
{
    size_t i = weir_global_id(item, 0);
    uint32_t lane = weir_sub_group_local_id(item);
    uint32_t n_sub_groups = weir_num_sub_groups(item);
    uint32_t *scratch = weir_local_array(item, uint32_t, n_sub_groups);
    uint32_t sum = sum_of_sub_group(item, i < args->n ? args->in[i] : 0);
    if (lane == 0) {
        scratch[weir_sub_group_id(item)] = sum;
    }
    weir_barrier(item, WEIR_LOCAL);
    /* Whole sub-groups take a branch: its collectives are reached by all of one. */
    if (weir_sub_group_id(item) == 0) {
        sum = 0;
        for (uint32_t k = lane; k < n_sub_groups; k += weir_sub_group_size(item)) {
            sum += scratch[k];
        }
        sum = sum_of_sub_group(item, sum);
        if (lane == 0) {
            weir_atomic_add(weir_atomic_ref_space(args->sum, memory_order_relaxed,
                                                  memory_scope_device, WEIR_GLOBAL),
                            sum);
        }
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    return reduce_launch(job, &reduce_shuffle, job->n, error);
}

KERNEL_ROW reduce_shuffle_row = {
    .name = "reduce_shuffle",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "",
    .summary = "xor shuffles in each sub-group, then in the first; one barrier a group",
    .power_of_two = true,
    .twin = { KERNEL_H200, 536870912, 2.2427 },
    .run = run,
};
