/* SPDX-License-Identifier: MIT
 *
 * peers-opencl.h: peers.cl on an OpenCL platform. A failure of the platform ends the
 * program with a line that says which. */
#ifndef BENCH_PEERS_OPENCL_H
#define BENCH_PEERS_OPENCL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The memory that both sides use, in the order in which it is given. */
enum { PEERS_IN, PEERS_OUT, PEERS_TMP0, PEERS_TMP1, PEERS_BUFFERS };

struct peers_words {
    uint32_t *words; /* owned by the host */
    size_t n;
};

/**
 * peers_opencl_open:
 * @memory: borrowed until the program ends
 * @local_bytes: of local memory, for the array of a kernel
 * @copying: every byte is written by a command, as Oclgrind wants it
 *
 * Compiles peers.cl for the first platform that has a device.
 *
 * Returns: the platform's name, or %NULL if there is none
 */
const char *peers_opencl_open(const struct peers_words memory[PEERS_BUFFERS],
                              size_t local_bytes, bool copying);

/** The kernel that launches run, until it is released. The host takes the memory. */
void peers_opencl_choose(const char *name);
void peers_opencl_release(void);

/** The host reads and writes the memory between take and give only. */
void peers_opencl_take(void);
void peers_opencl_give(void);

/** @from, @to: of the memory; @n, @p: as peers.cl states them */
void peers_opencl_launch(const uint32_t *from, uint32_t *to, uint32_t n, uint32_t p,
                         size_t items, size_t local_size);

/** Until all launches have ended. */
void peers_opencl_wait(void);

#endif
