/* SPDX-License-Identifier: MIT
 *
 * spec-image.c: see spec-image.h. A texel is written as the vector that memory has, so
 * that a type of elements says its channels: `uchar4` is CL_RGBA with CL_UNSIGNED_INT8.
 * Words after it give the bytes another meaning: `uchar4:unorm:bgra`. */
#include "config.h"

#include "opencl/run/spec-image.h"

#include "weir.h"

#include <string.h>

bool weiri_cl_spec_wrong(GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT, text);
    return false;
}

static const struct {
    const char *type_name;
    enum weiri_image_form form;
    unsigned n_sizes;
    bool depth;
} forms[] = {
    { "image1d_t", WEIRI_IMAGE_1D, 1, false },
    { "image1d_buffer_t", WEIRI_IMAGE_1D_BUFFER, 1, false },
    { "image1d_array_t", WEIRI_IMAGE_1D_ARRAY, 2, false },
    { "image2d_t", WEIRI_IMAGE_2D, 2, false },
    { "image2d_depth_t", WEIRI_IMAGE_2D, 2, true },
    { "image2d_array_t", WEIRI_IMAGE_2D_ARRAY, 3, false },
    { "image2d_array_depth_t", WEIRI_IMAGE_2D_ARRAY, 3, true },
    { "image3d_t", WEIRI_IMAGE_3D, 3, false },
};

/* The row of a type; G_N_ELEMENTS(forms) if it has none. */
static size_t row_of(const char *type_name)
{
    size_t i = 0;
    while (i < G_N_ELEMENTS(forms) && strcmp(forms[i].type_name, type_name) != 0) {
        i++;
    }
    return i;
}

bool weiri_cl_spec_form(const char *type_name, enum weiri_image_form *form,
                        unsigned *n_sizes)
{
    size_t row = row_of(type_name);
    if (row == G_N_ELEMENTS(forms)) {
        return false;
    }
    *form = forms[row].form;
    *n_sizes = forms[row].n_sizes;
    return true;
}

/* ---- Texels ---------------------------------------------------------------------- */

/* The number of the type of such channels, which may be "unorm", "snorm" or NULL. */
static uint32_t type_of(char channel, size_t bytes, const char *norm)
{
    if (channel == 'f') {
        return norm != NULL ? 0
            : bytes == 2    ? weiri_image_type_named("half_float")
            : bytes == 4    ? weiri_image_type_named("float")
                            : 0;
    }
    bool is_signed = channel == 'i';
    if (norm != NULL && (norm[0] == 's') != is_signed) {
        return 0;
    }
    g_autofree char *name = g_strdup_printf(
        "%s_int%zu", norm != NULL ? norm : (is_signed ? "signed" : "unsigned"),
        8 * bytes);
    return weiri_image_type_named(name);
}

/* Reads ":unorm:bgra" to what is already there. */
static bool read_words(const char *words, const char **norm, uint32_t *order,
                       GError **error)
{
    g_auto(GStrv) list = g_strsplit(words, ":", -1);
    for (size_t i = 1; list[0] != NULL && list[i] != NULL; i++) {
        uint32_t named = weiri_image_order_named(list[i]);
        if (strcmp(list[i], "unorm") == 0 || strcmp(list[i], "snorm") == 0) {
            *norm = list[i][0] == 'u' ? "unorm" : "snorm";
        } else if (named != 0) {
            *order = named;
        } else {
            return weiri_cl_spec_wrong(
                error,
                "'%s' is not a property of texels: give unorm, snorm, or an order of "
                "channels such as bgra",
                list[i]);
        }
    }
    return true;
}

