/* SPDX-License-Identifier: MIT */
#ifndef CUDA_NARROW_FLAG_H
#define CUDA_NARROW_FLAG_H

/* in: a number for each block; totals: for each block, at the end the sum of
 * the numbers up to its own; ready: a flag for each block, 0. Blocks may
 * wait for those before them: all can run at the same time. */
__global__ void chain(const int *in, int *totals, int *ready);

#endif
