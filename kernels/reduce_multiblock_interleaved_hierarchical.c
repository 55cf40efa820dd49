/* SPDX-License-Identifier: MIT
 *
 * reduce_multiblock_interleaved_hierarchical.c: reduce_multiblock_interleaved in
 * hierarchical form.
 *
 * Source:  multiBlockInterleavedReduction of "Analyzing the Performance of
 *          Reduction Operations in Data Parallel C++".
 * Teaches: a loop over the items has no place for collectives, so the block load
 *          is written out as the addresses that it stands for. */
#include "reduce_multiblock.h"

WEIR_GROUP_KERNEL(reduce_multiblock_interleaved_hierarchical, reduce_args)
{
    size_t size = weir_group_size(group, 0);
    struct multiblock_vector *scratch
        = weir_group_local_array(group, struct multiblock_vector, size);
    weir_for_each_item(item, group) {
        size_t step = weir_sub_group_size(item);
        size_t base = multiblock_base(item), n = args->n;
        struct multiblock_vector *mine = &scratch[weir_local_id(item, 0)];
        if (base + step * MULTIBLOCK_ELEMENTS <= n) {
            const uint32_t *in = args->in + base + weir_sub_group_local_id(item);
            uint32_t sum[MULTIBLOCK_WORDS] = { 0 };
            for (size_t k = 0; k < MULTIBLOCK_ELEMENTS; k += MULTIBLOCK_WORDS) {
                for (size_t word = 0; word < MULTIBLOCK_WORDS; word++) {
                    sum[word] += in[(k + word) * step];
                }
            }
            for (size_t word = 0; word < MULTIBLOCK_WORDS; word++) {
                mine->word[word] = sum[word];
            }
        } else {
            multiblock_sum_guarded(item, args->in, n, mine);
        }
    }
    for (size_t active = size; active > 1;) {
        size_t half = (active + 1) / 2;
        weir_for_each_item(item, group) {
            size_t lid = weir_local_id(item, 0);
            for (size_t word = 0; lid < active - half && word < MULTIBLOCK_WORDS;
                 word++) {
                scratch[lid].word[word] += scratch[lid + half].word[word];
            }
        }
        active = half;
    }
    uint32_t total = 0;
    for (size_t word = 0; word < MULTIBLOCK_WORDS; word++) {
        total += scratch[0].word[word];
    }
    weir_atomic_add(weir_atomic_ref_space(args->sum, memory_order_relaxed,
                                          memory_scope_device, WEIR_GLOBAL),
                    total);
}

static bool run(struct kernel_job *job, GError **error)
{
    return multiblock_launch(job, &reduce_multiblock_interleaved_hierarchical, error);
}

KERNEL_ROW reduce_multiblock_interleaved_hierarchical_row = {
    .name = "reduce_multiblock_interleaved_hierarchical",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "E",
    .summary = "reduce_multiblock_interleaved with loops over the items for barriers",
    .hierarchical = true,
    .run = run,
};
