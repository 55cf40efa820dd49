/* SPDX-License-Identifier: MIT
 *
 * hooks.h: what the compiler's instrumentation reports, free of its ABI: all for the
 * running item of a launch that is watched. */
#ifndef WEIRI_HOOKS_H
#define WEIRI_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Whether the code that runs is an item's, and not the machine's; in turns only. */
bool weiri_access_is_kernels(void);

/** A plain access is about to happen; see enum weiri_access. */
void weiri_access(const volatile void *address, size_t bytes, unsigned access,
                  const void *pc);

/** The code comes to the block at @pc. */
void weiri_access_block(const void *pc);

/** A function is entered by the call that returns to @pc. */
void weiri_access_enter(const void *pc);

/** It returns. */
void weiri_access_leave(void);

/** The code at @pc compares. */
void weiri_access_compare(uint64_t a, uint64_t b, const void *pc);

#endif
