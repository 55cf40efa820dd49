/* SPDX-License-Identifier: MIT
 *
 * cuda_runtime_api.h: the functions of CUDA's runtime API, for C and C++, as far as
 * Weir has them. It says that it is CUDA 12.4. sim/cuda implements them: streams and
 * events keep their order, memory is memory of Weir's device, and under `weir check`
 * commands, copies and the host's accesses are judged. */
#ifndef WEIR_CUDA_RUNTIME_API_H
#define WEIR_CUDA_RUNTIME_API_H
#define __CUDA_RUNTIME_API_H__ /* CUDA's own guard: programs ask for it */

#include <driver_types.h>

#define CUDART_VERSION 12040
#define __CUDART_API_VERSION CUDART_VERSION

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Errors ---------------------------------------------------------------- */

cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);

/* ---- Devices --------------------------------------------------------------- */

cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);
cudaError_t cudaSetValidDevices(int *devices, int n);
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device);
#define cudaGetDeviceProperties_v2 cudaGetDeviceProperties
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute,
                                   int device);
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute,
                                      int device, int peer);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaDeviceGetPCIBusId(char *id, int bytes, int device);
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id);
cudaError_t cudaGetDeviceFlags(unsigned int *flags);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);

/* ---- Memory ---------------------------------------------------------------- */

cudaError_t cudaMalloc(void **memory, size_t bytes);
cudaError_t cudaFree(void *memory);
cudaError_t cudaMallocHost(void **memory, size_t bytes);
cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned int flags);
cudaError_t cudaFreeHost(void *memory);
cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned int flags);
cudaError_t cudaHostUnregister(void *memory);
cudaError_t cudaHostGetDevicePointer(void **on_device, void *memory,
                                     unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int *flags, void *memory);
cudaError_t cudaMallocManaged(void **memory, size_t bytes,
                              unsigned int flags
                                  WEIRI_CUDA_DEFAULT(cudaMemAttachGlobal));
cudaError_t cudaMallocPitch(void **memory, size_t *pitch, size_t width, size_t height);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *memory, struct cudaExtent extent);
cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream);
cudaError_t cudaMallocFromPoolAsync(void **memory, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *memory);

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                       enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                            enum cudaMemcpyKind kind,
                            cudaStream_t stream WEIRI_CUDA_DEFAULT(0));
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                              size_t from_pitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind,
                              cudaStream_t stream WEIRI_CUDA_DEFAULT(0));
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy,
                              cudaStream_t stream WEIRI_CUDA_DEFAULT(0));
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                           size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from,
                                int from_device, size_t bytes,
                                cudaStream_t stream WEIRI_CUDA_DEFAULT(0));
cudaError_t cudaMemset(void *memory, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes,
                            cudaStream_t stream WEIRI_CUDA_DEFAULT(0));
cudaError_t cudaMemset2D(void *memory, size_t pitch, int value, size_t width,
                         size_t height);
cudaError_t cudaMemset2DAsync(void *memory, size_t pitch, int value, size_t width,
                              size_t height, cudaStream_t stream WEIRI_CUDA_DEFAULT(0));
cudaError_t cudaMemset3D(struct cudaPitchedPtr memory, int value,
                         struct cudaExtent extent);
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr memory, int value,
                              struct cudaExtent extent,
                              cudaStream_t stream WEIRI_CUDA_DEFAULT(0));

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes,
                               size_t offset WEIRI_CUDA_DEFAULT(0),
                               enum cudaMemcpyKind kind
                                   WEIRI_CUDA_DEFAULT(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind,
                                    cudaStream_t stream WEIRI_CUDA_DEFAULT(0));
cudaError_t cudaMemcpyFromSymbol(
    void *to, const void *symbol, size_t bytes, size_t offset WEIRI_CUDA_DEFAULT(0),
    enum cudaMemcpyKind kind WEIRI_CUDA_DEFAULT(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes,
                                      size_t offset, enum cudaMemcpyKind kind,
                                      cudaStream_t stream WEIRI_CUDA_DEFAULT(0));
cudaError_t cudaGetSymbolAddress(void **address, const void *symbol);
cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol);

cudaError_t cudaMemPrefetchAsync(const void *memory, size_t bytes, int device,
                                 cudaStream_t stream WEIRI_CUDA_DEFAULT(0));
cudaError_t cudaMemAdvise(const void *memory, size_t bytes,
                          enum cudaMemoryAdvise advice, int device);
cudaError_t cudaMemPrefetchAsync_v2(const void *memory, size_t bytes,
                                    struct cudaMemLocation location, unsigned int flags,
                                    cudaStream_t stream WEIRI_CUDA_DEFAULT(0));
cudaError_t cudaMemAdvise_v2(const void *memory, size_t bytes,
                             enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location);
