/* SPDX-License-Identifier: MIT
 *
 * reduce_float_atomic.c: a sum of floats in the order in which items arrive: each
 * sums a contiguous chunk and adds it to the global sum with one atomic.
 *
 * Source:  none of the documents; the pattern of reductionAtomics2 in "Analyzing
 *          the Performance of Reduction Operations in Data Parallel C++".
 * Teaches: additions of floats round, and rounding is not associative. The chunks
 *          arrive in the order that the schedule gives, so with more than one
 *          worker the last bits may change from run to run, and under `weir check`
 *          from seed to seed: not a race, and no finding, but no number to compare
 *          for equality either. The judge takes what any order can be off by: see
 *          kernel_judge(). Compare reduce_float_pairwise. */
#include "kernels.h"

typedef struct {
    const float *in;
    float *sum;
    size_t n;     /* elements of in */
    size_t chunk; /* elements an item */
} reduce_float_args;

/* With more items, each a link of the chain, the error could grow to a percent
 * and more of the sum. Below that many elements an item has one. */
enum { MAX_ITEMS = 64 * 1024 };

WEIR_KERNEL(reduce_float_atomic, reduce_float_args)
{
    size_t first = weir_global_id(item, 0) * args->chunk;
    if (first < args->n) {
        size_t count = MIN(args->n - first, args->chunk);
        const float *in = args->in + first;
        float sum = 0;
        for (size_t i = 0; i < count; i++) {
            sum += in[i];
        }
        weir_atomic_fetch_add(weir_atomic_ref_space(args->sum, memory_order_relaxed,
                                                    memory_scope_device, WEIR_GLOBAL),
                              sum);
    }
}

static size_t chunk_of(size_t n)
{
    return n > MAX_ITEMS ? kernel_div_up(n, MAX_ITEMS) : 1;
}

/* Within its chunk, and then with the chunks of all others. */
static size_t chain(size_t n)
{
    return chunk_of(n) + kernel_div_up(n, chunk_of(n));
}

static bool run(struct kernel_job *job, GError **error)
{
    size_t chunk = chunk_of(job->n);
    reduce_float_args args = { job->in, job->out, job->n, chunk };
    return kernel_launch(job, &reduce_float_atomic,
                         kernel_range(job, kernel_div_up(job->n, chunk)), &args, error);
}

KERNEL_ROW reduce_float_atomic_row = {
    .name = "reduce_float_atomic",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_FLOAT,
    .source = "",
    .summary = "float sum in the order of arrival: the last bits may change",
    .local = 256,
    .chain = chain,
    .run = run,
};
