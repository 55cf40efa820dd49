/* SPDX-License-Identifier: MIT
 *
 * memory.c: allocations. All are memory of Weir's device, so that a kernel's access
 * beside one is found. Memory of cudaMalloc() is hidden from the host: its code may not
 * follow the pointer. cudaFree() waits for all commands, as CUDA's does. */
#include "config.h"

#include "cuda/runtime.h"

#include <string.h>

/* What a row of a pitched allocation is a multiple of. */
enum { PITCH_BYTES = 512 };

/* ---- Allocation ------------------------------------------------------------ */

static const char hidden_why[]
    = "cudaMalloc() allocates memory that the device alone can use: cudaMemcpy() "
      "copies it, and memory of cudaMallocManaged() and cudaMallocHost() is seen by "
      "both";

cudaError_t weiri_cuda_allocate(const struct weiri_cuda_call *call, void **memory,
                                size_t bytes, size_t element_bytes,
                                enum weiri_cuda_kind kind, unsigned flags)
{
    cudaError_t error = weiri_cuda_ready();
    if (error != cudaSuccess) {
        return weiri_cuda_return(error);
    }
    if (memory == NULL) {
        return weiri_cuda_misuse(call, cudaErrorInvalidValue,
                                 "no place for the pointer is given");
    }
    if (bytes == 0) {
        *memory = NULL;
        return cudaSuccess;
    }
    struct weir_device *device = weiri_cuda_device();
    const char *function = weiri_cuda_words(call->function);
    g_autofree char *name
        = weiri_cuda_name(weiri_cuda_site(call), function, &element_bytes);
    element_bytes
        = element_bytes != 0 && bytes % element_bytes == 0 ? element_bytes : 1;
    void *start
        = weir_memory_new(device, bytes / element_bytes, element_bytes, name, NULL);
    if (start == NULL) {
        return weiri_cuda_return(cudaErrorMemoryAllocation);
    }
    weiri_cuda_memory_add(&(struct weiri_cuda_memory){ start, bytes, kind, flags });
    weiri_host_commands_memory(device, start, bytes, false);
    if (kind == WEIRI_CUDA_DEVICE) {
        weiri_host_commands_hide(start, weiri_cuda_words(hidden_why));
    }
    *memory = start;
    return cudaSuccess;
}

cudaError_t weiri_cuda_new(void **memory, size_t bytes, size_t element_bytes,
                           enum weiri_cuda_kind kind, unsigned flags,
                           const char *function)
{
    const struct weiri_cuda_call call = { function, __builtin_return_address(0) };
    return weiri_cuda_allocate(&call, memory, bytes, element_bytes, kind, flags);
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    WEIRI_CUDA_CALL();
    return weiri_cuda_allocate(&call, memory, bytes, 0, WEIRI_CUDA_DEVICE, 0);
}

cudaError_t cudaMallocHost(void **memory, size_t bytes)
{
    WEIRI_CUDA_CALL();
    return weiri_cuda_allocate(&call, memory, bytes, 0, WEIRI_CUDA_HOST,
                               cudaHostAllocDefault);
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned int flags)
{
    WEIRI_CUDA_CALL();
    return weiri_cuda_allocate(&call, memory, bytes, 0, WEIRI_CUDA_HOST, flags);
}

cudaError_t cudaMallocManaged(void **memory, size_t bytes, unsigned int flags)
{
    WEIRI_CUDA_CALL();
    return weiri_cuda_allocate(&call, memory, bytes, 0, WEIRI_CUDA_MANAGED, flags);
}

static size_t pitch_of(size_t width)
{
    return (width + PITCH_BYTES - 1) / PITCH_BYTES * PITCH_BYTES;
}

cudaError_t cudaMallocPitch(void **memory, size_t *pitch, size_t width, size_t height)
{
    WEIRI_CUDA_CALL();
    *pitch = pitch_of(width);
    return weiri_cuda_allocate(&call, memory, *pitch * height, 0, WEIRI_CUDA_DEVICE, 0);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *memory, struct cudaExtent extent)
{
    WEIRI_CUDA_CALL();
    memory->pitch = pitch_of(extent.width);
    memory->xsize = extent.width;
    memory->ysize = extent.height;
    return weiri_cuda_allocate(&call, &memory->ptr,
                               memory->pitch * extent.height * extent.depth, 0,
                               WEIRI_CUDA_DEVICE, 0);
}

/* ---- Freeing --------------------------------------------------------------- */

