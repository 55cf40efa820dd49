// Each warp adds up in registers; the block needs one barrier.
#include "cuda-block-sum.h"

__global__ void add_up(const int *in, int *out)
{
    __shared__ int of_warp[MOST_THREADS / 32];
    int i = threadIdx.x, warps = (blockDim.x + 31) / 32;
    unsigned mask = blockDim.x < 32 ? (1u << blockDim.x) - 1 : ~0u;
    int sum = __reduce_add_sync(mask, in[blockIdx.x * blockDim.x + i]);
    if (i % 32 == 0) {
        of_warp[i / 32] = sum;
    }
    __syncthreads();
    if (i == 0) {
        for (int warp = 1; warp < warps; warp++) {
            sum += of_warp[warp];
        }
        out[blockIdx.x] = sum;
    }
}
