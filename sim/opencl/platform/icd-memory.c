/* SPDX-License-Identifier: MIT
 *
 * icd-memory.c: buffers and sub-buffers, and the calls for all memory objects; see
 * icd-memory.h. A buffer is memory of weir_new(), and a sub-buffer a part of its
 * parent's, which lives as long as the part. Memory gets its name in reports when a
 * kernel is given it, from the kernel's parameter. */
#include "config.h"

#include "opencl/platform/icd-memory.h"

#include "opencl/platform/icd-facts.h"
#include "weir-kernel.h"

#include <string.h>

/* A callback for the end of an object. */
struct ended {
    void(CL_CALLBACK *callback)(cl_mem memory, void *user);
    cl_mem memory;
    void *user;
};

static void call_ended(void *data)
{
    struct ended *ended = data;
    ended->callback(ended->memory, ended->user);
    g_free(ended);
}

static void clear_look(void *data)
{
    struct weiri_icd_look *look = data;
    g_clear_pointer(&look->bytes, g_byte_array_unref);
}

void weiri_icd_forget_look(struct weiri_icd_look *look)
{
    if (look != NULL) {
        g_atomic_rc_box_release_full(look, clear_look);
    }
}

/* Callbacks run in the reverse of the order in which they were set. */
static void clear_memory(void *object)
{
    struct _cl_mem *memory = object;
    for (guint i = memory->ended != NULL ? memory->ended->len : 0; i > 0; i--) {
        weiri_icd_later(call_ended,
                        g_memdup2(&g_array_index(memory->ended, struct ended, i - 1),
                                  sizeof(struct ended)));
    }
    g_clear_pointer(&memory->ended, g_array_unref);
    g_free(memory->image);
    if (memory->parent == NULL && memory->start != NULL && !memory->shared) {
        weiri_host_commands_forget(memory->start);
        weir_free(weiri_icd_device()->device, memory->start);
    }
    for (guint i = 0; i < memory->mappings->len; i++) {
        weiri_icd_forget_look(
            g_array_index(memory->mappings, struct weiri_icd_mapping, i).look);
    }
    g_array_unref(memory->mappings);
    g_free(memory->properties);
    weiri_icd_unuse(memory->parent);
    weiri_icd_unuse(memory->context);
}

/* ---- Checks ----------------------------------------------------------------- */

static bool more_than_one(cl_mem_flags flags)
{
    return (flags & (flags - 1)) != 0;
}

cl_int weiri_icd_known_flags(struct weiri_icd_call *call, cl_mem_flags flags)
{
    const cl_mem_flags kernel
        = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
    const cl_mem_flags access
        = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
    const cl_mem_flags known = kernel | access | CL_MEM_USE_HOST_PTR
        | CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_KERNEL_READ_AND_WRITE;
    if ((flags & ~known) != 0 || more_than_one(flags & kernel)
        || more_than_one(flags & access)
        || ((flags & CL_MEM_USE_HOST_PTR) != 0
            && (flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR)) != 0)) {
        return weiri_icd_fail(call, CL_INVALID_VALUE,
                              "flags 0x%llx are unknown or exclude each other",
                              (unsigned long long)flags);
    }
    return CL_SUCCESS;
}

cl_int weiri_icd_check_flags(struct weiri_icd_call *call, cl_mem_flags flags,
                             const void *host)
{
    const cl_mem_flags pointer = CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR;
    cl_int code = weiri_icd_known_flags(call, flags);
    if (code != CL_SUCCESS) {
        return code;
    }
    if (((flags & pointer) != 0) != (host != NULL)) {
        return weiri_icd_fail(
            call, CL_INVALID_HOST_PTR,
            host == NULL ? "CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR, and host_ptr "
                           "is NULL"
                         : "host_ptr is given without CL_MEM_USE_HOST_PTR or "
                           "CL_MEM_COPY_HOST_PTR");
    }
    return CL_SUCCESS;
}

