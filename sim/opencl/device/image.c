/* SPDX-License-Identifier: MIT
 *
 * image.c: see image.h: how texels lie in memory. Follows [CL30C] 8.3 for conversions,
 * and [CL30] 5.3.1.1 for the pairs of order and type.
 *
 * An order states which of red, green, blue and alpha the channels in memory are, and
 * the values of the channels that it lacks. */
#include "config.h"

#include "opencl/device/image.h"

#include <glib.h>
#include <math.h>
#include <string.h>

/* As CL/cl.h has them, which may not be here. */
enum {
    CL_R = 0x10B0,
    CL_A,
    CL_RG,
    CL_RA,
    CL_RGB,
    CL_RGBA,
    CL_BGRA,
    CL_ARGB,
    CL_INTENSITY,
    CL_LUMINANCE,
    CL_DEPTH = 0x10BD,
    CL_sRGBA = 0x10C1,
    CL_sBGRA,
    CL_ABGR,

    CL_SNORM_INT8 = 0x10D0,
    CL_SNORM_INT16,
    CL_UNORM_INT8,
    CL_UNORM_INT16,
    CL_UNORM_SHORT_565,
    CL_UNORM_SHORT_555,
    CL_UNORM_INT_101010,
    CL_SIGNED_INT8,
    CL_SIGNED_INT16,
    CL_SIGNED_INT32,
    CL_UNSIGNED_INT8,
    CL_UNSIGNED_INT16,
    CL_UNSIGNED_INT32,
    CL_HALF_FLOAT,
    CL_FLOAT,
};

/* ---- Orders ------------------------------------------------------------------ */

/* @channels: by place in memory, the index of what it is in a colour; INTENSITY and
 * LUMINANCE put theirs into several. */
struct order {
    uint32_t order;
    const char *name;
    unsigned n;
    uint8_t channels[4];
    bool alpha_is_one; /* where it has none */
    bool srgb;
};

enum { RED, GREEN, BLUE, ALPHA };

static const struct order orders[] = {
    { CL_R, "r", 1, { RED }, true, false },
    { CL_A, "a", 1, { ALPHA }, false, false },
    { CL_RG, "rg", 2, { RED, GREEN }, true, false },
    { CL_RA, "ra", 2, { RED, ALPHA }, false, false },
    { CL_RGB, "rgb", 3, { RED, GREEN, BLUE }, true, false },
    { CL_RGBA, "rgba", 4, { RED, GREEN, BLUE, ALPHA }, false, false },
    { CL_BGRA, "bgra", 4, { BLUE, GREEN, RED, ALPHA }, false, false },
    { CL_ARGB, "argb", 4, { ALPHA, RED, GREEN, BLUE }, false, false },
    { CL_ABGR, "abgr", 4, { ALPHA, BLUE, GREEN, RED }, false, false },
    { CL_INTENSITY, "intensity", 1, { RED }, false, false },
    { CL_LUMINANCE, "luminance", 1, { RED }, true, false },
    { CL_DEPTH, "depth", 1, { RED }, true, false },
    { CL_sRGBA, "srgba", 4, { RED, GREEN, BLUE, ALPHA }, false, true },
    { CL_sBGRA, "sbgra", 4, { BLUE, GREEN, RED, ALPHA }, false, true },
};

static const struct order *order_of(uint32_t order)
{
    for (size_t i = 0; i < G_N_ELEMENTS(orders); i++) {
        if (orders[i].order == order) {
            return &orders[i];
        }
    }
    return NULL;
}

uint32_t weiri_image_order_named(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(orders); i++) {
        if (strcmp(orders[i].name, name) == 0) {
            return orders[i].order;
        }
    }
    return 0;
}

/* ---- Types ------------------------------------------------------------------ */

