/* SPDX-License-Identifier: MIT
 *
 * mark.h: makes a coroutine of K__split_item(). */
#ifndef WEIR_SPLIT_MARK_H
#define WEIR_SPLIT_MARK_H

#include "split/kernels.h"
#include "split/loops.h"

/** The metadata of the branch after a stop, whose first way items take. */
unsigned weiri_mark_resumed(void);

/** Removes the debug information of variables. They are in the coroutine's frame, where
 *  a debugger would not find them, and LLVM 14 fails on coroutines of C++ that have
 *  such information. Each instruction keeps its line, in the function that it is
 *  inlined from. */
void weiri_mark_without_notes(struct weiri_kernel *kernel);

/** Replaces the stops of the body by suspensions, and adds soft ones at the places of
 *  @loops. */
void weiri_mark(struct llvm_module *module, struct weiri_kernel *kernel,
                const struct weiri_loops *loops);

#endif
