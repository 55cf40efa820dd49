/* SPDX-License-Identifier: MIT
 *
 * assert.h: assertions about Weir's own state, on in release builds. They
 * never validate input. A failed one prints the condition, where it stands and the
 * facts of the reporting hook (kernel, group, item), then aborts. */
#ifndef WEIRI_ASSERT_H
#define WEIRI_ASSERT_H

#include <signal.h>
#include <stdbool.h>

_Noreturn void weiri_assert_fail(const char *condition, const char *file, int line);

/* An assertion has failed, and its abort() is about to come. */
extern volatile sig_atomic_t weiri_assert_has_failed;

/* Prints what was running, after the message; set once by the machine. */
extern void (*weiri_assert_context)(void);

#define weiri_assert(condition)                                                        \
    (__builtin_expect(!(condition), 0)                                                 \
         ? weiri_assert_fail(#condition, __FILE__, __LINE__)                           \
         : (void)0)

/* For hot paths: on under --enable-debug, type-checked always. */
#ifdef WEIRI_DEBUG
#define weiri_assert_slow(condition) weiri_assert(condition)
#else
#define weiri_assert_slow(condition) ((void)sizeof(!(condition)))
#endif

#endif
