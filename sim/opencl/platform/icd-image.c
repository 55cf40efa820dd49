/* SPDX-License-Identifier: MIT
 *
 * icd-image.c: images are created, and asked; icd-image-copy.c has their commands. An
 * image is memory like a buffer, with a form and pitches without gaps. All checks of a
 * description are made before memory is taken. */
#include "config.h"

#include "opencl/platform/icd-image.h"

#include "opencl/platform/icd-facts.h"

#include <string.h>

void weiri_icd_image_size(const struct weiri_icd_image *image, size_t size[3])
{
    const struct weiri_image *texels = &image->texels;
    bool rows = texels->form == WEIRI_IMAGE_1D_ARRAY;
    bool slices = texels->form == WEIRI_IMAGE_2D_ARRAY;
    size[0] = texels->width;
    size[1] = rows ? texels->layers : texels->height;
    size[2] = slices ? texels->layers : texels->depth;
}

/* ---- Descriptions ---------------------------------------------------------------- */

static cl_int check_format(struct weiri_icd_call *call, const cl_image_format *format)
{
    if (format == NULL || weiri_image_kind(format->image_channel_data_type) == 0) {
        return weiri_icd_fail(call, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                              "the format is NULL, or has no type of channels");
    }
    return weiri_image_texel_bytes(format->image_channel_order,
                                   format->image_channel_data_type)
            != 0
        ? CL_SUCCESS
        : weiri_icd_fail(call, CL_IMAGE_FORMAT_NOT_SUPPORTED,
                         "order 0x%x with type 0x%x", format->image_channel_order,
                         format->image_channel_data_type);
}

/* The form and sizes of a description. Returns: whether it is one */
static bool read_form(const cl_image_desc *desc, struct weiri_image *texels)
{
    *texels = (struct weiri_image){
        .width = desc->image_width, .height = 1, .depth = 1, .layers = 1
    };
    switch (desc->image_type) {
    case CL_MEM_OBJECT_IMAGE1D:
        texels->form = WEIRI_IMAGE_1D;
        return true;
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
        texels->form = WEIRI_IMAGE_1D_BUFFER;
        return true;
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
        texels->form = WEIRI_IMAGE_1D_ARRAY;
        texels->layers = desc->image_array_size;
        return true;
    case CL_MEM_OBJECT_IMAGE2D:
        texels->form = WEIRI_IMAGE_2D;
        texels->height = desc->image_height;
        return true;
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
        texels->form = WEIRI_IMAGE_2D_ARRAY;
        texels->height = desc->image_height;
        texels->layers = desc->image_array_size;
        return true;
    case CL_MEM_OBJECT_IMAGE3D:
        texels->form = WEIRI_IMAGE_3D;
        texels->height = desc->image_height;
        texels->depth = desc->image_depth;
        return true;
    default:
        return false;
    }
}

static cl_int check_size(struct weiri_icd_call *call, const struct weiri_image *texels)
{
    size_t most = texels->form == WEIRI_IMAGE_3D ? WEIRI_ICD_IMAGE_3D
        : texels->form == WEIRI_IMAGE_1D_BUFFER  ? 1u << 27
                                                 : WEIRI_ICD_IMAGE_2D;
    const size_t all[]
        = { texels->width, texels->height, texels->depth, texels->layers };
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        size_t limit = i == 3 ? WEIRI_ICD_IMAGE_3D : most;
        if (all[i] == 0 || all[i] > limit) {
            return weiri_icd_fail(
                call, CL_INVALID_IMAGE_SIZE,
                "%zu x %zu x %zu texels in %zu layers; the device has "
                "up to %zu in a dimension",
                all[0], all[1], all[2], all[3], limit);
        }
    }
    return CL_SUCCESS;
}

