/* SPDX-License-Identifier: MIT
 *
 * reduce_single_item.c: item 0 walks the whole vector and the other items do nothing.
 *
 * Source:  "Local Barriers vs global atomics", first listing.
 * Teaches: the answer that needs no synchronisation at all, and wastes the
 *          device. On a CPU it is competitive: one core's vectors sum as fast as
 *          memory delivers. */
#include "reduce_common.h"

WEIR_KERNEL(reduce_single_item, reduce_args)
{
    if (weir_global_id(item, 0) == 0) {
        *args->sum = reduce_sum(args->in, args->n);
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    return reduce_launch(job, &reduce_single_item, job->n, error);
}

KERNEL_ROW reduce_single_item_row = {
    .name = "reduce_single_item",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "A",
    .summary = "item 0 walks the whole vector, the others do nothing",
    .twin = { KERNEL_H200, 536870912, 19020.7012 },
    .run = run,
};
