/* SPDX-License-Identifier: MIT
 *
 * occupancy.c: how many blocks fit on a multiprocessor, and what a program may set for
 * a kernel. Registers are not simulated: they limit nothing. */
#include "config.h"

#include "weir-kernel.h"

#include "cuda/runtime.h"

#include <string.h>

static struct weiri_cuda_function *function_of(const struct weiri_cuda_call *call,
                                               const void *kernel, cudaError_t *error)
{
    *error = weiri_cuda_ready();
    struct weiri_cuda_function *function
        = *error == cudaSuccess ? weiri_cuda_function_of(kernel) : NULL;
    if (function == NULL && *error == cudaSuccess) {
        *error = weiri_cuda_misuse(call, cudaErrorInvalidDeviceFunction,
                                   "%p is not a kernel of this program", kernel);
    }
    return function;
}

static size_t usual_shared(void)
{
    return (size_t)weiri_cuda_attribute(cudaDevAttrMaxSharedMemoryPerBlock);
}

static size_t dynamic_most(const struct weiri_cuda_function *function)
{
    size_t own = function->kernel->shared_bytes;
    return function->dynamic_most != SIZE_MAX ? function->dynamic_most
        : usual_shared() > own                ? usual_shared() - own
                                              : 0;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes,
                                  const void *kernel)
{
    WEIRI_CUDA_CALL();
    cudaError_t error;
    const struct weiri_cuda_function *function = function_of(&call, kernel, &error);
    if (function == NULL) {
        return weiri_cuda_return(error);
    }
    int most = weiri_cuda_attribute(cudaDevAttrMaxThreadsPerBlock);
    int bound = (int)function->kernel->max_threads;
    *attributes = (struct cudaFuncAttributes){
        .sharedSizeBytes = function->kernel->shared_bytes,
        .maxThreadsPerBlock = bound != 0 ? MIN(bound, most) : most,
        .numRegs = 32,
        .ptxVersion = 90,
        .binaryVersion = 90,
        .maxDynamicSharedSizeBytes = (int)dynamic_most(function),
        .preferredShmemCarveout = cudaSharedmemCarveoutDefault,
    };
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute,
                                 int value)
{
    WEIRI_CUDA_CALL();
    cudaError_t error;
    struct weiri_cuda_function *function = function_of(&call, kernel, &error);
    if (function == NULL) {
        return weiri_cuda_return(error);
    }
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        size_t most
            = (size_t)weiri_cuda_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
        size_t own = function->kernel->shared_bytes;
        if (value < 0 || own + (size_t)value > most) {
            return weiri_cuda_misuse(&call, cudaErrorInvalidValue,
                                     "%d bytes of dynamic shared memory and %zu static "
                                     "ones, and a block has at most %zu",
                                     value, own, most);
        }
        function->dynamic_most = (size_t)value;
    }
    return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config)
{
    WEIRI_CUDA_CALL();
    (void)config;
    cudaError_t error;
    (void)function_of(&call, kernel, &error);
    return weiri_cuda_return(error);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *kernel,
                                       enum cudaSharedMemConfig config)
{
    WEIRI_CUDA_CALL();
    (void)config;
    cudaError_t error;
    (void)function_of(&call, kernel, &error);
    return weiri_cuda_return(error);
}

cudaError_t cudaFuncGetName(const char **name, const void *kernel)
{
    WEIRI_CUDA_CALL();
    cudaError_t error;
    const struct weiri_cuda_function *function = function_of(&call, kernel, &error);
    if (function != NULL) {
        *name = function->kernel->symbol;
    }
    return weiri_cuda_return(error);
}

/* The stub is the handle. */
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *kernel)
{
    WEIRI_CUDA_CALL();
    cudaError_t error;
    if (function_of(&call, kernel, &error) != NULL) {
        *function = (cudaFunction_t)(uintptr_t)kernel;
    }
    return weiri_cuda_return(error);
}

/* ---- Occupancy ------------------------------------------------------------- */

int weiri_cuda_blocks(const struct weiri_cuda_function *function, int block_size,
                      size_t shared_bytes)
{
    size_t own = function->kernel->shared_bytes + shared_bytes;
    int threads = weiri_cuda_attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    size_t shared
        = (size_t)weiri_cuda_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    size_t reserved
        = (size_t)weiri_cuda_attribute(cudaDevAttrReservedSharedMemoryPerBlock);
    int warps = (block_size + 31) / 32;
    int by_threads = threads / (warps * 32);
    int by_shared = (int)MIN(shared / (own + reserved), INT_MAX);
    int most = weiri_cuda_attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
    bool fits
        = own <= (size_t)weiri_cuda_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    return fits ? MIN(MIN(by_threads, by_shared), most) : 0;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                          const void *kernel,
                                                          int block_size,
                                                          size_t shared_bytes)
{
    WEIRI_CUDA_CALL();
    cudaError_t error;
    const struct weiri_cuda_function *function = function_of(&call, kernel, &error);
    if (function == NULL) {
        return weiri_cuda_return(error);
    }
    if (block_size <= 0) {
        return weiri_cuda_misuse(&call, cudaErrorInvalidValue, "a block of %d threads",
                                 block_size);
    }
    *blocks = weiri_cuda_blocks(function, block_size, shared_bytes);
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                   const void *kernel,
                                                                   int block_size,
                                                                   size_t shared_bytes,
                                                                   unsigned int flags)
{
    (void)flags;
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_size,
                                                         shared_bytes);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *kernel,
                                                      int blocks, int block_size)
{
    WEIRI_CUDA_CALL();
    cudaError_t error;
    const struct weiri_cuda_function *function = function_of(&call, kernel, &error);
    (void)block_size;
    if (function == NULL || blocks <= 0) {
        return weiri_cuda_return(error != cudaSuccess ? error : cudaErrorInvalidValue);
    }
    size_t shared
        = (size_t)weiri_cuda_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    size_t each = shared / (size_t)blocks;
    size_t used = function->kernel->shared_bytes
        + (size_t)weiri_cuda_attribute(cudaDevAttrReservedSharedMemoryPerBlock);
    *bytes = MIN(each > used ? each - used : 0, dynamic_most(function));
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *kernel,
                                                 const cudaLaunchConfig_t *config)
{
    (void)kernel;
    (void)config;
    *size = 8;
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *kernel,
                                           const cudaLaunchConfig_t *config)
{
    (void)kernel;
    unsigned size = 1;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        if (config->attrs[i].id == cudaLaunchAttributeClusterDimension) {
            size = config->attrs[i].val.clusterDim.x * config->attrs[i].val.clusterDim.y
                * config->attrs[i].val.clusterDim.z;
        }
    }
    *clusters
        = weiri_cuda_attribute(cudaDevAttrMultiProcessorCount) / (int)MAX(size, 1);
    return weiri_cuda_return(weiri_cuda_ready());
}
