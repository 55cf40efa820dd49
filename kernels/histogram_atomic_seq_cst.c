/* SPDX-License-Identifier: MIT
 *
 * histogram_atomic_seq_cst.c: one sequentially consistent atomic add to a global
 * bin an element.
 *
 * Source:  "Atomics with SLM", 2.3, second listing.
 * Teaches: an order that nothing here depends on. On the source's device it costs
 *          nothing beside the add itself; on a CPU of the x86 kind neither, since
 *          a locked add is a full fence anyway. */
#include "histogram_common.h"

WEIR_KERNEL(histogram_atomic_seq_cst, histogram_args)
{
    size_t i = weir_global_id(item, 0);
    if (i < args->n) {
        weir_atomic_fetch_add(weir_atomic_ref_space(&args->bins[args->in[i]],
                                                    memory_order_seq_cst,
                                                    memory_scope_device, WEIR_GLOBAL),
                              1);
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    return histogram_launch(job, &histogram_atomic_seq_cst, error);
}

KERNEL_ROW histogram_atomic_seq_cst_row = {
    .name = "histogram_atomic_seq_cst",
    .family = KERNEL_HISTOGRAM,
    .element = KERNEL_INT32,
    .source = "D",
    .summary = "one global seq_cst atomic add an element",
    .local = HISTOGRAM_LOCAL,
    .figures
    = (const struct kernel_figure[]){ { "Data Center GPU Max 1100", 10000000, 3.04 },
                                      { NULL, 0, 0 } },
    .twin = { KERNEL_H200, 10000000, 0.4702 },
    .run = run,
};
