/* SPDX-License-Identifier: MIT
 *
 * image.h: images in memory, to the entry points of OpenCL, which make them, and to the
 * builtins, which read and write them. An argument of a kernel that is an image is a
 * pointer to a struct weiri_image; a sampler is its flags, as a number. */
#ifndef WEIRI_IMAGE_H
#define WEIRI_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum weiri_image_form {
    WEIRI_IMAGE_1D,
    WEIRI_IMAGE_1D_BUFFER,
    WEIRI_IMAGE_1D_ARRAY,
    WEIRI_IMAGE_2D,
    WEIRI_IMAGE_2D_ARRAY,
    WEIRI_IMAGE_3D,
};

/**
 * weiri_image: it must stay as it is while kernels use it
 * @data: the first texel, in memory of the device
 * @form: what it is
 * @order: CL_RGBA, … and @type: CL_UNORM_INT8, …: with OpenCL's numbers
 * @width: texels of a row; @height: rows, and @depth: slices; 1 where the form has none
 * @layers: of an array; else 1
 * @row_bytes: from a row to the next
 * @slice_bytes: from a slice, or a layer, to the next
 */
struct weiri_image {
    void *data;
    enum weiri_image_form form;
    uint32_t order;
    uint32_t type;
    size_t width;
    size_t height;
    size_t depth;
    size_t layers;
    size_t row_bytes;
    size_t slice_bytes;
};

/* Flags of samplers: the values of CLK_… in OpenCL C. */
enum weiri_sampler_flag {
    WEIRI_SAMPLER_NORMALIZED = 1,
    WEIRI_SAMPLER_ADDRESS_NONE = 0,
    WEIRI_SAMPLER_CLAMP_TO_EDGE = 2,
    WEIRI_SAMPLER_CLAMP = 4,
    WEIRI_SAMPLER_REPEAT = 6,
    WEIRI_SAMPLER_MIRRORED_REPEAT = 8,
    WEIRI_SAMPLER_ADDRESS = 14, /* the bits of the address mode */
    WEIRI_SAMPLER_NEAREST = 16,
    WEIRI_SAMPLER_LINEAR = 32,
};

/** The size of a texel; 0 for a pair that OpenCL does not allow, or that Weir lacks. */
size_t weiri_image_texel_bytes(uint32_t order, uint32_t type);

/** The number of an order, "bgra", or of a type, "unorm_int8": OpenCL's names in lower
 *  case; 0 for another name. */
uint32_t weiri_image_order_named(const char *name);
uint32_t weiri_image_type_named(const char *name);

/** Whether the values of that type are floats (read_imagef), 'f'; signed integers, 'i';
 *  or unsigned ones, 'u'. 0 for a number that is not a type */
char weiri_image_kind(uint32_t type);

/** Whether the colour of the border is transparent: (0, 0, 0, 0), not (0, 0, 0, 1). */
bool weiri_image_has_alpha(uint32_t order);

/** IEEE 754's binary16: to the nearest, ties to even; and back. */
uint16_t weiri_image_half(float value);
float weiri_image_half_value(uint16_t bits);

/** Puts a colour into a texel's bytes: four floats or integers, as the kind of the type
 *  has them; of a depth image the first one alone. */
void weiri_image_pack(uint32_t order, uint32_t type, const void *colour, void *texel);

/** The other way round: what read_imagef() and its like return of a texel. */
void weiri_image_unpack(uint32_t order, uint32_t type, const void *texel, void *colour);

#endif
