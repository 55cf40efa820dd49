/* SPDX-License-Identifier: MIT
 *
 * icd-image-copy.c: commands that read, write, copy, fill and map images: boxes of
 * texels. Layers of an array of rows are the rows of a box. */
#include "config.h"

#include "opencl/platform/icd-image.h"
#include "opencl/platform/icd-map.h"

#include <string.h>

static cl_int need_image(struct weiri_icd_call *call, cl_command_queue queue,
                         cl_mem image)
{
    cl_int code = weiri_icd_need(call, queue, WEIRI_ICD_QUEUE);
    if (code == CL_SUCCESS) {
        code = weiri_icd_need(call, image, WEIRI_ICD_MEMORY);
    }
    if (code == CL_SUCCESS && image->image == NULL) {
        code = weiri_icd_fail(call, CL_INVALID_MEM_OBJECT,
                              "a buffer is given where an "
                              "image is needed");
    }
    if (code == CL_SUCCESS && image->context != queue->context) {
        code = weiri_icd_fail(call, CL_INVALID_CONTEXT,
                              "the image belongs to another context than the queue");
    }
    return code;
}

/* The texels of a region as the side of a box. */
static cl_int side_of(struct weiri_icd_call *call, cl_mem image, const size_t *origin,
                      const size_t *region, struct weiri_icd_side *side)
{
    const struct weiri_image *texels = &image->image->texels;
    size_t size[3];
    weiri_icd_image_size(image->image, size);
    if (origin == NULL || region == NULL) {
        return weiri_icd_fail(call, CL_INVALID_VALUE, "origin or region is NULL");
    }
    for (size_t i = 0; i < 3; i++) {
        if (region[i] == 0 || origin[i] > size[i] || region[i] > size[i] - origin[i]) {
            return weiri_icd_fail(call, CL_INVALID_VALUE,
                                  "in dimension %zu %zu texels from %zu on are not in "
                                  "the image, which has %zu",
                                  i, region[i], origin[i], size[i]);
        }
    }
    side->row = texels->form == WEIRI_IMAGE_1D_ARRAY ? texels->slice_bytes
                                                     : texels->row_bytes;
    side->slice = texels->slice_bytes;
    side->start = image->start + origin[2] * side->slice + origin[1] * side->row
        + origin[0] * image->image->texel_bytes;
    return CL_SUCCESS;
}

/* Memory of the host, or of a buffer, with pitches of 0 without gaps. */
static cl_int host_side(struct weiri_icd_call *call, cl_mem image, const size_t *region,
                        size_t row, size_t slice, void *start,
                        struct weiri_icd_side *side)
{
    size_t bytes = region[0] * image->image->texel_bytes;
    bool rows = image->image->texels.form == WEIRI_IMAGE_1D_ARRAY;
    side->start = start;
    side->row = rows && slice != 0 ? slice : row != 0 ? row : bytes;
    side->slice = slice != 0 ? slice : side->row * region[1];
    return side->row >= bytes && (rows || side->slice >= side->row * region[1])
        ? CL_SUCCESS
        : weiri_icd_fail(call, CL_INVALID_VALUE,
                         "pitches %zu and %zu do not fit rows of %zu bytes", row, slice,
                         bytes);
}

static struct weiri_icd_box box_of(cl_mem image, const size_t *region)
{
    return (struct weiri_icd_box){ .bytes = region[0] * image->image->texel_bytes,
                                   .rows = region[1],
                                   .slices = region[2],
                                   .uses = { image } };
}

