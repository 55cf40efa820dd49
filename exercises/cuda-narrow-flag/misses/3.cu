// check: the load of the flag does not acquire
#include "cuda-narrow-flag.h"

#include <cuda/atomic>

using flag = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void chain(const int *in, int *totals, int *ready)
{
    int block = blockIdx.x, before = 0;
    if (threadIdx.x != 0) {
        return;
    }
    if (block > 0) {
        while (flag(ready[block - 1]).load(cuda::memory_order_relaxed) == 0) {}
        before = totals[block - 1];
    }
    totals[block] = before + in[block];
    flag(ready[block]).store(1, cuda::memory_order_release);
}
