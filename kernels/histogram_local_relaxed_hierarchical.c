/* SPDX-License-Identifier: MIT
 *
 * histogram_local_relaxed_hierarchical.c: histogram_local_relaxed in
 * hierarchical form.
 *
 * Source:  "Atomics with SLM", 2.4, first listing.
 * Teaches: the source's own form: a team's code with two loops of its threads in
 *          it, each ending in an implied barrier. */
#include "histogram_common.h"

WEIR_GROUP_KERNEL(histogram_local_relaxed_hierarchical, histogram_args)
{
    size_t size = weir_group_size(group, 0);
    uint32_t *local_bins = weir_group_local_array(group, uint32_t, KERNEL_BINS);
    struct histogram_part part = histogram_group_part(
        args->n, weir_group_range(group, 0), weir_group_index(group, 0));
    weir_for_each_item(item, group) {
        for (size_t bin = weir_local_id(item, 0); bin < KERNEL_BINS; bin += size) {
            local_bins[bin] = 0;
        }
    }
    weir_for_each_item(item, group) {
        struct histogram_part mine
            = histogram_item_part(part, size, weir_local_id(item, 0));
        const uint32_t *in = args->in;
        for (size_t i = mine.begin; i < mine.end; i++) {
            weir_atomic_fetch_add(
                weir_atomic_ref_space(&local_bins[in[i]], memory_order_relaxed,
                                      memory_scope_work_group, WEIR_LOCAL),
                1);
        }
    }
    weir_for_each_item(item, group) {
        for (size_t bin = weir_local_id(item, 0); bin < KERNEL_BINS; bin += size) {
            weir_atomic_add(weir_atomic_ref_space(&args->bins[bin],
                                                  memory_order_relaxed,
                                                  memory_scope_device, WEIR_GLOBAL),
                            local_bins[bin]);
        }
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    return histogram_launch_chunks(job, &histogram_local_relaxed_hierarchical, error);
}

KERNEL_ROW histogram_local_relaxed_hierarchical_row = {
    .name = "histogram_local_relaxed_hierarchical",
    .family = KERNEL_HISTOGRAM,
    .element = KERNEL_INT32,
    .source = "D",
    .summary = "histogram_local_relaxed with loops over the items for barriers",
    .local = HISTOGRAM_LOCAL,
    .hierarchical = true,
    .run = run,
};