enum {
    ON_DEVICE = 1 << WEIRI_CUDA_DEVICE | 1 << WEIRI_CUDA_MANAGED,
    PINNED = 1 << WEIRI_CUDA_HOST,
};

/* Why @start cannot be freed. */
static cudaError_t refuse_free(const struct weiri_cuda_call *call, const void *start)
{
    struct weiri_cuda_memory at = weiri_cuda_memory_at(start);
    if (at.kind == WEIRI_CUDA_UNKNOWN) {
        return weiri_cuda_misuse(call, cudaErrorInvalidValue,
                                 "%p is not memory that CUDA has allocated, or it is "
                                 "free already",
                                 start);
    }
    if (at.start != start) {
        return weiri_cuda_misuse(call, cudaErrorInvalidValue,
                                 "the pointer is %zu bytes after the start of its "
                                 "memory",
                                 (size_t)((const char *)start - at.start));
    }
    return weiri_cuda_misuse(
        call, cudaErrorInvalidValue, "the memory is freed by %s",
        at.kind == WEIRI_CUDA_HOST             ? "cudaFreeHost()"
            : at.kind == WEIRI_CUDA_REGISTERED ? "cudaHostUnregister()"
            : at.kind == WEIRI_CUDA_VARIABLE   ? "nothing: it is a variable"
                                               : "cudaFree()");
}

/* A process that ends may free what is gone already. */
static cudaError_t free_memory(const struct weiri_cuda_call *call, void *start,
                               unsigned kinds)
{
    cudaError_t error = weiri_cuda_ready();
    if (start == NULL || error != cudaSuccess) {
        return weiri_cuda_return(error);
    }
    const struct weir_site *site = weiri_cuda_site(call);
    struct weiri_cuda_memory memory;
    if (!weiri_cuda_memory_take(start, kinds, &memory)) {
        return refuse_free(call, start);
    }
    weiri_cuda_wait_all(call->pc);
    weiri_host_commands_freed(start, site);
    weir_free(weiri_cuda_device(), start);
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaFree(void *memory)
{
    WEIRI_CUDA_CALL();
    return free_memory(&call, memory, ON_DEVICE);
}

cudaError_t cudaFreeHost(void *memory)
{
    WEIRI_CUDA_CALL();
    return free_memory(&call, memory, PINNED);
}

/* ---- Memory of streams ----------------------------------------------------- */

cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t stream)
{
    WEIRI_CUDA_CALL();
    if (weiri_cuda_stream(stream) == NULL) {
        return weiri_cuda_misuse(&call, cudaErrorInvalidResourceHandle,
                                 "the stream does not exist");
    }
    return weiri_cuda_allocate(&call, memory, bytes, 0, WEIRI_CUDA_DEVICE, 0);
}

cudaError_t cudaMallocFromPoolAsync(void **memory, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
    WEIRI_CUDA_CALL();
    (void)pool;
    (void)stream;
    return weiri_cuda_allocate(&call, memory, bytes, 0, WEIRI_CUDA_DEVICE, 0);
}

struct freeing {
    struct weiri_cuda_memory memory;
    const struct weir_site *site;
};

/* To free is a write to all of the memory, so that a use in another stream races. */
static cudaError_t run_free(void *data)
{
    const struct freeing *freeing = data;
    const struct weiri_cuda_memory *memory = &freeing->memory;
    weiri_host_commands_touch(memory->start, memory->bytes, true, freeing->site);
    weiri_host_commands_forget(memory->start);
    if (weiri_cuda_device() != NULL) {
        weir_free(weiri_cuda_device(), memory->start);
    }
    return cudaSuccess;
}

cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream)
{
    WEIRI_CUDA_CALL();
    cudaError_t error = weiri_cuda_ready();
    struct freeing *freeing = g_new0(struct freeing, 1);
    if (memory == NULL || error != cudaSuccess) {
        g_free(freeing);
        return weiri_cuda_return(error);
    }
    if (!weiri_cuda_memory_take(memory, ON_DEVICE, &freeing->memory)) {
        g_free(freeing);
        return refuse_free(&call, memory);
    }
    freeing->site = weiri_cuda_site(&call);
    const struct weiri_cuda_request request = { .call = &call,
                                                .stream = stream,
                                                .kind = WEIRI_COMMAND_COPY,
                                                .what = "cudaFreeAsync",
                                                .run = run_free,
                                                .free_data = g_free,
                                                .data = freeing };
    return weiri_cuda_return(weiri_cuda_submit(&request, NULL));
}