/* Between an image and the host. */
static cl_int transfer(struct weiri_icd_request *request, cl_mem image,
                       const size_t *origin, const size_t *region, size_t row,
                       size_t slice, void *host)
{
    struct weiri_icd_call *call = request->call;
    bool writes = request->type == CL_COMMAND_WRITE_IMAGE;
    struct weiri_icd_side device, there;
    cl_int code = need_image(call, request->queue, image);
    if (code == CL_SUCCESS) {
        code = weiri_icd_need_host(call, image, writes);
    }
    if (code == CL_SUCCESS && host == NULL) {
        code
            = weiri_icd_fail(call, CL_INVALID_VALUE, "the pointer of the host is NULL");
    }
    if (code == CL_SUCCESS) {
        code = side_of(call, image, origin, region, &device);
    }
    if (code == CL_SUCCESS) {
        code = host_side(call, image, region, row, slice, host, &there);
    }
    if (code != CL_SUCCESS) {
        return code;
    }
    struct weiri_icd_box box = box_of(image, region);
    box.to = writes ? device : there;
    box.from = writes ? there : device;
    return weiri_icd_enqueue_box(request, &box);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                   const size_t *origin, const size_t *region, size_t row, size_t slice,
                   void *host, cl_uint n_after, const cl_event *after, cl_event *event)
{
    WEIRI_ICD_ENTER();
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_READ_IMAGE, n_after, after, event);
    request.blocking = blocking != CL_FALSE;
    return transfer(&request, image, origin, region, row, slice, host);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteImage(
    cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,
    const size_t *region, size_t row, size_t slice, const void *host, cl_uint n_after,
    const cl_event *after, cl_event *event)
{
    WEIRI_ICD_ENTER();
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_WRITE_IMAGE, n_after, after, event);
    request.blocking = blocking != CL_FALSE;
    return transfer(&request, image, origin, region, row, slice, (void *)host);
}

static bool overlap(const size_t *a, const size_t *b, const size_t *region)
{
    for (size_t i = 0; i < 3; i++) {
        if (a[i] >= b[i] + region[i] || b[i] >= a[i] + region[i]) {
            return false;
        }
    }
    return true;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImage(
    cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
    const size_t *to_origin, const size_t *region, cl_uint n_after,
    const cl_event *after, cl_event *event)
{
    WEIRI_ICD_ENTER();
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_COPY_IMAGE, n_after, after, event);
    struct weiri_icd_side source, target;
    cl_int code = need_image(&call, queue, from);
    if (code == CL_SUCCESS) {
        code = need_image(&call, queue, to);
    }
    if (code == CL_SUCCESS
        && memcmp(&from->image->format, &to->image->format, sizeof(cl_image_format))
            != 0) {
        code = weiri_icd_fail(&call, CL_IMAGE_FORMAT_MISMATCH,
                              "the two images have different formats");
    }
    if (code == CL_SUCCESS) {
        code = side_of(&call, from, from_origin, region, &source);
    }
    if (code == CL_SUCCESS) {
        code = side_of(&call, to, to_origin, region, &target);
    }
    if (code == CL_SUCCESS && from == to && overlap(from_origin, to_origin, region)) {
        code = weiri_icd_fail(&call, CL_MEM_COPY_OVERLAP, "the two regions overlap");
    }
    if (code != CL_SUCCESS) {
        return code;
    }
    struct weiri_icd_box box = box_of(from, region);
    box.uses[1] = to;
    box.from = source;
    box.to = target;
    return weiri_icd_enqueue_box(&request, &box);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillImage(
    cl_command_queue queue, cl_mem image, const void *colour, const size_t *origin,
    const size_t *region, cl_uint n_after, const cl_event *after, cl_event *event)
{
    WEIRI_ICD_ENTER();
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_FILL_IMAGE, n_after, after, event);
    struct weiri_icd_side target;
    cl_int code = need_image(&call, queue, image);
    if (code == CL_SUCCESS && colour == NULL) {
        code = weiri_icd_fail(&call, CL_INVALID_VALUE, "the colour is NULL");
    }
    if (code == CL_SUCCESS) {
        code = side_of(&call, image, origin, region, &target);
    }
    if (code != CL_SUCCESS) {
        return code;
    }
    struct weiri_icd_box box = box_of(image, region);
    box.to = target;
    box.fill_bytes = image->image->texel_bytes;
    weiri_image_pack(image->image->texels.order, image->image->texels.type, colour,
                     box.fill);
    return weiri_icd_enqueue_box(&request, &box);
}

