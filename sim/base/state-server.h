/* SPDX-License-Identifier: MIT
 *
 * state-server.h: how this process would end with other contents of memory. A copy of
 * it is forked, which waits; for each question it forks one more, writes the contents
 * into memory, and lets that go on. The exit status is the answer.
 *
 * Processes that are forked later may ask as well; one at a time has an answer.
 *
 * Threads: a process that has only one when the server is made. */
#ifndef WEIRI_STATE_SERVER_H
#define WEIRI_STATE_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weiri_state_server;

/* Contents of up to 8 bytes. */
struct weiri_state_change {
    uint64_t address, value;
    uint64_t bytes;
};

enum weiri_state_end {
    WEIRI_STATE_RIGHT,   /* with status 0 */
    WEIRI_STATE_WRONG,   /* with another one, or by a signal */
    WEIRI_STATE_UNKNOWN, /* not in time, or too much of memory differs */
};

/**
 * weiri_state_server_new:
 * @is_copy: (out): true in a process that answers a question: its memory has the
 *           contents that were asked about, its output goes nowhere, and it is to go on
 *
 * Returns: (transfer full): or %NULL in a copy, and where the process cannot be copied
 */
struct weiri_state_server *weiri_state_server_new(bool *is_copy);

enum weiri_state_end weiri_state_server_ask(struct weiri_state_server *server,
                                            const struct weiri_state_change *changes,
                                            size_t n);

/** Ends the server. In the process that made it. */
void weiri_state_server_free(struct weiri_state_server *server);

#endif
