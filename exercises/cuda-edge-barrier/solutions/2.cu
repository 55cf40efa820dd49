// Without shared memory no barrier is needed, and the return is harmless.
#include "cuda-edge-barrier.h"

__global__ void smooth(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    int sum = in[i];
    if (i > 0) {
        sum += in[i - 1];
    }
    if (i < n - 1) {
        sum += in[i + 1];
    }
    out[i] = sum;
}
