/* SPDX-License-Identifier: MIT
 *
 * icd-svm.c: shared virtual memory: coarse-grained buffers, which are memory of Weir's
 * device. A kernel may have pointers to it in other memory, as the device knows all. */
#include "config.h"

#include "opencl/platform/icd-memory.h"

#include "weir-kernel.h"

#include <string.h>

struct shared {
    size_t bytes;
    cl_context context; /* to be compared only */
};

static GTree *memories; /* the first address: struct shared; owned */

static int compare(const void *a, const void *b, void *data)
{
    (void)data;
    return (uintptr_t)a < (uintptr_t)b ? -1 : (uintptr_t)a > (uintptr_t)b;
}

/* The memory that contains @start, and its offset there; or NULL. */
static const struct shared *shared_at(const void *start, size_t *offset)
{
    GTreeNode *after = memories != NULL ? g_tree_upper_bound(memories, start) : NULL;
    GTreeNode *node = after != NULL ? g_tree_node_previous(after)
        : memories != NULL          ? g_tree_node_last(memories)
                                    : NULL;
    if (node == NULL) {
        return NULL;
    }
    *offset = (uintptr_t)start - (uintptr_t)g_tree_node_key(node);
    const struct shared *shared = g_tree_node_value(node);
    return *offset < shared->bytes ? shared : NULL;
}

size_t weiri_icd_shared_bytes(const void *start)
{
    size_t offset;
    const struct shared *shared = shared_at(start, &offset);
    return shared != NULL ? shared->bytes - offset : 0;
}

bool weiri_icd_shared_elsewhere(const void *start, cl_context context)
{
    size_t offset;
    const struct shared *shared = shared_at(start, &offset);
    return shared != NULL && shared->context != context;
}

/* Whether the queue may use the memory. */
static cl_int need_context(struct weiri_icd_call *call, cl_command_queue queue,
                           const void *start)
{
    cl_int code = weiri_icd_need(call, queue, WEIRI_ICD_QUEUE);
    return code == CL_SUCCESS && weiri_icd_shared_elsewhere(start, queue->context)
        ? weiri_icd_fail(call, CL_INVALID_VALUE,
                         "the pointer is to memory in another context than the queue")
        : code;
}

CL_API_ENTRY void *CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags,
                                          size_t bytes, cl_uint alignment)
{
    WEIRI_ICD_ENTER();
    const cl_svm_mem_flags known
        = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
    if (weiri_icd_need(&call, context, WEIRI_ICD_CONTEXT) != CL_SUCCESS) {
        return NULL;
    }
    if ((flags & ~known) != 0 || bytes == 0 || (alignment & (alignment - 1)) != 0
        || alignment > 128 || weiri_icd_device()->is_1_2) {
        return weiri_icd_refuse(
            &call, NULL, CL_INVALID_VALUE,
            "%zu bytes, aligned to %u, flags 0x%llx: the device has "
            "coarse-grained buffers%s",
            bytes, alignment, (unsigned long long)flags,
            weiri_icd_device()->is_1_2 ? " in newer versions" : "");
    }
    const struct weir_site *site = weiri_icd_site(&call);
    const char *slash = site != NULL ? strrchr(site->file, '/') : NULL;
    g_autofree char *name = site != NULL
        ? g_strdup_printf("memory of %s:%u", slash != NULL ? slash + 1 : site->file,
                          site->line)
        : g_strdup("svm");
    struct weir_device *device = weiri_icd_device()->device;
    void *start = weir_memory_new(device, bytes, 1, name, NULL);
    if (start != NULL) {
        weiri_host_commands_memory(device, start, bytes, false);
        if (memories == NULL) {
            memories = g_tree_new_full(compare, NULL, NULL, g_free);
        }
        const struct shared shared = { bytes, context };
        g_tree_insert(memories, start, g_memdup2(&shared, sizeof(shared)));
    }
    return start;
}

static void free_memory(struct weiri_icd_call *call, void *start)
{
    if (start == NULL) {
        return;
    }
    if (memories == NULL || !g_tree_remove(memories, start)) {
        (void)weiri_icd_fail(
            call, CL_INVALID_VALUE,
            "the pointer is not from clSVMAlloc(), or was freed before");
        return;
    }
    weiri_host_commands_freed(start, weiri_icd_site(call));
    weir_free(weiri_icd_device()->device, start);
}

