/* SPDX-License-Identifier: MIT
 *
 * cuda.h: CUDA's driver API, as far as programs use it without modules of their own:
 * each function is one of the runtime. Loading of modules is refused: weir-nvcc makes
 * kernels part of the program. */
#ifndef WEIR_CUDA_DRIVER_H
#define WEIR_CUDA_DRIVER_H
#define __cuda_cuda_h__ /* CUDA's own guard: programs ask for it */

#include <cuda_runtime_api.h>

#define CUDA_VERSION CUDART_VERSION

/* The numbers are those of the runtime. */
typedef enum cudaError_enum {
    CUDA_SUCCESS = cudaSuccess,
    CUDA_ERROR_INVALID_VALUE = cudaErrorInvalidValue,
    CUDA_ERROR_OUT_OF_MEMORY = cudaErrorMemoryAllocation,
    CUDA_ERROR_NOT_INITIALIZED = cudaErrorInitializationError,
    CUDA_ERROR_DEINITIALIZED = cudaErrorCudartUnloading,
    CUDA_ERROR_NO_DEVICE = cudaErrorNoDevice,
    CUDA_ERROR_INVALID_DEVICE = cudaErrorInvalidDevice,
    CUDA_ERROR_INVALID_IMAGE = cudaErrorInvalidKernelImage,
    CUDA_ERROR_INVALID_CONTEXT = cudaErrorDeviceUninitialized,
    CUDA_ERROR_NO_BINARY_FOR_GPU = cudaErrorNoKernelImageForDevice,
    CUDA_ERROR_PEER_ACCESS_UNSUPPORTED = cudaErrorPeerAccessUnsupported,
    CUDA_ERROR_INVALID_PTX = cudaErrorInvalidPtx,
    CUDA_ERROR_INVALID_SOURCE = cudaErrorInvalidSource,
    CUDA_ERROR_FILE_NOT_FOUND = cudaErrorFileNotFound,
    CUDA_ERROR_OPERATING_SYSTEM = cudaErrorOperatingSystem,
    CUDA_ERROR_INVALID_HANDLE = cudaErrorInvalidResourceHandle,
    CUDA_ERROR_ILLEGAL_STATE = cudaErrorIllegalState,
    CUDA_ERROR_NOT_FOUND = cudaErrorSymbolNotFound,
    CUDA_ERROR_NOT_READY = cudaErrorNotReady,
    CUDA_ERROR_ILLEGAL_ADDRESS = cudaErrorIllegalAddress,
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = cudaErrorLaunchOutOfResources,
    CUDA_ERROR_LAUNCH_TIMEOUT = cudaErrorLaunchTimeout,
    CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = cudaErrorPeerAccessAlreadyEnabled,
    CUDA_ERROR_PEER_ACCESS_NOT_ENABLED = cudaErrorPeerAccessNotEnabled,
    CUDA_ERROR_CONTEXT_IS_DESTROYED = cudaErrorContextIsDestroyed,
    CUDA_ERROR_ASSERT = cudaErrorAssert,
    CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = cudaErrorHostMemoryAlreadyRegistered,
    CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = cudaErrorHostMemoryNotRegistered,
    CUDA_ERROR_ILLEGAL_INSTRUCTION = cudaErrorIllegalInstruction,
    CUDA_ERROR_MISALIGNED_ADDRESS = cudaErrorMisalignedAddress,
    CUDA_ERROR_LAUNCH_FAILED = cudaErrorLaunchFailure,
    CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = cudaErrorCooperativeLaunchTooLarge,
    CUDA_ERROR_NOT_PERMITTED = cudaErrorNotPermitted,
    CUDA_ERROR_NOT_SUPPORTED = cudaErrorNotSupported,
    CUDA_ERROR_UNKNOWN = cudaErrorUnknown,
} CUresult;

