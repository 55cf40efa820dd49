/* SPDX-License-Identifier: MIT
 *
 * reduce_last_group.h: the host's half of the sums that the last group to arrive
 * finishes. */
#ifndef KERNEL_REDUCE_LAST_GROUP_H
#define KERNEL_REDUCE_LAST_GROUP_H

#include "reduce_common.h"

#include <string.h>

/* Group g leaves its sum in partials[g]; *arrived counts the groups that have,
 * fewer than 2^32. */
typedef struct {
    const uint32_t *in;
    uint32_t *partials;
    uint32_t *arrived;
    uint32_t *sum;
    size_t n; /* elements of in */
} reduce_last_group_args;

/* The source leaves the local size open; this one every built-in device offers. */
enum { LAST_GROUP_LOCAL = 256 };

static inline bool reduce_last_group_launch(struct kernel_job *job,
                                            const struct weir_kernel *kernel,
                                            GError **error)
{
    size_t groups = kernel_div_up(job->n, job->local);
    bool done = false;
    uint32_t *arrived = NULL;
    uint32_t *partials
        = weir_try_new(job->device, uint32_t, groups, "partial sums", error);
    if (partials != NULL) {
        arrived = weir_try_new(job->device, uint32_t, 1, "arrived", error);
    }
    if (arrived != NULL) {
        *arrived = 0;
        memset(partials, 0, groups * sizeof *partials); /* a variant reads them first */
        reduce_last_group_args args = { job->in, partials, arrived, job->out, job->n };
        done = kernel_launch(job, kernel, kernel_range(job, job->n), &args, error);
    }
    weir_free(job->device, arrived);
    weir_free(job->device, partials);
    return done;
}

#endif
