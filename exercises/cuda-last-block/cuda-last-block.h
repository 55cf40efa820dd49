/* SPDX-License-Identifier: MIT */
#ifndef CUDA_LAST_BLOCK_H
#define CUDA_LAST_BLOCK_H

/* The largest block. Every block has a multiple of 32 threads. */
enum { MOST_THREADS = 128 };

/* in: a number for each thread; sums: one for each block, not cleared; counter: 0;
 * total: 0, and the sum of all numbers at the end */
__global__ void add_all(const int *in, int *sums, int *counter, int *total);

/* The sum of the block's numbers, for its thread 0. */
__device__ static inline int sum_of_block(int mine)
{
    __shared__ int of_warp[MOST_THREADS / 32];
    int sum = __reduce_add_sync(0xffffffff, mine), warps = blockDim.x / 32;
    if (threadIdx.x % 32 == 0) {
        of_warp[threadIdx.x / 32] = sum;
    }
    __syncthreads();
    for (int warp = 1; threadIdx.x == 0 && warp < warps; warp++) {
        sum += of_warp[warp];
    }
    return sum;
}

#endif
