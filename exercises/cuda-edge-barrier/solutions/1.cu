// Guards around the accesses, and none around the barrier.
#include "cuda-edge-barrier.h"

__global__ void smooth(const int *in, int *out, int n)
{
    __shared__ int tile[MOST_THREADS + 2];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x + 1;
    tile[t] = i < n ? in[i] : 0;
    if (t == 1) {
        tile[0] = i > 0 && i <= n ? in[i - 1] : 0;
    }
    if (t == blockDim.x) {
        tile[t + 1] = i < n - 1 ? in[i + 1] : 0;
    }
    __syncthreads();
    if (i < n) {
        out[i] = tile[t - 1] + tile[t] + tile[t + 1];
    }
}
