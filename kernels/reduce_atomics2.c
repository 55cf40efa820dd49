/* SPDX-License-Identifier: MIT
 *
 * reduce_atomics2.c: every item sums a contiguous chunk, then adds it to the
 * global sum with one atomic.
 *
 * Source:  reductionAtomics2 of "Analyzing the Performance of Reduction
 *          Operations in Data Parallel C++": 512 Ki items of 1024 elements.
 * Teaches: the access pattern decides the speed, and the machine decides which
 *          pattern is fast. On the GPUs of the article this is the slow one:
 *          items that run together read 4 KiB apart, a cache line for every
 *          lane. On a CPU an item runs alone and walks its chunk in order, so
 *          this is the fast one, and reduce_atomics3 the slow one. */
#include "reduce_common.h"

/* The source's elements an item. */
enum { CHUNK = 1024 };
/* Groups of 256 KiB of input: small enough that workers finish together, large
 * enough that starting one does not count. The source leaves the size open. */
enum { LOCAL = 64 };

WEIR_KERNEL(reduce_atomics2, reduce_args)
{
    size_t first = weir_global_id(item, 0) * CHUNK;
    if (first < args->n) {
        uint32_t sum = reduce_sum(args->in + first, MIN(args->n - first, CHUNK));
        weir_atomic_add(weir_atomic_ref_space(args->sum, memory_order_relaxed,
                                              memory_scope_device, WEIR_GLOBAL),
                        sum);
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    return reduce_launch(job, &reduce_atomics2, kernel_div_up(job->n, CHUNK), error);
}

KERNEL_ROW reduce_atomics2_row = {
    .name = "reduce_atomics2",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "E",
    .summary = "a contiguous chunk of 1024 elements an item, then one atomic add",
    .local = LOCAL,
    .figures = (const struct kernel_figure[]){ { "HD Graphics 630", 536870912, 258 },
                                               { "Iris Xe", 536870912, 141 },
                                               { NULL, 0, 0 } },
    .twin = { KERNEL_H200, 536870912, 2.1338 },
    .run = run,
};
