/* SPDX-License-Identifier: MIT
 *
 * reduce_single_group.c: one work-group in all. Its items accumulate strided,
 * then reduce what they have in local memory, a tree with a barrier before each
 * level.
 *
 * Source:  "Local Barriers vs global atomics", third listing.
 * Teaches: barriers order the items of one group and no others, so with one
 *          group no atomic is needed at all; most of the device idles for it. */
#include "reduce_common.h"

WEIR_KERNEL(reduce_single_group, reduce_args)
{
    size_t size = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    uint32_t *scratch = weir_local_array(item, uint32_t, size);
    const uint32_t *in = args->in;
    size_t n = args->n;
    uint32_t sum = 0;
    for (size_t i = lid; i < n; i += size) {
        sum += in[i];
    }
    scratch[lid] = sum;

    for (size_t active = size; active > 1;) {
        size_t half = (active + 1) / 2;
        weir_barrier(item, WEIR_LOCAL);
        if (lid < active - half) {
            scratch[lid] += scratch[lid + half];
        }
        active = half;
    }
    if (lid == 0) {
        *args->sum = scratch[0];
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    return reduce_launch(job, &reduce_single_group, job->local, error);
}

KERNEL_ROW reduce_single_group_row = {
    .name = "reduce_single_group",
    .family = KERNEL_REDUCTION,
    .element = KERNEL_INT32,
    .source = "A",
    .summary = "one group in all: strided into local memory, then a tree with barriers",
    .single_group = true,
    .twin = { KERNEL_H200, 536870912, 189.2109 },
    .run = run,
};