uint32_t weiri_image_type_named(const char *name)
{
    static const struct {
        const char *name;
        uint32_t type;
    } types[] = {
        { "snorm_int8", CL_SNORM_INT8 },
        { "snorm_int16", CL_SNORM_INT16 },
        { "unorm_int8", CL_UNORM_INT8 },
        { "unorm_int16", CL_UNORM_INT16 },
        { "signed_int8", CL_SIGNED_INT8 },
        { "signed_int16", CL_SIGNED_INT16 },
        { "signed_int32", CL_SIGNED_INT32 },
        { "unsigned_int8", CL_UNSIGNED_INT8 },
        { "unsigned_int16", CL_UNSIGNED_INT16 },
        { "unsigned_int32", CL_UNSIGNED_INT32 },
        { "half_float", CL_HALF_FLOAT },
        { "float", CL_FLOAT },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
        if (strcmp(types[i].name, name) == 0) {
            return types[i].type;
        }
    }
    return 0;
}

static size_t channel_bytes(uint32_t type)
{
    switch (type) {
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8:
        return 1;
    case CL_SNORM_INT16:
    case CL_UNORM_INT16:
    case CL_SIGNED_INT16:
    case CL_UNSIGNED_INT16:
    case CL_HALF_FLOAT:
        return 2;
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
    case CL_FLOAT:
        return 4;
    default:
        return 0;
    }
}

char weiri_image_kind(uint32_t type)
{
    switch (type) {
    case CL_SIGNED_INT8:
    case CL_SIGNED_INT16:
    case CL_SIGNED_INT32:
        return 'i';
    case CL_UNSIGNED_INT8:
    case CL_UNSIGNED_INT16:
    case CL_UNSIGNED_INT32:
        return 'u';
    case CL_UNORM_SHORT_565:
    case CL_UNORM_SHORT_555:
    case CL_UNORM_INT_101010:
        return 'f';
    default:
        return channel_bytes(type) != 0 ? 'f' : 0;
    }
}

bool weiri_image_has_alpha(uint32_t order)
{
    const struct order *known = order_of(order);
    return known != NULL && !known->alpha_is_one;
}

size_t weiri_image_texel_bytes(uint32_t order, uint32_t type)
{
    const struct order *known = order_of(order);
    if (known == NULL) {
        return 0;
    }
    size_t bytes = channel_bytes(type) * known->n;
    switch (order) {
    case CL_RGB: /* three channels in one word */
        return type == CL_UNORM_SHORT_565 || type == CL_UNORM_SHORT_555 ? 2
            : type == CL_UNORM_INT_101010                               ? 4
                                                                        : 0;
    case CL_INTENSITY:
    case CL_LUMINANCE:
        return weiri_image_kind(type) == 'f' ? bytes : 0;
    case CL_BGRA:
    case CL_ARGB:
    case CL_ABGR:
        return channel_bytes(type) == 1 ? bytes : 0;
    case CL_sRGBA:
    case CL_sBGRA:
        return type == CL_UNORM_INT8 ? bytes : 0;
    case CL_DEPTH:
        return type == CL_UNORM_INT16 || type == CL_FLOAT ? bytes : 0;
    default:
        return bytes;
    }
}

/* ---- Numbers ---------------------------------------------------------------- */

float weiri_image_half_value(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    float value = exponent == 31 ? (fraction != 0 ? NAN : INFINITY)
        : exponent == 0          ? ldexpf((float)fraction, -24)
                                 : ldexpf((float)(1024 + fraction), exponent - 25);
    return bits >> 15 ? -value : value;
}

/* To the nearest, ties to even, as the default rounding of rintf(). */
uint16_t weiri_image_half(float value)
{
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    float size = fabsf(value);
    if (isnan(value)) {
        return sign | 0x7e00;
    }
    if (size >= 65520.0f) {
        return sign | 0x7c00;
    }
    int exponent;
    (void)frexpf(size, &exponent); /* size is in [2^(exponent-1), 2^exponent) */
    exponent = size == 0 ? -14 : MAX(exponent - 1, -14);
    uint32_t steps = (uint32_t)rintf(ldexpf(size, 10 - exponent));
    /* a carry from the fraction goes into the exponent */
    return sign | (uint16_t)((uint32_t)(exponent + 14) * 1024 + steps);
}

