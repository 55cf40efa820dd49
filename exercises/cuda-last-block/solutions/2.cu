// The counting itself releases and acquires.
#include "cuda-last-block.h"

#include <cuda/atomic>

__global__ void add_all(const int *in, int *sums, int *counter, int *total)
{
    int sum = sum_of_block(in[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        cuda::atomic_ref<int, cuda::thread_scope_device> count(*counter);
        if (count.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1) {
            int all = 0;
            for (int block = 0; block < gridDim.x; block++) {
                all += sums[block];
            }
            *total = all;
        }
    }
}
