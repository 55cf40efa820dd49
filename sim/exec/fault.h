/* SPDX-License-Identifier: MIT
 *
 * fault.h: the signals of a launch: faults of items, stack overflows among them, and
 * the limit of time. Their handlers run on a stack of their own, one a worker. */
#ifndef WEIRI_FAULT_H
#define WEIRI_FAULT_H

#include "exec/trail.h"

#include <signal.h>
#include <stdbool.h>

/* Sent to workers whose items run beyond the limit of time. By default it does nothing,
 * so one that comes late does no harm. */
#define WEIRI_LIMIT_SIGNAL SIGURG

/* What an item did that it must not. No address is kept: a report has none. */
struct weiri_fault {
    const char *what; /* the end of a sentence about the item; static */
    struct weiri_calls
        calls; /* the code that did it, as a return address, and the calls
                                 to it; what lies in libraries below is left out */
};

/* Faults that are an item's own, by what the processor says of them. */
enum { WEIRI_N_FAULT_SIGNALS = 4 };

/* A thread's alternate signal stack and the process's handlers, as they were
 * or as they are to be. */
struct weiri_fault_state {
    stack_t stack;
    struct sigaction faults[WEIRI_N_FAULT_SIGNALS];
    struct sigaction limit;
    void *memory; /* of the alternate stack, owned */
};

/** For a thread that is a worker for good. */
void weiri_fault_enter(struct weiri_fault_state *state);

/** For the caller of a launch, with or without a limit of time: what was there goes
 *  into @before, until it leaves. @entry: of the kernel's code */
void weiri_fault_enter_caller(struct weiri_fault_state *state,
                              struct weiri_fault_state *before, const void *entry,
                              bool limited);
void weiri_fault_leave_caller(const struct weiri_fault_state *before, bool limited);

#endif
