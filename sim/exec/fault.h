/* SPDX-License-Identifier: MIT
 *
 * fault.h: stack overflows of items, caught at the guard page. Signal handlers
 * run on a stack of their own, one a worker. */
#ifndef WEIRI_FAULT_H
#define WEIRI_FAULT_H

#include <signal.h>

/* A thread's alternate signal stack and the process's handlers, as they were
 * or as they are to be. */
struct weiri_fault_state {
    stack_t stack;
    struct sigaction segv;
    struct sigaction bus;
    void *memory; /* of the alternate stack, owned */
};

/** For a thread that is a worker for good. */
void weiri_fault_enter(struct weiri_fault_state *state);

/** For the caller of a launch: what was there goes into @before, until it leaves. */
void weiri_fault_enter_caller(struct weiri_fault_state *state,
                              struct weiri_fault_state *before);
void weiri_fault_leave_caller(const struct weiri_fault_state *before);

#endif