CL_API_ENTRY void CL_API_CALL clSVMFree(cl_context context, void *start)
{
    WEIRI_ICD_ENTER();
    if (weiri_icd_need(&call, context, WEIRI_ICD_CONTEXT) != CL_SUCCESS) {
        return;
    }
    if (weiri_icd_shared_elsewhere(start, context)) {
        (void)weiri_icd_fail(&call, CL_INVALID_VALUE,
                             "the pointer is to memory in another context");
        return;
    }
    free_memory(&call, start);
}

/* ---- Commands -------------------------------------------------------------------- */

struct freed {
    cl_command_queue queue;
    cl_uint n;
    void **pointers; /* owned */
    void(CL_CALLBACK *callback)(cl_command_queue queue, cl_uint n, void **pointers,
                                void *user);
    void *user;
};

static void free_freed(void *data)
{
    struct freed *freed = data;
    g_free(freed->pointers);
    g_free(freed);
}

/* Without a callback the command frees. */
static cl_int run_free(cl_event event, void *data)
{
    (void)event;
    struct freed *freed = data;
    if (freed->callback != NULL) {
        freed->callback(freed->queue, freed->n, freed->pointers, freed->user);
        return CL_COMPLETE;
    }
    struct weiri_icd_call call;
    weiri_icd_enter(&call, "clEnqueueSVMFree", NULL);
    for (cl_uint i = 0; i < freed->n; i++) {
        if (memories != NULL && g_tree_remove(memories, freed->pointers[i])) {
            weiri_host_commands_forget(freed->pointers[i]);
            weir_free(weiri_icd_device()->device, freed->pointers[i]);
        }
    }
    weiri_icd_leave(&call);
    return CL_COMPLETE;
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueSVMFree(cl_command_queue queue, cl_uint n, void *pointers[],
                 void(CL_CALLBACK *callback)(cl_command_queue queue, cl_uint n,
                                             void **pointers, void *user),
                 void *user, cl_uint n_after, const cl_event *after, cl_event *event)
{
    WEIRI_ICD_ENTER();
    if ((n == 0) != (pointers == NULL)) {
        return weiri_icd_fail(&call, CL_INVALID_VALUE,
                              "%u pointers, and no list of them", n);
    }
    for (cl_uint i = 0; i < n; i++) {
        cl_int code = need_context(&call, queue, pointers[i]);
        if (code != CL_SUCCESS) {
            return code;
        }
    }
    struct freed *freed = g_new0(struct freed, 1);
    *freed = (struct freed){ queue, n, g_memdup2(pointers, n * sizeof(*pointers)),
                             callback, user };
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_SVM_FREE, n_after, after, event);
    request.kind = WEIRI_COMMAND_COPY;
    request.run = run_free;
    request.data = freed;
    request.free_data = free_freed;
    return weiri_icd_enqueue(&request);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMemcpy(
    cl_command_queue queue, cl_bool blocking, void *to, const void *from, size_t bytes,
    cl_uint n_after, const cl_event *after, cl_event *event)
{
    WEIRI_ICD_ENTER();
    if (to == NULL || from == NULL) {
        return weiri_icd_fail(&call, CL_INVALID_VALUE, "a pointer is NULL");
    }
    if ((uintptr_t)to < (uintptr_t)from + bytes
        && (uintptr_t)from < (uintptr_t)to + bytes) {
        return weiri_icd_fail(&call, CL_MEM_COPY_OVERLAP, "%zu bytes overlap", bytes);
    }
    cl_int code = need_context(&call, queue, to);
    code = code == CL_SUCCESS ? need_context(&call, queue, from) : code;
    if (code != CL_SUCCESS) {
        return code;
    }
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_SVM_MEMCPY, n_after, after, event);
    request.blocking = blocking != CL_FALSE;
    const struct weiri_icd_box box = { .to = { .start = to },
                                       .from = { .start = (char *)from },
                                       .bytes = bytes,
                                       .rows = 1,
                                       .slices = 1 };
    return weiri_icd_enqueue_box(&request, &box);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMemFill(
    cl_command_queue queue, void *to, const void *pattern, size_t pattern_bytes,
    size_t bytes, cl_uint n_after, const cl_event *after, cl_event *event)
{
    WEIRI_ICD_ENTER();
    struct weiri_icd_box box = { .to = { .start = to },
                                 .bytes = bytes,
                                 .rows = 1,
                                 .slices = 1,
                                 .fill_bytes = pattern_bytes };
    if (to == NULL || pattern == NULL || pattern_bytes == 0
        || pattern_bytes > sizeof(box.fill)
        || (pattern_bytes & (pattern_bytes - 1)) != 0 || bytes % pattern_bytes != 0
        || (uintptr_t)to % pattern_bytes != 0) {
        return weiri_icd_fail(&call, CL_INVALID_VALUE,
                              "a pattern of %zu bytes for %zu bytes", pattern_bytes,
                              bytes);
    }
    cl_int code = need_context(&call, queue, to);
    if (code != CL_SUCCESS) {
        return code;
    }
    memcpy(box.fill, pattern, pattern_bytes);
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_SVM_MEMFILL, n_after, after, event);
    return weiri_icd_enqueue_box(&request, &box);
}