static float saturate(float value, float least, float greatest)
{
    return isnan(value)    ? 0
        : value < least    ? least
        : value > greatest ? greatest
                           : value;
}

static float from_srgb(float value)
{
    return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

static float to_srgb(float value)
{
    float linear = saturate(value, 0, 1);
    return linear < 0.0031308f ? 12.92f * linear
                               : 1.055f * powf(linear, 1 / 2.4f) - 0.055f;
}

/* A channel of a texel, as four bytes: of a float or an integer. */
static uint32_t unpack_channel(uint32_t type, const char *at)
{
    int8_t i8;
    int16_t i16;
    uint8_t u8;
    uint16_t u16;
    uint32_t word;
    float value = 0;
    switch (type) {
    case CL_SNORM_INT8:
        memcpy(&i8, at, sizeof(i8));
        value = fmaxf((float)i8 / 127.0f, -1);
        break;
    case CL_SNORM_INT16:
        memcpy(&i16, at, sizeof(i16));
        value = fmaxf((float)i16 / 32767.0f, -1);
        break;
    case CL_UNORM_INT8:
        memcpy(&u8, at, sizeof(u8));
        value = (float)u8 / 255.0f;
        break;
    case CL_UNORM_INT16:
        memcpy(&u16, at, sizeof(u16));
        value = (float)u16 / 65535.0f;
        break;
    case CL_HALF_FLOAT:
        memcpy(&u16, at, sizeof(u16));
        value = weiri_image_half_value(u16);
        break;
    case CL_SIGNED_INT8:
        memcpy(&i8, at, sizeof(i8));
        return (uint32_t)(int32_t)i8;
    case CL_SIGNED_INT16:
        memcpy(&i16, at, sizeof(i16));
        return (uint32_t)(int32_t)i16;
    case CL_UNSIGNED_INT8:
        memcpy(&u8, at, sizeof(u8));
        return u8;
    case CL_UNSIGNED_INT16:
        memcpy(&u16, at, sizeof(u16));
        return u16;
    default: /* 32 bits as they are */
        memcpy(&word, at, sizeof(word));
        return word;
    }
    memcpy(&word, &value, sizeof(word));
    return word;
}

static void pack_channel(uint32_t type, uint32_t word, char *at)
{
    float value;
    memcpy(&value, &word, sizeof(value));
    int32_t integer = (int32_t)word;
    int8_t i8;
    int16_t i16;
    uint8_t u8;
    uint16_t u16;
    switch (type) {
    case CL_SNORM_INT8:
        i8 = (int8_t)rintf(saturate(value * 127.0f, -128, 127));
        memcpy(at, &i8, sizeof(i8));
        break;
    case CL_SNORM_INT16:
        i16 = (int16_t)rintf(saturate(value * 32767.0f, -32768, 32767));
        memcpy(at, &i16, sizeof(i16));
        break;
    case CL_UNORM_INT8:
        u8 = (uint8_t)rintf(saturate(value * 255.0f, 0, 255));
        memcpy(at, &u8, sizeof(u8));
        break;
    case CL_UNORM_INT16:
        u16 = (uint16_t)rintf(saturate(value * 65535.0f, 0, 65535));
        memcpy(at, &u16, sizeof(u16));
        break;
    case CL_HALF_FLOAT:
        u16 = weiri_image_half(value);
        memcpy(at, &u16, sizeof(u16));
        break;
    case CL_SIGNED_INT8:
        i8 = (int8_t)CLAMP(integer, INT8_MIN, INT8_MAX);
        memcpy(at, &i8, sizeof(i8));
        break;
    case CL_SIGNED_INT16:
        i16 = (int16_t)CLAMP(integer, INT16_MIN, INT16_MAX);
        memcpy(at, &i16, sizeof(i16));
        break;
    case CL_UNSIGNED_INT8:
        u8 = (uint8_t)MIN(word, UINT8_MAX);
        memcpy(at, &u8, sizeof(u8));
        break;
    case CL_UNSIGNED_INT16:
        u16 = (uint16_t)MIN(word, UINT16_MAX);
        memcpy(at, &u16, sizeof(u16));
        break;
    default:
        memcpy(at, &word, sizeof(word));
        break;
    }
}

/* ---- Three channels in a word ----------------------------------------------- */

/* The bits of red, green and blue, from the most significant bit. Returns: false for
 * another type */
static bool packed_bits(uint32_t type, unsigned bits[3], size_t *bytes)
{
    if (type != CL_UNORM_SHORT_565 && type != CL_UNORM_SHORT_555
        && type != CL_UNORM_INT_101010) {
        return false;
    }
    bits[0] = bits[1] = bits[2] = type == CL_UNORM_INT_101010 ? 10 : 5;
    bits[1] += type == CL_UNORM_SHORT_565;
    *bytes = type == CL_UNORM_INT_101010 ? 4 : 2;
    return true;
}

static void unpack_word(const unsigned bits[3], size_t bytes, const void *texel,
                        float colour[4])
{
    uint32_t word = 0;
    memcpy(&word, texel, bytes); /* the least significant byte is first */
    for (unsigned i = 3; i-- > 0; word >>= bits[i]) {
        uint32_t most = (1u << bits[i]) - 1;
        colour[i] = (float)(word & most) / (float)most;
    }
    colour[ALPHA] = 1;
}

static void pack_word(const unsigned bits[3], size_t bytes, const float colour[4],
                      void *texel)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t most = (1u << bits[i]) - 1;
        word = word << bits[i]
            | (uint32_t)rintf(saturate(colour[i] * (float)most, 0, (float)most));
    }
    memcpy(texel, &word, bytes);
}