cl_int weiri_icd_need_buffer(struct weiri_icd_call *call, cl_command_queue queue,
                             cl_mem buffer)
{
    cl_int code = weiri_icd_need(call, queue, WEIRI_ICD_QUEUE);
    if (code == CL_SUCCESS) {
        code = weiri_icd_need(call, buffer, WEIRI_ICD_MEMORY);
    }
    if (code == CL_SUCCESS && buffer->type != CL_MEM_OBJECT_BUFFER) {
        code = weiri_icd_fail(call, CL_INVALID_MEM_OBJECT,
                              "an image is given where a "
                              "buffer is needed");
    }
    if (code == CL_SUCCESS && buffer->context != queue->context) {
        code = weiri_icd_fail(call, CL_INVALID_CONTEXT,
                              "the buffer belongs to another context than the queue");
    }
    return code;
}

cl_int weiri_icd_need_host(struct weiri_icd_call *call, cl_mem memory, bool writes)
{
    cl_mem_flags without = CL_MEM_HOST_NO_ACCESS
        | (cl_mem_flags)(writes ? CL_MEM_HOST_READ_ONLY : CL_MEM_HOST_WRITE_ONLY);
    return (memory->flags & without) == 0
        ? CL_SUCCESS
        : weiri_icd_fail(call, CL_INVALID_OPERATION,
                         "the flags of the memory say that the host does not %s it",
                         writes ? "write" : "read");
}

cl_int weiri_icd_need_region(struct weiri_icd_call *call, cl_mem buffer, size_t offset,
                             size_t bytes)
{
    return offset <= buffer->bytes && bytes <= buffer->bytes - offset
        ? CL_SUCCESS
        : weiri_icd_fail(call, CL_INVALID_VALUE,
                         "%zu bytes from offset %zu on are beyond the buffer of %zu "
                         "bytes",
                         bytes, offset, buffer->bytes);
}

/* ---- Creation --------------------------------------------------------------- */

struct _cl_mem *weiri_icd_memory_head(cl_context context, cl_mem_object_type type,
                                      cl_mem_flags flags, size_t bytes)
{
    struct _cl_mem *memory
        = weiri_icd_new(sizeof(*memory), WEIRI_ICD_MEMORY, clear_memory);
    memory->context = weiri_icd_use(context);
    memory->type = type;
    memory->flags = flags;
    memory->bytes = bytes;
    memory->mappings = g_array_new(FALSE, FALSE, sizeof(struct weiri_icd_mapping));
    return memory;
}

/* Its name before a kernel is given it. */
static char *first_name(const struct weiri_icd_call *call, cl_mem_object_type type)
{
    const struct weir_site *site = weiri_icd_site(call);
    const char *word = type == CL_MEM_OBJECT_BUFFER ? "buffer" : "image";
    if (site == NULL) {
        return g_strdup(word);
    }
    const char *slash = strrchr(site->file, '/');
    return g_strdup_printf("%s of %s:%u", word, slash != NULL ? slash + 1 : site->file,
                           site->line);
}

/* A buffer of shared memory, by the name that this has. */
static cl_mem shared_memory(cl_context context, cl_mem_object_type type,
                            cl_mem_flags flags, size_t bytes, char *host)
{
    struct _cl_mem *memory = weiri_icd_memory_head(context, type, flags, bytes);
    memory->start = memory->host = host;
    memory->shared = memory->named = true;
    return memory;
}

cl_mem weiri_icd_memory(struct weiri_icd_call *call, cl_context context,
                        cl_mem_object_type type, cl_mem_flags flags, size_t bytes,
                        void *host, cl_int *result)
{
    if ((flags & CL_MEM_USE_HOST_PTR) != 0 && type == CL_MEM_OBJECT_BUFFER
        && weiri_icd_shared_bytes(host) != 0) {
        (void)weiri_icd_result(result, CL_SUCCESS);
        return shared_memory(context, type, flags, bytes, host);
    }
    g_autoptr(GError) error = NULL;
    g_autofree char *name = first_name(call, type);
    struct weir_device *device = weiri_icd_device()->device;
    char *start = weir_memory_new(device, bytes, 1, name, &error);
    if (start == NULL) {
        (void)weiri_icd_result(result, CL_MEM_OBJECT_ALLOCATION_FAILURE);
        return NULL;
    }
    weiri_host_commands_memory(device, start, bytes, false);
    struct _cl_mem *memory = weiri_icd_memory_head(context, type, flags, bytes);
    memory->start = start;
    memory->host = (flags & CL_MEM_USE_HOST_PTR) != 0 ? host : NULL;
    if (host != NULL && type == CL_MEM_OBJECT_BUFFER) {
        memcpy(start, host, bytes);
    }
    (void)weiri_icd_result(result, CL_SUCCESS);
    return memory;
}