/* A map and an unmap order the host and commands; the memory is the same. */
static cl_int order(struct weiri_icd_request *request)
{
    request->kind = WEIRI_COMMAND_COPY;
    return weiri_icd_enqueue(request);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue queue,
                                                cl_bool blocking, cl_map_flags flags,
                                                void *start, size_t bytes,
                                                cl_uint n_after, const cl_event *after,
                                                cl_event *event)
{
    WEIRI_ICD_ENTER();
    if (start == NULL || bytes == 0 || flags == 0) {
        return weiri_icd_fail(&call, CL_INVALID_VALUE, "%zu bytes at %p, flags 0x%llx",
                              bytes, start, (unsigned long long)flags);
    }
    cl_int code = need_context(&call, queue, start);
    if (code != CL_SUCCESS) {
        return code;
    }
    struct weiri_icd_request request
        = weiri_icd_request_of(&call, queue, CL_COMMAND_SVM_MAP, n_after, after, event);
    request.blocking = blocking != CL_FALSE;
    return order(&request);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue queue, void *start,
                                                  cl_uint n_after,
                                                  const cl_event *after,
                                                  cl_event *event)
{
    WEIRI_ICD_ENTER();
    if (start == NULL) {
        return weiri_icd_fail(&call, CL_INVALID_VALUE, "the pointer is NULL");
    }
    cl_int code = need_context(&call, queue, start);
    if (code != CL_SUCCESS) {
        return code;
    }
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_SVM_UNMAP, n_after, after, event);
    return order(&request);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint n, const void **pointers,
                       const size_t *sizes, cl_mem_migration_flags flags,
                       cl_uint n_after, const cl_event *after, cl_event *event)
{
    WEIRI_ICD_ENTER();
    (void)sizes;
    (void)flags;
    if (n == 0 || pointers == NULL) {
        return weiri_icd_fail(&call, CL_INVALID_VALUE, "no pointers are given");
    }
    for (cl_uint i = 0; i < n; i++) {
        cl_int code = need_context(&call, queue, pointers[i]);
        if (code != CL_SUCCESS) {
            return code;
        }
    }
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_SVM_MIGRATE_MEM, n_after, after, event);
    return order(&request);
}

/* ---- What the device has not -------------------------------------------- */

CL_API_ENTRY cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags,
                                             cl_uint packet, cl_uint packets,
                                             const cl_pipe_properties *properties,
                                             cl_int *result)
{
    WEIRI_ICD_ENTER();
    (void)context;
    (void)flags;
    (void)packet;
    (void)packets;
    (void)properties;
    return weiri_icd_refuse(&call, result, CL_INVALID_OPERATION,
                            "the device has no pipes");
}

CL_API_ENTRY cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info name,
                                              size_t room, void *value,
                                              size_t *bytes_ret)
{
    WEIRI_ICD_ENTER();
    (void)pipe;
    (void)name;
    (void)room;
    (void)value;
    (void)bytes_ret;
    return weiri_icd_fail(&call, CL_INVALID_MEM_OBJECT, "the device has no pipes");
}
