/* SPDX-License-Identifier: MIT
 *
 * libc-wrap.c: copies and fills by the C library, and its functions that end the
 * process. Kernels call memcpy(), memmove() and memset(), and compilers turn copies of
 * structs into such calls; none of them has a hook. The process itself can notice only
 * exit() among the ways to end it. A program that is linked with --wrap for these
 * functions, as weir-cc and weir.pc do it, has its calls arrive here.
 *
 * Calls by Weir itself and by the host arrive here, too: see libc-wrap.h. A program
 * that is linked without these flags does not contain this file. */
#include "config.h"

#include "exec/fault.h"
#include "exec/libc-wrap.h"

static inline __attribute__((always_inline)) void report(const void *address,
                                                         size_t bytes, unsigned access)
{
    if (WEIRI_WRAP_SEEN()) {
        weiri_wrap_report(address, bytes, access, WEIRI_WRAP_PC);
    }
}

#define WEAK WEIRI_WRAP_WEAK
#define SECTION WEIRI_WRAP_SECTION
#define PC WEIRI_WRAP_PC

/* @more, @given: further parameters, as declared and as handed on */
#define COPY(name, more, given)                                                        \
    WEAK void *__real_##name(void *to, const void *from, size_t bytes more);           \
    void *__wrap_##name(void *to, const void *from, size_t bytes more);                \
    SECTION void *__wrap_##name(void *to, const void *from, size_t bytes more)         \
    {                                                                                  \
        report(from, bytes, WEIRI_ACCESS_BIT_READ);                                    \
        report(to, bytes, WEIRI_ACCESS_BIT_WRITE);                                     \
        return __real_##name(to, from, bytes given);                                   \
    }

#define FILL(name, more, given)                                                        \
    WEAK void *__real_##name(void *to, int value, size_t bytes more);                  \
    void *__wrap_##name(void *to, int value, size_t bytes more);                       \
    SECTION void *__wrap_##name(void *to, int value, size_t bytes more)                \
    {                                                                                  \
        report(to, bytes, WEIRI_ACCESS_BIT_WRITE);                                     \
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

/* Functions that end the process. */
#define END(name)                                                                      \
    WEAK _Noreturn void __real_##name(int status);                                     \
    _Noreturn void __wrap_##name(int status);                                          \
    SECTION _Noreturn void __wrap_##name(int status)                                   \
    {                                                                                  \
        weiri_fault_exit(status, WEIRI_CALLS(#name), PC);                              \
        __real_##name(status);                                                         \
    }

END(exit)
END(_exit)
END(_Exit)
END(quick_exit)