void weiri_icd_name(cl_mem memory, const char *name, size_t element_bytes)
{
    cl_mem whole = memory->parent != NULL ? memory->parent : memory;
    if (!whole->named) {
        whole->named = true;
        weiri_host_commands_rename(weiri_icd_device()->device, whole->start, name,
                                   element_bytes);
    }
}

void weiri_icd_no_properties(cl_mem memory)
{
    memory->n_properties = 1;
    memory->properties = g_new0(cl_mem_properties, 1);
}

static cl_mem create_buffer(struct weiri_icd_call *call, cl_context context,
                            cl_mem_flags flags, size_t bytes, void *host,
                            cl_int *result)
{
    cl_int code = weiri_icd_need(call, context, WEIRI_ICD_CONTEXT);
    if (code == CL_SUCCESS) {
        code = weiri_icd_check_flags(call, flags, host);
    }
    if (code == CL_SUCCESS && (bytes == 0 || bytes > weiri_icd_max_alloc())) {
        code = weiri_icd_fail(call, CL_INVALID_BUFFER_SIZE,
                              "a buffer of %zu bytes; the device has 1 to %llu", bytes,
                              (unsigned long long)weiri_icd_max_alloc());
    }
    size_t shared = code == CL_SUCCESS && (flags & CL_MEM_USE_HOST_PTR) != 0
        ? weiri_icd_shared_bytes(host)
        : 0;
    if (shared != 0 && bytes > shared) {
        code = weiri_icd_fail(call, CL_INVALID_BUFFER_SIZE,
                              "a buffer of %zu bytes in %zu bytes of clSVMAlloc()",
                              bytes, shared);
    }
    if (code != CL_SUCCESS) {
        (void)weiri_icd_result(result, code);
        return NULL;
    }
    return weiri_icd_memory(call, context, CL_MEM_OBJECT_BUFFER, flags, bytes, host,
                            result);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags,
                                               size_t bytes, void *host, cl_int *result)
{
    WEIRI_ICD_ENTER();
    return create_buffer(&call, context, flags, bytes, host, result);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateBufferWithProperties(
    cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
    size_t bytes, void *host, cl_int *result)
{
    WEIRI_ICD_ENTER();
    if (properties != NULL && properties[0] != 0) {
        return weiri_icd_refuse(&call, result, CL_INVALID_PROPERTY, "property 0x%llx",
                                (unsigned long long)properties[0]);
    }
    cl_mem buffer = create_buffer(&call, context, flags, bytes, host, result);
    if (buffer != NULL && properties != NULL) {
        weiri_icd_no_properties(buffer);
    }
    return buffer;
}

cl_mem_flags weiri_icd_inherited_flags(cl_mem_flags flags, cl_mem_flags parents)
{
    const cl_mem_flags groups[] = {
        CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY,
        CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
    };
    for (size_t i = 0; i < G_N_ELEMENTS(groups); i++) {
        flags |= (flags & groups[i]) == 0 ? parents & groups[i] : 0;
    }
    return flags
        | (parents
           & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR));
}

