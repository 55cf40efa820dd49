/* SPDX-License-Identifier: MIT
 *
 * trim.h: removes from a module all that the stackless entries do not reach. */
#ifndef WEIR_SPLIT_TRIM_H
#define WEIR_SPLIT_TRIM_H

#include "split/kernels.h"

/** Keeps the forms of @kernels, K__split, and makes all else that the module defines
 * its own, so that a pass can delete what they do not reach. */
void weiri_trim(struct llvm_module *module, GPtrArray *kernels);

/** Returns: (transfer full) (nullable): the names of variables that the module has,
 * that are written, and of which the program would have two, in quotes; NULL without
 * any. @n: how many */
char *weiri_trim_statics(struct llvm_module *module, unsigned *n);

/** Keeps passes from taking what static variables hold for known: what is not a kernel
 *  may write them, and is gone. Returns: (transfer full): their names */
GPtrArray *weiri_trim_keep_statics(struct llvm_module *module);
/** Ends that. @kept: (transfer full) */
void weiri_trim_free_statics(struct llvm_module *module, GPtrArray *kept);

#endif
