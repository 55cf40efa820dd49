/* SPDX-License-Identifier: MIT
 *
 * check_opencl_image.c: texels become colours and back as [CL30C] 8.3 says, and
 * samplers find them as 8.1 and 8.2 say. Outside of a kernel, so nothing is checked. */
#include "support.h"

#include "opencl/device/image.h"
#include "opencl/device/texel.h"

/* OpenCL's numbers */
enum {
    R = 0x10B0,
    A = 0x10B1,
    RGB = 0x10B4,
    RGBA = 0x10B5,
    BGRA = 0x10B6,
    LUMINANCE = 0x10B9,
    DEPTH = 0x10BD,
    SRGBA = 0x10C1,
    SNORM8 = 0x10D0,
    UNORM8 = 0x10D2,
    UNORM565 = 0x10D4,
    SIGNED8 = 0x10D7,
    UNSIGNED16 = 0x10DB,
    HALF = 0x10DD,
    FLOAT = 0x10DE,
};

static void expect_colour(const float colour[4], float r, float g, float b, float a)
{
    const float wanted[4] = { r, g, b, a };
    for (int i = 0; i < 4; i++) {
        ck_assert_float_eq_tol(colour[i], wanted[i], 1e-6f);
    }
}

CASE("formats");

TEST(sizes_are_those_of_the_pairs)
{
    ck_assert_uint_eq(weiri_image_texel_bytes(RGBA, UNORM8), 4);
    ck_assert_uint_eq(weiri_image_texel_bytes(RGBA, FLOAT), 16);
    ck_assert_uint_eq(weiri_image_texel_bytes(R, HALF), 2);
    ck_assert_uint_eq(weiri_image_texel_bytes(RGB, UNORM565), 2);
    ck_assert_uint_eq(weiri_image_texel_bytes(RGB, FLOAT), 0);  /* not allowed */
    ck_assert_uint_eq(weiri_image_texel_bytes(BGRA, FLOAT), 0); /* bytes only */
    ck_assert_uint_eq(weiri_image_texel_bytes(DEPTH, FLOAT), 4);
    ck_assert_uint_eq(weiri_image_texel_bytes(1, FLOAT), 0);
}

TEST(colours_are_unpacked)
{
    const uint8_t bytes[4] = { 255, 0, 51, 102 };
    float colour[4];
    weiri_image_unpack(RGBA, UNORM8, bytes, colour);
    expect_colour(colour, 1, 0, 0.2f, 0.4f);
    weiri_image_unpack(BGRA, UNORM8, bytes, colour);
    expect_colour(colour, 0.2f, 0, 1, 0.4f);
    weiri_image_unpack(R, UNORM8, bytes, colour);
    expect_colour(colour, 1, 0, 0, 1);
    weiri_image_unpack(A, UNORM8, bytes, colour);
    expect_colour(colour, 0, 0, 0, 1);
    weiri_image_unpack(LUMINANCE, UNORM8, bytes + 2, colour);
    expect_colour(colour, 0.2f, 0.2f, 0.2f, 1);
    const int8_t least = -128; /* as -127 */
    weiri_image_unpack(R, SNORM8, &least, colour);
    expect_colour(colour, -1, 0, 0, 1);
    const uint16_t word = 31 << 11 | 63; /* red, and all of green but its top bits */
    weiri_image_unpack(RGB, UNORM565, &word, colour);
    expect_colour(colour, 1, 1.0f / 63, 1, 1);
    const uint8_t grey[4] = { 188, 188, 188, 255 }; /* of sRGB: about a half */
    weiri_image_unpack(SRGBA, UNORM8, grey, colour);
    ck_assert_float_eq_tol(colour[0], 0.5f, 3e-3f);
}

TEST(colours_are_packed_to_the_nearest)
{
    const float colour[4] = { 0.5f, 2, -1, 0.4f };
    uint8_t bytes[4];
    weiri_image_pack(RGBA, UNORM8, colour, bytes);
    ck_assert_uint_eq(bytes[0], 128); /* 127.5: ties go to the even one */
    ck_assert_uint_eq(bytes[1], 255);
    ck_assert_uint_eq(bytes[2], 0);
    ck_assert_uint_eq(bytes[3], 102);
    const int32_t integers[4] = { -300, 0, 0, 0 };
    int8_t small;
    weiri_image_pack(R, SIGNED8, integers, &small);
    ck_assert_int_eq(small, -128);
    const uint32_t large[4] = { 70000, 0, 0, 0 };
    uint16_t two;
    weiri_image_pack(R, UNSIGNED16, large, &two);
    ck_assert_uint_eq(two, 65535);
}

