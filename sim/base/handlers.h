/* SPDX-License-Identifier: MIT
 *
 * handlers.h: the process's handlers of faults, which Weir shares with the program that
 * it is linked into, and the stacks that handlers run on.
 *
 * Threads: functions that are called around launches need the lock of launches; the
 * others may be called from any thread. */
#ifndef WEIRI_HANDLERS_H
#define WEIRI_HANDLERS_H

#include <signal.h>
#include <stdbool.h>

/* Returns if the signal is not caused by an item: then it is for the program. */
typedef void (*weiri_handler)(int signal, siginfo_t *info, void *context);

/** A launch begins: signals of faults go to @handler. @all: check the handlers of all
 *  signals, and not of some in turn */
void weiri_handlers_begin(weiri_handler handler, bool all);
void weiri_handlers_end(void);

/** In a child process, which has no other threads and no launch. */
void weiri_handlers_forget(void);

/** Gives the calling thread a stack for handlers. It replaces the thread's own until
 *  weiri_handlers_return_stack(); a thread without one keeps it. */
void weiri_handlers_lend_stack(void);
void weiri_handlers_return_stack(void);

#endif
