/* SPDX-License-Identifier: MIT
 *
 * histogram_common.h: what the histograms share: their arguments, and the division
 * of the input among groups and items.
 *
 * Elements are bins: 0 to KERNEL_BINS - 1. */
#ifndef KERNEL_HISTOGRAM_COMMON_H
#define KERNEL_HISTOGRAM_COMMON_H

#include "kernels.h"

typedef struct {
    const uint32_t *in;
    uint32_t *bins; /* KERNEL_BINS of them */
    size_t n;       /* elements of in */
} histogram_args;

/* The elements begin to end - 1. */
struct histogram_part {
    size_t begin;
    size_t end;
};

/* The part of group @group of @groups: equal chunks, with the leftover in the last
 * one. 18 elements and 4 groups make 4, 4, 4 and 6. (The source's own condition
 * for "last" misses the leftover where it is not smaller than a chunk.) */
static inline struct histogram_part histogram_group_part(size_t n, size_t groups,
                                                         size_t group)
{
    size_t chunk = n / groups;
    struct histogram_part part = { group * chunk, (group + 1) * chunk };
    if (group == groups - 1) {
        part.end = n;
    }
    return part;
}

/* The part of item @lid of @items in the part of its group: contiguous, as OpenMP
 * divides a loop among the threads of a team; the last items may have less. */
static inline struct histogram_part histogram_item_part(struct histogram_part group,
                                                        size_t items, size_t lid)
{
    size_t chunk = kernel_div_up(group.end - group.begin, items);
    size_t begin = group.begin + chunk * lid;
    struct histogram_part part
        = { MIN(begin, group.end), MIN(begin + chunk, group.end) };
    return part;
}

/* One launch with an item an element. */
static inline bool histogram_launch(struct kernel_job *job,
                                    const struct weir_kernel *kernel, GError **error)
{
    histogram_args args = { job->in, job->out, job->n };
    return kernel_launch(job, kernel, kernel_range(job, job->n), &args, error);
}

/* One launch with a group a compute unit, or fewer where there are not elements
 * enough for their items: merging costs a group KERNEL_BINS atomics. */
static inline bool histogram_launch_chunks(struct kernel_job *job,
                                           const struct weir_kernel *kernel,
                                           GError **error)
{
    size_t units = weir_device_get(job->device, WEIR_DEVICE_COMPUTE_UNITS);
    size_t groups = MIN(units, kernel_div_up(job->n, job->local));
    histogram_args args = { job->in, job->out, job->n };
    return kernel_launch(job, kernel, kernel_range(job, groups * job->local), &args,
                         error);
}

/* The sources leave the local size open; this one every built-in device offers. */
enum { HISTOGRAM_LOCAL = 256 };

#endif
