/* SPDX-License-Identifier: MIT
 *
 * mm_malloc.h: the compiler's, read as host and device code: it declares a function of
 * <stdlib.h> again. */
#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif
#include_next <mm_malloc.h>
#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif
