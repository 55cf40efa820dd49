// SPDX-License-Identifier: MIT
//
// Each block writes its sum, and the last one to arrive adds up all sums. The counter
// tells a block that it is the last. It does not by itself order the sums: legacy
// atomics are relaxed.
//
//   weir-nvcc -g last_block.cu -o last_block
//   ./last_block wrong      without __threadfence(): often right on a GPU
//   ./last_block right      with it
//   weir check -- ./last_block wrong
#include <cstdio>
#include <cstdlib>
#include <cstring>

constexpr int blocks = 8, threads = 32;

__device__ unsigned int arrived;

template <bool fenced> __global__ void sum(const int *a, int *sums, int *result)
{
    int i = threadIdx.x;
    int value = a[blockIdx.x * threads + i];
    for (int distance = 16; distance > 0; distance /= 2) {
        value += __shfl_down_sync(0xffffffff, value, distance);
    }
    if (i == 0) {
        sums[blockIdx.x] = value;
        if (fenced) {
            __threadfence();
        }
        if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
            if (fenced) {
                __threadfence();
            }
            int total = 0;
            for (unsigned int block = 0; block < gridDim.x; block++) {
                total += sums[block];
            }
            *result = total;
            arrived = 0; // for the next launch: all blocks have been counted
        }
    }
}

static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "last_block: %s\n", cudaGetErrorString(error));
        exit(2);
    }
}

int main(int argc, char **argv)
{
    const int n = blocks * threads;
    int host[n], expected = 0;
    for (int i = 0; i < n; i++) {
        host[i] = i % 7;
        expected += host[i];
    }
    int *a, *sums, *result, total;
    check(cudaMalloc(&a, sizeof host));
    check(cudaMalloc(&sums, blocks * sizeof(int)));
    check(cudaMalloc(&result, sizeof(int)));
    check(cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice));
    if (argc > 1 && strcmp(argv[1], "wrong") == 0) {
        sum<false><<<blocks, threads>>>(a, sums, result);
    } else {
        sum<true><<<blocks, threads>>>(a, sums, result);
    }
    check(cudaGetLastError());
    check(cudaMemcpy(&total, result, sizeof total, cudaMemcpyDeviceToHost));
    printf("%d\n", total);
    check(cudaFree(a));
    check(cudaFree(sums));
    check(cudaFree(result));
    return total != expected;
}