/* There is one pool: memory comes from the system. */
struct CUmemPoolHandle_st {
    uint64_t attributes[cudaMemPoolAttrUsedMemHigh + 1];
};
static struct CUmemPoolHandle_st the_pool;

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    (void)device;
    *pool = &the_pool;
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    (void)device;
    (void)pool;
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool,
                              const struct cudaMemPoolProps *properties)
{
    (void)properties;
    *pool = g_new0(struct CUmemPoolHandle_st, 1);
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    if (pool != &the_pool) {
        g_free(pool);
    }
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes)
{
    (void)pool;
    (void)bytes;
    return weiri_cuda_return(weiri_cuda_ready());
}

/* The three about reuse are ints, the others 64 bits. */
static size_t bytes_of(enum cudaMemPoolAttr attribute)
{
    return attribute < cudaMemPoolAttrReleaseThreshold ? sizeof(int) : sizeof(uint64_t);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void *value)
{
    if (pool == NULL || (unsigned)attribute > cudaMemPoolAttrUsedMemHigh) {
        return weiri_cuda_return(cudaErrorInvalidValue);
    }
    memcpy(&pool->attributes[attribute], value, bytes_of(attribute));
    return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void *value)
{
    if (pool == NULL || (unsigned)attribute > cudaMemPoolAttrUsedMemHigh) {
        return weiri_cuda_return(cudaErrorInvalidValue);
    }
    memcpy(value, &pool->attributes[attribute], bytes_of(attribute));
    return cudaSuccess;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool,
                                 const struct cudaMemAccessDesc *list, size_t n)
{
    (void)pool;
    (void)list;
    (void)n;
    return cudaSuccess;
}

/* ---- Memory of the host ---------------------------------------------------- */

cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned int flags)
{
    WEIRI_CUDA_CALL();
    cudaError_t error = weiri_cuda_ready();
    if (error != cudaSuccess) {
        return weiri_cuda_return(error);
    }
    if (memory == NULL || bytes == 0) {
        return weiri_cuda_misuse(&call, cudaErrorInvalidValue, "%zu bytes at %p", bytes,
                                 memory);
    }
    if (weiri_cuda_memory_at(memory).kind != WEIRI_CUDA_UNKNOWN) {
        return weiri_cuda_misuse(&call, cudaErrorHostMemoryAlreadyRegistered,
                                 "the memory at %p is CUDA's already", memory);
    }
    size_t element_bytes = 0;
    g_autofree char *name = weiri_cuda_name(
        weiri_cuda_site(&call), weiri_cuda_words(call.function), &element_bytes);
    if (!weiri_host_commands_adopt(weiri_cuda_device(), memory, bytes,
                                   MAX(element_bytes, 1), name)) {
        return weiri_cuda_return(cudaErrorMemoryAllocation);
    }
    weiri_cuda_memory_add(
        &(struct weiri_cuda_memory){ memory, bytes, WEIRI_CUDA_REGISTERED, flags });
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *memory)
{
    WEIRI_CUDA_CALL();
    struct weiri_cuda_memory found;
    if (!weiri_cuda_memory_take(memory, 1 << WEIRI_CUDA_REGISTERED, &found)) {
        return weiri_cuda_misuse(&call, cudaErrorHostMemoryNotRegistered,
                                 "the memory at %p is not registered", memory);
    }
    weiri_cuda_wait_all(call.pc);
    weiri_host_commands_release(weiri_cuda_device(), memory);
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaHostGetDevicePointer(void **on_device, void *memory, unsigned int flags)
{
    WEIRI_CUDA_CALL();
    (void)flags;
    enum weiri_cuda_kind kind = weiri_cuda_memory_at(memory).kind;
    if (kind != WEIRI_CUDA_HOST && kind != WEIRI_CUDA_REGISTERED
        && kind != WEIRI_CUDA_MANAGED) {
        return weiri_cuda_misuse(&call, cudaErrorInvalidValue,
                                 "%p is not memory of cudaHostAlloc(), "
                                 "cudaMallocHost() or cudaHostRegister()",
                                 memory);
    }
    *on_device = memory;
    return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *memory)
{
    struct weiri_cuda_memory found = weiri_cuda_memory_at(memory);
    if (found.kind != WEIRI_CUDA_HOST && found.kind != WEIRI_CUDA_REGISTERED) {
        return weiri_cuda_return(cudaErrorInvalidValue);
    }
    *flags = found.flags | cudaHostAllocMapped;
    return cudaSuccess;
}

/* ---- Questions ------------------------------------------------------------- */

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *memory)
{
    static const enum cudaMemoryType types[] = {
        [WEIRI_CUDA_UNKNOWN] = cudaMemoryTypeUnregistered,
        [WEIRI_CUDA_DEVICE] = cudaMemoryTypeDevice,
        [WEIRI_CUDA_HOST] = cudaMemoryTypeHost,
        [WEIRI_CUDA_MANAGED] = cudaMemoryTypeManaged,
        [WEIRI_CUDA_REGISTERED] = cudaMemoryTypeHost,
        [WEIRI_CUDA_VARIABLE] = cudaMemoryTypeDevice,
    };
    cudaError_t error = weiri_cuda_ready();
    if (attributes == NULL) {
        return weiri_cuda_return(cudaErrorInvalidValue);
    }
    enum cudaMemoryType type = types[weiri_cuda_memory_at(memory).kind];
    *attributes = (struct cudaPointerAttributes){
        .type = type,
        .device = type == cudaMemoryTypeUnregistered ? cudaInvalidDeviceId : 0,
        .devicePointer
        = type == cudaMemoryTypeUnregistered ? NULL : (void *)(uintptr_t)memory,
        .hostPointer = type == cudaMemoryTypeDevice ? NULL : (void *)(uintptr_t)memory
    };
    return weiri_cuda_return(error);
}

