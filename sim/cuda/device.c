/* SPDX-License-Identifier: MIT
 *
 * device.c: the process's one device. Its numbers are those of Weir's device where that
 * has them, so that a program which asks fits its launches to what is simulated: there
 * are as many multiprocessors, with room for as many threads, as groups and items can
 * be resident together. The other numbers are those of an H100. */
#include "config.h"

#include "cuda/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

static const char DEFAULT_PROFILE[] = "h100";

/* Of the H100, where Weir's device has no number. */
enum {
    WARP = 32,
    MAJOR = 9,
    MINOR = 0,
    REGISTERS = 65536,
    RESERVED_SHARED = 1024,
    DEFAULT_SHARED = 48 * 1024,
    L2_BYTES = 50 * 1024 * 1024,
    CLOCK_KHZ = 1980000,
    MEMORY_CLOCK_KHZ = 2619000,
    BUS_BITS = 5120,
};

static GMutex mutex; /* guards: */
static struct weir_device *the_device;
static bool ended;

static void end(void)
{
    weiri_cuda_judge_launch();
    bool idle = weiri_cuda_commands_end();
    weiri_cuda_flush();
    g_mutex_lock(&mutex);
    ended = true;
    struct weir_device *device = g_steal_pointer(&the_device);
    g_mutex_unlock(&mutex);
    if (!idle) {
        return; /* what runs needs its memory */
    }
    weiri_cuda_memory_end();
    weiri_host_commands_close();
    weir_device_free(device);
}

/* An option of the command replaces the profile "default", which stands for any. */
static struct weir_device *make(GError **error)
{
    const char *profile = g_getenv("WEIR_CUDA_DEVICE");
    struct weir_device *device
        = weir_device_new(profile != NULL ? profile : "default", error);
    if (profile == NULL && device != NULL
        && strcmp(weir_device_name(device), "default") == 0) {
        weir_device_free(device);
        device = weir_device_new(DEFAULT_PROFILE, error);
    }
    return device;
}

struct weir_device *weiri_cuda_device(void)
{
    g_mutex_lock(&mutex);
    bool made = the_device == NULL && !ended;
    if (made) {
        g_autoptr(GError) error = NULL;
        the_device = make(&error);
        if (the_device == NULL) {
            g_printerr("weir: %s\n", error->message);
            exit(2);
        }
        atexit(end);
    }
    struct weir_device *found = the_device;
    g_mutex_unlock(&mutex);
    if (made) {
        weiri_cuda_modules_begin();
    }
    return found;
}

/* ---- Numbers ---------------------------------------------------------------------- */

static int number(enum weir_device_info info)
{
    struct weir_device *device = weiri_cuda_device();
    return device != NULL ? (int)MIN(weir_device_get(device, info), INT_MAX) : 0;
}

/* Groups that are resident together have at most MAX_RESIDENT_ITEMS items. The device
 * has a multiprocessor for each of these groups of the largest size. */
static int n_processors(void)
{
    int items = number(WEIR_DEVICE_MAX_RESIDENT_ITEMS);
    int most = MAX(1, number(WEIR_DEVICE_MAX_WORK_GROUP_SIZE));
    int units = number(WEIR_DEVICE_COMPUTE_UNITS);
    return CLAMP(items / most, 1, MAX(1, units));
}

static int blocks_a_processor(void)
{
    return MAX(1, number(WEIR_DEVICE_COMPUTE_UNITS) / n_processors());
}

static int optin_shared(void)
{
    return number(WEIR_DEVICE_LOCAL_MEM_SIZE);
}

