/* SPDX-License-Identifier: MIT
 *
 * fork-server.h: a process that is to do one thing in many ways prepares it once, and
 * forks a copy of itself for each. Another process, which has started it, asks for the
 * copies through two named pipes.
 *
 * A copy is as good as a process that was started anew if nothing of the prepared
 * state is shared with the other copies or missing in them: one thread, no children, no
 * timer, no files but the standard streams and those that its parent process has handed
 * down, no memory that is shared with other processes. Any other process is not forked,
 * and goes on as if it had not been asked. Files that it has written and closed are not
 * seen here.
 *
 * Threads: a process that has only one. */
#ifndef WEIRI_FORK_SERVER_H
#define WEIRI_FORK_SERVER_H

#include <stdbool.h>
#include <stdint.h>

/** The records that the server writes to the pipe that answers. */
struct weiri_fork_answer {
    enum {
        WEIRI_FORK_READY,  /* once */
        WEIRI_FORK_COPY,   /* @number is the process of a copy, or -1: none was made */
        WEIRI_FORK_STATUS, /* @number is how it ended, as waitpid() gives it */
    } what;
    int32_t number;
};

/** The names of the pipes, after @path. */
#define WEIRI_FORK_ASKS "-asks"
#define WEIRI_FORK_ANSWERS "-answers"

/** A request is one line, written at once. */
enum { WEIRI_FORK_MOST_BYTES = 4096 };

/** Whether a copy of this process is as good as one that was started anew. */
bool weiri_fork_server_can(void);

/**
 * weiri_fork_server_serve:
 * @path: of the pipes
 *
 * In the process that serves this does not return; it ends when the other end closes
 * the pipe. In each copy, which leads a process group of its own, it returns.
 *
 * Returns: (transfer full): the line that asked for the copy, or %NULL where this
 *          process is not a copy and is not to be forked
 */
char *weiri_fork_server_serve(const char *path);

#endif
