/* SPDX-License-Identifier: MIT
 *
 * icd-kernel.h: kernels with their arguments. The block of arguments is what a launch
 * takes (opencl.h); beside it are the objects that arguments name, since they may be
 * released before the kernel is enqueued. */
#ifndef WEIRI_ICD_KERNEL_H
#define WEIRI_ICD_KERNEL_H

#include "opencl/icd-program.h"

struct weiri_icd_argument {
    bool set;
    void *object; /* a memory object or a sampler, used; or NULL */
};

struct _cl_kernel {
    struct weiri_icd_object object;
    cl_program program; /* used */
    const struct weiri_cl_kernel *info;
    char *args;
    struct weiri_icd_argument *arguments;
};

/** Bytes of local memory of a group, with those of arguments. */
size_t weiri_icd_local_bytes(const struct _cl_kernel *kernel);

#endif
