/* SPDX-License-Identifier: MIT
 *
 * texel.c: see texel.h. A coordinate becomes one or two indices of texels, with their
 * weights, as the sampler says: [CL30C] 8.1 and 8.2. Each texel that is read or written
 * is an access to the image's memory, at the place of the call.
 *
 * A use that is undefined in OpenCL is a finding, and the item goes on: a coordinate
 * outside of the image without an address mode, and a read as numbers that the image
 * does not have. Such a read gives zeros, such a write writes nothing. */
#include "config.h"

#include "opencl/device/texel.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "opencl/device/image.h"
#include "weir-kernel.h"

/* A call. */
struct call {
    const struct weiri_image *image;
    uint32_t how;
    bool writes;
    const void *pc;
};

/* Along one dimension: the texels and their weights. An index outside is the border. */
struct reach {
    long index[2];
    float weight[2];
    unsigned n;
};

/* ---- Findings --------------------------------------------------------------- */

static const char *operation_of(const struct call *call)
{
    switch ((char)(call->how >> 8)) {
    case 'i':
        return call->writes ? "write_imagei" : "read_imagei";
    case 'u':
        return call->writes ? "write_imageui" : "read_imageui";
    default:
        return call->writes ? "write_imagef" : "read_imagef";
    }
}

/* Whether the texels are numbers of the call's kind. */
static bool has_kind(const struct call *call)
{
    char kind = weiri_image_kind(call->image->type), wanted = (char)(call->how >> 8);
    if (kind == wanted) {
        return true;
    }
    char text[128];
    g_snprintf(text, sizeof(text), "the texels of the image are %s",
               kind == 'i'       ? "signed integers"
                   : kind == 'u' ? "unsigned integers"
                                 : "floats");
    weiri_proxy_unsupported(operation_of(call), text, call->pc);
    return false;
}

static void report_outside(const struct call *call, unsigned dim, long index,
                           size_t size)
{
    static const char *const words[] = { "column", "row", "slice" };
    enum weiri_image_form form = call->image->form;
    bool layer = (form == WEIRI_IMAGE_1D_ARRAY && dim == 1)
        || (form == WEIRI_IMAGE_2D_ARRAY && dim == 2);
    char text[128];
    g_snprintf(text, sizeof(text), "%s %ld of an image with %zu",
               layer ? "layer" : words[dim], index, size);
    weiri_proxy_outside(operation_of(call), text, call->pc);
}

/* ---- Coordinates ------------------------------------------------------------ */

/* Coordinates that an image has, and its sizes along them. */
static unsigned dims_of(const struct weiri_image *image, size_t size[3])
{
    size[0] = image->width;
    size[1] = image->form == WEIRI_IMAGE_1D_ARRAY ? image->layers : image->height;
    size[2] = image->form == WEIRI_IMAGE_2D_ARRAY ? image->layers : image->depth;
    switch (image->form) {
    case WEIRI_IMAGE_1D:
    case WEIRI_IMAGE_1D_BUFFER:
        return 1;
    case WEIRI_IMAGE_1D_ARRAY:
    case WEIRI_IMAGE_2D:
        return 2;
    default:
        return 3;
    }
}

static bool is_layer(const struct weiri_image *image, unsigned dim)
{
    return (image->form == WEIRI_IMAGE_1D_ARRAY && dim == 1)
        || (image->form == WEIRI_IMAGE_2D_ARRAY && dim == 2);
}

/* As an index; far outside if it is not a number. */
static long floor_of(float value)
{
    return value >= -1e9f && value <= 1e9f ? (long)floorf(value) : -1000000000;
}

/* Moves an index into the image, as the address mode says; CLAMP leaves one outside. */
static long addressed(uint32_t how, long index, size_t size)
{
    long last = (long)size - 1;
    switch (how & WEIRI_SAMPLER_ADDRESS) {
    case WEIRI_SAMPLER_CLAMP_TO_EDGE:
    case WEIRI_SAMPLER_MIRRORED_REPEAT: /* which has mirrored the coordinate */
        return CLAMP(index, 0, last);
    case WEIRI_SAMPLER_CLAMP:
        return CLAMP(index, -1, last + 1);
    case WEIRI_SAMPLER_REPEAT:
        return index > last ? index - (long)size
            : index < 0     ? index + (long)size
                            : index;
    default:
        return index;
    }
}

