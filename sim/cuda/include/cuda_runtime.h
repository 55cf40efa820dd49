/* SPDX-License-Identifier: MIT
 *
 * cuda_runtime.h: CUDA's runtime API with what it has for C++: functions that take
 * typed pointers, kernels and variables of the device. In a .cu file it also has the
 * device's builtins. */
#ifndef WEIR_CUDA_RUNTIME_H
#define WEIR_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__ /* CUDA's own guard: programs ask for it */

#include <host_defines.h>
#include <vector_types.h>

#include <cuda_runtime_api.h>
#include <library_types.h>
#include <vector_functions.h>

#ifdef __CUDA__
#include <weir/device.hpp>
#endif

#ifdef __cplusplus

/* The call has the place of the user's call. */
#define WEIRI_CUDA_INLINE static inline __attribute__((always_inline))

/* ---- Memory ---------------------------------------------------------------- */

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaMalloc(T_ **memory, size_t bytes)
{
    return weiri_cuda_new((void **)memory, bytes, sizeof(T_), WEIRI_CUDA_DEVICE, 0,
                          "cudaMalloc");
}

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaMallocHost(T_ **memory, size_t bytes,
                                             unsigned int flags = 0)
{
    return weiri_cuda_new((void **)memory, bytes, sizeof(T_), WEIRI_CUDA_HOST, flags,
                          "cudaMallocHost");
}

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaHostAlloc(T_ **memory, size_t bytes,
                                            unsigned int flags)
{
    return weiri_cuda_new((void **)memory, bytes, sizeof(T_), WEIRI_CUDA_HOST, flags,
                          "cudaHostAlloc");
}

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaMallocManaged(T_ **memory, size_t bytes,
                                                unsigned int flags
                                                = cudaMemAttachGlobal)
{
    return weiri_cuda_new((void **)memory, bytes, sizeof(T_), WEIRI_CUDA_MANAGED, flags,
                          "cudaMallocManaged");
}

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaMallocAsync(T_ **memory, size_t bytes,
                                              cudaStream_t stream)
{
    return cudaMallocAsync((void **)memory, bytes, stream);
}

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaMallocAsync(T_ **memory, size_t bytes,
                                              cudaMemPool_t pool, cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)memory, bytes, pool, stream);
}

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaMallocFromPoolAsync(T_ **memory, size_t bytes,
                                                      cudaMemPool_t pool,
                                                      cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)memory, bytes, pool, stream);
}

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaMallocPitch(T_ **memory, size_t *pitch, size_t width,
                                              size_t height)
{
    return cudaMallocPitch((void **)memory, pitch, width, height);
}

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaHostGetDevicePointer(T_ **on_device, void *memory,
                                                       unsigned int flags)
{
    return cudaHostGetDevicePointer((void **)on_device, memory, flags);
}

/* As CUDA 13 has them; in C they have names of their own. */
WEIRI_CUDA_INLINE cudaError_t cudaMemPrefetchAsync(const void *memory, size_t bytes,
                                                   struct cudaMemLocation location,
                                                   unsigned int flags,
                                                   cudaStream_t stream = 0)
{
    return cudaMemPrefetchAsync_v2(memory, bytes, location, flags, stream);
}

WEIRI_CUDA_INLINE cudaError_t cudaMemAdvise(const void *memory, size_t bytes,
                                            enum cudaMemoryAdvise advice,
                                            struct cudaMemLocation location)
{
    return cudaMemAdvise_v2(memory, bytes, advice, location);
}

/* ---- Variables of the device ----------------------------------------------- */

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaMemcpyToSymbol(const T_ &symbol, const void *from,
                                                 size_t bytes, size_t offset = 0,
                                                 enum cudaMemcpyKind kind
                                                 = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaMemcpyToSymbolAsync(
    const T_ &symbol, const void *from, size_t bytes, size_t offset = 0,
    enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
    return cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind,
                                   stream);
}

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaMemcpyFromSymbol(void *to, const T_ &symbol,
                                                   size_t bytes, size_t offset = 0,
                                                   enum cudaMemcpyKind kind
                                                   = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T_ &symbol,
                                                        size_t bytes, size_t offset = 0,
                                                        enum cudaMemcpyKind kind
                                                        = cudaMemcpyDeviceToHost,
                                                        cudaStream_t stream = 0)
{
    return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind,
                                     stream);
}

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaGetSymbolAddress(void **address, const T_ &symbol)
{
    return cudaGetSymbolAddress(address, (const void *)&symbol);
}

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaGetSymbolSize(size_t *bytes, const T_ &symbol)
{
    return cudaGetSymbolSize(bytes, (const void *)&symbol);
}

