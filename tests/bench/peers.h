/* SPDX-License-Identifier: MIT
 *
 * peers.h: what the two halves of bench-peers share: its kernels, which weir-cc
 * compiles with the compiler and the options of the user's choice, and the program
 * around them, which belongs to this build. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <weir-kernel.h>

/* Elements an item, where a kernel's item takes many. */
enum { PEERS_EACH = 256 };

typedef struct {
    const uint32_t *in;
    uint32_t *out;
    uint32_t *tmp;
    uint32_t n;
    uint32_t p;
} peers_args;

/* The kernel of that name in peers-kernels.c, or NULL. */
const struct weir_kernel *peers_find(const char *name);

/* The compiler of the kernels. */
const char *peers_compiler(void);

#endif
