/* SPDX-License-Identifier: MIT
 *
 * histogram_local_relaxed.c: one histogram for each group in local memory: zeroed,
 * counted with work-group-scope adds, and merged with device-scope adds, with a
 * barrier between each two of these steps.
 *
 * Source:  "Atomics with SLM", 2.4, first listing. Any number of elements and of
 *          groups: equal chunks, the leftover in the last one.
 * Teaches: local memory, and the scope that goes with it: 28 times as fast as
 *          global atomics on the source's device. An item counts in bins that
 *          other items zeroed, and merges bins that other items counted: so both
 *          barriers are needed. */
#include "histogram_common.h"

WEIR_KERNEL(histogram_local_relaxed, histogram_args)
{
    size_t size = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    uint32_t *local_bins = weir_local_array(item, uint32_t, KERNEL_BINS);
    struct histogram_part part = histogram_group_part(args->n, weir_num_groups(item, 0),
                                                      weir_group_id(item, 0));
    struct histogram_part mine = histogram_item_part(part, size, lid);
    const uint32_t *in = args->in;
    for (size_t bin = lid; bin < KERNEL_BINS; bin += size) {
        local_bins[bin] = 0;
    }
    weir_barrier(item, WEIR_LOCAL);
    for (size_t i = mine.begin; i < mine.end; i++) {
        weir_atomic_fetch_add(
            weir_atomic_ref_space(&local_bins[in[i]], memory_order_relaxed,
                                  memory_scope_work_group, WEIR_LOCAL),
            1);
    }
    weir_barrier(item, WEIR_LOCAL);
    for (size_t bin = lid; bin < KERNEL_BINS; bin += size) {
        weir_atomic_add(weir_atomic_ref_space(&args->bins[bin], memory_order_relaxed,
                                              memory_scope_device, WEIR_GLOBAL),
                        local_bins[bin]);
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    return histogram_launch_chunks(job, &histogram_local_relaxed, error);
}

KERNEL_ROW histogram_local_relaxed_row = {
    .name = "histogram_local_relaxed",
    .family = KERNEL_HISTOGRAM,
    .element = KERNEL_INT32,
    .source = "D",
    .summary = "a histogram a group in local memory, merged by relaxed global adds",
    .local = HISTOGRAM_LOCAL,
    .figures
    = (const struct kernel_figure[]){ { "Data Center GPU Max 1100", 10000000, 0.11 },
                                      { NULL, 0, 0 } },
    .twin = { KERNEL_H200, 10000000, 0.0347 },
    .run = run,
};
