/* SPDX-License-Identifier: MIT
 *
 * texel.h: reads and writes of images by work-items. The builtins include it, so there
 * is C11 in it alone. Images are struct weiri_image of image.h. */
#ifndef WEIRI_TEXEL_H
#define WEIRI_TEXEL_H

#include <stddef.h>
#include <stdint.h>

/* The properties of a call: the flags of its sampler, and these. */
#define WEIRI_TEXEL_KIND(letter) ((uint32_t)(letter) << 8) /* 'f', 'i', 'u' */
#define WEIRI_TEXEL_SAMPLED (UINT32_C(1) << 16)

/* By coordinates of the image: of an array, the last one is the layer. A result or a
 * colour is four words, of floats or integers. */
void weiri_texel_sample(const void *image, uint32_t how, float x, float y, float z,
                        void *colour);
void weiri_texel_read(const void *image, uint32_t how, int x, int y, int z,
                      void *colour);
void weiri_texel_write(void *image, uint32_t how, int x, int y, int z,
                       const void *colour);

enum weiri_texel_number {
    WEIRI_TEXEL_WIDTH,
    WEIRI_TEXEL_HEIGHT,
    WEIRI_TEXEL_DEPTH,
    WEIRI_TEXEL_LAYERS,
    WEIRI_TEXEL_ORDER,
    WEIRI_TEXEL_TYPE,
};
size_t weiri_texel_number(const void *image, enum weiri_texel_number which);

#endif
