/* SPDX-License-Identifier: MIT */
#ifndef CUDA_EDGE_BARRIER_H
#define CUDA_EDGE_BARRIER_H

/* The largest block. */
enum { MOST_THREADS = 128 };

/* out[i] = in[i - 1] + in[i] + in[i + 1] for each i from 0 to n - 1, where in[-1] and
 * in[n] count as zero. Some threads of the last block may have no element. */
__global__ void smooth(const int *in, int *out, int n);

#endif
