// check: the barriers of the rounds are reached only by the threads that add
#include "cuda-block-sum.h"

__global__ void add_up(const int *in, int *out)
{
    __shared__ int part[MOST_THREADS];
    int i = threadIdx.x;
    part[i] = in[blockIdx.x * blockDim.x + i];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (i < half) {
            part[i] += part[i + half];
            __syncthreads();
        }
    }
    if (i == 0) {
        out[blockIdx.x] = part[0];
    }
}
