/* SPDX-License-Identifier: MIT
 *
 * icd-native.c: native kernels, which are functions of the host, and the migration of
 * memory, which is nothing on one device. */
#include "config.h"

#include "opencl/platform/icd-memory.h"

#include <string.h>

struct native {
    void(CL_CALLBACK *function)(void *args);
    void *args; /* owned */
    cl_mem *memories;
    cl_uint n;
};

static void free_native(void *data)
{
    struct native *native = data;
    for (cl_uint i = 0; i < native->n; i++) {
        weiri_icd_unuse(native->memories[i]);
    }
    g_free(native->memories);
    g_free(native->args);
    g_free(native);
}

static cl_int run(cl_event event, void *data)
{
    (void)event;
    struct native *native = data;
    native->function(native->args);
    return CL_COMPLETE;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNativeKernel(
    cl_command_queue queue, void(CL_CALLBACK *function)(void *args), void *args,
    size_t bytes, cl_uint n_memories, const cl_mem *memories, const void **places,
    cl_uint n_after, const cl_event *after, cl_event *event)
{
    WEIRI_ICD_ENTER();
    if (function == NULL || (args == NULL) != (bytes == 0)
        || (n_memories > 0 && (args == NULL || memories == NULL || places == NULL))) {
        return weiri_icd_fail(&call, CL_INVALID_VALUE,
                              "the function or its arguments are NULL");
    }
    for (cl_uint i = 0; i < n_memories; i++) {
        cl_int code = weiri_icd_need(&call, memories[i], WEIRI_ICD_MEMORY);
        if (code != CL_SUCCESS) {
            return code;
        }
        size_t at = (size_t)((const char *)places[i] - (char *)args);
        if (at > bytes || bytes - at < sizeof(void *)) {
            return weiri_icd_fail(&call, CL_INVALID_VALUE,
                                  "place %u is outside of the arguments", i);
        }
    }
    struct native *native = g_new0(struct native, 1);
    native->function = function;
    native->args = g_memdup2(args, bytes);
    native->memories = g_new0(cl_mem, n_memories);
    native->n = n_memories;
    for (cl_uint i = 0; i < n_memories; i++) {
        native->memories[i] = weiri_icd_use(memories[i]);
        memcpy((char *)native->args + ((const char *)places[i] - (char *)args),
               &memories[i]->start, sizeof(void *));
    }
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_NATIVE_KERNEL, n_after, after, event);
    request.kind = WEIRI_COMMAND_TASK;
    request.run = run;
    request.data = native;
    request.free_data = free_native;
    return weiri_icd_enqueue(&request);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint n, const cl_mem *memories,
                           cl_mem_migration_flags flags, cl_uint n_after,
                           const cl_event *after, cl_event *event)
{
    WEIRI_ICD_ENTER();
    const cl_mem_migration_flags known
        = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    if (n == 0 || memories == NULL || (flags & ~known) != 0) {
        return weiri_icd_fail(&call, CL_INVALID_VALUE,
                              "%u memory objects, flags 0x%llx", n,
                              (unsigned long long)flags);
    }
    for (cl_uint i = 0; i < n; i++) {
        cl_int code = weiri_icd_need(&call, memories[i], WEIRI_ICD_MEMORY);
        if (code != CL_SUCCESS) {
            return code;
        }
    }
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, n_after, after, event);
    request.kind = WEIRI_COMMAND_COPY;
    return weiri_icd_enqueue(&request);
}
