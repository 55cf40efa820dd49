/* SPDX-License-Identifier: MIT
 *
 * command-holds.h: buffers that the host holds, as a host accessor of SYCL does while
 * it lives ([SYCL20] 4.7.6.10.3). A command that uses such a buffer does not start
 * before the host lets it go; if the thread that holds it waits for the command first,
 * the program never goes on. Two that only read do not conflict.
 *
 * Here commands run when they are submitted. So commands that could not have started
 * are kept until the host lets go or waits.
 *
 * Threads: one at a time. */
#ifndef WEIRI_COMMAND_HOLDS_H
#define WEIRI_COMMAND_HOLDS_H

#include "exec/finding.h"
#include "watch/command-order.h"

struct weiri_command_holds;

struct weiri_command_hold {
    const void *buffer; /* as in struct weiri_command_use */
    bool writes;
    const void *thread; /* what stands for the thread that holds it */
    struct weiri_trail trail;
};

/* A wait that never ends. */
struct weiri_command_stuck {
    struct weiri_command_hold hold;
    uint32_t command; /* that waits for the hold */
};

struct weiri_command_holds *weiri_command_holds_new(void);

/** Returns: the number of the hold, from 1 */
uint32_t weiri_command_holds_add(struct weiri_command_holds *holds,
                                 const struct weiri_command_hold *hold);
void weiri_command_holds_remove(struct weiri_command_holds *holds, uint32_t number);

/** A command was submitted, whose number is new. */
void weiri_command_holds_begin(struct weiri_command_holds *holds,
                               const struct weiri_command_start *start,
                               uint32_t command);

/** The host has waited, on @thread. Returns: (transfer full): of struct
 *  weiri_command_stuck, each once */
GArray *weiri_command_holds_waited(struct weiri_command_holds *holds,
                                   const struct weiri_command_order *order,
                                   const void *thread);

#endif