/* A coordinate in texels. */
static float in_texels(uint32_t how, float at, size_t size)
{
    if ((how & WEIRI_SAMPLER_NORMALIZED) == 0) {
        return at;
    }
    switch (how & WEIRI_SAMPLER_ADDRESS) {
    case WEIRI_SAMPLER_REPEAT:
        return (at - floorf(at)) * (float)size;
    case WEIRI_SAMPLER_MIRRORED_REPEAT:
        return fabsf(at - 2 * rintf(0.5f * at)) * (float)size;
    default:
        return at * (float)size;
    }
}

static struct reach reach_of(const struct call *call, unsigned dim, float at,
                             size_t size)
{
    struct reach reach = { .n = 1, .weight = { 1, 0 } };
    if (is_layer(call->image, dim)) {
        reach.index[0] = CLAMP(floor_of(at + 0.5f), 0, (long)size - 1);
        return reach;
    }
    float u = in_texels(call->how, at, size);
    if ((call->how & WEIRI_SAMPLER_LINEAR) == 0 || (char)(call->how >> 8) != 'f') {
        reach.index[0] = addressed(call->how, floor_of(u), size);
        return reach;
    }
    long first = floor_of(u - 0.5f);
    reach.n = 2;
    reach.weight[1] = u - 0.5f - floorf(u - 0.5f);
    reach.weight[0] = 1 - reach.weight[1];
    reach.index[0] = addressed(call->how, first, size);
    reach.index[1] = addressed(call->how, first + 1, size);
    return reach;
}

/* ---- Texels ----------------------------------------------------------------- */

static char *address_of(const struct weiri_image *image, const long index[3],
                        size_t texel_bytes)
{
    /* the layers of an array of rows are slices of one row */
    bool rows = image->form == WEIRI_IMAGE_1D_ARRAY;
    size_t row = rows ? 0 : (size_t)index[1];
    size_t slice = rows ? (size_t)index[1] : (size_t)index[2];
    return (char *)image->data + slice * image->slice_bytes + row * image->row_bytes
        + (size_t)index[0] * texel_bytes;
}

static void border(const struct weiri_image *image, void *colour)
{
    uint32_t words[4] = { 0 };
    const float one = 1;
    if (!weiri_image_has_alpha(image->order)) {
        bool real = weiri_image_kind(image->type) == 'f';
        words[3] = 1;
        memcpy(&words[3], real ? (const void *)&one : (const void *)&words[3],
               sizeof(words[3]));
    }
    memcpy(colour, words, sizeof(words));
}

/* The texel, or the border where an index is outside and the sampler has one. */
static void fetch(const struct call *call, const long index[3], unsigned dims,
                  const size_t size[3], void *colour)
{
    const struct weiri_image *image = call->image;
    for (unsigned dim = 0; dim < dims; dim++) {
        if (index[dim] >= 0 && index[dim] < (long)size[dim]) {
            continue;
        }
        if ((call->how & WEIRI_SAMPLER_ADDRESS) == WEIRI_SAMPLER_CLAMP) {
            border(image, colour);
        } else {
            report_outside(call, dim, index[dim], size[dim]);
            memset(colour, 0, 4 * sizeof(uint32_t));
        }
        return;
    }
    size_t bytes = weiri_image_texel_bytes(image->order, image->type);
    const char *at = address_of(image, index, bytes);
    weiri_proxy_access(at, bytes, false, call->pc);
    weiri_image_unpack(image->order, image->type, at, colour);
}

