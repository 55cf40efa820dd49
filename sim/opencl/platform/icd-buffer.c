/* SPDX-License-Identifier: MIT
 *
 * icd-buffer.c: commands that read, write, copy and fill buffers: one row of bytes
 * each, or boxes of them. */
#include "config.h"

#include "opencl/platform/icd-memory.h"

#include <string.h>

/* ---- Rows ------------------------------------------------------------------- */

/* Between a buffer and the host. */
static cl_int transfer(struct weiri_icd_request *request, cl_mem buffer, size_t offset,
                       size_t bytes, void *host)
{
    struct weiri_icd_call *call = request->call;
    bool writes = request->type == CL_COMMAND_WRITE_BUFFER;
    cl_int code = weiri_icd_need_buffer(call, request->queue, buffer);
    if (code == CL_SUCCESS && host == NULL) {
        code
            = weiri_icd_fail(call, CL_INVALID_VALUE, "the pointer of the host is NULL");
    }
    if (code == CL_SUCCESS) {
        code = weiri_icd_need_region(call, buffer, offset, bytes);
    }
    if (code == CL_SUCCESS) {
        code = weiri_icd_need_host(call, buffer, writes);
    }
    if (code != CL_SUCCESS) {
        return code;
    }
    const struct weiri_icd_side device = { .start = buffer->start + offset };
    const struct weiri_icd_side there = { .start = host };
    const struct weiri_icd_box box = { .to = writes ? device : there,
                                       .from = writes ? there : device,
                                       .bytes = bytes,
                                       .rows = 1,
                                       .slices = 1,
                                       .uses = { buffer } };
    return weiri_icd_enqueue_box(request, &box);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBuffer(
    cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
    size_t bytes, void *host, cl_uint n_after, const cl_event *after, cl_event *event)
{
    WEIRI_ICD_ENTER();
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_READ_BUFFER, n_after, after, event);
    request.blocking = blocking != CL_FALSE;
    return transfer(&request, buffer, offset, bytes, host);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue,
                                                     cl_mem buffer, cl_bool blocking,
                                                     size_t offset, size_t bytes,
                                                     const void *host, cl_uint n_after,
                                                     const cl_event *after,
                                                     cl_event *event)
{
    WEIRI_ICD_ENTER();
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_WRITE_BUFFER, n_after, after, event);
    request.blocking = blocking != CL_FALSE;
    return transfer(&request, buffer, offset, bytes, (void *)host);
}

static bool overlap(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
    return (uintptr_t)a < (uintptr_t)b + b_bytes
        && (uintptr_t)b < (uintptr_t)a + a_bytes;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from,
                                                    cl_mem to, size_t from_offset,
                                                    size_t to_offset, size_t bytes,
                                                    cl_uint n_after,
                                                    const cl_event *after,
                                                    cl_event *event)
{
    WEIRI_ICD_ENTER();
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_COPY_BUFFER, n_after, after, event);
    cl_int code = weiri_icd_need_buffer(&call, queue, from);
    if (code == CL_SUCCESS) {
        code = weiri_icd_need_buffer(&call, queue, to);
    }
    if (code == CL_SUCCESS) {
        code = weiri_icd_need_region(&call, from, from_offset, bytes);
    }
    if (code == CL_SUCCESS) {
        code = weiri_icd_need_region(&call, to, to_offset, bytes);
    }
    if (code == CL_SUCCESS
        && overlap(from->start + from_offset, bytes, to->start + to_offset, bytes)) {
        code = weiri_icd_fail(&call, CL_MEM_COPY_OVERLAP,
                              "%zu bytes from offset %zu to offset %zu overlap", bytes,
                              from_offset, to_offset);
    }
    if (code != CL_SUCCESS) {
        return code;
    }
    const struct weiri_icd_box box = { .to = { .start = to->start + to_offset },
                                       .from = { .start = from->start + from_offset },
                                       .bytes = bytes,
                                       .rows = 1,
                                       .slices = 1,
                                       .uses = { from, to } };
    return weiri_icd_enqueue_box(&request, &box);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue,
                                                    cl_mem buffer, const void *pattern,
                                                    size_t pattern_bytes, size_t offset,
                                                    size_t bytes, cl_uint n_after,
                                                    const cl_event *after,
                                                    cl_event *event)
{
    WEIRI_ICD_ENTER();
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_FILL_BUFFER, n_after, after, event);
    struct weiri_icd_box box = { .rows = 1, .slices = 1, .uses = { buffer } };
    cl_int code = weiri_icd_need_buffer(&call, queue, buffer);
    if (code == CL_SUCCESS
        && (pattern == NULL || pattern_bytes == 0 || pattern_bytes > sizeof(box.fill)
            || (pattern_bytes & (pattern_bytes - 1)) != 0)) {
        code = weiri_icd_fail(&call, CL_INVALID_VALUE,
                              "a pattern has 1, 2, 4, … or 128 bytes, not %zu",
                              pattern == NULL ? 0 : pattern_bytes);
    }
    if (code == CL_SUCCESS
        && (offset % pattern_bytes != 0 || bytes % pattern_bytes != 0)) {
        code = weiri_icd_fail(&call, CL_INVALID_VALUE,
                              "offset %zu and size %zu must be multiples of the "
                              "pattern's %zu bytes",
                              offset, bytes, pattern_bytes);
    }
    if (code == CL_SUCCESS) {
        code = weiri_icd_need_region(&call, buffer, offset, bytes);
    }
    if (code != CL_SUCCESS) {
        return code;
    }
    memcpy(box.fill, pattern, pattern_bytes);
    box.fill_bytes = pattern_bytes;
    box.to.start = buffer->start + offset;
    box.bytes = bytes;
    return weiri_icd_enqueue_box(&request, &box);
}

