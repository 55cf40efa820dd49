/* SPDX-License-Identifier: MIT
 *
 * back.h: what LLVM does for weir-opencl-cc and weir-cuda-cc alike: bitcode is read,
 * and modules become objects. */
#ifndef WEIR_OPENCL_CC_BACK_H
#define WEIR_OPENCL_CC_BACK_H

#include "split/clang.h"
#include "split/llvm.h"

/** Opens the libLLVM of the clang with that folder of resources, and fills in its
 *  version and folder of libraries.
 *  Returns: (transfer full): why it cannot; or %NULL */
char *weiri_back_open(const char *resources, struct weiri_clang *clang);

/** Reads bitcode. @lazily: what nothing refers to is not read.
 *  Returns: %NULL if it cannot, which has been said */
struct llvm_module *weiri_back_read(const char *path, bool lazily);

/** Adds an attribute without a value, of a function. */
void weiri_back_add_attribute(struct llvm_value *function, const char *name);

/** The processor that code is for, and the form of its frames, as clang says in @from.
 *  A division of floats stays a division, even with -cl-fast-relaxed-math: LLVM's
 *  estimate is off by 3 ulp, and 2.5 are allowed. */
void weiri_back_take_attributes(struct llvm_value *function, struct llvm_value *from);

/** The options of LLVM that kernels in C are checked with, which follow "-mllvm" in
 *  @text, but for @but, and those of -fsanitize-coverage=trace-pc,trace-cmp. */
GPtrArray *weiri_back_hook_options(const char *text, const char *but);

/** @last: passes after the level's own, or "". Returns: whether there is an object */
bool weiri_back_make_object(struct llvm_module *module, const char *path,
                            const struct weiri_level *level, const char *last);

#endif
