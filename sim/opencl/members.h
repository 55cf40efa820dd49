/* SPDX-License-Identifier: MIT
 *
 * members.h: the numbers that a struct is made of. */
#ifndef WEIRI_CL_MEMBERS_H
#define WEIRI_CL_MEMBERS_H

#include "opencl/arguments.h"
#include "opencl/ir.h"

/** The numbers that parameter @index of a function is made of, in the order of memory.
 *  @subprogram: its debug information, or %NULL
 *  Returns: (transfer full): of struct weiri_cl_scalar */
GArray *weiri_cl_members(const struct weiri_ir_tables *tables, const char *subprogram,
                         guint index);

#endif
