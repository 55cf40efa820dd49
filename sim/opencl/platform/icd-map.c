/* SPDX-License-Identifier: MIT
 *
 * icd-map.c: memory that the host maps. It has the device's own memory, or with
 * CL_MEM_USE_HOST_PTR its own, to which a map copies and from which an unmap does.
 *
 * The host's writes have no hooks. So a check keeps a copy of a region that is mapped
 * to be read, and compares when it is unmapped, unless a command may have written
 * since. */
#include "config.h"

#include "opencl/platform/icd-map.h"

#include "host/commands.h"

#include <string.h>

/* ---- What the host writes --------------------------------------------------- */

static const char *row_of(const struct weiri_icd_mapping *mapping, size_t slice,
                          size_t row)
{
    return mapping->at + slice * mapping->slice_pitch + row * mapping->row_pitch;
}

static void look_at(const struct weiri_icd_mapping *mapping)
{
    mapping->look->bytes = g_byte_array_new();
    mapping->look->n_writers = weiri_icd_n_writers();
    for (size_t slice = 0; slice < mapping->slices; slice++) {
        for (size_t row = 0; row < mapping->rows; row++) {
            g_byte_array_append(mapping->look->bytes,
                                (const guint8 *)row_of(mapping, slice, row),
                                (guint)mapping->row_bytes);
        }
    }
}

/* Whether the host has written what it only may read. */
static bool differs(const struct weiri_icd_mapping *mapping)
{
    const struct weiri_icd_look *look = mapping->look;
    bool known = look != NULL && look->bytes != NULL
        && look->n_writers == weiri_icd_n_writers();
    const guint8 *before = known ? look->bytes->data : NULL;
    bool found = false;
    for (size_t slice = 0; known && !found && slice < mapping->slices; slice++) {
        for (size_t row = 0; !found && row < mapping->rows; row++) {
            found
                = memcmp(row_of(mapping, slice, row), before, mapping->row_bytes) != 0;
            before += mapping->row_bytes;
        }
    }
    return found;
}

/* ---- Maps and unmaps -------------------------------------------------------- */

/* The work of a map or an unmap. */
struct work {
    cl_mem memory; /* used */
    struct weiri_icd_mapping mapping;
    bool unmaps;
};

static void free_work(void *data)
{
    struct work *work = data;
    weiri_icd_unuse(work->memory);
    weiri_icd_forget_look(work->mapping.look);
    g_free(work);
}

