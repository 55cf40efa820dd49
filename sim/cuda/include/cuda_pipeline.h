/* SPDX-License-Identifier: MIT
 *
 * cuda_pipeline.h: copies of one thread, in groups. */
#ifndef WEIR_CUDA_PIPELINE_H
#define WEIR_CUDA_PIPELINE_H

#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>

#endif
