/* SPDX-License-Identifier: MIT
 *
 * processes.h: the launches of each process of a program, by the records of their
 * beginnings and ends.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_PROCESSES_H
#define WEIRI_CLI_PROCESSES_H

#include "cli/cli.h"

struct weiri_launch_record;

/* A launch that began and has not ended. */
struct weiri_cli_open {
    uint64_t process, serial; /* as in the record */
    size_t number;            /* of the launch, from 1, in the order of beginnings */
    const char *kernel;       /* interned */
};

struct weiri_cli_processes {
    GArray *open;   /* of struct weiri_cli_open */
    GArray *made;   /* of uint64_t: the process of each launch that was made */
    size_t n_begun; /* launches */
    bool overlap;   /* a launch began before another one ended, which did */
};

void weiri_cli_processes_init(struct weiri_cli_processes *processes);
void weiri_cli_processes_clear(struct weiri_cli_processes *processes);

/** The next record of the program, in the order of the file. */
void weiri_cli_processes_add(struct weiri_cli_processes *processes,
                             const struct weiri_launch_record *record);

/** The launch that a process has not come out of, of @process if it is one of its own,
 *  or %NULL; borrowed. */
const struct weiri_cli_open *weiri_cli_processes_inside(
    const struct weiri_cli_processes *processes, uint64_t process);

/** Which process made which launch: "1 2 1", processes being numbered in the order of
 *  their first launches; %NULL where there is only one. Returns: (transfer full) */
char *weiri_cli_processes_order(const struct weiri_cli_processes *processes);

#endif
