/* SPDX-License-Identifier: MIT
 *
 * meet.h: the barriers of a table of instructions: which threads meet at them, and
 * which wait for ever.
 *
 *     for (uint64_t choice = 0;; choice++) {
 *         enum weiri_litmus_meeting meeting
 *             = weiri_litmus_meet(test, entries, n, choice, gives);
 *         if (meeting == WEIRI_LITMUS_NO_CHOICE) {
 *             break;
 *         }
 *         if (meeting == WEIRI_LITMUS_MEETS) {
 *             ... an execution ...
 *         }
 *     } */
#ifndef WEIRI_LITMUS_MEET_H
#define WEIRI_LITMUS_MEET_H

#include "litmus/code.h"

/**
 * weiri_litmus_entry: a thread has come to a barrier
 * @at: a BARRIER of the thread's code
 * @number: the value of its operand @a
 * @hangs: the thread waits there for ever; it is its last entry
 */
struct weiri_litmus_entry {
    uint32_t thread;
    const struct weiri_litmus_instruction *at;
    int64_t number;
    bool hangs;
};

enum weiri_litmus_meeting {
    WEIRI_LITMUS_MEETS,
    WEIRI_LITMUS_MEETS_NOT, /* other entries hang, or the threads wait for each other */
    WEIRI_LITMUS_NO_CHOICE, /* @choice is too large, and so are all larger ones */
};

/**
 * weiri_litmus_meet:
 * @entries: all of the threads, those of one thread in its order
 * @choice: which of the threads that have come to barriers with a quorum are those that
 *          make it complete, counted from 0 over all barriers
 * @gives: (out): by entry: whether what is before it in its thread happens before what
 *         is after the others, which all take, but for arrivals
 *
 * Whether exactly those entries hang whose barrier is not complete. A barrier is
 * complete if all barriers of the text with its instance, in its scope, have been
 * reached: with a number, all with an equal number; with a quorum, if as many threads
 * have come. If a thread comes again to the same instruction, that is another instance.
 * A barrier that has not been reached, and whose number is in a register, may have any
 * number, and is missed.
 */
enum weiri_litmus_meeting weiri_litmus_meet(const struct weiri_litmus *test,
                                            const struct weiri_litmus_entry *entries,
                                            uint32_t n, uint64_t choice, bool *gives);

#endif
