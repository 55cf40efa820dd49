/* SPDX-License-Identifier: MIT
 *
 * icd-image.h: images: memory objects with a form and a format. */
#ifndef WEIRI_ICD_IMAGE_H
#define WEIRI_ICD_IMAGE_H

#include "opencl/device/image.h"
#include "opencl/platform/icd-memory.h"

struct weiri_icd_image {
    struct weiri_image texels; /* first: what kernels are given */
    cl_image_format format;
    size_t texel_bytes;
};

/** Texels, rows or layers of an array of rows, and slices or layers. */
void weiri_icd_image_size(const struct weiri_icd_image *image, size_t size[3]);

#endif
