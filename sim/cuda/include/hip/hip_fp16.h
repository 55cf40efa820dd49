/* SPDX-License-Identifier: MIT
 *
 * hip/hip_fp16.h: __half and __half2, as CUDA has them. */
#ifndef WEIR_HIP_FP16_H
#define WEIR_HIP_FP16_H

#include <cuda_fp16.h>

#endif
