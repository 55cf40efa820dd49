/* SPDX-License-Identifier: MIT
 *
 * reduce_multiblock.h: the shape of the multi-block interleaved sums. A group
 * takes local size x 256 consecutive elements and each sub-group of s items
 * s x 256 of these, as blocks of 8 s elements that lie interleaved:
 *
 *     block b of a sub-group       word 0     word 1          word 7
 *                                +----------+----------+ … +----------+
 *     element base + 8 b s + …   | 0 … s-1  | s … 2s-1 |   | … 8s-1   |
 *                                +----------+----------+ … +----------+
 *     item with sub-group id i takes element i of each word
 *
 * so that in each step of a load the items of a sub-group read neighbours. The
 * last sub-group of a group may be smaller; it takes as many fewer elements. */
#ifndef KERNEL_REDUCE_MULTIBLOCK_H
#define KERNEL_REDUCE_MULTIBLOCK_H

#include "reduce_common.h"

/* As in the source: elements of a vector, and elements an item. */
enum { MULTIBLOCK_WORDS = 8, MULTIBLOCK_ELEMENTS = 256 };

/* The source's vec<int, 8>. */
struct multiblock_vector {
    uint32_t word[MULTIBLOCK_WORDS];
};

/* Where the calling item's sub-group begins in the input. Sub-groups are
 * consecutive, so the items before this one's sub-group are all full. */
static inline size_t multiblock_base(const struct weir_item *item)
{
    size_t first_item = weir_global_id(item, 0) - weir_sub_group_local_id(item);
    return first_item * MULTIBLOCK_ELEMENTS;
}

/* The sums of this item's elements, those that there are. For the sub-group in
 * which the input ends, and the items after it. */
static inline void multiblock_sum_guarded(const struct weir_item *item,
                                          const uint32_t *in, size_t n,
                                          struct multiblock_vector *sum)
{
    size_t i = multiblock_base(item) + weir_sub_group_local_id(item);
    size_t step = weir_sub_group_size(item);
    for (size_t word = 0; word < MULTIBLOCK_WORDS; word++) {
        sum->word[word] = 0;
    }
    for (size_t k = 0; k < MULTIBLOCK_ELEMENTS && i < n; k++, i += step) {
        sum->word[k % MULTIBLOCK_WORDS] += in[i];
    }
}

static inline bool multiblock_launch(struct kernel_job *job,
                                     const struct weir_kernel *kernel, GError **error)
{
    return reduce_launch(job, kernel, kernel_div_up(job->n, MULTIBLOCK_ELEMENTS),
                         error);
}

#endif