static bool writes(const struct weiri_icd_mapping *mapping)
{
    return (mapping->flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
}

/* A map for reading reads the memory for the host, and an unmap after writing writes
 * it. */
static cl_int run(cl_event event, void *data)
{
    const struct work *work = data;
    const struct weiri_icd_mapping *mapping = &work->mapping;
    bool invalid = (mapping->flags & CL_MAP_WRITE_INVALIDATE_REGION) != 0;
    bool moves = work->unmaps ? writes(mapping) : !invalid;
    for (size_t slice = 0; moves && slice < mapping->slices; slice++) {
        for (size_t row = 0; row < mapping->rows; row++) {
            size_t offset = slice * mapping->slice_pitch + row * mapping->row_pitch;
            char *device = mapping->start + offset, *host = mapping->at + offset;
            weiri_host_commands_touch(device, mapping->row_bytes, work->unmaps,
                                      event->site);
            if (host != device) {
                memcpy(work->unmaps ? device : host, work->unmaps ? host : device,
                       mapping->row_bytes);
            }
        }
    }
    if (!work->unmaps && mapping->look != NULL) {
        look_at(mapping);
    }
    return CL_COMPLETE;
}

static cl_int enqueue(struct weiri_icd_request *request, cl_mem memory,
                      const struct weiri_icd_mapping *mapping, bool unmaps)
{
    struct work *work = g_new0(struct work, 1);
    work->memory = weiri_icd_use(memory);
    work->mapping = *mapping;
    if (mapping->look != NULL) {
        g_atomic_rc_box_acquire(mapping->look);
    }
    work->unmaps = unmaps;
    if (writes(mapping)) {
        weiri_icd_add_writer();
    }
    request->kind = WEIRI_COMMAND_COPY;
    request->run = run;
    request->data = work;
    request->free_data = free_work;
    return weiri_icd_enqueue(request);
}

cl_int weiri_icd_check_map(struct weiri_icd_call *call, cl_mem memory,
                           cl_map_flags flags)
{
    const cl_map_flags known
        = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    if ((flags & ~known) != 0
        || ((flags & CL_MAP_WRITE_INVALIDATE_REGION) != 0
            && (flags & ~(cl_map_flags)CL_MAP_WRITE_INVALIDATE_REGION) != 0)) {
        return weiri_icd_fail(call, CL_INVALID_VALUE,
                              "flags 0x%llx are unknown or exclude each other",
                              (unsigned long long)flags);
    }
    cl_int code = (flags & CL_MAP_READ) != 0 ? weiri_icd_need_host(call, memory, false)
                                             : CL_SUCCESS;
    return code == CL_SUCCESS && (flags & ~(cl_map_flags)CL_MAP_READ) != 0
        ? weiri_icd_need_host(call, memory, true)
        : code;
}

void *weiri_icd_map(struct weiri_icd_request *request, cl_mem memory,
                    struct weiri_icd_mapping *mapping, cl_int *result)
{
    mapping->at = memory->host != NULL ? memory->host + (mapping->start - memory->start)
                                       : mapping->start;
    if (weiri_host_commands_wanted() && !writes(mapping)
        && mapping->slices * mapping->rows * mapping->row_bytes <= G_MAXUINT) {
        mapping->look = g_atomic_rc_box_new0(struct weiri_icd_look);
    }
    g_array_append_vals(memory->mappings, mapping, 1);
    cl_int code = enqueue(request, memory, mapping, false);
    if (code != CL_SUCCESS) {
        g_array_set_size(memory->mappings, memory->mappings->len - 1);
        weiri_icd_forget_look(mapping->look);
    }
    (void)weiri_icd_result(result, code);
    return code == CL_SUCCESS ? mapping->at : NULL;
}

bool weiri_icd_is_mapped(cl_mem memory)
{
    for (guint i = 0; i < memory->mappings->len; i++) {
        if (writes(&g_array_index(memory->mappings, struct weiri_icd_mapping, i))) {
            return true;
        }
    }
    return false;
}

CL_API_ENTRY void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer,
                                                  cl_bool blocking, cl_map_flags flags,
                                                  size_t offset, size_t bytes,
                                                  cl_uint n_after,
                                                  const cl_event *after,
                                                  cl_event *event, cl_int *result)
{
    WEIRI_ICD_ENTER();
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_MAP_BUFFER, n_after, after, event);
    request.blocking = blocking != CL_FALSE;
    cl_int code = weiri_icd_need_buffer(&call, queue, buffer);
    if (code == CL_SUCCESS && bytes == 0) {
        code = weiri_icd_fail(&call, CL_INVALID_VALUE, "the size is 0");
    }
    if (code == CL_SUCCESS) {
        code = weiri_icd_need_region(&call, buffer, offset, bytes);
    }
    if (code == CL_SUCCESS) {
        code = weiri_icd_check_map(&call, buffer, flags);
    }
    if (code != CL_SUCCESS) {
        (void)weiri_icd_result(result, code);
        return NULL;
    }
    struct weiri_icd_mapping mapping = { .start = buffer->start + offset,
                                         .row_bytes = bytes,
                                         .rows = 1,
                                         .slices = 1,
                                         .flags = flags };
    return weiri_icd_map(&request, buffer, &mapping, result);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue queue,
                                                        cl_mem memory, void *at,
                                                        cl_uint n_after,
                                                        const cl_event *after,
                                                        cl_event *event)
{
    WEIRI_ICD_ENTER();
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_UNMAP_MEM_OBJECT, n_after, after, event);
    cl_int code = weiri_icd_need(&call, queue, WEIRI_ICD_QUEUE);
    if (code == CL_SUCCESS) {
        code = weiri_icd_need(&call, memory, WEIRI_ICD_MEMORY);
    }
    if (code != CL_SUCCESS) {
        return code;
    }
    for (guint i = 0; i < memory->mappings->len; i++) {
        const struct weiri_icd_mapping mapping
            = g_array_index(memory->mappings, struct weiri_icd_mapping, i);
        if (mapping.at == at) {
            if (differs(&mapping)) {
                (void)weiri_icd_fail(&call, CL_INVALID_OPERATION,
                                     "the host has written to a region that it mapped "
                                     "with CL_MAP_READ alone: add CL_MAP_WRITE");
            }
            code = enqueue(&request, memory, &mapping, true);
            if (code == CL_SUCCESS) {
                g_array_remove_index(memory->mappings, i);
                weiri_icd_forget_look(mapping.look);
            }
            return code;
        }
    }
    return weiri_icd_fail(&call, CL_INVALID_VALUE, "no mapped region has this address");
}