/* The pitches of the host, or those without gaps. */
static cl_int read_pitches(struct weiri_icd_call *call, const cl_image_desc *desc,
                           const void *host, struct weiri_icd_image *image)
{
    struct weiri_image *texels = &image->texels;
    size_t row = texels->width * image->texel_bytes;
    bool row_given = host != NULL && desc->image_row_pitch != 0;
    texels->row_bytes = row_given ? desc->image_row_pitch : row;
    size_t rows = texels->form == WEIRI_IMAGE_1D_ARRAY ? 1 : texels->height;
    bool slice_given = host != NULL && desc->image_slice_pitch != 0
        && texels->form != WEIRI_IMAGE_2D && texels->form != WEIRI_IMAGE_1D;
    texels->slice_bytes
        = slice_given ? desc->image_slice_pitch : rows * texels->row_bytes;
    bool fit = texels->row_bytes >= row && texels->row_bytes % image->texel_bytes == 0
        && texels->slice_bytes >= rows * texels->row_bytes
        && texels->slice_bytes % texels->row_bytes == 0
        && (host != NULL || (desc->image_row_pitch == 0 && desc->image_slice_pitch == 0)
            || texels->form == WEIRI_IMAGE_1D_BUFFER);
    if (!fit || desc->num_mip_levels != 0 || desc->num_samples != 0) {
        return weiri_icd_fail(call, CL_INVALID_IMAGE_DESCRIPTOR,
                              "pitches %zu and %zu do not fit, or there are mipmaps or "
                              "samples",
                              desc->image_row_pitch, desc->image_slice_pitch);
    }
    return CL_SUCCESS;
}

/* An image of texels in a buffer. */
static cl_int check_buffer(struct weiri_icd_call *call, const cl_image_desc *desc,
                           const struct weiri_icd_image *image)
{
    bool needs = image->texels.form == WEIRI_IMAGE_1D_BUFFER;
    if (!needs && desc->buffer == NULL) {
        return CL_SUCCESS;
    }
    if (image->texels.form == WEIRI_IMAGE_2D) {
        return weiri_icd_fail(call, CL_INVALID_OPERATION,
                              "the device has images of one dimension only in buffers");
    }
    if (!needs || !weiri_icd_is(desc->buffer, WEIRI_ICD_MEMORY)
        || desc->buffer->type != CL_MEM_OBJECT_BUFFER) {
        return weiri_icd_fail(call, CL_INVALID_IMAGE_DESCRIPTOR,
                              needs ? "an image of a buffer without a buffer"
                                    : "the type of the image takes no buffer");
    }
    size_t bytes = image->texels.width * image->texel_bytes;
    return bytes <= desc->buffer->bytes
        ? CL_SUCCESS
        : weiri_icd_fail(call, CL_INVALID_IMAGE_SIZE,
                         "an image of %zu bytes in a buffer of %zu", bytes,
                         desc->buffer->bytes);
}

/* ---- Creation -------------------------------------------------------------------- */

/* Copies the host's texels, row by row: the memory after the last one may not exist. */
static void take_texels(struct _cl_mem *memory, const char *host)
{
    const struct weiri_image *texels = &memory->image->texels;
    size_t size[3];
    weiri_icd_image_size(memory->image, size);
    bool rows = texels->form == WEIRI_IMAGE_1D_ARRAY;
    for (size_t z = 0; z < size[2]; z++) {
        for (size_t y = 0; y < size[1]; y++) {
            size_t at = z * texels->slice_bytes
                + y * (rows ? texels->slice_bytes : texels->row_bytes);
            memcpy(memory->start + at, host + at, size[0] * memory->image->texel_bytes);
        }
    }
}

