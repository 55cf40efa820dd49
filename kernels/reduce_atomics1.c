/* SPDX-License-Identifier: MIT
 *
 * reduce_atomics1.c: every item adds its own element to one global sum.
 *
 * Source:  "Local Barriers vs global atomics", second listing; reductionAtomics1
 *          of "Analyzing the Performance of Reduction Operations in Data
 *          Parallel C++", whose own code asks for acq_rel where the article's
 *          text and this kernel ask for relaxed.
 * Teaches: relaxed is enough where nothing but the sum itself is shared: the
 *          order of the additions does not matter, and no item reads other memory
 *          because of them. All parallelism ends in one location: contention. */
#include "reduce_common.h"

WEIR_KERNEL(reduce_atomics1, reduce_args)
{
    size_t i = weir_global_id(item, 0);
    if (i < args->n) {
        weir_atomic_add(weir_atomic_ref_space(args->sum, memory_order_relaxed,
                                              memory_scope_device, WEIR_GLOBAL),
                        args->in[i]);
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    return reduce_launch(job, &reduce_atomics1, job->n, error);
}

KERNEL_ROW reduce_atomics1_row = {
    .name = "reduce_atomics1",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "AE",
    .summary = "every item adds its own element to one global sum (relaxed, device)",
    .figures = (const struct kernel_figure[]){ { "HD Graphics 630", 536870912, 146 },
                                               { "Iris Xe", 536870912, 49 },
                                               { NULL, 0, 0 } },
    .twin = { KERNEL_H200, 536870912, 13.5137 },
    .run = run,
};
