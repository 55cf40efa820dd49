/* SPDX-License-Identifier: MIT
 *
 * hip/hip_runtime_api.h: HIP's runtime API, for C and C++, over that of CUDA: see
 * hip/weir-names.h. It says that it is HIP 6.0. Functions that CUDA does not have are
 * below. */
#ifndef WEIR_HIP_RUNTIME_API_H
#define WEIR_HIP_RUNTIME_API_H

#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>

#include <hip/weir-names.h>

#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 0
#define HIP_VERSION_PATCH 0
#define HIP_VERSION 60000000

__attribute__((constructor, used)) static void weiri_hip_begin(void)
{
    weiri_cuda_speak_hip();
    weiri_cuda_header(__FILE__);
}

/* The call has the place of the user's call. */
#define WEIRI_HIP_INLINE static inline __attribute__((always_inline))

/* ---- Devices --------------------------------------------------------------- */

/* What devices of AMD can do. */
typedef struct hipDeviceArch_t {
    unsigned hasGlobalInt32Atomics, hasGlobalFloatAtomicExch, hasSharedInt32Atomics,
        hasSharedFloatAtomicExch, hasFloatAtomicAdd, hasGlobalInt64Atomics,
        hasSharedInt64Atomics, hasDoubles, hasWarpVote, hasWarpBallot, hasWarpShuffle,
        hasFunnelShift, hasThreadFenceSystem, hasSyncThreadsExt, hasSurfaceFuncs,
        has3dGrid, hasDynamicParallelism;
} hipDeviceArch_t;

#ifdef __cplusplus
struct hipDeviceProp_t : cudaDeviceProp {
    char gcnArchName[256];
    int gcnArch;
    size_t maxSharedMemoryPerMultiProcessor;
    int clockInstructionRate;
    hipDeviceArch_t arch;
    int isLargeBar;
    int asicRevision;
};

WEIRI_HIP_INLINE hipError_t hipGetDeviceProperties(hipDeviceProp_t *properties,
                                                   int device)
{
    hipError_t error = cudaGetDeviceProperties(properties, device);
    if (error == hipSuccess) {
        strcpy(properties->gcnArchName, "weir");
        properties->gcnArch = 0;
        properties->maxSharedMemoryPerMultiProcessor
            = properties->sharedMemPerMultiprocessor;
        properties->clockInstructionRate = properties->clockRate;
        memset(&properties->arch, 0, sizeof properties->arch);
        /* All but surfaces and launches in device code. */
        for (unsigned *has = &properties->arch.hasGlobalInt32Atomics;
             has <= &properties->arch.has3dGrid; has++) {
            *has = has != &properties->arch.hasSurfaceFuncs;
        }
        properties->isLargeBar = 1;
        properties->asicRevision = 0;
    }
    return error;
}
#define hipGetDevicePropertiesR0600 hipGetDeviceProperties
#else
typedef struct cudaDeviceProp hipDeviceProp_t;
#define hipGetDeviceProperties cudaGetDeviceProperties
#endif

WEIRI_HIP_INLINE hipError_t hipInit(unsigned int flags)
{
    (void)flags;
    return hipSuccess;
}

WEIRI_HIP_INLINE hipError_t hipDeviceGet(hipDevice_t *device, int ordinal)
{
    *device = ordinal;
    return ordinal == 0 ? hipSuccess : hipErrorInvalidDevice;
}

WEIRI_HIP_INLINE hipError_t hipDeviceGetName(char *name, int bytes, hipDevice_t device)
{
    struct cudaDeviceProp properties;
    hipError_t error = cudaGetDeviceProperties(&properties, device);
    if (error == hipSuccess && bytes > 0) {
        strncpy(name, properties.name, (size_t)bytes);
        name[bytes - 1] = '\0';
    }
    return error;
}

WEIRI_HIP_INLINE hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device)
{
    struct cudaDeviceProp properties;
    hipError_t error = cudaGetDeviceProperties(&properties, device);
    *bytes = error == hipSuccess ? properties.totalGlobalMem : 0;
    return error;
}

