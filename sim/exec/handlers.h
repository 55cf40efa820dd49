/* SPDX-License-Identifier: MIT
 *
 * handlers.h: the process's handlers of faults, which it shares with the program that
 * Weir is linked into, and the stacks that handlers run on.
 *
 * Threads: what is called around launches, by who holds their lock; the rest by any. */
#ifndef WEIRI_HANDLERS_H
#define WEIRI_HANDLERS_H

#include <signal.h>
#include <stdbool.h>

/* Returns where the signal is none of Weir's: then it is the program's. */
typedef void (*weiri_handler)(int signal, siginfo_t *info, void *context);

/** A launch begins: signals of faults go to @handler. @all: whether every one of them
 *  does is to be looked at, not some in turn */
void weiri_handlers_begin(weiri_handler handler, bool all);
void weiri_handlers_end(void);

/** In a child process, which has none of the other threads, and no launch. */
void weiri_handlers_forget(void);

/** A stack for handlers of the calling thread, in the place of its own until
 *  weiri_handlers_return_stack(), and in the place of none for as long as it lives. */
void weiri_handlers_lend_stack(void);
void weiri_handlers_return_stack(void);

#endif
