/* SPDX-License-Identifier: MIT
 *
 * reduce_two_pass.h: the host's half of the two-pass sums: one value a group
 * into a buffer, then a tree with atomics over the buffer. */
#ifndef KERNEL_REDUCE_TWO_PASS_H
#define KERNEL_REDUCE_TWO_PASS_H

#include "reduce_common.h"

/* The first pass: group g leaves its sum in partials[g]. */
typedef struct {
    const uint32_t *in;
    uint32_t *partials;
    size_t n; /* elements of in */
} reduce_first_pass_args;

/* @first takes reduce_first_pass_args, @second reduce_args. */
static inline bool reduce_two_passes(struct kernel_job *job,
                                     const struct weir_kernel *first,
                                     const struct weir_kernel *second, GError **error)
{
    size_t groups = kernel_div_up(job->n, job->local);
    uint32_t *partials
        = weir_try_new(job->device, uint32_t, groups, "partial sums", error);
    if (partials == NULL) {
        return false;
    }
    reduce_first_pass_args first_args = { job->in, partials, job->n };
    reduce_args second_args = { partials, job->out, groups };
    bool done = kernel_launch(job, first, kernel_range(job, job->n), &first_args, error)
        && kernel_launch(job, second, kernel_range(job, groups), &second_args, error);
    weir_free(job->device, partials);
    return done;
}

#endif
