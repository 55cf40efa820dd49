// check: the barrier names 32 lanes, and only those that add come to it
#include "cuda-warp-sum.h"

__device__ static void add_up_warp(int *part, int lane)
{
    for (int half = 32; half > 0; half /= 2) {
        if (lane < half) {
            part[lane] += part[lane + half];
            __syncwarp();
        }
    }
}

__global__ void add_up(const int *in, int *out)
{
    __shared__ int part[MOST_THREADS];
    int i = threadIdx.x;
    part[i] = in[blockIdx.x * blockDim.x + i];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 32; half /= 2) {
        if (i < half) {
            part[i] += part[i + half];
        }
        __syncthreads();
    }
    if (i < 32) {
        add_up_warp(part, i);
    }
    if (i == 0) {
        out[blockIdx.x] = part[0];
    }
}