/* ---- Events ---------------------------------------------------------------- */

WEIRI_CUDA_INLINE cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return cudaEventCreateWithFlags(event, flags);
}

/* ---- Graphs ---------------------------------------------------------------- */

WEIRI_CUDA_INLINE cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec,
                                                   cudaGraph_t graph,
                                                   cudaGraphNode_t *node, char *log,
                                                   size_t bytes)
{
    (void)node;
    (void)log;
    (void)bytes;
    return cudaGraphInstantiate(exec, graph, 0ull);
}

/* ---- Kernels --------------------------------------------------------------- */

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaLaunchKernel(T_ *kernel, dim3 grid, dim3 block,
                                               void **args, size_t shared_bytes = 0,
                                               cudaStream_t stream = 0)
{
    return cudaLaunchKernel((const void *)kernel, grid, block, args, shared_bytes,
                            stream);
}

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaLaunchCooperativeKernel(T_ *kernel, dim3 grid,
                                                          dim3 block, void **args,
                                                          size_t shared_bytes = 0,
                                                          cudaStream_t stream = 0)
{
    return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, args,
                                       shared_bytes, stream);
}

template <typename T_> struct weiri_cuda_same {
    typedef T_ type;
};

#if __cplusplus >= 201103L
template <typename... P_>
WEIRI_CUDA_INLINE cudaError_t
cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P_...),
                   typename weiri_cuda_same<P_>::type... values)
{
    void *args[sizeof...(P_) + 1] = { (void *)&values..., nullptr };
    return cudaLaunchKernelExC(config, (const void *)kernel, args);
}
#endif

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                                  T_ *kernel, void **args)
{
    return cudaLaunchKernelExC(config, (const void *)kernel, args);
}

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t
cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T_ *kernel)
{
    return cudaFuncGetAttributes(attributes, (const void *)kernel);
}

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaFuncSetAttribute(T_ *kernel,
                                                   enum cudaFuncAttribute attribute,
                                                   int value)
{
    return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaFuncSetCacheConfig(T_ *kernel,
                                                     enum cudaFuncCache config)
{
    return cudaFuncSetCacheConfig((const void *)kernel, config);
}

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t
cudaFuncSetSharedMemConfig(T_ *kernel, enum cudaSharedMemConfig config)
{
    return cudaFuncSetSharedMemConfig((const void *)kernel, config);
}

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaFuncGetName(const char **name, T_ *kernel)
{
    return cudaFuncGetName(name, (const void *)kernel);
}

/* ---- Occupancy ------------------------------------------------------------- */

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, T_ kernel, int block_size, size_t shared_bytes)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel,
                                                         block_size, shared_bytes);
}

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, T_ kernel, int block_size, size_t shared_bytes, unsigned int flags)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks, (const void *)kernel, block_size, shared_bytes, flags);
}

template <typename T_>
WEIRI_CUDA_INLINE cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes,
                                                                        T_ kernel,
                                                                        int blocks,
                                                                        int block_size)
{
    return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)kernel,
                                                     blocks, block_size);
}

/* The block size for which most threads are resident; @shared_bytes: a function from
 * the block size to dynamic shared memory. */
template <typename F_, typename T_>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
    int *least_grid, int *block_size, T_ kernel, F_ shared_bytes, int limit = 0)
{
    struct cudaFuncAttributes attributes;
    int n = 1, best = 0, processors = 0;
    cudaError_t error = cudaFuncGetAttributes(&attributes, (const void *)kernel);
    if (error == cudaSuccess) {
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    }
    int most = attributes.maxThreadsPerBlock;
    most = limit > 0 && limit < most ? limit : most;
    *block_size = 0;
    *least_grid = 0;
    for (int size = most; error == cudaSuccess && size > 0;
         size = size % 32 != 0 ? size / 32 * 32 : size - 32) {
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &n, (const void *)kernel, size, (size_t)shared_bytes(size));
        if (error == cudaSuccess && n * size > best) {
            best = n * size;
            *block_size = size;
            *least_grid = n * processors;
        }
    }
    return error;
}

struct weiri_cuda_constant {
    size_t value;
    size_t operator()(int) const
    {
        return value;
    }
};

template <typename T_>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *least_grid,
                                                             int *block_size, T_ kernel,
                                                             size_t shared_bytes = 0,
                                                             int limit = 0)
{
    weiri_cuda_constant bytes = { shared_bytes };
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(least_grid, block_size,
                                                          kernel, bytes, limit);
}

#endif
#endif