static cl_mem new_image(struct weiri_icd_call *call, cl_context context,
                        cl_mem_flags flags, const cl_image_desc *desc,
                        const struct weiri_icd_image *image, void *host, cl_int *result)
{
    const struct weiri_image *texels = &image->texels;
    size_t bytes = texels->slice_bytes * MAX(texels->depth, texels->layers);
    struct _cl_mem *memory;
    if (texels->form == WEIRI_IMAGE_1D_BUFFER) {
        flags = weiri_icd_inherited_flags(flags, desc->buffer->flags);
        memory = weiri_icd_memory_head(context, desc->image_type, flags,
                                       texels->row_bytes);
        memory->parent = weiri_icd_use(desc->buffer);
        memory->start = desc->buffer->start;
        (void)weiri_icd_result(result, CL_SUCCESS);
    } else {
        memory = weiri_icd_memory(call, context, desc->image_type, flags, bytes, host,
                                  result);
    }
    if (memory == NULL) {
        return NULL;
    }
    memory->image = g_memdup2(image, sizeof(*image));
    memory->image->texels.data = memory->start;
    if (host != NULL) {
        take_texels(memory, host);
    }
    return memory;
}

static cl_mem create(struct weiri_icd_call *call, cl_context context,
                     cl_mem_flags flags, const cl_image_format *format,
                     const cl_image_desc *desc, void *host, cl_int *result)
{
    struct weiri_icd_image image = { .texel_bytes = 0 };
    cl_int code = weiri_icd_need(call, context, WEIRI_ICD_CONTEXT);
    if (code == CL_SUCCESS) {
        code = weiri_icd_check_flags(call, flags, host);
    }
    if (code == CL_SUCCESS) {
        code = check_format(call, format);
    }
    if (code == CL_SUCCESS && (desc == NULL || !read_form(desc, &image.texels))) {
        code = weiri_icd_fail(call, CL_INVALID_IMAGE_DESCRIPTOR,
                              "the description is NULL, or has no type of images");
    }
    if (code == CL_SUCCESS) {
        image.format = *format;
        image.texels.order = format->image_channel_order;
        image.texels.type = format->image_channel_data_type;
        image.texel_bytes
            = weiri_image_texel_bytes(image.texels.order, image.texels.type);
        code = check_size(call, &image.texels);
    }
    if (code == CL_SUCCESS) {
        code = read_pitches(call, desc, host, &image);
    }
    if (code == CL_SUCCESS) {
        code = check_buffer(call, desc, &image);
    }
    if (code != CL_SUCCESS) {
        (void)weiri_icd_result(result, code);
        return NULL;
    }
    return new_image(call, context, flags, desc, &image, host, result);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                              const cl_image_format *format,
                                              const cl_image_desc *desc, void *host,
                                              cl_int *result)
{
    WEIRI_ICD_ENTER();
    return create(&call, context, flags, format, desc, host, result);
}

CL_API_ENTRY cl_mem CL_API_CALL
clCreateImageWithProperties(cl_context context, const cl_mem_properties *properties,
                            cl_mem_flags flags, const cl_image_format *format,
                            const cl_image_desc *desc, void *host, cl_int *result)
{
    WEIRI_ICD_ENTER();
    if (properties != NULL && properties[0] != 0) {
        return weiri_icd_refuse(&call, result, CL_INVALID_PROPERTY, "property 0x%llx",
                                (unsigned long long)properties[0]);
    }
    cl_mem image = create(&call, context, flags, format, desc, host, result);
    if (image != NULL && properties != NULL) {
        weiri_icd_no_properties(image);
    }
    return image;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
                                                const cl_image_format *format,
                                                size_t width, size_t height, size_t row,
                                                void *host, cl_int *result)
{
    WEIRI_ICD_ENTER();
    const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = width,
                                 .image_height = height,
                                 .image_row_pitch = row };
    return create(&call, context, flags, format, &desc, host, result);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags,
                                                const cl_image_format *format,
                                                size_t width, size_t height,
                                                size_t depth, size_t row, size_t slice,
                                                void *host, cl_int *result)
{
    WEIRI_ICD_ENTER();
    const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE3D,
                                 .image_width = width,
                                 .image_height = height,
                                 .image_depth = depth,
                                 .image_row_pitch = row,
                                 .image_slice_pitch = slice };
    return create(&call, context, flags, format, &desc, host, result);
}

/* ---- Questions ------------------------------------------------------------------- */

