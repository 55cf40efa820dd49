/* SPDX-License-Identifier: MIT
 *
 * builtins-image.h: images. A part of builtins.c: [CL30C] 6.15.15. texel.c does the
 * work; these functions turn the types of OpenCL C into numbers. The names end in the
 * types of the call's arguments. */
#include "texel.h"

typedef float float4 __attribute__((ext_vector_type(4)));
typedef int32_t int4 __attribute__((ext_vector_type(4)));
typedef uint32_t uint4 __attribute__((ext_vector_type(4)));

/* A sampler is its flags. */
HELPER uint32_t sampled(char letter, const void *sampler)
{
    return ((uint32_t)(uintptr_t)sampler & 0xff) | WEIRI_TEXEL_SAMPLED
        | WEIRI_TEXEL_KIND(letter);
}

/* Forms of images: name, suffix of their coordinates, type of these here, and the
 * three numbers. */
#define X1(at) (at), 0, 0
#define X2(at) (at).x, (at).y, 0
#define X3(at) (at).x, (at).y, (at).z
#define FORMS(X, ...)                                                                  \
    X(image1d, , int32_t, float, X1, __VA_ARGS__)                                      \
    X(image1d_array, x2, int4, float4, X2, __VA_ARGS__)                                \
    X(image2d, x2, int4, float4, X2, __VA_ARGS__)                                      \
    X(image2d_array, x4, int4, float4, X3, __VA_ARGS__)                                \
    X(image3d, x4, int4, float4, X3, __VA_ARGS__)
#define DEPTH_FORMS(X, ...)                                                            \
    X(image2d_depth, x2, int4, float4, X2, __VA_ARGS__)                                \
    X(image2d_array_depth, x4, int4, float4, X3, __VA_ARGS__)
#define ALL_FORMS(X, ...)                                                              \
    FORMS(X, __VA_ARGS__)                                                              \
    X(image1d_buffer, , int32_t, float, X1, __VA_ARGS__)

/* ---- Reads ------------------------------------------------------------------ */

#define READ(name, form, suffix, C, XYZ, letter, T, RESULT)                            \
    OWN T weiri_cl_##name##_##form##_i32##suffix(void *image, C at)                    \
    {                                                                                  \
        union weiri_cl_colour colour;                                                  \
        weiri_texel_read(image, WEIRI_TEXEL_KIND(letter), XYZ(at), &colour);           \
        return colour.RESULT;                                                          \
    }
#define SAMPLE(name, form, suffix, I, F, XYZ, letter, T, RESULT)                       \
    OWN T weiri_cl_##name##_##form##_sampler_i32##suffix(void *image, void *sampler,   \
                                                         I at)                         \
    {                                                                                  \
        union weiri_cl_colour colour;                                                  \
        weiri_texel_read(image, sampled(letter, sampler), XYZ(at), &colour);           \
        return colour.RESULT;                                                          \
    }                                                                                  \
    OWN T weiri_cl_##name##_##form##_sampler_f32##suffix(void *image, void *sampler,   \
                                                         F at)                         \
    {                                                                                  \
        union weiri_cl_colour colour;                                                  \
        weiri_texel_sample(image, sampled(letter, sampler), XYZ(at), &colour);         \
        return colour.RESULT;                                                          \
    }

union weiri_cl_colour {
    float4 f;
    int4 i;
    uint4 u;
    float first;
};

#define READ_KINDS(form, suffix, I, F, XYZ, unused)                                    \
    READ(read_imagef, form, suffix, I, XYZ, 'f', float4, f)                            \
    READ(read_imagei, form, suffix, I, XYZ, 'i', int4, i)                              \
    READ(read_imageui, form, suffix, I, XYZ, 'u', uint4, u)
#define SAMPLE_KINDS(form, suffix, I, F, XYZ, unused)                                  \
    SAMPLE(read_imagef, form, suffix, I, F, XYZ, 'f', float4, f)                       \
    SAMPLE(read_imagei, form, suffix, I, F, XYZ, 'i', int4, i)                         \
    SAMPLE(read_imageui, form, suffix, I, F, XYZ, 'u', uint4, u)
#define DEPTH_KIND(form, suffix, I, F, XYZ, unused)                                    \
    READ(read_imagef, form, suffix, I, XYZ, 'f', float, first)                         \
    SAMPLE(read_imagef, form, suffix, I, F, XYZ, 'f', float, first)
ALL_FORMS(READ_KINDS, )
FORMS(SAMPLE_KINDS, )
DEPTH_FORMS(DEPTH_KIND, )

/* ---- Writes ----------------------------------------------------------------- */

#define WRITE(name, form, suffix, I, XYZ, letter, ending, T)                           \
    OWN void weiri_cl_##name##_##form##_i32##suffix##_##ending(void *image, I at,      \
                                                               T colour)               \
    {                                                                                  \
        weiri_texel_write(image, WEIRI_TEXEL_KIND(letter), XYZ(at), &colour);          \
    }
#define WRITE_KINDS(form, suffix, I, F, XYZ, unused)                                   \
    WRITE(write_imagef, form, suffix, I, XYZ, 'f', f32x4, float4)                      \
    WRITE(write_imagei, form, suffix, I, XYZ, 'i', i32x4, int4)                        \
    WRITE(write_imageui, form, suffix, I, XYZ, 'u', u32x4, uint4)
#define WRITE_DEPTH(form, suffix, I, F, XYZ, unused)                                   \
    OWN void weiri_cl_write_imagef_##form##_i32##suffix##_f32(void *image, I at,       \
                                                              float depth)             \
    {                                                                                  \
        const float4 colour = { depth, 0, 0, 1 };                                      \
        weiri_texel_write(image, WEIRI_TEXEL_KIND('f'), XYZ(at), &colour);             \
    }
ALL_FORMS(WRITE_KINDS, )
DEPTH_FORMS(WRITE_DEPTH, )

/* ---- Numbers of an image ---------------------------------------------------- */

#define NUMBER(name, T, WHICH)                                                         \
    OWN T weiri_cl_##name(void *image)                                                 \
    {                                                                                  \
        return (T)weiri_texel_number(image, WEIRI_TEXEL_##WHICH);                      \
    }
NUMBER(get_image_width, int32_t, WIDTH)
NUMBER(get_image_height, int32_t, HEIGHT)
NUMBER(get_image_depth, int32_t, DEPTH)
NUMBER(get_image_array_size, size_t, LAYERS)
NUMBER(get_image_channel_order, int32_t, ORDER)
NUMBER(get_image_channel_data_type, int32_t, TYPE)

/* An int2, or an int4 of an image of three dimensions, whose last element is 0. */
OWN int4 weiri_cl_get_image_dim(void *image)
{
    int4 dim = { (int32_t)weiri_texel_number(image, WEIRI_TEXEL_WIDTH),
                 (int32_t)weiri_texel_number(image, WEIRI_TEXEL_HEIGHT),
                 (int32_t)weiri_texel_number(image, WEIRI_TEXEL_DEPTH), 0 };
    return dim;
}