/* ---- Texels ----------------------------------------------------------------- */

void weiri_image_unpack(uint32_t order, uint32_t type, const void *texel, void *colour)
{
    const struct order *known = order_of(order);
    bool real = weiri_image_kind(type) == 'f';
    unsigned bits[3];
    size_t bytes;
    if (packed_bits(type, bits, &bytes)) {
        unpack_word(bits, bytes, texel, colour);
        return;
    }
    uint32_t words[4] = { 0 };
    const float one = 1;
    if (known->alpha_is_one && real) {
        memcpy(&words[ALPHA], &one, sizeof(one));
    } else {
        words[ALPHA] = known->alpha_is_one;
    }
    for (unsigned i = 0; i < known->n; i++) {
        words[known->channels[i]]
            = unpack_channel(type, (const char *)texel + i * channel_bytes(type));
    }
    if (order == CL_INTENSITY || order == CL_LUMINANCE) {
        words[GREEN] = words[BLUE] = words[RED];
    }
    if (order == CL_INTENSITY) {
        words[ALPHA] = words[RED];
    }
    memcpy(colour, words, sizeof(words));
    float *values = colour;
    for (unsigned i = RED; known->srgb && i < ALPHA; i++) {
        values[i] = from_srgb(values[i]);
    }
}

void weiri_image_pack(uint32_t order, uint32_t type, const void *colour, void *texel)
{
    const struct order *known = order_of(order);
    unsigned bits[3];
    size_t bytes;
    if (packed_bits(type, bits, &bytes)) {
        pack_word(bits, bytes, colour, texel);
        return;
    }
    for (unsigned i = 0; i < known->n; i++) {
        uint32_t word;
        unsigned channel = known->channels[i];
        memcpy(&word, (const char *)colour + channel * sizeof(word), sizeof(word));
        if (known->srgb && channel != ALPHA) {
            float value;
            memcpy(&value, &word, sizeof(value));
            value = to_srgb(value);
            memcpy(&word, &value, sizeof(word));
        }
        pack_channel(type, word, (char *)texel + i * channel_bytes(type));
    }
}
