/* SPDX-License-Identifier: MIT
 *
 * histogram_replicated.c: several replicas of the histogram in a group's local
 * memory: neighbouring items count in different ones, and the merge sums them.
 *
 * Source:  none of the documents; histogram_local_relaxed taken further, as
 *          libraries do.
 * Teaches: privatisation has degrees: one histogram for all, one a group, some a
 *          group, one an item. Each step trades memory and a longer merge for less
 *          contention, which matters most where the input repeats itself. */
#include "histogram_replicated.h"

WEIR_KERNEL(histogram_replicated, histogram_replicated_args)
{
    size_t size = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    size_t replicas = args->replicas, words = KERNEL_BINS * replicas;
    uint32_t *local_bins = weir_local_array(item, uint32_t, words);
    struct histogram_part part = histogram_group_part(args->n, weir_num_groups(item, 0),
                                                      weir_group_id(item, 0));
    struct histogram_part mine = histogram_item_part(part, size, lid);
    const uint32_t *in = args->in;
    uint32_t *replica = local_bins + lid % replicas;
    for (size_t word = lid; word < words; word += size) {
        local_bins[word] = 0;
    }
    weir_barrier(item, WEIR_LOCAL);
    for (size_t i = mine.begin; i < mine.end; i++) {
        weir_atomic_fetch_add(
            weir_atomic_ref_space(&replica[in[i] * replicas], memory_order_relaxed,
                                  memory_scope_work_group, WEIR_LOCAL),
            1);
    }
    weir_barrier(item, WEIR_LOCAL);
    for (size_t bin = lid; bin < KERNEL_BINS; bin += size) {
        uint32_t count = 0;
        for (size_t r = 0; r < replicas; r++) {
            count += local_bins[bin * replicas + r];
        }
        weir_atomic_add(weir_atomic_ref_space(&args->bins[bin], memory_order_relaxed,
                                              memory_scope_device, WEIR_GLOBAL),
                        count);
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    return histogram_launch_replicated(job, &histogram_replicated, error);
}

KERNEL_ROW histogram_replicated_row = {
    .name = "histogram_replicated",
    .family = KERNEL_HISTOGRAM,
    .element = KERNEL_INT32,
    .source = "",
    .summary = "several histograms a group in local memory, summed when merged",
    .local = HISTOGRAM_LOCAL,
    .run = run,
};
