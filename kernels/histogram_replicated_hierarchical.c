/* SPDX-License-Identifier: MIT
 *
 * histogram_replicated_hierarchical.c: histogram_replicated in hierarchical form.
 *
 * Source:  none of the documents.
 * Teaches: on a CPU the items of a group take turns, so replicas save no
 *          contention; what they cost, the larger footprint and the longer merge,
 *          is what this form shows against histogram_local_relaxed_hierarchical. */
#include "histogram_replicated.h"

WEIR_GROUP_KERNEL(histogram_replicated_hierarchical, histogram_replicated_args)
{
    size_t size = weir_group_size(group, 0);
    size_t replicas = args->replicas, words = KERNEL_BINS * replicas;
    uint32_t *local_bins = weir_group_local_array(group, uint32_t, words);
    struct histogram_part part = histogram_group_part(
        args->n, weir_group_range(group, 0), weir_group_index(group, 0));
    weir_for_each_item(item, group) {
        for (size_t word = weir_local_id(item, 0); word < words; word += size) {
            local_bins[word] = 0;
        }
    }
    weir_for_each_item(item, group) {
        size_t lid = weir_local_id(item, 0);
        struct histogram_part mine = histogram_item_part(part, size, lid);
        const uint32_t *in = args->in;
        uint32_t *replica = local_bins + lid % replicas;
        for (size_t i = mine.begin; i < mine.end; i++) {
            weir_atomic_fetch_add(
                weir_atomic_ref_space(&replica[in[i] * replicas], memory_order_relaxed,
                                      memory_scope_work_group, WEIR_LOCAL),
                1);
        }
    }
    weir_for_each_item(item, group) {
        for (size_t bin = weir_local_id(item, 0); bin < KERNEL_BINS; bin += size) {
            uint32_t count = 0;
            for (size_t r = 0; r < replicas; r++) {
                count += local_bins[bin * replicas + r];
            }
            weir_atomic_add(weir_atomic_ref_space(&args->bins[bin],
                                                  memory_order_relaxed,
                                                  memory_scope_device, WEIR_GLOBAL),
                            count);
        }
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    return histogram_launch_replicated(job, &histogram_replicated_hierarchical, error);
}

KERNEL_ROW histogram_replicated_hierarchical_row = {
    .name = "histogram_replicated_hierarchical",
    .family = KERNEL_HISTOGRAM,
    .element = KERNEL_INT32,
    .source = "",
    .summary = "histogram_replicated with loops over the items for barriers",
    .local = HISTOGRAM_LOCAL,
    .hierarchical = true,
    .run = run,
};