typedef enum CUdevice_attribute_enum {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
    CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
    CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14,
    CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = 15,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = 17,
    CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,
    CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19,
    CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH = 21,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH = 22,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT = 23,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH = 24,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT = 25,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH = 26,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH = 27,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT = 28,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS = 29,
    CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT = 30,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31,
    CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32,
    CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33,
    CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34,
    CU_DEVICE_ATTRIBUTE_TCC_DRIVER = 35,
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40,
    CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
    CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 50,
    CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT = 51,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED = 78,
    CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED = 79,
    CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED = 80,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
    CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
    CU_DEVICE_ATTRIBUTE_IS_MULTI_GPU_BOARD = 84,
    CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID = 85,
    CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED = 86,
    CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO = 87,
    CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = 88,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89,
    CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED = 90,
    CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM = 91,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH = 96,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES = 98,
    CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED = 99,
    CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES = 100,
    CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST = 101,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = 106,
    CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE = 108,
    CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE = 109,
    CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK = 111,
    CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED = 112,
    CU_DEVICE_ATTRIBUTE_HOST_REGISTER_READ_ONLY_SUPPORTED = 113,
    CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED = 114,
    CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115,
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED = 116,
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS = 117,
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING = 118,
    CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES = 119,
    CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH = 120,
    CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED = 121,
    CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORT = 125,
    CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT = 126,
    CU_DEVICE_ATTRIBUTE_NUMA_CONFIG = 130,
    CU_DEVICE_ATTRIBUTE_NUMA_ID = 131,
    CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID = 134,
} CUdevice_attribute;

typedef enum CUctx_flags_enum {
    CU_CTX_SCHED_AUTO = 0,
    CU_CTX_SCHED_SPIN = 1,
    CU_CTX_SCHED_YIELD = 2,
    CU_CTX_SCHED_BLOCKING_SYNC = 4,
    CU_CTX_MAP_HOST = 8,
} CUctx_flags;

typedef enum CUstream_flags_enum {
    CU_STREAM_DEFAULT = 0,
    CU_STREAM_NON_BLOCKING = 1,
} CUstream_flags;

typedef enum CUevent_flags_enum {
    CU_EVENT_DEFAULT = 0,
    CU_EVENT_BLOCKING_SYNC = 1,
    CU_EVENT_DISABLE_TIMING = 2,
    CU_EVENT_INTERPROCESS = 4,
} CUevent_flags;

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef cudaFunction_t CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef cudaHostFn_t CUhostFn;

/* The call has the place of the user's call. */
#define WEIRI_CUDA_DRIVER static inline __attribute__((always_inline, unused)) CUresult

/* The one context; it is never looked into. */
#define WEIRI_CUDA_CONTEXT ((CUcontext)1)

/* ---- Devices and contexts -------------------------------------------------- */

WEIRI_CUDA_DRIVER cuInit(unsigned int flags)
{
    int count;
    (void)flags;
    return (CUresult)cudaGetDeviceCount(&count);
}

WEIRI_CUDA_DRIVER cuDeviceGet(CUdevice *device, int number)
{
    *device = number;
    return (CUresult)cudaSetDevice(number);
}

WEIRI_CUDA_DRIVER cuDeviceGetName(char *name, int bytes, CUdevice device)
{
    struct cudaDeviceProp properties;
    CUresult result = (CUresult)cudaGetDeviceProperties(&properties, device);
    int i = 0;
    for (; result == CUDA_SUCCESS && i < bytes - 1 && properties.name[i] != 0; i++) {
        name[i] = properties.name[i];
    }
    name[i] = 0;
    return result;
}

WEIRI_CUDA_DRIVER cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    size_t free_bytes;
    (void)device;
    return (CUresult)cudaMemGetInfo(&free_bytes, bytes);
}

WEIRI_CUDA_DRIVER cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    (void)cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, device);
    return (CUresult)cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor,
                                            device);
}

WEIRI_CUDA_DRIVER cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    *context = WEIRI_CUDA_CONTEXT;
    return (CUresult)cudaSetDevice(device);
}

WEIRI_CUDA_DRIVER cuDevicePrimaryCtxRelease(CUdevice device)
{
    (void)device;
    return CUDA_SUCCESS;
}

WEIRI_CUDA_DRIVER cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device)
{
    (void)flags;
    return cuDevicePrimaryCtxRetain(context, device);
}

WEIRI_CUDA_DRIVER cuCtxDestroy(CUcontext context)
{
    (void)context;
    return (CUresult)cudaDeviceSynchronize();
}

WEIRI_CUDA_DRIVER cuCtxSetCurrent(CUcontext context)
{
    (void)context;
    return CUDA_SUCCESS;
}

WEIRI_CUDA_DRIVER cuCtxGetCurrent(CUcontext *context)
{
    *context = WEIRI_CUDA_CONTEXT;
    return CUDA_SUCCESS;
}

WEIRI_CUDA_DRIVER cuCtxPushCurrent(CUcontext context)
{
    (void)context;
    return CUDA_SUCCESS;
}

WEIRI_CUDA_DRIVER cuCtxPopCurrent(CUcontext *context)
{
    *context = WEIRI_CUDA_CONTEXT;
    return CUDA_SUCCESS;
}

