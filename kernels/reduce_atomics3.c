/* SPDX-License-Identifier: MIT
 *
 * reduce_atomics3.c: every item sums every so-many-th element (the stride is the
 * number of items), then adds the result to the global sum with one atomic.
 *
 * Source:  reductionAtomics3 of "Analyzing the Performance of Reduction
 *          Operations in Data Parallel C++": 1 Mi items.
 * Teaches: the twin of reduce_atomics2 with the other access pattern. Items that
 *          run together read neighbours: on the article's GPUs a vector load
 *          takes a whole cache line, and this is two to four times as fast. On a
 *          CPU, where one item runs at a time, every load is of another line. */
#include "reduce_common.h"

/* The source's items for 512 Mi elements. */
enum { MAX_ITEMS = 1024 * 1024 };
/* Below that, elements an item: without a few the stride would be all there is. */
enum { MIN_ELEMENTS = 16 };
/* Groups small enough that workers finish together; the source leaves it open. */
enum { LOCAL = 256 };

WEIR_KERNEL(reduce_atomics3, reduce_args)
{
    const uint32_t *in = args->in;
    size_t n = args->n, stride = weir_global_size(item, 0);
    uint32_t sum = 0;
    for (size_t i = weir_global_id(item, 0); i < n; i += stride) {
        sum += in[i];
    }
    weir_atomic_add(weir_atomic_ref_space(args->sum, memory_order_relaxed,
                                          memory_scope_device, WEIR_GLOBAL),
                    sum);
}

static bool run(struct kernel_job *job, GError **error)
{
    size_t items = kernel_div_up(job->n, MIN_ELEMENTS);
    return reduce_launch(job, &reduce_atomics3, MIN(items, MAX_ITEMS), error);
}

KERNEL_ROW reduce_atomics3_row = {
    .name = "reduce_atomics3",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "E",
    .summary = "strided by the number of items (up to 1 Mi), then one atomic add",
    .local = LOCAL,
    .figures = (const struct kernel_figure[]){ { "HD Graphics 630", 536870912, 111 },
                                               { "Iris Xe", 536870912, 38 },
                                               { NULL, 0, 0 } },
    .twin = { KERNEL_H200, 536870912, 0.8305 },
    .run = run,
};
