/* SPDX-License-Identifier: MIT
 *
 * kernels.h: a kernel, as rewriting finds it. */
#ifndef WEIR_OPENCL_CC_KERNELS_H
#define WEIR_OPENCL_CC_KERNELS_H

#include "opencl-cc/clc.h"

#include "opencl/device/arguments.h"

/**
 * weiri_clc_kernel:
 * @kernel: strings and parameters are owned; its @kernel is %NULL
 * @file: of its definition, with @line
 * @keeps: groups have arguments of their own, where K__keep() puts the addresses of
 *         their local memory
 * @entry: K__cl()
 * @keep: K__keep(); NULL in checked code
 */
struct weiri_clc_kernel {
    struct weiri_cl_kernel kernel;
    char *file;
    unsigned line;
    bool keeps;
    struct llvm_value *entry, *keep;
};

/* The alignment of all blocks of arguments: allocators give it. */
enum { WEIRI_CLC_BLOCK_ALIGNMENT = 16 };

static inline size_t weiri_clc_round_up(size_t bytes)
{
    return (bytes + WEIRI_CLC_BLOCK_ALIGNMENT - 1) / WEIRI_CLC_BLOCK_ALIGNMENT
        * WEIRI_CLC_BLOCK_ALIGNMENT;
}

/** Sets what the metadata of a kernel's function say of it; strings become owned by
 *  @kernel. */
void weiri_clc_describe(struct weiri_clc *clc, struct llvm_value *function,
                        struct weiri_cl_kernel *kernel);

/** The type of a struct that is passed by a pointer to it, or %NULL. */
struct llvm_type *weiri_clc_by_value(struct weiri_clc *clc, struct llvm_value *function,
                                     unsigned i);

#endif
