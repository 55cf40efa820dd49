/* SPDX-License-Identifier: MIT
 *
 * reduce_last_group_hierarchical.c: reduce_last_group in hierarchical form.
 *
 * Source:  "Data Parallel C++ TAB Meeting: Atomics", "Common Patterns Are Broken"
 *          and its remedy.
 * Teaches: code outside the loops runs once a group: the guard for item 0 of
 *          the plain form is the form itself. */
#include "reduce_last_group.h"

WEIR_GROUP_KERNEL(reduce_last_group_hierarchical, reduce_last_group_args)
{
    size_t size = weir_group_size(group, 0), groups = weir_group_range(group, 0);
    uint32_t *scratch = weir_group_local_array(group, uint32_t, size);
    weir_for_each_item(item, group) {
        size_t i = weir_global_id(item, 0);
        scratch[weir_local_id(item, 0)] = i < args->n ? args->in[i] : 0;
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
    args->partials[weir_group_index(group, 0)] = scratch[0];
    /* acq_rel: the release pairs with the acquire of the last group to come
     * here, the acquire with the releases of all groups before this one. */
    uint32_t arrived = weir_atomic_fetch_add(
        weir_atomic_ref_space(args->arrived, memory_order_acq_rel, memory_scope_device,
                              WEIR_GLOBAL),
        1);
    if (arrived == groups - 1) {
        uint32_t sum = 0;
        for (size_t g = 0; g < groups; g++) {
            sum += args->partials[g];
        }
        *args->sum = sum;
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    return reduce_last_group_launch(job, &reduce_last_group_hierarchical, error);
}

KERNEL_ROW reduce_last_group_hierarchical_row = {
    .name = "reduce_last_group_hierarchical",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "B",
    .summary = "reduce_last_group with loops over the items for barriers",
    .local = LAST_GROUP_LOCAL,
    .hierarchical = true,
    .run = run,
};
