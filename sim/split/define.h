/* SPDX-License-Identifier: MIT
 *
 * define.h: defines the functions that K__stackless() calls, from the coroutine that
 * LLVM has split. */
#ifndef WEIR_SPLIT_DEFINE_H
#define WEIR_SPLIT_DEFINE_H

#include "split/flow.h"

/** Returns: NULL, or why it cannot be done */
const char *weiri_define(struct llvm_module *module, struct weiri_kernel *kernel);
/** Defines what all kernels share, when each is defined. */
void weiri_define_end(struct llvm_module *module);

#endif
