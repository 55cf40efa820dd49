/* SPDX-License-Identifier: MIT
 *
 * reduce_multiblock_interleaved_vector.c: every item loads one vector of 4
 * elements, adds its sum to one local word with a work-group-scope atomic, and
 * item 0 adds that word to the global sum.
 *
 * Source:  multiBlockInterleavedReductionVector of "Analyzing the Performance of
 *          Reduction Operations in Data Parallel C++": the fastest there, at the
 *          peak of the memory's bandwidth, 32.5 GB/s (HD Graphics 630) and
 *          62 GB/s (Iris Xe).
 * Teaches: a local atomic in place of a tree: two barriers for any local
 *          size, and a scope no wider than the items that share the word. The
 *          first barrier orders item 0's zero before the adds of all items. */
#include "reduce_common.h"

/* As in the source: elements an item. */
enum { ELEMENTS = 4 };

WEIR_KERNEL(reduce_multiblock_interleaved_vector, reduce_args)
{
    uint32_t *scratch = weir_local_array(item, uint32_t, 1);
    if (weir_local_id(item, 0) == 0) {
        scratch[0] = 0;
    }
    size_t first = weir_global_id(item, 0) * ELEMENTS;
    const uint32_t *in = args->in;
    uint32_t sum = 0;
    if (first + ELEMENTS <= args->n) {
        sum = in[first] + in[first + 1] + in[first + 2] + in[first + 3];
    } else {
        for (size_t i = first; i < args->n; i++) {
            sum += in[i];
        }
    }
    weir_barrier(item, WEIR_LOCAL);
    weir_atomic_fetch_add(weir_atomic_ref_space(scratch, memory_order_relaxed,
                                                memory_scope_work_group, WEIR_LOCAL),
                          sum);
    weir_barrier(item, WEIR_LOCAL);
    if (weir_local_id(item, 0) == 0) {
        weir_atomic_add(weir_atomic_ref_space(args->sum, memory_order_relaxed,
                                              memory_scope_device, WEIR_GLOBAL),
                        scratch[0]);
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    return reduce_launch(job, &reduce_multiblock_interleaved_vector,
                         kernel_div_up(job->n, ELEMENTS), error);
}

KERNEL_ROW reduce_multiblock_interleaved_vector_row = {
    .name = "reduce_multiblock_interleaved_vector",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "E",
    .summary = "one 4-vector an item, a local atomic add, one global add a group",
    .figures = (const struct kernel_figure[]){ { "HD Graphics 630", 536870912, 67 },
                                               { "Iris Xe", 536870912, 34 },
                                               { NULL, 0, 0 } },
    .twin = { KERNEL_H200, 536870912, 1.0391 },
    .run = run,
};