/* ---- Boxes ------------------------------------------------------------------ */

/* One side of a box, as a call gives it: pitches of 0 leave no gaps. */
struct given {
    char *start;
    const size_t *origin;
    size_t row, slice;
    cl_mem buffer; /* that it must lie in; or NULL */
};

/* Makes a side of what is given. @name: for messages */
static cl_int make_side(struct weiri_icd_call *call, const struct given *given,
                        const size_t region[3], const char *name,
                        struct weiri_icd_side *side)
{
    size_t row = given->row != 0 ? given->row : region[0];
    size_t slice = given->slice != 0 ? given->slice : region[1] * row;
    const size_t *origin = given->origin;
    if (row < region[0]
        || (given->slice != 0 && (slice < region[1] * row || slice % row != 0))) {
        return weiri_icd_fail(call, CL_INVALID_VALUE,
                              "the pitches of the %s, %zu and %zu, do not fit the "
                              "region's %zu bytes and %zu rows",
                              name, row, slice, region[0], region[1]);
    }
    size_t offset = origin[2] * slice + origin[1] * row + origin[0];
    *side = (struct weiri_icd_side){ given->start + offset, row, slice };
    return given->buffer == NULL
        ? CL_SUCCESS
        : weiri_icd_need_region(call, given->buffer, offset,
                                (region[2] - 1) * slice + (region[1] - 1) * row
                                    + region[0]);
}

/* Whether @bytes bytes from @b on, modulo @pitch, lie in the gaps of as many bytes from
 * @a on, or the other way round. */
static bool in_gaps(size_t a, size_t b, size_t bytes, size_t pitch)
{
    a %= pitch;
    b %= pitch;
    return (b >= a + bytes && b + bytes <= a + pitch)
        || (a >= b + bytes && a + bytes <= b + pitch);
}

/* Whether the two sides of a box in one buffer have a byte in common: [CL30A], appendix
 * E. Sub-buffers may be given with pitches that differ: then gaps do not count. */
static bool sides_overlap(const struct weiri_icd_box *box, const char *buffer)
{
    const struct weiri_icd_side *from = &box->from, *to = &box->to;
    size_t slice_bytes = (box->rows - 1) * from->row + box->bytes;
    size_t a = (size_t)(from->start - buffer), b = (size_t)(to->start - buffer);
    if (!overlap(from->start, (box->slices - 1) * from->slice + slice_bytes, to->start,
                 (box->slices - 1) * to->slice + (box->rows - 1) * to->row
                     + box->bytes)) {
        return false;
    }
    return from->row != to->row || from->slice != to->slice
        || (!in_gaps(a, b, box->bytes, from->row)
            && !in_gaps(a, b, slice_bytes, from->slice));
}

