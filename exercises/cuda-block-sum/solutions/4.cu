// A total in shared memory, which is cleared before and read after all others.
#include "cuda-block-sum.h"

__global__ void add_up(const int *in, int *out)
{
    __shared__ int total;
    if (threadIdx.x == 0) {
        total = 0;
    }
    __syncthreads();
    atomicAdd(&total, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        out[blockIdx.x] = total;
    }
}
