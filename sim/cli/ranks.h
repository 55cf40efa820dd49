/* SPDX-License-Identifier: MIT
 *
 * ranks.h: messages among the ranks of mpirun, where Weir was configured --with-mpi. In
 * any other case there is one rank.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_RANKS_H
#define WEIRI_CLI_RANKS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/** Whether this command runs under mpirun with several ranks. */
bool weiri_cli_ranks_are_there(void);

/** Joins the other ranks, which all have to. @rank: (out): this one. Returns: how many
 *  there are */
unsigned weiri_cli_ranks_join(unsigned *rank);

/** Waits until all ranks leave. */
void weiri_cli_ranks_leave(void);

/** Ends all ranks, this one included. */
void weiri_cli_ranks_abort(int status);

/** @kind: the caller's. Returns: false where a signal has come that ends the command */
bool weiri_cli_ranks_send(unsigned to, uint64_t kind, const void *data, uint64_t bytes);

/**
 * weiri_cli_ranks_poll:
 * @from: (inout): the rank whose message is wanted, or -1 for any; then the rank that
 *     sent it
 * @kind: (out)
 *
 * Returns: (transfer full): a message that has arrived, followed by a zero that is not
 *          counted; or %NULL without one
 */
GBytes *weiri_cli_ranks_poll(int *from, uint64_t *kind);

/** To be called between polls: MPI's own waiting would occupy a processor. */
void weiri_cli_ranks_pause(void);

#endif
