/* SPDX-License-Identifier: MIT
 *
 * hooks.h: what the compiler's hooks (hooks.c) report to the machine (access.c),
 * without the ABI of the hooks. Each call is of the running item of a watched
 * launch. */
#ifndef WEIRI_HOOKS_H
#define WEIRI_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Whether the running code is an item's, and not the machine's; deterministic launches
 *  only. */
bool weiri_access_is_kernels(void);

/** A plain access is about to happen. @what: see weiri_access_what() */
void weiri_access(const volatile void *address, uint64_t what, const void *pc);

/** An access is about to happen to an address that is no multiple of @alignment, which
 *  @type requires; with an @access of 0, it is to a member of the object there. @bytes:
 *  the size of the access, or 0 if it is not known; @type: a name in quotes; reports
 *  leave out what follows the second quote */
void weiri_access_alignment(const volatile void *address, size_t alignment,
                            size_t bytes, unsigned access, const char *type,
                            const void *pc);

/** The code enters the block at @pc. */
void weiri_access_block(const void *pc);

/** A function is entered, by the call that returns to @pc. */
void weiri_access_enter(const void *pc);

/** The function returns. */
void weiri_access_leave(void);

/** The code at @pc compares @a and @b. */
void weiri_access_compare(uint64_t a, uint64_t b, const void *pc);

#endif
