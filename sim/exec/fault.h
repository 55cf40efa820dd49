/* SPDX-License-Identifier: MIT
 *
 * fault.h: events that end an item early: faults and stack overflows, calls of
 * functions that are for the host, and the limit of time. */
#ifndef WEIRI_FAULT_H
#define WEIRI_FAULT_H

#include "base/backtrace.h"

#include <signal.h>
#include <stdbool.h>

struct weiri_launch;

/* Sent to workers whose items exceed the limit of time. By default it is ignored, so
 * that one that comes late does no harm. */
#define WEIRI_LIMIT_SIGNAL SIGURG

/* The act of an item that faulted. It has no address: reports show none. */
struct weiri_fault {
    const char *what; /* the end of a sentence about the item; static, or @text */
    char text[192];
    struct weiri_backtrace
        calls; /* the code that did it, as a return address, and the calls
                                 to it; what lies in libraries below is left out */
};

/** Called once by each thread of the pool. */
void weiri_fault_enter(void);

/** Called in a child process. */
void weiri_fault_forget(void);

/** Called on the thread of the launch, before its items run and after. */
void weiri_fault_begin(const struct weiri_launch *launch);
void weiri_fault_end(const struct weiri_launch *launch);

/**
 * weiri_fault_refuse:
 * @what: the end of a sentence about the item: what it did; static
 * @caller: the return address in its code
 *
 * Called by functions that are for the host. If the caller is an item, that is a
 * finding and the item is ended. Returns if the caller is the host.
 */
void weiri_fault_refuse(const char *what, const void *caller);

/* The act of an item that calls such a function. */
#define WEIRI_CALLS(function) "called " function "(), which ends the program"
#define WEIRI_CALLED_EXIT WEIRI_CALLS("exit")

/**
 * weiri_fault_exit:
 * @what, @caller: as above
 *
 * The same for functions that end the process with that status. In a launch that is not
 * deterministic it returns, too. After a launch that is not explored, the host calls
 * exit().
 */
void weiri_fault_exit(int status, const char *what, const void *caller);

/**
 * weiri_fault_place:
 * @context: of a signal that has interrupted this thread
 * @stack: (out): of the item that runs, or %WEIRI_NO_STACK
 *
 * Returns: the outermost of the calls in the kernel that the item is in, as a return
 *          address; %NULL where no item runs, or it is in a library or the machine
 */
const void *weiri_fault_place(const void *context, uint32_t *stack);

/** A number that is equal where the interrupted code's registers are; 0 where the
 *  processor is not known. */
uint64_t weiri_fault_registers(const void *context);

#endif
