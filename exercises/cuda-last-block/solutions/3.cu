// No block needs to be the last: all add to the total.
#include "cuda-last-block.h"

__global__ void add_all(const int *in, int *sums, int *counter, int *total)
{
    int sum = sum_of_block(in[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x == 0) {
        atomicAdd(total, sum);
    }
}
