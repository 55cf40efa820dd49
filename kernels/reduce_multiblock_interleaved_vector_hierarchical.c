/* SPDX-License-Identifier: MIT
 *
 * reduce_multiblock_interleaved_vector_hierarchical.c: the same as
 * reduce_multiblock_interleaved_vector in hierarchical form.
 *
 * Source:  multiBlockInterleavedReductionVector of "Analyzing the Performance of
 *          Reduction Operations in Data Parallel C++".
 * Teaches: the zero is code of the group and needs no barrier; the items still
 *          share the word, so their adds are still atomic. */
#include "reduce_common.h"

/* As in the source: elements an item. */
enum { ELEMENTS = 4 };

WEIR_GROUP_KERNEL(reduce_multiblock_interleaved_vector_hierarchical, reduce_args)
{
    uint32_t *scratch = weir_group_local_array(group, uint32_t, 1);
    scratch[0] = 0;
    weir_for_each_item(item, group) {
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
        weir_atomic_fetch_add(weir_atomic_ref_space(scratch, memory_order_relaxed,
                                                    memory_scope_work_group,
                                                    WEIR_LOCAL),
                              sum);
    }
    weir_atomic_add(weir_atomic_ref_space(args->sum, memory_order_relaxed,
                                          memory_scope_device, WEIR_GLOBAL),
                    scratch[0]);
}

static bool run(struct kernel_job *job, GError **error)
{
    return reduce_launch(job, &reduce_multiblock_interleaved_vector_hierarchical,
                         kernel_div_up(job->n, ELEMENTS), error);
}

KERNEL_ROW reduce_multiblock_interleaved_vector_hierarchical_row = {
    .name = "reduce_multiblock_interleaved_vector_hierarchical",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "E",
    .summary = "reduce_multiblock_interleaved_vector with a loop over the items",
    .hierarchical = true,
    .run = run,
};