/* Checks the rules for a copy within one buffer, or between two parts of it. */
static cl_int check_within(struct weiri_icd_call *call, cl_mem from, cl_mem to,
                           const struct weiri_icd_box *box)
{
    cl_mem whole = from->parent != NULL ? from->parent : from;
    if ((to->parent != NULL ? to->parent : to) != whole) {
        return CL_SUCCESS;
    }
    if (from == to && box->from.row != box->to.row
        && box->from.slice != box->to.slice) {
        return weiri_icd_fail(call, CL_INVALID_VALUE,
                              "within one buffer the pitches of the source, %zu and "
                              "%zu, must equal the pitches of the destination, %zu and "
                              "%zu",
                              box->from.row, box->from.slice, box->to.row,
                              box->to.slice);
    }
    return sides_overlap(box, whole->start)
        ? weiri_icd_fail(call, CL_MEM_COPY_OVERLAP,
                         "the source, from byte %zu of the buffer on, and the "
                         "destination, from byte %zu on, overlap",
                         (size_t)(box->from.start - (char *)whole->start),
                         (size_t)(box->to.start - (char *)whole->start))
        : CL_SUCCESS;
}

static cl_int enqueue_given(struct weiri_icd_request *request, const struct given *from,
                            const struct given *to, const size_t *region)
{
    struct weiri_icd_call *call = request->call;
    if (region == NULL || from->origin == NULL || to->origin == NULL
        || from->start == NULL || to->start == NULL) {
        return weiri_icd_fail(call, CL_INVALID_VALUE, "a pointer is NULL");
    }
    if (region[0] == 0 || region[1] == 0 || region[2] == 0) {
        return weiri_icd_fail(call, CL_INVALID_VALUE,
                              "the region of %zu x %zu x %zu is empty", region[0],
                              region[1], region[2]);
    }
    struct weiri_icd_box box = { .bytes = region[0],
                                 .rows = region[1],
                                 .slices = region[2],
                                 .uses = { from->buffer, to->buffer } };
    cl_int code = make_side(call, from, region, "source", &box.from);
    if (code == CL_SUCCESS) {
        code = make_side(call, to, region, "destination", &box.to);
    }
    if (code == CL_SUCCESS && from->buffer != NULL && to->buffer != NULL) {
        code = check_within(call, from->buffer, to->buffer, &box);
    }
    return code != CL_SUCCESS ? code : weiri_icd_enqueue_box(request, &box);
}

/* Between a buffer and the host. */
static cl_int transfer_rect(struct weiri_icd_request *request,
                            const struct given *device, const struct given *host,
                            const size_t *region)
{
    bool writes = request->type == CL_COMMAND_WRITE_BUFFER_RECT;
    struct given inside = *device;
    cl_int code = weiri_icd_need_buffer(request->call, request->queue, device->buffer);
    if (code == CL_SUCCESS) {
        code = weiri_icd_need_host(request->call, device->buffer, writes);
    }
    if (code != CL_SUCCESS) {
        return code;
    }
    inside.start = device->buffer->start;
    return enqueue_given(request, writes ? host : &inside, writes ? &inside : host,
                         region);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBufferRect(
    cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *origin,
    const size_t *host_origin, const size_t *region, size_t row, size_t slice,
    size_t host_row, size_t host_slice, void *host, cl_uint n_after,
    const cl_event *after, cl_event *event)
{
    WEIRI_ICD_ENTER();
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_READ_BUFFER_RECT, n_after, after, event);
    request.blocking = blocking != CL_FALSE;
    const struct given device = { NULL, origin, row, slice, buffer };
    const struct given there = { host, host_origin, host_row, host_slice, NULL };
    return transfer_rect(&request, &device, &there, region);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBufferRect(
    cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *origin,
    const size_t *host_origin, const size_t *region, size_t row, size_t slice,
    size_t host_row, size_t host_slice, const void *host, cl_uint n_after,
    const cl_event *after, cl_event *event)
{
    WEIRI_ICD_ENTER();
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_WRITE_BUFFER_RECT, n_after, after, event);
    request.blocking = blocking != CL_FALSE;
    const struct given device = { NULL, origin, row, slice, buffer };
    const struct given there
        = { (char *)host, host_origin, host_row, host_slice, NULL };
    return transfer_rect(&request, &device, &there, region);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferRect(
    cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
    const size_t *to_origin, const size_t *region, size_t from_row, size_t from_slice,
    size_t to_row, size_t to_slice, cl_uint n_after, const cl_event *after,
    cl_event *event)
{
    WEIRI_ICD_ENTER();
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_COPY_BUFFER_RECT, n_after, after, event);
    cl_int code = weiri_icd_need_buffer(&call, queue, from);
    if (code == CL_SUCCESS) {
        code = weiri_icd_need_buffer(&call, queue, to);
    }
    if (code != CL_SUCCESS) {
        return code;
    }
    const struct given source
        = { from->start, from_origin, from_row, from_slice, from };
    const struct given target = { to->start, to_origin, to_row, to_slice, to };
    return enqueue_given(&request, &source, &target, region);
}