/* Whether the range is managed memory. */
static cudaError_t need_managed(const struct weiri_cuda_call *call, const void *memory,
                                size_t bytes)
{
    cudaError_t error = weiri_cuda_ready();
    struct weiri_cuda_memory found = weiri_cuda_memory_at(memory);
    if (error == cudaSuccess
        && (found.kind != WEIRI_CUDA_MANAGED
            || bytes > found.bytes - (size_t)((const char *)memory - found.start))) {
        return weiri_cuda_misuse(call, cudaErrorInvalidValue,
                                 "%zu bytes at %p are not managed memory", bytes,
                                 memory);
    }
    return weiri_cuda_return(error);
}

static cudaError_t prefetch(const struct weiri_cuda_call *call, const void *memory,
                            size_t bytes, cudaStream_t stream)
{
    cudaError_t error = need_managed(call, memory, bytes);
    if (error != cudaSuccess) {
        return error;
    }
    const struct weiri_cuda_request request = { .call = call,
                                                .stream = stream,
                                                .kind = WEIRI_COMMAND_COPY,
                                                .what = "cudaMemPrefetchAsync" };
    return weiri_cuda_return(weiri_cuda_submit(&request, NULL));
}

cudaError_t cudaMemPrefetchAsync(const void *memory, size_t bytes, int device,
                                 cudaStream_t stream)
{
    WEIRI_CUDA_CALL();
    (void)device;
    return prefetch(&call, memory, bytes, stream);
}

cudaError_t cudaMemPrefetchAsync_v2(const void *memory, size_t bytes,
                                    struct cudaMemLocation location, unsigned int flags,
                                    cudaStream_t stream)
{
    WEIRI_CUDA_CALL();
    (void)location;
    (void)flags;
    return prefetch(&call, memory, bytes, stream);
}

cudaError_t cudaMemAdvise_v2(const void *memory, size_t bytes,
                             enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location)
{
    WEIRI_CUDA_CALL();
    (void)advice;
    (void)location;
    return need_managed(&call, memory, bytes);
}

cudaError_t cudaMemAdvise(const void *memory, size_t bytes,
                          enum cudaMemoryAdvise advice, int device)
{
    WEIRI_CUDA_CALL();
    (void)advice;
    (void)device;
    return need_managed(&call, memory, bytes);
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t data_bytes,
                                     enum cudaMemRangeAttribute attribute,
                                     const void *memory, size_t bytes)
{
    WEIRI_CUDA_CALL();
    cudaError_t error = need_managed(&call, memory, bytes);
    if (error == cudaSuccess && data_bytes >= sizeof(int)) {
        int value
            = attribute == cudaMemRangeAttributeReadMostly ? 0 : cudaInvalidDeviceId;
        for (size_t i = 0; i + sizeof(int) <= data_bytes; i += sizeof(int)) {
            memcpy((char *)data + i, &value, sizeof(value));
        }
    }
    return error;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *memory, size_t bytes,
                                     unsigned int flags)
{
    WEIRI_CUDA_CALL();
    (void)stream;
    (void)flags;
    return need_managed(&call, memory, bytes);
}
