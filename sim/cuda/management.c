/* SPDX-License-Identifier: MIT
 *
 * management.c: the device, as the program sees it. There is one, with the number 0. */
#include "config.h"

#include "cuda/runtime.h"

#include <string.h>
#include <sys/sysinfo.h>

static size_t total_memory(void)
{
    struct sysinfo info;
    return sysinfo(&info) == 0 ? (size_t)info.totalram * info.mem_unit : 0;
}

static size_t free_memory(void)
{
    struct sysinfo info;
    return sysinfo(&info) == 0
        ? ((size_t)info.freeram + (size_t)info.bufferram) * info.mem_unit
        : 0;
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    if (free != NULL) {
        *free = free_memory();
    }
    if (total != NULL) {
        *total = total_memory();
    }
    return weiri_cuda_return(weiri_cuda_ready());
}

static void set_properties(struct cudaDeviceProp *p)
{
    memset(p, 0, sizeof(*p));
    g_snprintf(p->name, sizeof(p->name), "Weir %s",
               weir_device_name(weiri_cuda_device()));
    p->totalGlobalMem = total_memory();
#define N(member, attribute) p->member = weiri_cuda_attribute(cudaDevAttr##attribute)
#define BYTES(member, attribute)                                                       \
    p->member = (size_t)weiri_cuda_attribute(cudaDevAttr##attribute)
    BYTES(sharedMemPerBlock, MaxSharedMemoryPerBlock);
    N(regsPerBlock, MaxRegistersPerBlock);
    N(warpSize, WarpSize);
    BYTES(memPitch, MaxPitch);
    N(maxThreadsPerBlock, MaxThreadsPerBlock);
    N(maxThreadsDim[0], MaxBlockDimX);
    N(maxThreadsDim[1], MaxBlockDimY);
    N(maxThreadsDim[2], MaxBlockDimZ);
    N(maxGridSize[0], MaxGridDimX);
    N(maxGridSize[1], MaxGridDimY);
    N(maxGridSize[2], MaxGridDimZ);
    N(clockRate, ClockRate);
    BYTES(totalConstMem, TotalConstantMemory);
    N(major, ComputeCapabilityMajor);
    N(minor, ComputeCapabilityMinor);
    BYTES(textureAlignment, TextureAlignment);
    BYTES(texturePitchAlignment, TexturePitchAlignment);
    BYTES(surfaceAlignment, SurfaceAlignment);
    N(deviceOverlap, GpuOverlap);
    N(multiProcessorCount, MultiProcessorCount);
    N(canMapHostMemory, CanMapHostMemory);
    N(maxTexture1D, MaxTexture1DWidth);
    N(maxTexture2D[0], MaxTexture2DWidth);
    N(maxTexture2D[1], MaxTexture2DHeight);
    N(maxTexture3D[0], MaxTexture3DWidth);
    N(maxTexture3D[1], MaxTexture3DHeight);
    N(maxTexture3D[2], MaxTexture3DDepth);
    N(concurrentKernels, ConcurrentKernels);
    N(ECCEnabled, EccEnabled);
    N(pciBusID, PciBusId);
    N(asyncEngineCount, AsyncEngineCount);
    N(unifiedAddressing, UnifiedAddressing);
    N(memoryClockRate, MemoryClockRate);
    N(memoryBusWidth, GlobalMemoryBusWidth);
    N(l2CacheSize, L2CacheSize);
    N(persistingL2CacheMaxSize, MaxPersistingL2CacheSize);
    N(maxThreadsPerMultiProcessor, MaxThreadsPerMultiProcessor);
    N(streamPrioritiesSupported, StreamPrioritiesSupported);
    N(globalL1CacheSupported, GlobalL1CacheSupported);
    N(localL1CacheSupported, LocalL1CacheSupported);
    BYTES(sharedMemPerMultiprocessor, MaxSharedMemoryPerMultiprocessor);
    N(regsPerMultiprocessor, MaxRegistersPerMultiprocessor);
    N(managedMemory, ManagedMemory);
    N(singleToDoublePrecisionPerfRatio, SingleToDoublePrecisionPerfRatio);
    N(concurrentManagedAccess, ConcurrentManagedAccess);
    N(computePreemptionSupported, ComputePreemptionSupported);
    N(canUseHostPointerForRegisteredMem, CanUseHostPointerForRegisteredMem);
    N(cooperativeLaunch, CooperativeLaunch);
    BYTES(sharedMemPerBlockOptin, MaxSharedMemoryPerBlockOptin);
    N(maxBlocksPerMultiProcessor, MaxBlocksPerMultiprocessor);
    N(accessPolicyMaxWindowSize, MaxAccessPolicyWindowSize);
    BYTES(reservedSharedMemPerBlock, ReservedSharedMemoryPerBlock);
    N(hostRegisterSupported, HostRegisterSupported);
    N(memoryPoolsSupported, MemoryPoolsSupported);
    N(clusterLaunch, ClusterLaunch);
#undef N
#undef BYTES
}

/* ---- The runtime's functions ----------------------------------------------- */

static cudaError_t check_number(const struct weiri_cuda_call *call, int device)
{
    cudaError_t error = weiri_cuda_ready();
    if (error == cudaSuccess && device != 0) {
        return weiri_cuda_misuse(call, cudaErrorInvalidDevice,
                                 "device %d: there is one device, 0", device);
    }
    return weiri_cuda_return(error);
}

cudaError_t cudaGetDeviceCount(int *count)
{
    cudaError_t error = weiri_cuda_ready();
    *count = error == cudaSuccess;
    return weiri_cuda_return(error);
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaSetDevice(int device)
{
    WEIRI_CUDA_CALL();
    return check_number(&call, device);
}

cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags)
{
    WEIRI_CUDA_CALL();
    (void)device_flags;
    (void)flags;
    return check_number(&call, device);
}

cudaError_t cudaSetValidDevices(int *devices, int n)
{
    (void)devices;
    (void)n;
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted)
{
    (void)wanted;
    *device = 0;
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    WEIRI_CUDA_CALL();
    cudaError_t error = check_number(&call, device);
    if (error == cudaSuccess) {
        set_properties(properties);
    }
    return error;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute,
                                   int device)
{
    WEIRI_CUDA_CALL();
    cudaError_t error = check_number(&call, device);
    if (error == cudaSuccess) {
        *value = weiri_cuda_attribute(attribute);
    }
    return error;
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute,
                                      int device, int peer)
{
    (void)attribute;
    (void)device;
    (void)peer;
    *value = 0;
    return weiri_cuda_return(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceSynchronize(void)
{
    cudaError_t error = weiri_cuda_ready();
    if (error == cudaSuccess) {
        weiri_cuda_wait_all(__builtin_return_address(0));
        error = weiri_cuda_ready();
    }
    return weiri_cuda_return(error);
}

cudaError_t cudaThreadSynchronize(void)
{
    weiri_cuda_wait_all(__builtin_return_address(0));
    return weiri_cuda_return(weiri_cuda_ready());
}

/* Memory of the program stays: later uses of it are as wrong as in CUDA, and reported
 * where the process goes on with it. */
cudaError_t cudaDeviceReset(void)
{
    if (weiri_cuda_device() == NULL) {
        return cudaErrorCudartUnloading;
    }
    weiri_cuda_judge_launch();
    weiri_cuda_wait_all(__builtin_return_address(0));
    weiri_cuda_mend();
    return cudaSuccess;
}

cudaError_t cudaThreadExit(void)
{
    return cudaDeviceReset();
}

/* ---- Limits and settings --------------------------------------------------- */

static cudaError_t no_limit(void)
{
    return weiri_cuda_return(cudaErrorUnsupportedLimit);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    const size_t *found = weiri_cuda_limit(limit);
    if (found == NULL) {
        return no_limit();
    }
    *value = *found;
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    size_t *found = weiri_cuda_limit(limit);
    if (found == NULL) {
        return no_limit();
    }
    *found = value;
    return weiri_cuda_return(weiri_cuda_ready());
}

static enum cudaFuncCache cache_config;
static enum cudaSharedMemConfig shared_config = cudaSharedMemBankSizeFourByte;
static unsigned device_flags = cudaDeviceMapHost;

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    *config = cache_config;
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    cache_config = config;
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    *config = shared_config;
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    shared_config = config;
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    *flags = device_flags;
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    device_flags = flags | cudaDeviceMapHost;
    return cudaSuccess;
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least != NULL) {
        *least = 0;
    }
    if (greatest != NULL) {
        *greatest = -5;
    }
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int bytes, int device)
{
    WEIRI_CUDA_CALL();
    g_snprintf(id, (gulong)bytes, "0000:01:00.0");
    return check_number(&call, device);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    (void)id;
    *device = 0;
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    (void)device;
    (void)peer;
    *can = 0;
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    (void)peer;
    (void)flags;
    return weiri_cuda_return(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    (void)peer;
    return weiri_cuda_return(cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaProfilerStart(void)
{
    return cudaSuccess;
}

cudaError_t cudaProfilerStop(void)
{
    return cudaSuccess;
}
