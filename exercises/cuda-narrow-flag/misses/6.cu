// check: a volatile flag orders nothing
#include "cuda-narrow-flag.h"

__global__ void chain(const int *in, int *totals, int *ready)
{
    int block = blockIdx.x, before = 0;
    if (threadIdx.x != 0) {
        return;
    }
    if (block > 0) {
        while (((volatile int *)ready)[block - 1] == 0) {}
        before = totals[block - 1];
    }
    totals[block] = before + in[block];
    ((volatile int *)ready)[block] = 1;
}
