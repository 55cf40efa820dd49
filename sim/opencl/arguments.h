/* SPDX-License-Identifier: MIT
 *
 * arguments.h: the head of a block of arguments: what a launch of OpenCL has and that
 * of Weir has not. The host and builtins.c share it, so there is C11 in it alone. */
#ifndef WEIRI_CL_ARGUMENTS_H
#define WEIRI_CL_ARGUMENTS_H

#include <stddef.h>
#include <stdint.h>

/**
 * weiri_cl_launch: the first member of each block of arguments; all in OpenCL's order,
 * so that dimension 0 is the fastest
 * @work_dim: 1 to 3
 * @reserved: 0
 * @offset: of global ids
 * @global: items; what is beyond @work_dim counts as 1
 * @local: items of a group, as clEnqueueNDRangeKernel() was given them: the last groups
 *         of a dimension are smaller where it does not divide @global. 0 in a
 *         dimension: weiri_cl_range() chooses
 */
struct weiri_cl_launch {
    uint32_t work_dim;
    uint32_t reserved;
    size_t offset[3];
    size_t global[3];
    size_t local[3];
};

#endif
