/* SPDX-License-Identifier: MIT
 *
 * peers-process.h: measurements of bench-peers that take processes of their own. Where
 * one fails, the program ends. */
#ifndef BENCH_PEERS_PROCESS_H
#define BENCH_PEERS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

/* The times of one run, ms. */
struct peers_times {
    double wall, cpu;
};

/**
 * peers_process_run_one:
 * @ours: `weir check` runs the program, otherwise Oclgrind does
 *
 * Runs this program with `--one ROW` under a checker with all of its checks.
 *
 * Returns: the time of its launches
 */
struct peers_times peers_process_run_one(bool ours, const char *row, size_t n_elements,
                                         size_t local_size, size_t n_barriers);

/**
 * peers_process_first_result:
 * @ours: weir-cc compiles an example, which runs then; otherwise, a platform with an
 *        empty cache compiles peers.cl and runs a kernel
 * @folder: for what they make
 *
 * Returns: the time from source to first result, as a user's processes
 */
struct peers_times peers_process_first_result(bool ours, const char *folder);

/** Removes a folder and all folders in it, of which PoCL's cache has several levels. */
void peers_process_remove_tree(const char *path);

#endif
