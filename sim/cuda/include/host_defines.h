/* SPDX-License-Identifier: MIT
 *
 * host_defines.h: CUDA's qualifiers, as attributes of clang in a .cu file, and as
 * nothing elsewhere: C and C++ files of the host may name CUDA's types. The annotations
 * tell weir-cuda-cc which variables are in shared, constant or managed memory. */
#ifndef WEIR_CUDA_HOST_DEFINES_H
#define WEIR_CUDA_HOST_DEFINES_H
#define __HOST_DEFINES_H__ /* CUDA's own guard: programs ask for it */

#ifdef __CUDA__
#define __global__ __attribute__((global, annotate("weir_kernel")))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared, annotate("weir_shared")))
#define __constant__ __attribute__((constant, annotate("weir_constant")))
/* One variable of the host and the device: code of the device uses the host's. */
#ifdef WEIRI_DEVICE_PASS
#define __managed__ __attribute__((device, annotate("weir_managed")))
#else
#define __managed__ __attribute__((annotate("weir_managed"))) /* it may change */
#endif
#define __launch_bounds__(...) WEIRI_LAUNCH_BOUNDS(__VA_ARGS__, , )
/* The machine needs no more than the number of threads. */
#define WEIRI_LAUNCH_BOUNDS(threads, ...)                                              \
    __attribute__((launch_bounds(threads), annotate("weir_launch_bounds", threads)))
#define __cluster_dims__(...) WEIRI_CLUSTER_DIMS(__VA_ARGS__, 1, 1, )
#define WEIRI_CLUSTER_DIMS(x, y, z, ...)                                               \
    __attribute__((annotate("weir_cluster_dims", x, y, z)))
#define __maxnreg__(...)
#define __block_size__(...)
#define __grid_constant__
#else
#define __global__
#define __device__
#define __host__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#endif

#define __device_builtin__
#define __cudart_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDA_CB
#ifndef CUDAAPI
#define CUDAAPI
#endif

/* A keyword of clang from version 15 on. As a macro it breaks the attribute of this
 * name: see bits/shared_ptr_base.h. */
#if defined(__CUDA__) && defined(__clang__) && __clang_major__ < 15
#define __noinline__ __attribute__((noinline))
#elif !defined(__CUDA__)
#define __noinline__ __attribute__((noinline))
#endif

/* ---- Functions of these headers -----------------------------------------------
 * All are inlined: weir-cuda-cc gives each builtin that they call the place of the
 * user's call. */

#define WEIRI_ALWAYS inline __attribute__((always_inline))
/* Functions of the library, for host and device alike. */
#ifdef __CUDA__
#define WEIRI_CUDA_FUNCTION __host__ __device__ __attribute__((nothrow))
#else
#define WEIRI_CUDA_FUNCTION __attribute__((nothrow))
#endif
#ifdef __CUDA__
#define WEIRI_DEVICE __device__ WEIRI_ALWAYS
#define WEIRI_BOTH __host__ __device__ WEIRI_ALWAYS
#elif defined(__cplusplus)
#define WEIRI_DEVICE WEIRI_ALWAYS
#define WEIRI_BOTH WEIRI_ALWAYS
#else
#define WEIRI_DEVICE static WEIRI_ALWAYS
#define WEIRI_BOTH static WEIRI_ALWAYS
#endif

#endif
