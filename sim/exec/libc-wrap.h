/* SPDX-License-Identifier: MIT
 *
 * libc-wrap.h: shared by the wrapped functions of the C library in libc-wrap.c and
 * libc-strings.c.
 *
 * Calls by Weir itself and by the host arrive there, too; in a launch only calls by a
 * kernel's code are reported. While an item runs, a call by Weir itself is recognised
 * by the section of Weir's code, which archive.sh names. */
#ifndef WEIRI_LIBC_WRAP_H
#define WEIRI_LIBC_WRAP_H

#include "exec/event.h"
#include "exec/hooks.h"
#include "weir-kernel.h"

#define WEIRI_WRAP_PC __builtin_return_address(0)

/* Weak: a program may wrap only some of these functions. */
#define WEIRI_WRAP_WEAK __attribute__((weak))

/* fault.c recognises the section, and leaves these functions out of reports, as it does
 * functions of a library. */
#define WEIRI_WRAP_SECTION __attribute__((section("weiri_wrap")))

/* Set by the linker, if the section exists. */
extern const char weiri_text_start[] __asm__("__start_weiri_text")
    __attribute__((weak));
extern const char weiri_text_stop[] __asm__("__stop_weiri_text") __attribute__((weak));

static inline bool weiri_wrap_is_watched(const void *pc)
{
    return (uintptr_t)pc - (uintptr_t)weiri_text_start
        >= (uintptr_t)(weiri_text_stop - weiri_text_start)
        && (weiri_self.watch == NULL || weiri_access_is_kernels());
}

/* Whether accesses of the calling function's caller are to be reported. */
#define WEIRI_WRAP_SEEN()                                                              \
    (WEIRI_UNLIKELY(weiri_self.sees != NULL) && weiri_wrap_is_watched(WEIRI_WRAP_PC))

static inline void weiri_wrap_report(const void *address, size_t bytes, unsigned access,
                                     const void *pc)
{
    weiri_access_seen(address,
                      weiri_access_what(bytes, access | WEIRI_ACCESS_BIT_RANGE), pc);
}

#endif
