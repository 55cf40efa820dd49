/* SPDX-License-Identifier: MIT
 *
 * hip/hip_common.h: nothing is here that the compiler does not define. */
#ifndef WEIR_HIP_COMMON_H
#define WEIR_HIP_COMMON_H

#include <hip/hip_runtime_api.h>

#endif
