/* SPDX-License-Identifier: MIT
 *
 * reduce_multiblock_interleaved.c: 256 elements an item in vectors of 8, loaded
 * by blocks of the sub-group; a tree of vectors in local memory; the words of the
 * last vector summed, and one atomic a group.
 *
 * Source:  multiBlockInterleavedReduction of "Analyzing the Performance of
 *          Reduction Operations in Data Parallel C++", sub-groups of 16.
 * Teaches: the memory access pattern decides. 256 elements of work go with one
 *          barrier a level, and the pattern lets a GPU load 128 elements with one
 *          instruction. See reduce_multiblock.h for a drawing of it. */
#include "reduce_multiblock.h"

WEIR_KERNEL(reduce_multiblock_interleaved, reduce_args)
{
    size_t size = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    struct multiblock_vector *scratch
        = weir_local_array(item, struct multiblock_vector, size);
    size_t block = MULTIBLOCK_WORDS * (size_t)weir_sub_group_size(item);
    size_t base = multiblock_base(item);
    size_t end = base + weir_sub_group_size(item) * (size_t)MULTIBLOCK_ELEMENTS;
    /* Uniform over the sub-group, as its block loads want it. */
    if (end <= args->n) {
        uint32_t sum[MULTIBLOCK_WORDS] = { 0 };
        for (const uint32_t *in = args->in + base; in < args->in + end; in += block) {
            uint32_t vector[MULTIBLOCK_WORDS];
            weir_sub_group_load(item, in, MULTIBLOCK_WORDS, vector);
            for (size_t word = 0; word < MULTIBLOCK_WORDS; word++) {
                sum[word] += vector[word];
            }
        }
        for (size_t word = 0; word < MULTIBLOCK_WORDS; word++) {
            scratch[lid].word[word] = sum[word];
        }
    } else {
        multiblock_sum_guarded(item, args->in, args->n, &scratch[lid]);
    }

    for (size_t active = size; active > 1;) {
        size_t half = (active + 1) / 2;
        weir_barrier(item, WEIR_LOCAL);
        if (lid < active - half) {
            for (size_t word = 0; word < MULTIBLOCK_WORDS; word++) {
                scratch[lid].word[word] += scratch[lid + half].word[word];
            }
        }
        active = half;
    }
    if (lid == 0) {
        uint32_t total = 0;
        for (size_t word = 0; word < MULTIBLOCK_WORDS; word++) {
            total += scratch[0].word[word];
        }
        weir_atomic_add(weir_atomic_ref_space(args->sum, memory_order_relaxed,
                                              memory_scope_device, WEIR_GLOBAL),
                        total);
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    return multiblock_launch(job, &reduce_multiblock_interleaved, error);
}

KERNEL_ROW reduce_multiblock_interleaved_row = {
    .name = "reduce_multiblock_interleaved",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "E",
    .summary = "256 elements an item by sub-group block loads, a tree of 8-vectors",
    .figures = (const struct kernel_figure[]){ { "HD Graphics 630", 536870912, 83 },
                                               { "Iris Xe", 536870912, 37 },
                                               { NULL, 0, 0 } },
    .twin = { KERNEL_H200, 536870912, 0.4841 },
    .run = run,
};
