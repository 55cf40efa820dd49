/* SPDX-License-Identifier: MIT
 *
 * icd-kernel.h: kernels with their arguments. A launch takes the block of arguments
 * (opencl.h); beside it are the objects that arguments name, since they may be released
 * before the kernel is enqueued. A kernel does not keep them alive: the program has no
 * way to make it let go of them. */
#ifndef WEIRI_ICD_KERNEL_H
#define WEIRI_ICD_KERNEL_H

#include "opencl/platform/icd-program.h"

struct weiri_icd_argument {
    bool set;
    struct weiri_icd_object *object; /* a memory object or a sampler; or NULL */
    uint64_t number;                 /* of that, by which to know whether it lives */
};

struct _cl_kernel {
    struct weiri_icd_object object;
    cl_program program; /* used */
    const struct weiri_cl_kernel *info;
    char *args;
    struct weiri_icd_argument *arguments;
};

/** Bytes of local memory of a group, including local arguments. */
size_t weiri_icd_local_bytes(const struct _cl_kernel *kernel);

#endif
