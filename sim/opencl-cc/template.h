/* SPDX-License-Identifier: MIT
 *
 * template.h: the entries of kernels, copied from those of a kernel that stands for
 * any. For kernels in OpenCL C and in CUDA. */
#ifndef WEIR_OPENCL_CC_TEMPLATE_H
#define WEIR_OPENCL_CC_TEMPLATE_H

#include "split/llvm.h"

/* The kernel of the template: no program has one of that name. */
#define WEIRI_TEMPLATE "weiri_k_0"

/**
 * weiri_template_kernel: a kernel whose entries are made
 * @symbol: what follows "weiri_k_" in the names of its entries
 * @name: of the kernel, in reports
 * @file: of its definition, with @line
 * @args_bytes: of its block of arguments
 * @own_bytes: of the block that a group has of its own; 0: groups share the launch's
 */
struct weiri_template_kernel {
    const char *symbol, *name, *file;
    unsigned line;
    size_t args_bytes, own_bytes;
};

/** Makes the entries of each kernel, and hides those of the template. */
void weiri_template_entries(struct llvm_module *module,
                            const struct weiri_template_kernel *kernels, size_t n);

/** Begins debug information of the module's own, which has a unit of that name. */
struct llvm_debug *weiri_template_debug(struct llvm_module *module, const char *name);

/** A private constant of the module. */
struct llvm_value *weiri_template_constant(struct llvm_module *module,
                                           struct llvm_value *value, const char *name);
/** The address of a global as i8 *. */
struct llvm_value *weiri_template_pointer(struct llvm_builder *builder,
                                          struct llvm_value *global);
/** A string constant, as i8 *; null of NULL. */
struct llvm_value *weiri_template_text(struct llvm_module *module,
                                       struct llvm_builder *builder, const char *text);

#endif