static cl_int check_sub_buffer(struct weiri_icd_call *call, cl_mem buffer,
                               cl_mem_flags flags, cl_buffer_create_type type,
                               const cl_buffer_region *region)
{
    const cl_mem_flags pointers
        = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
    cl_int code = weiri_icd_need(call, buffer, WEIRI_ICD_MEMORY);
    if (code != CL_SUCCESS) {
        return code;
    }
    if (buffer->type != CL_MEM_OBJECT_BUFFER || buffer->parent != NULL) {
        return weiri_icd_fail(call, CL_INVALID_MEM_OBJECT,
                              "a sub-buffer is made of a buffer that is not a "
                              "sub-buffer");
    }
    if (type != CL_BUFFER_CREATE_TYPE_REGION || region == NULL
        || (flags & pointers) != 0) {
        return weiri_icd_fail(call, CL_INVALID_VALUE,
                              "type 0x%x, flags 0x%llx or the region are wrong", type,
                              (unsigned long long)flags);
    }
    if (region->size == 0) {
        return weiri_icd_fail(call, CL_INVALID_BUFFER_SIZE, "the size is 0");
    }
    code = weiri_icd_need_region(call, buffer, region->origin, region->size);
    if (code == CL_SUCCESS && region->origin % WEIRI_ICD_BASE_ALIGN != 0) {
        code = weiri_icd_fail(call, CL_MISALIGNED_SUB_BUFFER_OFFSET,
                              "origin %zu is not a multiple of %d bytes, which "
                              "CL_DEVICE_MEM_BASE_ADDR_ALIGN asks for",
                              region->origin, (int)WEIRI_ICD_BASE_ALIGN);
    }
    return code;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags,
                                                  cl_buffer_create_type type,
                                                  const void *info, cl_int *result)
{
    WEIRI_ICD_ENTER();
    const cl_buffer_region *region = info;
    cl_int code = check_sub_buffer(&call, buffer, flags, type, region);
    if (!weiri_icd_result(result, code)) {
        return NULL;
    }
    struct _cl_mem *part = weiri_icd_memory_head(
        buffer->context, CL_MEM_OBJECT_BUFFER,
        weiri_icd_inherited_flags(flags, buffer->flags), region->size);
    part->parent = weiri_icd_use(buffer);
    part->shared = buffer->shared;
    part->origin = region->origin;
    part->start = buffer->start + region->origin;
    part->host = buffer->host != NULL ? buffer->host + region->origin : NULL;
    return part;
}

/* ---- All memory objects ----------------------------------------------------- */

WEIRI_ICD_COUNTED(clRetainMemObject, clReleaseMemObject, cl_mem, WEIRI_ICD_MEMORY)

CL_API_ENTRY cl_int CL_API_CALL clSetMemObjectDestructorCallback(
    cl_mem memory, void(CL_CALLBACK *callback)(cl_mem memory, void *user), void *user)
{
    WEIRI_ICD_ENTER();
    cl_int code = weiri_icd_need(&call, memory, WEIRI_ICD_MEMORY);
    if (code == CL_SUCCESS && callback == NULL) {
        code = weiri_icd_fail(&call, CL_INVALID_VALUE, "the callback is NULL");
    }
    if (code != CL_SUCCESS) {
        return code;
    }
    if (memory->ended == NULL) {
        memory->ended = g_array_new(FALSE, FALSE, sizeof(struct ended));
    }
    const struct ended ended = { callback, memory, user };
    g_array_append_val(memory->ended, ended);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetMemObjectInfo(cl_mem memory, cl_mem_info name,
                                                   size_t room, void *value,
                                                   size_t *bytes_ret)
{
    WEIRI_ICD_ENTER();
    const struct weiri_icd_answer answer = { &call, room, value, bytes_ret };
    WEIRI_ICD_NEED(memory, WEIRI_ICD_MEMORY);
    switch (name) {
    case CL_MEM_TYPE:
        return weiri_icd_give_uint(&answer, memory->type);
    case CL_MEM_FLAGS:
        return weiri_icd_give_ulong(&answer, memory->flags);
    case CL_MEM_SIZE:
        return weiri_icd_give_size(&answer, memory->bytes);
    case CL_MEM_HOST_PTR:
        return weiri_icd_give_pointer(&answer, memory->host);
    case CL_MEM_MAP_COUNT:
        return weiri_icd_give_uint(&answer, memory->mappings->len);
    case CL_MEM_REFERENCE_COUNT:
        return weiri_icd_give_uint(&answer, memory->object.references);
    case CL_MEM_CONTEXT:
        return weiri_icd_give_pointer(&answer, memory->context);
    case CL_MEM_ASSOCIATED_MEMOBJECT:
        return weiri_icd_give_pointer(&answer, memory->parent);
    case CL_MEM_OFFSET:
        return weiri_icd_give_size(&answer, memory->origin);
    case CL_MEM_USES_SVM_POINTER:
        return weiri_icd_give_uint(&answer, memory->shared ? CL_TRUE : CL_FALSE);
    case CL_MEM_PROPERTIES:
        return weiri_icd_give(&answer, memory->properties,
                              memory->n_properties * sizeof(*memory->properties));
    default:
        return WEIRI_ICD_UNKNOWN;
    }
}
