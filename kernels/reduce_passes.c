/* SPDX-License-Identifier: MIT
 *
 * reduce_passes.c: the loop of launches over what the last one has left. The end
 * of a launch is the only barrier across groups that is portable.
 *
 *     pass 0   in        -> buffer 0      n elements
 *     pass 1   buffer 0  -> buffer 1      n / (2 local), rounded up
 *     pass 2   buffer 1  -> buffer 0      …
 *     last     …         -> out           one group
 *
 * Follows: the reduction loop of "Memory and synchronization". */
#include "reduce_passes.h"

bool reduce_passes(struct kernel_job *job, const struct weir_kernel *kernel,
                   GError **error)
{
    size_t group_takes = 2 * job->local;
    void *buffers[2] = { NULL, NULL };
    const void *in = job->in;
    bool done = true;
    size_t left = job->n;
    for (unsigned pass = 0; done && (left > 1 || (pass == 0 && left == 1)); pass++) {
        size_t groups = kernel_div_up(left, group_takes);
        void **buffer = &buffers[pass % 2];
        if (groups > 1 && *buffer == NULL) {
            *buffer
                = weir_try_new(job->device, uint32_t, groups, "partial sums", error);
            if (*buffer == NULL) {
                done = false;
                break;
            }
        }
        void *out = groups > 1 ? *buffer : job->out;
        reduce_pass_args args = { in, out, left };
        done = kernel_launch(job, kernel, kernel_range(job, groups * job->local), &args,
                             error);
        in = out;
        left = groups;
    }
    weir_free(job->device, buffers[0]);
    weir_free(job->device, buffers[1]);
    return done;
}
