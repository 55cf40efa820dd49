/* SPDX-License-Identifier: MIT
 *
 * unhooked.h: which code of a kernel accesses memory without the compiler's hooks, so
 * that no check sees these accesses. */
#ifndef WEIRI_UNHOOKED_H
#define WEIRI_UNHOOKED_H

#include "weir-kernel.h"

/**
 * weiri_unhooked:
 * @kernel: that has a checked entry
 *
 * Looks at the machine code that this entry reaches by direct calls, in the program's
 * own file. On processors other than x86-64, in a program without symbols, and of a
 * kernel that Weir compiles itself, nothing is found.
 *
 * Returns: what has no hooks, as the end of the sentence "memory accesses are not seen
 *          in ..."; %NULL where nothing is known to have none. It lives as
 *          long as the process
 */
const char *weiri_unhooked(const struct weir_kernel *kernel);

#endif
