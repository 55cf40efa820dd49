/* SPDX-License-Identifier: MIT
 *
 * arguments.h: the description of a kernel, and the head of a block of its arguments,
 * which has the parts of an OpenCL launch that a launch of Weir lacks. The host shares
 * this header with code that is compiled with kernels, so it is plain C11. */
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

/**
 * weiri_cl_kind: what an argument is, and what the block of arguments holds for it
 * @WEIRI_CL_VALUE: a number, a vector or a struct: its bytes
 * @WEIRI_CL_GLOBAL: a pointer to global memory: a `void *`
 * @WEIRI_CL_CONSTANT: a pointer to constant memory: a `void *`
 * @WEIRI_CL_LOCAL: a pointer to local memory: a `size_t`, the number of bytes
 * @WEIRI_CL_IMAGE: an image: a `void *`, which the builtins of images take
 * @WEIRI_CL_SAMPLER: a sampler: a `uint32_t` of CLK_… flags, in the low half of 8 bytes
 * @WEIRI_CL_PIPE: a pipe: a `void *`
 * @WEIRI_CL_QUEUE: a queue of the device: a `void *`
 */
enum weiri_cl_kind {
    WEIRI_CL_VALUE,
    WEIRI_CL_GLOBAL,
    WEIRI_CL_CONSTANT,
    WEIRI_CL_LOCAL,
    WEIRI_CL_IMAGE,
    WEIRI_CL_SAMPLER,
    WEIRI_CL_PIPE,
    WEIRI_CL_QUEUE,
};

/**
 * weiri_cl_scalar: a number in a struct
 * @offset: in the struct, in bytes
 * @bytes: 1, 2, 4 or 8
 * @floating: 1 of a floating-point number, else 0
 */
struct weiri_cl_scalar {
    uint32_t offset;
    uint8_t bytes;
    uint8_t floating;
};

/**
 * weiri_cl_parameter:
 * @name: as in the source
 * @type_name: as in the source, with typedefs: "float4*", "settings"
 * @base_type_name: without typedefs
 * @access: of an image or a pipe: "read_only", "write_only", "read_write"; else "none"
 * @qualifiers: of the type: "const restrict volatile pipe", those that it has; or ""
 * @kind: what it is
 * @offset: in the block of arguments, in bytes
 * @bytes: the size that the caller gives clSetKernelArg(): the value's; 8 for a
 *         pointer, an image or a sampler; any for a local pointer
 * @alignment: of a pointer: the alignment of its target, or 1 if not known; of a value:
 *             its own
 * @pointee_bytes: of a pointer: the size of its target; 0 if it is not known
 * @scalars: of a struct: the numbers that it is made of, @n_scalars of them, including
 *           numbers in nested structs, arrays and vectors, in the order of memory
 */
struct weiri_cl_parameter {
    const char *name;
    const char *type_name;
    const char *base_type_name;
    const char *access;
    const char *qualifiers;
    enum weiri_cl_kind kind;
    size_t offset;
    size_t bytes;
    size_t alignment;
    size_t pointee_bytes;
    const struct weiri_cl_scalar *scalars;
    size_t n_scalars;
};

/**
 * weiri_cl_kernel: all of it is borrowed from the module
 * @name: as in the source
 * @kernel: of Weir, which a launch takes
 * @args_bytes: of the block of arguments, which begins with struct weiri_cl_launch
 * @parameters: @n_parameters of them
 * @required_local: of reqd_work_group_size; 0, 0, 0 without it
 * @hinted_local: of work_group_size_hint, likewise
 * @vector_hint: of vec_type_hint: "float4"; or %NULL
 * @attributes: as CL_KERNEL_ATTRIBUTES has them: "reqd_work_group_size(8,1,1)"; or ""
 * @local_bytes: of local memory that its variables take, including variables of kernels
 *               that it calls, without arguments
 * @private_bytes: of private memory that the variables of an item take, about
 * @uneven: not 0: the last groups of a dimension may have fewer items, as from OpenCL
 *          C 2.0 on without -cl-uniform-work-group-size
 */
struct weiri_cl_kernel {
    const char *name;
    const struct weir_kernel *kernel;
    size_t args_bytes;
    size_t n_parameters;
    const struct weiri_cl_parameter *parameters;
    size_t required_local[3];
    size_t hinted_local[3];
    const char *vector_hint;
    const char *attributes;
    size_t local_bytes;
    size_t private_bytes;
    int uneven;
};

#endif
