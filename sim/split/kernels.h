/* SPDX-License-Identifier: MIT
 *
 * kernels.h: the kernels of a module, and the functions that weir-machinery-split.h
 * makes for each. */
#ifndef WEIR_SPLIT_KERNELS_H
#define WEIR_SPLIT_KERNELS_H

#include "split/llvm.h"

/* The functions and the variable K__split... of a kernel. */
#define WEIRI_SPLIT_PARTS(X)                                                           \
    X(bytes, "split_bytes")                                                            \
    X(waits, "split_waits")                                                            \
    X(resume, "split_resume")                                                          \
    X(place, "split_place")                                                            \
    X(stop, "split_stop")                                                              \
    X(is_soft, "split_is_soft")                                                        \
    X(vector, "split_vector")                                                          \
    X(item, "split_item")                                                              \
    X(form, "split")

/* The parameters of K__split_item(), in order. */
enum weiri_split_parameter {
    WEIRI_SPLIT_FRAME,
    WEIRI_SPLIT_GROUP,
    WEIRI_SPLIT_ARGS,
    WEIRI_SPLIT_SHAPE_OF,
    WEIRI_SPLIT_I,
    WEIRI_SPLIT_X,
    WEIRI_SPLIT_Y,
    WEIRI_SPLIT_Z,
    WEIRI_SPLIT_N_PARAMETERS,
};

struct weiri_kernel {
    char *name;   /* for symbols: K in C, weirN in C++ */
    char *called; /* for reports: as in the source, or a symbol */
#define WEIRI_FIELD(part, text) struct llvm_value *part; /* or NULL */
    WEIRI_SPLIT_PARTS(WEIRI_FIELD)
#undef WEIRI_FIELD
    /* for reports */
    uint32_t n_stops;
    uint32_t n_soft;
    uint32_t n_parts;
    uint32_t n_together;
    uint32_t n_vector_loops;
};

/** (element-type weiri_kernel): those with a K__split_item(), in the order of the text.
 */
GPtrArray *weiri_kernels_find(struct llvm_module *module);

/** Gives all that belongs to @kernels the names that it has in C. */
void weiri_kernels_rename(struct llvm_module *module, GPtrArray *kernels);

/** Whether a function of this name is K__PART of the kernel, or one of its forms for
 *  several instruction sets. */
bool weiri_kernel_has(const struct weiri_kernel *kernel, const char *function,
                      const char *part);

#endif
