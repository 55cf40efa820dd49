/* SPDX-License-Identifier: MIT
 *
 * fault.h: what an item does that ends it: faults, stack overflows among them, calls
 * that are the host's alone, and running beyond the limit of time. */
#ifndef WEIRI_FAULT_H
#define WEIRI_FAULT_H

#include "exec/backtrace.h"

#include <signal.h>
#include <stdbool.h>

struct weiri_launch;

/* Sent to workers whose items run beyond the limit of time. By default it does nothing,
 * so one that comes late does no harm. */
#define WEIRI_LIMIT_SIGNAL SIGURG

/* What an item did that it must not. No address is kept: a report has none. */
struct weiri_fault {
    const char *what; /* the end of a sentence about the item; static, or @text */
    char text[192];
    struct weiri_backtrace
        calls; /* the code that did it, as a return address, and the calls
                                 to it; what lies in libraries below is left out */
};

/** For a thread that is a worker for good. */
void weiri_fault_enter(void);

/** For a child process. */
void weiri_fault_forget(void);

/** On the thread of the launch, before anybody runs and when nobody does any more. */
void weiri_fault_begin(const struct weiri_launch *launch);
void weiri_fault_end(const struct weiri_launch *launch);

/**
 * weiri_fault_refuse:
 * @what: the end of a sentence about the item: what it did; static
 * @caller: the return address in its code
 *
 * Where the caller is an item, it has called what is for the host only: it goes no
 * further, and that is a finding. Returns where it is the host.
 */
void weiri_fault_refuse(const char *what, const void *caller);

#endif