TEST(halves_are_those_of_ieee)
{
    static const struct {
        float value;
        uint16_t bits;
    } rows[] = { { 0, 0 },
                 { 1, 0x3c00 },
                 { -2, 0xc000 },
                 { 65504, 0x7bff },
                 { 65520, 0x7c00 },
                 { 0x1p-24f, 1 },
                 { 0x1p-14f, 0x400 },
                 { 0x1.ff8p-15f, 0x3ff },
                 { 2049, 0x6800 } /* a tie: to the even one */,
                 { 2051, 0x6802 } };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const float colour[4] = { rows[i].value, 0, 0, 0 };
        uint16_t bits;
        float back[4];
        weiri_image_pack(R, HALF, colour, &bits);
        ck_assert_uint_eq(bits, rows[i].bits);
        weiri_image_unpack(R, HALF, &bits, back);
        ck_assert(back[0] == rows[i].value || i == 4 || i >= 8);
    }
}

CASE("samplers");

/* Two rows of three texels: 0 1 2, 3 4 5. */
static float texels[6] = { 0, 1, 2, 3, 4, 5 };
static const struct weiri_image plain
    = { texels,           WEIRI_IMAGE_2D, R, FLOAT, 3, 2, 1, 1, 3 * sizeof(float),
        6 * sizeof(float) };

static float sample(unsigned flags, float x, float y)
{
    float colour[4];
    weiri_texel_sample(&plain, flags | WEIRI_TEXEL_SAMPLED | WEIRI_TEXEL_KIND('f'), x,
                       y, 0, colour);
    return colour[0];
}

TEST(nearest_takes_the_texel_that_contains_the_place)
{
    unsigned edge = WEIRI_SAMPLER_NEAREST | WEIRI_SAMPLER_CLAMP_TO_EDGE;
    ck_assert_float_eq(sample(edge, 1.9f, 1.0f), 4);
    ck_assert_float_eq(sample(edge, -7, 9), 3);
    ck_assert_float_eq(sample(edge | WEIRI_SAMPLER_NORMALIZED, 0.99f, 0.49f), 2);
    ck_assert_float_eq(sample(WEIRI_SAMPLER_NEAREST | WEIRI_SAMPLER_CLAMP, 3.0f, 0), 0);
}

TEST(addresses_repeat_and_are_mirrored)
{
    unsigned repeat
        = WEIRI_SAMPLER_NEAREST | WEIRI_SAMPLER_NORMALIZED | WEIRI_SAMPLER_REPEAT;
    unsigned mirrored = WEIRI_SAMPLER_NEAREST | WEIRI_SAMPLER_NORMALIZED
        | WEIRI_SAMPLER_MIRRORED_REPEAT;
    ck_assert_float_eq(sample(repeat, 1.1f, 0), 0);
    ck_assert_float_eq(sample(repeat, -0.1f, 0), 2);
    ck_assert_float_eq(sample(mirrored, 1.1f, 0), 2);
    ck_assert_float_eq(sample(mirrored, -0.1f, 0), 0);
}

TEST(linear_weighs_the_texels_around)
{
    unsigned edge = WEIRI_SAMPLER_LINEAR | WEIRI_SAMPLER_CLAMP_TO_EDGE;
    unsigned border = WEIRI_SAMPLER_LINEAR | WEIRI_SAMPLER_CLAMP;
    ck_assert_float_eq_tol(sample(edge, 1.5f, 0.5f), 1, 1e-6f); /* a texel's middle */
    ck_assert_float_eq_tol(sample(edge, 2.0f, 0.5f), 1.5f, 1e-6f);
    ck_assert_float_eq_tol(sample(edge, 2.0f, 1.0f), 3, 1e-6f);
    ck_assert_float_eq_tol(sample(edge, 3.0f, 0.5f), 2, 1e-6f);
    ck_assert_float_eq_tol(sample(border, 3.0f, 0.5f), 1, 1e-6f); /* half of it */
}

TEST(the_layers_of_an_array_are_no_neighbours)
{
    struct weiri_image array = plain;
    array.form = WEIRI_IMAGE_1D_ARRAY;
    array.height = 1;
    array.layers = 2;
    array.slice_bytes = 3 * sizeof(float);
    unsigned how = WEIRI_SAMPLER_LINEAR | WEIRI_SAMPLER_CLAMP_TO_EDGE
        | WEIRI_TEXEL_SAMPLED | WEIRI_TEXEL_KIND('f');
    float colour[4];
    weiri_texel_sample(&array, how, 1.5f, 0.6f, 0, colour);
    ck_assert_float_eq_tol(colour[0], 4, 1e-6f); /* layer 1, the nearest to 0.6 */
    weiri_texel_sample(&array, how, 2.0f, 0.4f, 0, colour);
    ck_assert_float_eq_tol(colour[0], 1.5f, 1e-6f);
}

TEST(a_texel_that_is_written_is_read)
{
    struct weiri_image own = plain;
    float memory[6] = { 0 }, colour[4];
    own.data = memory;
    const float wanted[4] = { 7, 8, 9, 10 };
    weiri_texel_write(&own, WEIRI_TEXEL_KIND('f'), 2, 1, 0, wanted);
    weiri_texel_read(&own, WEIRI_TEXEL_KIND('f'), 2, 1, 0, colour);
    expect_colour(colour, 7, 0, 0, 1);
    ck_assert_float_eq(memory[5], 7);
}

MAIN("opencl-image")