CL_API_ENTRY cl_int CL_API_CALL clGetSupportedImageFormats(
    cl_context context, cl_mem_flags flags, cl_mem_object_type type, cl_uint n,
    cl_image_format *formats, cl_uint *n_ret)
{
    WEIRI_ICD_ENTER();
    cl_int code = weiri_icd_need(&call, context, WEIRI_ICD_CONTEXT);
    if (code == CL_SUCCESS) {
        code = weiri_icd_known_flags(&call, flags);
    }
    if (code == CL_SUCCESS
        && (type < CL_MEM_OBJECT_IMAGE2D || type > CL_MEM_OBJECT_IMAGE1D_BUFFER
            || (n == 0 && formats != NULL))) {
        code = weiri_icd_fail(&call, CL_INVALID_VALUE,
                              "0x%x is not a type of images, or there is no "
                              "room",
                              type);
    }
    if (code != CL_SUCCESS) {
        return code;
    }
    const bool has_depth
        = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    cl_uint found = 0;
    for (cl_channel_order order = CL_R; order <= CL_ABGR; order++) {
        for (cl_channel_type channel = CL_SNORM_INT8; channel <= CL_UNORM_INT_101010_2;
             channel++) {
            if (weiri_image_texel_bytes(order, channel) != 0
                && (order != CL_DEPTH || has_depth)) {
                if (formats != NULL && found < n) {
                    formats[found] = (cl_image_format){ order, channel };
                }
                found++;
            }
        }
    }
    if (n_ret != NULL) {
        *n_ret = found;
    }
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info name,
                                               size_t room, void *value,
                                               size_t *bytes_ret)
{
    WEIRI_ICD_ENTER();
    const struct weiri_icd_answer answer = { &call, room, value, bytes_ret };
    cl_int code = weiri_icd_need(&call, image, WEIRI_ICD_MEMORY);
    if (code == CL_SUCCESS && image->image == NULL) {
        code = weiri_icd_fail(&call, CL_INVALID_MEM_OBJECT,
                              "a buffer is given where "
                              "an image is needed");
    }
    if (code != CL_SUCCESS) {
        return code;
    }
    const struct weiri_image *texels = &image->image->texels;
    bool is_array
        = texels->form == WEIRI_IMAGE_1D_ARRAY || texels->form == WEIRI_IMAGE_2D_ARRAY;
    bool is_flat = texels->form == WEIRI_IMAGE_1D
        || texels->form == WEIRI_IMAGE_1D_ARRAY
        || texels->form == WEIRI_IMAGE_1D_BUFFER;
    switch (name) {
    case CL_IMAGE_FORMAT:
        return weiri_icd_give(&answer, &image->image->format, sizeof(cl_image_format));
    case CL_IMAGE_ELEMENT_SIZE:
        return weiri_icd_give_size(&answer, image->image->texel_bytes);
    case CL_IMAGE_ROW_PITCH:
        return weiri_icd_give_size(&answer, texels->row_bytes);
    case CL_IMAGE_SLICE_PITCH:
        return weiri_icd_give_size(
            &answer,
            is_array || texels->form == WEIRI_IMAGE_3D ? texels->slice_bytes : 0);
    case CL_IMAGE_WIDTH:
        return weiri_icd_give_size(&answer, texels->width);
    case CL_IMAGE_HEIGHT:
        return weiri_icd_give_size(&answer, is_flat ? 0 : texels->height);
    case CL_IMAGE_DEPTH:
        return weiri_icd_give_size(&answer,
                                   texels->form == WEIRI_IMAGE_3D ? texels->depth : 0);
    case CL_IMAGE_ARRAY_SIZE:
        return weiri_icd_give_size(&answer, is_array ? texels->layers : 0);
    case CL_IMAGE_BUFFER:
        return weiri_icd_give_pointer(&answer, image->parent);
    case CL_IMAGE_NUM_MIP_LEVELS:
    case CL_IMAGE_NUM_SAMPLES:
        return weiri_icd_give_uint(&answer, 0);
    default:
        return WEIRI_ICD_UNKNOWN;
    }
}
