/* SPDX-License-Identifier: MIT
 *
 * backtrace.h: the running item's stack: the calls on it, and a fingerprint of it.
 *
 * Context: an item's stack, or a signal handler above it. Needs some KiB of stack. */
#ifndef WEIRI_BACKTRACE_H
#define WEIRI_BACKTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The innermost calls that are kept: a barrier deeper in calls than this is
 * distinguished by these alone. */
enum { WEIRI_MOST_CALLS = 16 };

struct weiri_backtrace {
    uint32_t n;
    const void *pc[WEIRI_MOST_CALLS]; /* return addresses, innermost first */
};

/**
 * weiri_backtrace_capture:
 * @first: the return address of the innermost call to keep, which leaves out Weir's own
 *         below it; %NULL keeps them all
 * @entry: the function that runs the kernel's loop, where the walk ends
 *
 * Returns: whether @entry was found
 */
bool weiri_backtrace_capture(struct weiri_backtrace *calls, const void *first,
                             const void *entry);

/**
 * weiri_backtrace_capture_interrupted:
 * @pc: of the code that a signal has interrupted
 * @entry: as above
 * @low, @bytes: the stack of the interrupted code
 *
 * The same in a handler of that signal, which may have come where stack and registers
 * do not belong together, or after a kernel has overwritten its frames. So the walk
 * ends where it would leave the stack, and where it faults: the handler of that fault
 * calls weiri_backtrace_give_up().
 *
 * Returns: whether @entry was found
 */
bool weiri_backtrace_capture_interrupted(struct weiri_backtrace *calls, const void *pc,
                                         const void *entry, const void *low,
                                         size_t bytes);

/** Called by the handler of a fault: does not return if the fault came in such a walk
 *  of this thread, which then ends. */
void weiri_backtrace_give_up(void);

/** The function that contains the call that returns to @pc, or %NULL. */
const void *weiri_backtrace_function(const void *pc);

/** For a hash table with keys of struct weiri_backtrace. */
unsigned weiri_backtrace_hash(const void *calls);
int weiri_backtrace_equal(const void *a, const void *b);

/**
 * weiri_backtrace_fingerprint:
 * @caller: the return address of the innermost call that counts
 * @top: the end of the item's stack
 *
 * Returns: a hash of the item's private state at that call: the registers that calls
 *          preserve, and its stack. Frames below the call are Weir's and are left out.
 */
uint64_t weiri_backtrace_fingerprint(const void *caller, const void *top);

#endif