WEIRI_CUDA_DRIVER cuCtxGetDevice(CUdevice *device)
{
    *device = 0;
    return CUDA_SUCCESS;
}

WEIRI_CUDA_DRIVER cuGetErrorName(CUresult result, const char **name)
{
    *name = cudaGetErrorName((cudaError_t)result);
    return CUDA_SUCCESS;
}

WEIRI_CUDA_DRIVER cuGetErrorString(CUresult result, const char **text)
{
    *text = cudaGetErrorString((cudaError_t)result);
    return CUDA_SUCCESS;
}

/* ---- Modules and kernels --------------------------------------------------- */

WEIRI_CUDA_DRIVER cuModuleLoad(CUmodule *module, const char *file)
{
    (void)module;
    (void)file;
    return CUDA_ERROR_NOT_SUPPORTED;
}

WEIRI_CUDA_DRIVER cuModuleLoadData(CUmodule *module, const void *image)
{
    (void)module;
    (void)image;
    return CUDA_ERROR_NOT_SUPPORTED;
}

/* @function: of cudaGetFuncBySymbol() */
WEIRI_CUDA_DRIVER cuLaunchKernel(CUfunction function, unsigned int grid_x,
                                 unsigned int grid_y, unsigned int grid_z,
                                 unsigned int block_x, unsigned int block_y,
                                 unsigned int block_z, unsigned int shared_bytes,
                                 CUstream stream, void **args, void **extra)
{
    dim3 grid, block;
    grid.x = grid_x;
    grid.y = grid_y;
    grid.z = grid_z;
    block.x = block_x;
    block.y = block_y;
    block.z = block_z;
    (void)extra;
    return (CUresult)cudaLaunchKernel((const void *)function, grid, block, args,
                                      shared_bytes, stream);
}

/* ---- The runtime's functions ----------------------------------------------- */

WEIRI_CUDA_DRIVER cuDriverGetVersion(int *version)
{
    return (CUresult)cudaDriverGetVersion(version);
}

WEIRI_CUDA_DRIVER cuDeviceGetCount(int *count)
{
    return (CUresult)cudaGetDeviceCount(count);
}

WEIRI_CUDA_DRIVER cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                                       CUdevice device)
{
    return (CUresult)cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute,
                                            device);
}

WEIRI_CUDA_DRIVER cuDeviceGetPCIBusId(char *id, int bytes, CUdevice device)
{
    return (CUresult)cudaDeviceGetPCIBusId(id, bytes, device);
}

WEIRI_CUDA_DRIVER cuCtxSynchronize(void)
{
    return (CUresult)cudaDeviceSynchronize();
}

WEIRI_CUDA_DRIVER cuMemGetInfo(size_t *free, size_t *total)
{
    return (CUresult)cudaMemGetInfo(free, total);
}

WEIRI_CUDA_DRIVER cuMemAlloc(CUdeviceptr *memory, size_t bytes)
{
    return (CUresult)cudaMalloc((void **)memory, bytes);
}

WEIRI_CUDA_DRIVER cuMemFree(CUdeviceptr memory)
{
    return (CUresult)cudaFree((void *)memory);
}

WEIRI_CUDA_DRIVER cuMemAllocHost(void **memory, size_t bytes)
{
    return (CUresult)cudaMallocHost(memory, bytes);
}

WEIRI_CUDA_DRIVER cuMemHostAlloc(void **memory, size_t bytes, unsigned int flags)
{
    return (CUresult)cudaHostAlloc(memory, bytes, flags);
}

WEIRI_CUDA_DRIVER cuMemFreeHost(void *memory)
{
    return (CUresult)cudaFreeHost(memory);
}

WEIRI_CUDA_DRIVER cuMemHostRegister(void *memory, size_t bytes, unsigned int flags)
{
    return (CUresult)cudaHostRegister(memory, bytes, flags);
}

WEIRI_CUDA_DRIVER cuMemHostUnregister(void *memory)
{
    return (CUresult)cudaHostUnregister(memory);
}

WEIRI_CUDA_DRIVER cuMemHostGetDevicePointer(CUdeviceptr *on_device, void *memory,
                                            unsigned int flags)
{
    return (CUresult)cudaHostGetDevicePointer((void **)on_device, memory, flags);
}

WEIRI_CUDA_DRIVER cuMemAllocManaged(CUdeviceptr *memory, size_t bytes,
                                    unsigned int flags)
{
    return (CUresult)cudaMallocManaged((void **)memory, bytes, flags);
}

WEIRI_CUDA_DRIVER cuMemAllocAsync(CUdeviceptr *memory, size_t bytes, CUstream stream)
{
    return (CUresult)cudaMallocAsync((void **)memory, bytes, stream);
}

