/* SPDX-License-Identifier: MIT
 *
 * rewrite.h: IR of OpenCL C as clang writes it for SPIR-V becomes IR of the machine
 * that Weir runs on: see docs/opencl.md, "From .cl to a kernel". It is text in and text
 * out, and knows no files. */
#ifndef WEIRI_REWRITE_H
#define WEIRI_REWRITE_H

#include <glib.h>
#include <stdbool.h>

#include "opencl/opencl.h"

/**
 * weiri_rewrite_kernel: a kernel as rewriting finds it
 * @kernel: strings and parameters are owned by the result; its @kernel is %NULL
 * @file: of its definition, with @line
 * @keeps: groups have arguments of their own, where K__keep() puts the addresses of
 *         their local memory
 */
struct weiri_rewrite_kernel {
    struct weiri_cl_kernel kernel;
    char *file;
    unsigned line;
    bool keeps;
};

/**
 * weiri_rewrite:
 * @text: of the module, in the machine's IR
 * @variables: a module that defines the program's variables in global memory, which all
 *             halves of a kernel share; or %NULL
 * @kernels: of struct weiri_rewrite_kernel, in the order of the source
 * @missing: what the module calls and cannot know, in words: builtins that Weir lacks
 */
struct weiri_rewrite {
    char *text;
    char *variables;
    GArray *kernels;
    GPtrArray *missing;
};

/** The C functions of the builtins, from their IR: by name, for weiri_rewrite_new().
 *  Returns: (transfer full) */
GHashTable *weiri_rewrite_prototypes(const char *builtins);

/**
 * weiri_rewrite_new:
 * @ir: of one source
 * @prototypes: of the builtins, compiled by the same clang
 * @checked: for the checked entries: every access of the source stays, and functions
 *           are marked for hooks. Else all is inlined
 * @number: of the source, from 0: its static names differ from those of other sources
 * @alone: it is the only source of its program
 */
struct weiri_rewrite *weiri_rewrite_new(const char *ir, GHashTable *prototypes,
                                        bool checked, unsigned number, bool alone);

void weiri_rewrite_free(struct weiri_rewrite *rewrite);

#endif