/* The texels around a place, with their weights. */
static void fetch_all(const struct call *call, const struct reach reach[3],
                      unsigned dims, const size_t size[3], void *colour)
{
    if (reach[0].n == 1) { /* nearest: then the others are, too */
        const long index[3]
            = { reach[0].index[0], reach[1].index[0], reach[2].index[0] };
        fetch(call, index, dims, size, colour);
        return;
    }
    float sum[4] = { 0 };
    for (unsigned k = 0; k < reach[2].n; k++) {
        for (unsigned j = 0; j < reach[1].n; j++) {
            for (unsigned i = 0; i < reach[0].n; i++) {
                const long index[3]
                    = { reach[0].index[i], reach[1].index[j], reach[2].index[k] };
                float one[4];
                float weight
                    = reach[0].weight[i] * reach[1].weight[j] * reach[2].weight[k];
                fetch(call, index, dims, size, one);
                for (unsigned c = 0; c < 4; c++) {
                    sum[c] += weight * one[c];
                }
            }
        }
    }
    memcpy(colour, sum, sizeof(sum));
}

/* ---- What kernels call ------------------------------------------------------ */

void weiri_texel_sample(const void *image, uint32_t how, float x, float y, float z,
                        void *colour)
{
    const struct call call = { image, how, false, __builtin_return_address(0) };
    const float at[3] = { x, y, z };
    size_t size[3];
    unsigned dims = dims_of(image, size);
    struct reach reach[3];
    memset(colour, 0, 4 * sizeof(uint32_t));
    if (!has_kind(&call)) {
        return;
    }
    for (unsigned dim = 0; dim < 3; dim++) {
        reach[dim] = (struct reach){ .n = 1, .weight = { 1, 0 } };
        if (dim < dims) {
            reach[dim] = reach_of(&call, dim, at[dim], size[dim]);
        }
    }
    fetch_all(&call, reach, dims, size, colour);
}

void weiri_texel_read(const void *image, uint32_t how, int x, int y, int z,
                      void *colour)
{
    const struct call call = { image, how, false, __builtin_return_address(0) };
    const int at[3] = { x, y, z };
    size_t size[3];
    unsigned dims = dims_of(image, size);
    long index[3] = { 0 };
    memset(colour, 0, 4 * sizeof(uint32_t));
    if (!has_kind(&call)) {
        return;
    }
    for (unsigned dim = 0; dim < dims; dim++) {
        index[dim] = at[dim];
        if ((how & WEIRI_TEXEL_SAMPLED) != 0) {
            index[dim] = is_layer(image, dim) ? CLAMP(at[dim], 0, (long)size[dim] - 1)
                                              : addressed(how, at[dim], size[dim]);
        }
    }
    fetch(&call, index, dims, size, colour);
}

void weiri_texel_write(void *target, uint32_t how, int x, int y, int z,
                       const void *colour)
{
    const struct weiri_image *image = target;
    const struct call call = { image, how, true, __builtin_return_address(0) };
    const long index[3] = { x, y, z };
    size_t size[3], bytes = weiri_image_texel_bytes(image->order, image->type);
    unsigned dims = dims_of(image, size);
    for (unsigned dim = 0; dim < dims; dim++) {
        if (index[dim] < 0 || index[dim] >= (long)size[dim]) {
            report_outside(&call, dim, index[dim], size[dim]);
            return;
        }
    }
    if (has_kind(&call)) {
        const long place[3] = { x, dims > 1 ? y : 0, dims > 2 ? z : 0 };
        char *at = address_of(image, place, bytes);
        weiri_proxy_access(at, bytes, true, call.pc);
        weiri_image_pack(image->order, image->type, colour, at);
    }
}

size_t weiri_texel_number(const void *image, enum weiri_texel_number which)
{
    const struct weiri_image *self = image;
    switch (which) {
    case WEIRI_TEXEL_WIDTH:
        return self->width;
    case WEIRI_TEXEL_HEIGHT:
        return self->height;
    case WEIRI_TEXEL_DEPTH:
        return self->depth;
    case WEIRI_TEXEL_LAYERS:
        return self->layers;
    case WEIRI_TEXEL_ORDER:
        return self->order;
    default:
        return self->type;
    }
}
