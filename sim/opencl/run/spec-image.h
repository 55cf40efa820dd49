/* SPDX-License-Identifier: MIT
 *
 * spec-image.h: images and samplers as users write them: the type and number of texels,
 * and the flags of a sampler. weir-opencl(7) has the forms. */
#ifndef WEIRI_CL_SPEC_IMAGE_H
#define WEIRI_CL_SPEC_IMAGE_H

#include "opencl/device/image.h"

#include <glib.h>

/** Sets %WEIR_ERROR_ARGUMENT. Returns: false */
bool weiri_cl_spec_wrong(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

/**
 * weiri_cl_spec_form:
 * @type_name: of a parameter, without typedefs: "image2d_array_t"
 * @n_sizes: (out): the sizes that such an image has
 *
 * Returns: whether that is a type of images
 */
bool weiri_cl_spec_form(const char *type_name, enum weiri_image_form *form,
                        unsigned *n_sizes);

/**
 * weiri_cl_spec_image:
 * @channel: the kind of number in a channel: 'i', 'u' or 'f'; @bytes: its size
 * @n: how many channels a texel has
 * @words: the text after the type: ":unorm:bgra", or ""
 * @type_name: as above
 * @sizes: as many as the form has: width, height, depth or layers
 * @image: (out): without its data
 *
 * Errors: %WEIR_ERROR_ARGUMENT where OpenCL has no such image
 */
bool weiri_cl_spec_image(char channel, size_t bytes, unsigned n, const char *words,
                         const char *type_name, const size_t sizes[3],
                         struct weiri_image *image, GError **error);

/** The flags of "sampler" or "sampler:normalized:repeat:linear".
 *  Errors: %WEIR_ERROR_ARGUMENT where it is not of that form */
bool weiri_cl_spec_sampler(const char *text, uint64_t *flags, GError **error);

#endif
