/* SPDX-License-Identifier: MIT
 *
 * hooks.h: what the compiler's instrumentation reports, free of its ABI. */
#ifndef WEIRI_HOOKS_H
#define WEIRI_HOOKS_H

#include <stddef.h>

/** A plain access of the running item is about to happen; see enum weiri_access. */
void weiri_access(const volatile void *address, size_t bytes, unsigned access,
                  const void *pc);

/** Tells the machine that the running item comes to the block of code at @pc. */
void weiri_block(const void *pc);

#endif
