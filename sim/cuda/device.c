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

static const char DEFAULT_PROFILE[] = "h100";

/* Numbers of the H100, where Weir's device has none. */
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

static bool (*wait_for_commands)(void); /* or NULL: there were none */

void weiri_cuda_at_end(bool (*wait)(void))
{
    wait_for_commands = wait;
}

static void end(void)
{
    weiri_cuda_judge_launch();
    bool idle = wait_for_commands == NULL || wait_for_commands();
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

cudaError_t weiri_cuda_ready(void)
{
    cudaError_t error = weiri_cuda_broken();
    return error != cudaSuccess       ? error
        : weiri_cuda_device() == NULL ? cudaErrorCudartUnloading
                                      : cudaSuccess;
}

/* ---- Numbers --------------------------------------------------------------- */

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

/* ---- Limits ---------------------------------------------------------------- */

enum { N_LIMITS = cudaLimitPersistingL2CacheSize + 1 };
static size_t limits[N_LIMITS] = {
    [cudaLimitStackSize] = 1024,
    [cudaLimitPrintfFifoSize] = 7680 * 1024,
    [cudaLimitMallocHeapSize] = 8 * 1024 * 1024,
    [cudaLimitDevRuntimeSyncDepth] = 2,
    [cudaLimitDevRuntimePendingLaunchCount] = 2048,
    [cudaLimitMaxL2FetchGranularity] = 64,
};

size_t *weiri_cuda_limit(enum cudaLimit limit)
{
    return (unsigned)limit < N_LIMITS ? &limits[limit] : NULL;
}
