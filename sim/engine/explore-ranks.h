/* SPDX-License-Identifier: MIT
 *
 * explore-ranks.h: explorations that the ranks of mpirun share. Rank 0 is the command:
 * it decides what is explored, prints, and writes the files. In each run all ranks do
 * the same: they run the same kernel or program, and where it is explored they exchange
 * what they have found. Without mpirun, or without MPI, rank 0 is alone.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_EXPLORE_RANKS_H
#define WEIRI_CLI_EXPLORE_RANKS_H

#include "cli/cli.h"

/** Joins the other ranks. Except in rank 0 nothing is printed from here on. */
void weiri_cli_explore_ranks_join(void);

/** Ends the other ranks, or waits for the end. Returns: the status to end with */
int weiri_cli_explore_ranks_leave(int status);

/** Whether this is rank 0. */
bool weiri_cli_explore_ranks_is_first(void);

/** Rank 0: has all ranks begin a run, and begins it. @request: for the others.
 *  Returns: false without other ranks */
bool weiri_cli_explore_ranks_begin(const char *request);

/** A rank that is not rank 0: waits for a run, and begins it. Returns: (transfer full):
 *  the request; or %NULL at the end, and in rank 0 */
char *weiri_cli_explore_ranks_await(void);

/** Ends the run, in each rank. In rank 0 it returns when all ranks have ended it. */
void weiri_cli_explore_ranks_end(void);

/** In a run: has a program exchange, in place of this process. @folder: for a socket.
 *  Returns: (transfer full): the socket as of struct weiri_options; or %NULL */
char *weiri_cli_explore_ranks_listen(const char *folder);

/** Carries messages between that program and the other ranks, without waiting. */
void weiri_cli_explore_ranks_relay(void);

#endif
