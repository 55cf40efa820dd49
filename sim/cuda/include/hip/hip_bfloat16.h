/* SPDX-License-Identifier: MIT
 *
 * hip/hip_bfloat16.h: the older name of __hip_bfloat16. */
#ifndef WEIR_HIP_BFLOAT16_H
#define WEIR_HIP_BFLOAT16_H

#include <hip/hip_bf16.h>

#ifdef __cplusplus
typedef __nv_bfloat16 hip_bfloat16;
#endif

#endif