bool weiri_cl_spec_image(char channel, size_t bytes, unsigned n, const char *words,
                         const char *type_name, const size_t sizes[3],
                         struct weiri_image *image, GError **error)
{
    static const char *const usual[] = { "", "r", "rg", "", "rgba" };
    size_t row = row_of(type_name);
    const char *norm = NULL;
    uint32_t order = forms[row].depth ? weiri_image_order_named("depth")
        : n < G_N_ELEMENTS(usual)     ? weiri_image_order_named(usual[n])
                                      : 0;
    if (!read_words(words, &norm, &order, error)) {
        return false;
    }
    uint32_t type = type_of(channel, bytes, norm);
    size_t texel_bytes = order != 0 ? weiri_image_texel_bytes(order, type) : 0;
    if (texel_bytes == 0 || texel_bytes != bytes * n) {
        return weiri_cl_spec_wrong(error, "OpenCL has no image of such texels");
    }
    *image = (struct weiri_image){ .form = forms[row].form,
                                   .order = order,
                                   .type = type,
                                   .width = sizes[0],
                                   .height = 1,
                                   .depth = 1,
                                   .layers = 1,
                                   .row_bytes = sizes[0] * texel_bytes };
    bool rows = forms[row].n_sizes > 1 && forms[row].form != WEIRI_IMAGE_1D_ARRAY;
    image->slice_bytes = image->row_bytes * (rows ? sizes[1] : 1);
    if (rows) {
        image->height = sizes[1];
    }
    if (forms[row].form == WEIRI_IMAGE_3D) {
        image->depth = sizes[2];
    } else if (forms[row].form == WEIRI_IMAGE_1D_ARRAY) {
        image->layers = sizes[1];
    } else if (forms[row].form == WEIRI_IMAGE_2D_ARRAY) {
        image->layers = sizes[2];
    }
    return true;
}

/* ---- Samplers -------------------------------------------------------------------- */

bool weiri_cl_spec_sampler(const char *text, uint64_t *flags, GError **error)
{
    static const struct {
        const char *word;
        uint64_t mask, flags;
    } words[] = {
        { "unnormalized", WEIRI_SAMPLER_NORMALIZED, 0 },
        { "normalized", WEIRI_SAMPLER_NORMALIZED, WEIRI_SAMPLER_NORMALIZED },
        { "none", WEIRI_SAMPLER_ADDRESS, WEIRI_SAMPLER_ADDRESS_NONE },
        { "clamp_to_edge", WEIRI_SAMPLER_ADDRESS, WEIRI_SAMPLER_CLAMP_TO_EDGE },
        { "clamp", WEIRI_SAMPLER_ADDRESS, WEIRI_SAMPLER_CLAMP },
        { "repeat", WEIRI_SAMPLER_ADDRESS, WEIRI_SAMPLER_REPEAT },
        { "mirrored_repeat", WEIRI_SAMPLER_ADDRESS, WEIRI_SAMPLER_MIRRORED_REPEAT },
        { "nearest", WEIRI_SAMPLER_NEAREST | WEIRI_SAMPLER_LINEAR,
          WEIRI_SAMPLER_NEAREST },
        { "linear", WEIRI_SAMPLER_NEAREST | WEIRI_SAMPLER_LINEAR,
          WEIRI_SAMPLER_LINEAR },
    };
    g_auto(GStrv) list = g_strsplit(text, ":", -1);
    if (list[0] == NULL || strcmp(list[0], "sampler") != 0) {
        return weiri_cl_spec_wrong(error,
                                   "a sampler takes sampler, or words such as "
                                   "sampler:normalized:repeat:linear");
    }
    *flags = WEIRI_SAMPLER_CLAMP_TO_EDGE | WEIRI_SAMPLER_NEAREST;
    for (size_t i = 1; list[i] != NULL; i++) {
        size_t k = 0;
        while (k < G_N_ELEMENTS(words) && strcmp(words[k].word, list[i]) != 0) {
            k++;
        }
        if (k == G_N_ELEMENTS(words)) {
            return weiri_cl_spec_wrong(
                error,
                "'%s' is not a property of a sampler: give normalized, none, "
                "clamp_to_edge, clamp, repeat, mirrored_repeat, nearest or linear",
                list[i]);
        }
        *flags = (*flags & ~words[k].mask) | words[k].flags;
    }
    uint64_t address = *flags & WEIRI_SAMPLER_ADDRESS;
    if ((address == WEIRI_SAMPLER_REPEAT || address == WEIRI_SAMPLER_MIRRORED_REPEAT)
        && (*flags & WEIRI_SAMPLER_NORMALIZED) == 0) {
        return weiri_cl_spec_wrong(
            error,
            "a sampler that repeats has normalized coordinates: add "
            ":normalized");
    }
    return true;
}
