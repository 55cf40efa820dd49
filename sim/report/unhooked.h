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
 * own file. On processors other than x86-64, and of a kernel that Weir compiles itself,
 * nothing is found. In a program without symbols, functions have no names, structures
 * that gcc passes without hooks are not found, and a function with a hook at its
 * beginning counts as one with hooks.
 *
 * Returns: what is not seen, as the rest of a sentence after the kernel's name; %NULL
 *          where nothing is known to have no hooks. It lives as long as the process
 */
const char *weiri_unhooked(const struct weir_kernel *kernel);

#endif
