// Fences beside relaxed operations of the device's scope.
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
        __threadfence();
        before = totals[block - 1];
    }
    totals[block] = before + in[block];
    __threadfence();
    flag(ready[block]).store(1, cuda::memory_order_relaxed);
}
