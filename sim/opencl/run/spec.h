/* SPDX-License-Identifier: MIT
 *
 * spec.h: the text that a user writes for an argument of a kernel, such as
 * `float[16]=iota`. docs/opencl.md and weir-opencl(7) have the forms. */
#ifndef WEIRI_CL_SPEC_H
#define WEIRI_CL_SPEC_H

#include "opencl/device/image.h"
#include "opencl/opencl.h"

enum weiri_cl_spec_kind {
    WEIRI_CL_SPEC_VALUE,
    WEIRI_CL_SPEC_BUFFER,
    WEIRI_CL_SPEC_IMAGE,
    WEIRI_CL_SPEC_LOCAL,
    WEIRI_CL_SPEC_NULL,
};

/**
 * weiri_cl_spec:
 * @bytes: of a value, a buffer or an image: its size; of local memory: how much the
 *         group has
 * @n: of a buffer: its elements; of an image: its texels
 * @data: of a value, and of a buffer or an image that is initialised: the contents;
 *        else %NULL
 * @type: of a buffer: the type of an element, "float4"; of an image: the type of a
 *        texel; static
 * @image: of an image: its description; the caller sets its data
 */
struct weiri_cl_spec {
    enum weiri_cl_spec_kind kind;
    size_t bytes;
    size_t n;
    void *data;
    const char *type;
    struct weiri_image image;
};

/**
 * weiri_cl_spec_read:
 * @text: as given
 * @parameter: the parameter that it is for
 * @number: of the parameter; the seed of =random
 *
 * Returns: false with %WEIR_ERROR_ARGUMENT, or an error of GFileError, if @text is
 *          malformed, or does not fit the parameter
 */
bool weiri_cl_spec_read(const char *text, const struct weiri_cl_parameter *parameter,
                        size_t number, struct weiri_cl_spec *spec, GError **error);

void weiri_cl_spec_clear(struct weiri_cl_spec *spec);

/** "4", "{1,2,3,4}", "float[N]", "local[BYTES]": what could be given for it.
 *  Returns: (transfer full) */
char *weiri_cl_spec_example(const struct weiri_cl_parameter *parameter);

/** "int{1,2,3}": the contents of a buffer. Returns: (transfer full) */
char *weiri_cl_spec_text(const char *type, const void *data, size_t n);

#endif
