// One function of the warp adds up.
#include "cuda-warp-sum.h"

__device__ static void add_up_warp(int *part, int lane)
{
    int sum = __reduce_add_sync(0xffffffff, part[lane] + part[lane + 32]);
    if (lane == 0) {
        part[0] = sum;
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
