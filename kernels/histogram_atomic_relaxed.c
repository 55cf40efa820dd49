/* SPDX-License-Identifier: MIT
 *
 * histogram_atomic_relaxed.c: one relaxed atomic add to a global bin an element.
 *
 * Source:  "Atomics with SLM", 2.3, first listing.
 * Teaches: counting needs atomicity and no order: relaxed. Where the hardware adds
 *          atomically, this replaces a lock of a hundred instructions by one. */
#include "histogram_common.h"

WEIR_KERNEL(histogram_atomic_relaxed, histogram_args)
{
    size_t i = weir_global_id(item, 0);
    if (i < args->n) {
        weir_atomic_add(weir_atomic_ref_space(&args->bins[args->in[i]],
                                              memory_order_relaxed, memory_scope_device,
                                              WEIR_GLOBAL),
                        1);
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    return histogram_launch(job, &histogram_atomic_relaxed, error);
}

KERNEL_ROW histogram_atomic_relaxed_row = {
    .name = "histogram_atomic_relaxed",
    .family = KERNEL_HISTOGRAM,
    .element = KERNEL_INT32,
    .source = "D",
    .summary = "one global relaxed atomic add an element",
    .local = HISTOGRAM_LOCAL,
    .figures
    = (const struct kernel_figure[]){ { "Data Center GPU Max 1100", 10000000, 3.05 },
                                      { NULL, 0, 0 } },
    .twin = { KERNEL_H200, 10000000, 0.4704 },
    .run = run,
};
