/* SPDX-License-Identifier: MIT
 *
 * hip/hip_ext.h: a launch between two events. */
#ifndef WEIR_HIP_EXT_H
#define WEIR_HIP_EXT_H

#include <hip/hip_runtime.h>

#define hipExtLaunchKernelGGL(kernel, grid, block, shared_bytes, stream, begin, end,   \
                              flags, ...)                                              \
    do {                                                                               \
        hipEvent_t weiri_begin = (begin), weiri_end = (end);                           \
        if (weiri_begin != nullptr) {                                                  \
            (void)hipEventRecord(weiri_begin, stream);                                 \
        }                                                                              \
        WEIRI_HIP_LAUNCH((kernel), grid, block, shared_bytes, stream, __VA_ARGS__);    \
        if (weiri_end != nullptr) {                                                    \
            (void)hipEventRecord(weiri_end, stream);                                   \
        }                                                                              \
    } while (0)

#endif
