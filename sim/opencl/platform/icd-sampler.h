/* SPDX-License-Identifier: MIT
 *
 * icd-sampler.h: samplers. */
#ifndef WEIRI_ICD_SAMPLER_H
#define WEIRI_ICD_SAMPLER_H

#include "opencl/platform/icd.h"

struct _cl_sampler {
    struct weiri_icd_object object;
    cl_context context; /* used */
    cl_bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
    uint32_t flags;                    /* the same as CLK_… flags of OpenCL C */
    cl_sampler_properties *properties; /* or NULL */
    size_t n_properties;
};

#endif
