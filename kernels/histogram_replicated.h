/* SPDX-License-Identifier: MIT
 *
 * histogram_replicated.h: the host's half of the replicated histograms: how many
 * replicas the device's local memory holds. */
#ifndef KERNEL_HISTOGRAM_REPLICATED_H
#define KERNEL_HISTOGRAM_REPLICATED_H

#include "histogram_common.h"

/* Replica r of bin b is word b x replicas + r of local memory, so that items that
 * count the same bin in different replicas hit neighbouring words, which are in
 * different banks of a GPU's local memory. */
typedef struct {
    const uint32_t *in;
    uint32_t *bins;  /* KERNEL_BINS of them */
    size_t n;        /* elements of in */
    size_t replicas; /* from 1 */
} histogram_replicated_args;

/* Half of the local memory: the other half leaves a compute unit room for a second
 * group, without which it idles at each barrier. */
static inline size_t histogram_replicas(const struct weir_device *device)
{
    size_t half = weir_device_get(device, WEIR_DEVICE_LOCAL_MEM_SIZE) / 2;
    return MAX(half / (KERNEL_BINS * sizeof(uint32_t)), 1);
}

static inline bool histogram_launch_replicated(struct kernel_job *job,
                                               const struct weir_kernel *kernel,
                                               GError **error)
{
    size_t units = weir_device_get(job->device, WEIR_DEVICE_COMPUTE_UNITS);
    size_t groups = MIN(units, kernel_div_up(job->n, job->local));
    histogram_replicated_args args
        = { job->in, job->out, job->n, histogram_replicas(job->device) };
    return kernel_launch(job, kernel, kernel_range(job, groups * job->local), &args,
                         error);
}

#endif
