/* SPDX-License-Identifier: MIT
 *
 * hooks.h: the reports of the compiler's hooks (hooks.c) to the machine (access.c),
 * without the ABI of the hooks. Each call is of the running item of a watched
 * launch. */
#ifndef WEIRI_HOOKS_H
#define WEIRI_HOOKS_H

#include "weir-kernel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Whether the running code is an item's, and not the machine's; deterministic launches
 *  only. */
bool weiri_access_is_kernels(void);

/** A plain access is about to happen. @what: see weiri_access_what() */
void weiri_access(const volatile void *address, uint64_t what, const void *pc);

/* An observer of what the host does: of plain accesses outside of launches. @what: see
 * weiri_access_what() */
typedef void (*weiri_host_observer)(const volatile void *address, uint64_t what,
                                    const void *pc);

/** From now on @observer gets the accesses of all threads on which no kernel runs. */
void weiri_access_observe_host(weiri_host_observer observer);

/** An access on a thread on which no kernel runs. */
void weiri_access_of_host(const volatile void *address, uint64_t what, const void *pc);

/** To be called where weiri_self.sees is not %NULL: a plain access is about to happen,
 *  by an item of a watched launch or by the host. */
static inline void weiri_access_seen(const volatile void *address, uint64_t what,
                                     const void *pc)
{
    if (WEIRI_UNLIKELY(weiri_self.watch == NULL)) {
        weiri_access_of_host(address, what, pc);
        return;
    }
    weiri_access(address, what, pc);
}

/** An access is about to happen to an address that is not a multiple of @alignment,
 *  which @type requires; with an @access of 0, it is to a member of the object there.
 *  @bytes: the size of the access, or 0 if it is not known; @type: a name in quotes;
 *  reports leave out what follows the second quote */
void weiri_access_alignment(const volatile void *address, size_t alignment,
                            size_t bytes, unsigned access, const char *type,
                            const void *pc);

/** An index is outside of an array of @type, a name in quotes. Ends the item, in a
 *  checked launch. */
void weiri_access_index(const char *type, int64_t index, const void *pc);

/** The code enters the block at @pc. */
void weiri_access_block(const void *pc);

/** A function is entered, by the call that returns to @pc. */
void weiri_access_enter(const void *pc);

/** The function returns. */
void weiri_access_leave(void);

/** The code at @pc compares @a and @b. */
void weiri_access_compare(uint64_t a, uint64_t b, const void *pc);

#endif