WEIRI_HIP_INLINE hipError_t hipDeviceComputeCapability(int *major, int *minor,
                                                       hipDevice_t device)
{
    hipError_t error
        = cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, device);
    return error != hipSuccess
        ? error
        : cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, device);
}

/* ---- Memory ---------------------------------------------------------------- */

typedef void *hipDeviceptr_t;

#ifdef __cplusplus
template <typename T_>
WEIRI_HIP_INLINE hipError_t hipHostMalloc(T_ **memory, size_t bytes,
                                          unsigned int flags = 0)
{
    return weiri_cuda_new((void **)memory, bytes, sizeof(T_), WEIRI_CUDA_HOST, flags,
                          "hipHostMalloc");
}

template <typename T_>
WEIRI_HIP_INLINE hipError_t hipExtMallocWithFlags(T_ **memory, size_t bytes,
                                                  unsigned int flags)
{
    (void)flags;
    return weiri_cuda_new((void **)memory, bytes, sizeof(T_), WEIRI_CUDA_DEVICE, 0,
                          "hipExtMallocWithFlags");
}

#endif

/* The element is known by sizeof() in the source. */
WEIRI_HIP_INLINE hipError_t hipHostMalloc(void **memory, size_t bytes,
                                          unsigned int flags WEIRI_CUDA_DEFAULT(0))
{
    return weiri_cuda_new(memory, bytes, 0, WEIRI_CUDA_HOST, flags, "hipHostMalloc");
}

#define WEIRI_HIP_COPY(name, T_, F_, kind)                                             \
    WEIRI_HIP_INLINE hipError_t hipMemcpy##name(T_ to, F_ from, size_t bytes)          \
    {                                                                                  \
        return cudaMemcpy(to, from, bytes, kind);                                      \
    }                                                                                  \
    WEIRI_HIP_INLINE hipError_t hipMemcpy##name##Async(T_ to, F_ from, size_t bytes,   \
                                                       hipStream_t stream)             \
    {                                                                                  \
        return cudaMemcpyAsync(to, from, bytes, kind, stream);                         \
    }
WEIRI_HIP_COPY(HtoD, hipDeviceptr_t, const void *, cudaMemcpyHostToDevice)
WEIRI_HIP_COPY(DtoH, void *, hipDeviceptr_t, cudaMemcpyDeviceToHost)
WEIRI_HIP_COPY(DtoD, hipDeviceptr_t, hipDeviceptr_t, cudaMemcpyDeviceToDevice)
#undef WEIRI_HIP_COPY

WEIRI_HIP_INLINE hipError_t hipMemcpyWithStream(void *to, const void *from,
                                                size_t bytes, hipMemcpyKind kind,
                                                hipStream_t stream)
{
    hipError_t error = cudaMemcpyAsync(to, from, bytes, kind, stream);
    return error != hipSuccess ? error : cudaStreamSynchronize(stream);
}

/* Elements that are not bytes are filled by a copy. */
#define WEIRI_HIP_FILL(bits, T_)                                                       \
    WEIRI_HIP_INLINE hipError_t hipMemsetD##bits(hipDeviceptr_t to, T_ value,          \
                                                 size_t count)                         \
    {                                                                                  \
        T_ *filled = (T_ *)malloc(count * sizeof(T_) + 1);                             \
        hipError_t error = hipErrorOutOfMemory;                                        \
        for (size_t i = 0; filled != NULL && i < count; i++) {                         \
            filled[i] = value;                                                         \
        }                                                                              \
        if (filled != NULL) {                                                          \
            error                                                                      \
                = cudaMemcpy(to, filled, count * sizeof(T_), cudaMemcpyHostToDevice);  \
        }                                                                              \
        free(filled);                                                                  \
        return error;                                                                  \
    }
WEIRI_HIP_FILL(16, unsigned short)
WEIRI_HIP_FILL(32, int)
#undef WEIRI_HIP_FILL

WEIRI_HIP_INLINE hipError_t hipMemsetD8(hipDeviceptr_t to, unsigned char value,
                                        size_t bytes)
{
    return cudaMemset(to, value, bytes);
}

#define HIP_SYMBOL(variable) variable

#endif
