/* SPDX-License-Identifier: MIT
 *
 * trim.h: leaves in a module what the stackless entries reach. */
#ifndef WEIR_SPLIT_TRIM_H
#define WEIR_SPLIT_TRIM_H

#include "split/kernels.h"

/** Keeps the forms of @kernels, K__split, and makes all else that the module defines
 * its own, so that a pass can delete what they do not reach. */
void weiri_trim(struct llvm_module *module, GPtrArray *kernels);

/** Returns: (transfer full) (nullable): the names of variables that the module has,
 * that are written, and of which the program would have two, in quotes; NULL if there
 * are none. @n: how many */
char *weiri_trim_statics(struct llvm_module *module, unsigned *n);

#endif
