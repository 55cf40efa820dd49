/* SPDX-License-Identifier: MIT */
#ifndef CUDA_WARP_SUM_H
#define CUDA_WARP_SUM_H

/* The largest block. Every block has a power of two of threads, and at least 64. */
enum { MOST_THREADS = 256 };

/* in: a number for each thread; out: one for each block, the sum of its numbers */
__global__ void add_up(const int *in, int *out);

#endif
