/* SPDX-License-Identifier: MIT
 *
 * jobs.h: processes that share the work of a command. Each answers one request after
 * another; requests and answers are bytes. They are forks of this process, or, under
 * mpirun where Weir was configured --with-mpi, its other ranks.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_JOBS_H
#define WEIRI_CLI_JOBS_H

#include "cli/cli.h"

struct weiri_cli_jobs;

/** The work of a worker. Returns: (transfer full): the answer */
typedef GString *(*weiri_cli_jobs_work)(void *data, const char *request);

/**
 * weiri_cli_jobs_new:
 * @n: processes; under mpirun also in each further rank
 *
 * A rank that works does not return from here: it ends with the command.
 *
 * Returns: (transfer full): or %NULL with @error set
 */
struct weiri_cli_jobs *weiri_cli_jobs_new(unsigned n, weiri_cli_jobs_work work,
                                          void *data, GError **error);

/** Ends the workers, also what they are doing. */
void weiri_cli_jobs_free(struct weiri_cli_jobs *jobs);

/** Ends what weiri_cli_jobs_free() could not: a rank that goes on working, and with it
 *  all ranks. After all that the command prints. Returns: @status, its exit status */
int weiri_cli_jobs_leave(int status);

/** Workers that have no request. */
unsigned weiri_cli_jobs_n_idle(const struct weiri_cli_jobs *jobs);

/** Gives a request to an idle worker; @ticket comes back with the answer. */
void weiri_cli_jobs_give(struct weiri_cli_jobs *jobs, uint64_t ticket,
                         const char *request);

/**
 * weiri_cli_jobs_take:
 * @ticket: (out): of the request
 * @why: (out) (transfer full): how the worker ended, if it gave no answer
 *
 * Waits for an answer; a worker that ends is replaced.
 *
 * Returns: (transfer full): the answer, or %NULL with @why set; or %NULL without it if
 *          a signal has arrived that ends the command
 */
GBytes *weiri_cli_jobs_take(struct weiri_cli_jobs *jobs, uint64_t *ticket, char **why);

/** The rank of mpirun that the last answer is of; 0 without ranks. */
unsigned weiri_cli_jobs_rank(const struct weiri_cli_jobs *jobs);

#endif
