/* SPDX-License-Identifier: MIT
 *
 * libc-wrap.c: copies and fills that the compilers leave to the C library: kernels call
 * memcpy() and its sisters themselves, clang and gcc make structs' copies into calls,
 * and none of these has a hook. Where a program is linked with --wrap for them, as
 * weir-cc and weir.pc say, the linker has the calls come here.
 *
 * Weir's own calls come here, too, and those of the host; whether a kernel's code runs
 * decides. Nobody asks for this object who links without these flags. */
#include "config.h"

#include "exec/event.h"
#include "exec/hooks.h"
#include "weir-kernel.h"

#define PC __builtin_return_address(0)

static inline __attribute__((always_inline)) void tell(const void *address,
                                                       size_t bytes, unsigned access)
{
    if (WEIRI_UNLIKELY(weiri_self.watch != NULL) && weiri_access_is_kernels()) {
        weiri_access(address, bytes, access | WEIRI_ACCESS_RANGE, PC);
    }
}

/* Whoever has some of them come here has not to name them all. */
#define WEAK __attribute__((weak))

/* Whoever tells where a fault was leaves these functions out as those of a library. */
#define SECTION __attribute__((section("weiri_wrap")))

/* @more, @given: further parameters, as declared and as handed on */
#define COPY(name, more, given)                                                        \
    WEAK void *__real_##name(void *to, const void *from, size_t bytes more);           \
    void *__wrap_##name(void *to, const void *from, size_t bytes more);                \
    SECTION void *__wrap_##name(void *to, const void *from, size_t bytes more)         \
    {                                                                                  \
        tell(from, bytes, WEIRI_ACCESS_READ);                                          \
        tell(to, bytes, WEIRI_ACCESS_WRITE);                                           \
        return __real_##name(to, from, bytes given);                                   \
    }

#define FILL(name, more, given)                                                        \
    WEAK void *__real_##name(void *to, int value, size_t bytes more);                  \
    void *__wrap_##name(void *to, int value, size_t bytes more);                       \
    SECTION void *__wrap_##name(void *to, int value, size_t bytes more)                \
    {                                                                                  \
        tell(to, bytes, WEIRI_ACCESS_WRITE);                                           \
        return __real_##name(to, value, bytes given);                                  \
    }

#define COMMA ,
COPY(memcpy, , )
COPY(memmove, , )
FILL(memset, , )
/* Under _FORTIFY_SOURCE. */
COPY(__memcpy_chk, COMMA size_t room, COMMA room)
COPY(__memmove_chk, COMMA size_t room, COMMA room)
FILL(__memset_chk, COMMA size_t room, COMMA room)