int weiri_cuda_attribute(enum cudaDeviceAttr attribute)
{
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        return number(WEIR_DEVICE_MAX_WORK_GROUP_SIZE);
    case cudaDevAttrMaxBlockDimZ:
        return MIN(64, number(WEIR_DEVICE_MAX_WORK_GROUP_SIZE));
    case cudaDevAttrMaxGridDimX:
        return INT_MAX;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ:
        return 65535;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        return MIN(DEFAULT_SHARED, optin_shared());
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        return optin_shared();
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        return optin_shared() + RESERVED_SHARED;
    case cudaDevAttrReservedSharedMemoryPerBlock:
        return RESERVED_SHARED;
    case cudaDevAttrTotalConstantMemory:
        return 65536;
    case cudaDevAttrWarpSize:
        return WARP;
    case cudaDevAttrMaxPitch:
        return INT_MAX;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
        return REGISTERS;
    case cudaDevAttrClockRate:
        return CLOCK_KHZ;
    case cudaDevAttrTextureAlignment:
    case cudaDevAttrSurfaceAlignment:
        return 512;
    case cudaDevAttrTexturePitchAlignment:
        return 32;
    case cudaDevAttrMultiProcessorCount:
        return n_processors();
    case cudaDevAttrMaxBlocksPerMultiprocessor:
        return blocks_a_processor();
    case cudaDevAttrMaxTexture1DWidth:
    case cudaDevAttrMaxTexture2DWidth:
        return 131072;
    case cudaDevAttrMaxTexture2DHeight:
        return 65536;
    case cudaDevAttrMaxTexture3DWidth:
    case cudaDevAttrMaxTexture3DHeight:
    case cudaDevAttrMaxTexture3DDepth:
        return 16384;
    case cudaDevAttrMaxTexture2DLayeredWidth:
    case cudaDevAttrMaxTexture2DLayeredHeight:
        return 32768;
    case cudaDevAttrMaxTexture2DLayeredLayers:
        return 2048;
    case cudaDevAttrMemoryClockRate:
        return MEMORY_CLOCK_KHZ;
    case cudaDevAttrGlobalMemoryBusWidth:
        return BUS_BITS;
    case cudaDevAttrL2CacheSize:
        return L2_BYTES;
    case cudaDevAttrMaxPersistingL2CacheSize:
        return 32 * 1024 * 1024;
    case cudaDevAttrMaxAccessPolicyWindowSize:
        return 128 * 1024 * 1024;
    case cudaDevAttrAsyncEngineCount:
        return 3;
    case cudaDevAttrComputeCapabilityMajor:
        return MAJOR;
    case cudaDevAttrComputeCapabilityMinor:
        return MINOR;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
        return 2;
    case cudaDevAttrMemoryPoolSupportedHandleTypes:
        return cudaMemHandleTypeNone;
    case cudaDevAttrNumaId:
    case cudaDevAttrHostNumaId:
        return -1;
    case cudaDevAttrMemSyncDomainCount:
        return 4;
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrEccEnabled:
    case cudaDevAttrPciBusId:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrGlobalL1CacheSupported:
    case cudaDevAttrLocalL1CacheSupported:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrComputePreemptionSupported:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrClusterLaunch:
        return 1;
    default:
        return 0;
    }
}

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
    g_snprintf(p->name, sizeof(p->name), "Weir %s", weir_device_name(weiri_cuda_device()));
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

/* ---- The runtime's functions -------------------------------------------------------- */

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

/* ---- Limits and settings ------------------------------------------------------------ */

enum { N_LIMITS = cudaLimitPersistingL2CacheSize + 1 };
static size_t limits[N_LIMITS] = {
    [cudaLimitStackSize] = 1024,
    [cudaLimitPrintfFifoSize] = 7680 * 1024,
    [cudaLimitMallocHeapSize] = 8 * 1024 * 1024,
    [cudaLimitDevRuntimeSyncDepth] = 2,
    [cudaLimitDevRuntimePendingLaunchCount] = 2048,
    [cudaLimitMaxL2FetchGranularity] = 64,
};

size_t weiri_cuda_limit(enum cudaLimit limit)
{
    return limits[limit];
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    if ((unsigned)limit >= N_LIMITS) {
        return weiri_cuda_return(cudaErrorUnsupportedLimit);
    }
    *value = limits[limit];
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    if ((unsigned)limit >= N_LIMITS) {
        return weiri_cuda_return(cudaErrorUnsupportedLimit);
    }
    limits[limit] = value;
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
