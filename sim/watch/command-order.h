/* SPDX-License-Identifier: MIT
 *
 * command-order.h: which commands of a program happen before which. A command is a
 * kernel or a copy that the host submits to a queue; it may run as soon as all that it
 * waits for has ended. Here it waits for
 *
 *   - all that the host had waited for when it submitted the command,
 *   - the commands that it names (events),
 *   - on a queue in order, all earlier ones of the queue; on another queue those before
 *     its latest barrier,
 *   - earlier commands that use the same buffer, if it or they write it,
 *
 * and for what these wait for. The host waits for single commands, for all of a queue,
 * and for those that use a buffer.
 *
 * Commands are in chains, in which each waits for the one before it: the commands of a
 * queue in order, or a command and one that names it. So a vector clock (base/clock.h)
 * with an entry for each chain states which commands a command comes after.
 *
 * Commands that the host has waited for are before all later ones. When it has waited
 * for all, everything is forgotten.
 *
 * Threads: one at a time. */
#ifndef WEIRI_COMMAND_ORDER_H
#define WEIRI_COMMAND_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weiri_command_order;

/* A buffer that a command uses. */
struct weiri_command_use {
    const void *buffer; /* any address that stands for it */
    bool writes;
};

/* A command as it is submitted. */
struct weiri_command_start {
    uint32_t queue;
    const uint32_t *after; /* commands that it names; 0 and unknown numbers are
                              ignored */
    size_t n_after;
    const struct weiri_command_use *uses;
    size_t n_uses;
    bool barrier; /* later commands of the queue wait for it; and it for all earlier
                     ones, if it names none */
};

/* The remedy for a race, in the words of the program's interface; static. */
struct weiri_command_words {
    const char *one_queue;  /* two commands of a queue are not ordered */
    const char *two_queues; /* the same of two queues */
    const char *host;       /* the host has not waited for a command */
    bool host_may_poll; /* a kernel's atomics of system scope may order it before what
                           the host does without a wait */
};

struct weiri_command_order *weiri_command_order_new(void);
void weiri_command_order_free(struct weiri_command_order *order);

/** Returns: the number of a new queue, from 1 */
uint32_t weiri_command_order_queue(struct weiri_command_order *order, bool in_order);

/** Returns: the number of a new command, from 1 */
uint32_t weiri_command_order_begin(struct weiri_command_order *order,
                                   const struct weiri_command_start *start);

/** Whether a command happens before @later, or before what the host does now if that
 *  is 0. */
bool weiri_command_order_before(const struct weiri_command_order *order,
                                uint32_t earlier, uint32_t later);

/** The queue of a command that is not forgotten. */
uint32_t weiri_command_order_queue_of(const struct weiri_command_order *order,
                                      uint32_t command);

/** The least number of a command that is not forgotten. */
uint32_t weiri_command_order_first(const struct weiri_command_order *order);

/** The host waits: for a command; for all of a queue; for those that a host that reads,
 *  or @writes, a buffer has to wait for. Returns: whether that was for all commands, so
 *  that they are forgotten */
bool weiri_command_order_wait(struct weiri_command_order *order, uint32_t command);
bool weiri_command_order_wait_queue(struct weiri_command_order *order, uint32_t queue);
bool weiri_command_order_wait_buffer(struct weiri_command_order *order,
                                     const void *buffer, bool writes);

#endif