cudaError_t cudaMemRangeGetAttribute(void *data, size_t data_bytes,
                                     enum cudaMemRangeAttribute attribute,
                                     const void *memory, size_t bytes);

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool,
                              const struct cudaMemPoolProps *properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void *value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool,
                                 const struct cudaMemAccessDesc *list, size_t n);

/* ---- Streams --------------------------------------------------------------- */

cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags,
                                         int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned int flags WEIRI_CUDA_DEFAULT(0));
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void *user, unsigned int flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *user);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device);
cudaError_t cudaStreamAttachMemAsync(
    cudaStream_t stream, void *memory, size_t bytes WEIRI_CUDA_DEFAULT(0),
    unsigned int flags WEIRI_CUDA_DEFAULT(cudaMemAttachSingle));
cudaError_t cudaStreamSetAttribute(cudaStream_t stream,
                                   enum cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue *value);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream,
                                   enum cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue *value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
cudaError_t cudaCtxResetPersistingL2Cache(void);

/* ---- Events ---------------------------------------------------------------- */

cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event,
                            cudaStream_t stream WEIRI_CUDA_DEFAULT(0));
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event,
                                     cudaStream_t stream WEIRI_CUDA_DEFAULT(0),
                                     unsigned int flags WEIRI_CUDA_DEFAULT(0));
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t begin, cudaEvent_t end);

/* ---- Graphs ---------------------------------------------------------------- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
                                   enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                  enum cudaStreamCaptureStatus *status);
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *n);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags WEIRI_CUDA_DEFAULT(0));
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags
                                              WEIRI_CUDA_DEFAULT(0));
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);

/* ---- Kernels --------------------------------------------------------------- */

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args,
                             size_t shared_bytes WEIRI_CUDA_DEFAULT(0),
                             cudaStream_t stream WEIRI_CUDA_DEFAULT(0));
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block,
                                        void **args,
                                        size_t shared_bytes WEIRI_CUDA_DEFAULT(0),
                                        cudaStream_t stream WEIRI_CUDA_DEFAULT(0));
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel,
                                void **args);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes,
                                  const void *kernel);
cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute,
                                 int value);
cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(const void *kernel,
                                       enum cudaSharedMemConfig config);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *kernel);
cudaError_t cudaFuncGetName(const char **name, const void *kernel);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                          const void *kernel,
                                                          int block_size,
                                                          size_t shared_bytes);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                   const void *kernel,
                                                                   int block_size,
                                                                   size_t shared_bytes,
                                                                   unsigned int flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *kernel,
                                                      int blocks, int block_size);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *kernel,
                                                 const cudaLaunchConfig_t *config);
cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *kernel,
                                           const cudaLaunchConfig_t *config);

/* ---- Profilers ------------------------------------------------------------- */

cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

/* ---- For the code that clang makes ----------------------------------------- */

unsigned int __cudaPushCallConfiguration(
    dim3 grid, dim3 block, size_t shared_bytes WEIRI_CUDA_DEFAULT(0),
    struct CUstream_st *stream WEIRI_CUDA_DEFAULT(0));
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes,
                                       void *stream);
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *stub, char *symbol,
                            const char *name, int most_threads, uint3 *thread,
                            uint3 *block_index, dim3 *block, dim3 *grid, int *warp);
void __cudaRegisterVar(void **handle, char *variable, char *symbol, const char *name,
                       int external, size_t bytes, int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **variable, char *symbol,
                              const char *name, int external, size_t bytes,
                              int constant, int global);

/* ---- For these headers ----------------------------------------------------- */

/* The functions of the files beside and below @header are not the user's. */
void weiri_cuda_header(const char *header);

/* The kinds of memory that weiri_cuda_new() allocates. */
enum weiri_cuda_kind {
    WEIRI_CUDA_UNKNOWN, /* ordinary memory of the host */
    WEIRI_CUDA_DEVICE,
    WEIRI_CUDA_HOST, /* pinned */
    WEIRI_CUDA_MANAGED,
    WEIRI_CUDA_REGISTERED, /* by cudaHostRegister() */
    WEIRI_CUDA_VARIABLE,   /* of device code */
};

/* @function: that allocates; @element_bytes: of what the pointer points to */
cudaError_t weiri_cuda_new(void **memory, size_t bytes, size_t element_bytes,
                           enum weiri_cuda_kind kind, unsigned int flags,
                           const char *function);

/* The default stream is one for each thread. */
void weiri_cuda_default_per_thread(void);

/* The program calls the runtime by HIP's names. */
void weiri_cuda_speak_hip(void);

__attribute__((constructor, used)) static void weiri_cuda_begin(void)
{
    weiri_cuda_header(__FILE__);
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
    weiri_cuda_default_per_thread();
#endif
}

#ifdef __cplusplus
}
#endif

#endif