WEIRI_CUDA_DRIVER cuMemFreeAsync(CUdeviceptr memory, CUstream stream)
{
    return (CUresult)cudaFreeAsync((void *)memory, stream);
}

WEIRI_CUDA_DRIVER cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return (CUresult)cudaMemcpy((void *)to, (const void *)from, bytes,
                                cudaMemcpyDefault);
}

WEIRI_CUDA_DRIVER cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes)
{
    return (CUresult)cudaMemcpy((void *)to, from, bytes, cudaMemcpyHostToDevice);
}

WEIRI_CUDA_DRIVER cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes)
{
    return (CUresult)cudaMemcpy(to, (const void *)from, bytes, cudaMemcpyDeviceToHost);
}

WEIRI_CUDA_DRIVER cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return (CUresult)cudaMemcpy((void *)to, (const void *)from, bytes,
                                cudaMemcpyDeviceToDevice);
}

WEIRI_CUDA_DRIVER cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                                CUstream stream)
{
    return (CUresult)cudaMemcpyAsync((void *)to, (const void *)from, bytes,
                                     cudaMemcpyDefault, stream);
}

WEIRI_CUDA_DRIVER cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes,
                                    CUstream stream)
{
    return (CUresult)cudaMemcpyAsync((void *)to, from, bytes, cudaMemcpyHostToDevice,
                                     stream);
}

WEIRI_CUDA_DRIVER cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes,
                                    CUstream stream)
{
    return (CUresult)cudaMemcpyAsync(to, (const void *)from, bytes,
                                     cudaMemcpyDeviceToHost, stream);
}

WEIRI_CUDA_DRIVER cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                                    CUstream stream)
{
    return (CUresult)cudaMemcpyAsync((void *)to, (const void *)from, bytes,
                                     cudaMemcpyDeviceToDevice, stream);
}

WEIRI_CUDA_DRIVER cuMemsetD8(CUdeviceptr memory, unsigned char value, size_t n)
{
    return (CUresult)cudaMemset((void *)memory, value, n);
}

WEIRI_CUDA_DRIVER cuMemsetD8Async(CUdeviceptr memory, unsigned char value, size_t n,
                                  CUstream stream)
{
    return (CUresult)cudaMemsetAsync((void *)memory, value, n, stream);
}

WEIRI_CUDA_DRIVER cuStreamCreate(CUstream *stream, unsigned int flags)
{
    return (CUresult)cudaStreamCreateWithFlags(stream, flags);
}

WEIRI_CUDA_DRIVER cuStreamCreateWithPriority(CUstream *stream, unsigned int flags,
                                             int priority)
{
    return (CUresult)cudaStreamCreateWithPriority(stream, flags, priority);
}

WEIRI_CUDA_DRIVER cuStreamDestroy(CUstream stream)
{
    return (CUresult)cudaStreamDestroy(stream);
}

WEIRI_CUDA_DRIVER cuStreamSynchronize(CUstream stream)
{
    return (CUresult)cudaStreamSynchronize(stream);
}

WEIRI_CUDA_DRIVER cuStreamQuery(CUstream stream)
{
    return (CUresult)cudaStreamQuery(stream);
}

WEIRI_CUDA_DRIVER cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
    return (CUresult)cudaStreamWaitEvent(stream, event, flags);
}

WEIRI_CUDA_DRIVER cuLaunchHostFunc(CUstream stream, CUhostFn function, void *user)
{
    return (CUresult)cudaLaunchHostFunc(stream, function, user);
}

WEIRI_CUDA_DRIVER cuEventCreate(CUevent *event, unsigned int flags)
{
    return (CUresult)cudaEventCreateWithFlags(event, flags);
}

WEIRI_CUDA_DRIVER cuEventDestroy(CUevent event)
{
    return (CUresult)cudaEventDestroy(event);
}

WEIRI_CUDA_DRIVER cuEventRecord(CUevent event, CUstream stream)
{
    return (CUresult)cudaEventRecord(event, stream);
}

WEIRI_CUDA_DRIVER cuEventSynchronize(CUevent event)
{
    return (CUresult)cudaEventSynchronize(event);
}

WEIRI_CUDA_DRIVER cuEventQuery(CUevent event)
{
    return (CUresult)cudaEventQuery(event);
}

WEIRI_CUDA_DRIVER cuEventElapsedTime(float *ms, CUevent begin, CUevent end)
{
    return (CUresult)cudaEventElapsedTime(ms, begin, end);
}

#endif