/* ---- Between images and buffers ----------------------------------------- */

static cl_int with_buffer(struct weiri_icd_request *request, cl_mem image,
                          const size_t *origin, const size_t *region, cl_mem buffer,
                          size_t offset)
{
    struct weiri_icd_call *call = request->call;
    struct weiri_icd_side texels, bytes;
    cl_int code = need_image(call, request->queue, image);
    if (code == CL_SUCCESS) {
        code = weiri_icd_need_buffer(call, request->queue, buffer);
    }
    if (code == CL_SUCCESS) {
        code = side_of(call, image, origin, region, &texels);
    }
    if (code == CL_SUCCESS) {
        code = weiri_icd_need_region(call, buffer, offset,
                                     region[0] * region[1] * region[2]
                                         * image->image->texel_bytes);
    }
    if (code == CL_SUCCESS) {
        code = host_side(call, image, region, 0, 0, buffer->start + offset, &bytes);
    }
    if (code != CL_SUCCESS) {
        return code;
    }
    bool to_image = request->type == CL_COMMAND_COPY_BUFFER_TO_IMAGE;
    struct weiri_icd_box box = box_of(image, region);
    box.uses[1] = buffer;
    box.to = to_image ? texels : bytes;
    box.from = to_image ? bytes : texels;
    return weiri_icd_enqueue_box(request, &box);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem image, cl_mem buffer,
                           const size_t *origin, const size_t *region, size_t offset,
                           cl_uint n_after, const cl_event *after, cl_event *event)
{
    WEIRI_ICD_ENTER();
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, n_after, after, event);
    return with_buffer(&request, image, origin, region, buffer, offset);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem buffer, cl_mem image,
                           size_t offset, const size_t *origin, const size_t *region,
                           cl_uint n_after, const cl_event *after, cl_event *event)
{
    WEIRI_ICD_ENTER();
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE, n_after, after, event);
    return with_buffer(&request, image, origin, region, buffer, offset);
}

CL_API_ENTRY void *CL_API_CALL clEnqueueMapImage(
    cl_command_queue queue, cl_mem image, cl_bool blocking, cl_map_flags flags,
    const size_t *origin, const size_t *region, size_t *row, size_t *slice,
    cl_uint n_after, const cl_event *after, cl_event *event, cl_int *result)
{
    WEIRI_ICD_ENTER();
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_MAP_IMAGE, n_after, after, event);
    request.blocking = blocking != CL_FALSE;
    struct weiri_icd_side side;
    cl_int code = need_image(&call, queue, image);
    bool has_slices = code == CL_SUCCESS && image->image->texels.form != WEIRI_IMAGE_1D
        && image->image->texels.form != WEIRI_IMAGE_2D
        && image->image->texels.form != WEIRI_IMAGE_1D_BUFFER;
    if (code == CL_SUCCESS && (row == NULL || (has_slices && slice == NULL))) {
        code = weiri_icd_fail(&call, CL_INVALID_VALUE, "a place for a pitch is NULL");
    }
    if (code == CL_SUCCESS) {
        code = side_of(&call, image, origin, region, &side);
    }
    if (code == CL_SUCCESS) {
        code = weiri_icd_check_map(&call, image, flags);
    }
    if (code != CL_SUCCESS) {
        (void)weiri_icd_result(result, code);
        return NULL;
    }
    *row = image->image->texels.row_bytes;
    if (slice != NULL) {
        *slice = has_slices ? image->image->texels.slice_bytes : 0;
    }
    struct weiri_icd_mapping mapping
        = { .start = side.start,
            .row_bytes = region[0] * image->image->texel_bytes,
            .rows = region[1],
            .slices = region[2],
            .row_pitch = side.row,
            .slice_pitch = side.slice,
            .flags = flags };
    return weiri_icd_map(&request, image, &mapping, result);
}
