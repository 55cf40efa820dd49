/* SPDX-License-Identifier: MIT
 *
 * cuda_profiler_api.h: cudaProfilerStart() and cudaProfilerStop(), which do nothing. */
#ifndef WEIR_CUDA_PROFILER_API_H
#define WEIR_CUDA_PROFILER_API_H

#include <cuda_runtime_api.h>

#endif
