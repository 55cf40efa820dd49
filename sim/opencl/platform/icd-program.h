/* SPDX-License-Identifier: MIT
 *
 * icd-program.h: programs. A program is the sources that it was made of; building it
 * makes a module of them (opencl.h). So the result of compiling alone, and a binary,
 * are also sources with their options: icd-binary.c. */
#ifndef WEIRI_ICD_PROGRAM_H
#define WEIRI_ICD_PROGRAM_H

#include "opencl/opencl.h"
#include "opencl/platform/icd.h"

/* One of the sources of a program. */
struct weiri_icd_part {
    char *name; /* or NULL */
    char *text;
    GPtrArray *headers; /* of struct weiri_icd_part, owned; of clCompileProgram() */
};

struct _cl_program {
    struct weiri_icd_object object;
    cl_context context;
    char *source;     /* as it was given, or NULL */
    GPtrArray *parts; /* of struct weiri_icd_part, owned */
    cl_program_binary_type type;
    cl_build_status status;
    char *options; /* of the last build, or NULL */
    GString *log;
    struct weiri_cl_module *module; /* or NULL */
    cl_uint n_kernels;              /* kernel objects that there are */
};

struct weiri_icd_part *weiri_icd_part(const char *name, const char *text);
struct weiri_icd_part *weiri_icd_part_copy(const struct weiri_icd_part *part);
void weiri_icd_part_free(void *part);

cl_program weiri_icd_program(cl_context context);

/** In icd-source.c: the file that has this text, if the program has read it from a file
 *  near by. Returns: (transfer full): its path, or %NULL */
char *weiri_icd_find_source(const char *text, size_t bytes);

/** In icd-binary.c: a program as bytes, and back: %NULL if they are not a program. */
GBytes *weiri_icd_to_binary(const struct _cl_program *program);
bool weiri_icd_from_binary(struct _cl_program *program, const unsigned char *data,
                           size_t bytes);

#endif
