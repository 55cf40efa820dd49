/* SPDX-License-Identifier: MIT
 *
 * fault.h: the signals of a launch: stack overflows of items, caught at the guard page,
 * and the limit of time. Their handlers run on a stack of their own, one a worker. */
#ifndef WEIRI_FAULT_H
#define WEIRI_FAULT_H

#include <signal.h>
#include <stdbool.h>

/* Sent to workers whose items run beyond the limit of time. By default it does nothing,
 * so one that comes late does no harm. */
#define WEIRI_LIMIT_SIGNAL SIGURG

/* A thread's alternate signal stack and the process's handlers, as they were
 * or as they are to be. */
struct weiri_fault_state {
    stack_t stack;
    struct sigaction segv; /* what a guard raises on Linux */
    struct sigaction limit;
    void *memory; /* of the alternate stack, owned */
};

/** For a thread that is a worker for good. */
void weiri_fault_enter(struct weiri_fault_state *state);

/** For the caller of a launch, with or without a limit of time: what was there goes
 *  into @before, until it leaves. */
void weiri_fault_enter_caller(struct weiri_fault_state *state,
                              struct weiri_fault_state *before, bool limited);
void weiri_fault_leave_caller(const struct weiri_fault_state *before, bool limited);

#endif
