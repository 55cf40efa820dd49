/* SPDX-License-Identifier: MIT
 *
 * list.h: the output of `weir list FILE.cl` and `weir list --opencl`: the kernels of a
 * file, and their compiler. */
#ifndef WEIRI_CL_LIST_H
#define WEIRI_CL_LIST_H

#include "opencl/opencl.h"

/** "global const int *in": as a source declares it. Returns: (transfer full) */
char *weiri_cl_list_declaration(const struct weiri_cl_parameter *parameter);

/** "sum.cl:tree --global N --arg 'int[N]'": what follows `weir check`; @global and
 *  @local as a user has given them, or %NULL. Returns: (transfer full) */
char *weiri_cl_list_line(const char *file, const struct weiri_cl_kernel *kernel,
                         const char *global, const char *local);

/** The kernels of @file, @n of them: their parameters, and what to give for each.
 *  Returns: (transfer full) */
char *weiri_cl_list_kernels(const char *file, const struct weiri_cl_kernel *kernels,
                            size_t n, bool json);

/**
 * weiri_cl_list_about:
 *
 * The compiler of kernels here, and the things that kernels may use: versions,
 * extensions, features.
 *
 * Returns: (transfer full); or %NULL with an error of weiri_cl_tools_find()
 */
char *weiri_cl_list_about(const struct weiri_cl_facts *facts, bool json,
                          GError **error);

#endif
