// SPDX-License-Identifier: MIT
//
// Three ways in which a block adds up its part of an array. Each step of the ladder drops
// barriers that the step before needed:
//
//   sum_interleaved  neighbours first: a barrier after each round
//   sum_sequential   the first half of the threads: as many barriers, no remainder
//   sum_shuffle      a warp adds by shuffles: two barriers in all
//
//   weir-nvcc -g reduce.cu -o reduce && weir check -- ./reduce
#include <cstdio>
#include <cstdlib>

constexpr int threads = 128;

__global__ void sum_interleaved(const int *a, int *result)
{
    __shared__ int part[threads];
    int i = threadIdx.x;
    part[i] = a[blockIdx.x * threads + i];
    __syncthreads();
    for (int step = 1; step < threads; step *= 2) {
        if (i % (2 * step) == 0) {
            part[i] += part[i + step];
        }
        __syncthreads();
    }
    if (i == 0) {
        atomicAdd(result, part[0]);
    }
}

__global__ void sum_sequential(const int *a, int *result)
{
    __shared__ int part[threads];
    int i = threadIdx.x;
    part[i] = a[blockIdx.x * threads + i];
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (i < half) {
            part[i] += part[i + half];
        }
        __syncthreads();
    }
    if (i == 0) {
        atomicAdd(result, part[0]);
    }
}

__device__ int sum_of_warp(int value)
{
    for (int distance = 16; distance > 0; distance /= 2) {
        value += __shfl_down_sync(0xffffffff, value, distance);
    }
    return value;
}

__global__ void sum_shuffle(const int *a, int *result)
{
    __shared__ int part[threads / 32];
    int i = threadIdx.x;
    int sum = sum_of_warp(a[blockIdx.x * threads + i]);
    if (i % 32 == 0) {
        part[i / 32] = sum;
    }
    __syncthreads();
    if (i < 32) {
        sum = sum_of_warp(i < threads / 32 ? part[i] : 0);
        if (i == 0) {
            atomicAdd(result, sum);
        }
    }
}

static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "reduce: %s\n", cudaGetErrorString(error));
        exit(2);
    }
}

int main()
{
    const int blocks = 4, n = blocks * threads;
    int host[n], expected = 0, wrong = 0;
    for (int i = 0; i < n; i++) {
        host[i] = i % 7;
        expected += host[i];
    }
    int *a, *result;
    check(cudaMalloc(&a, sizeof host));
    check(cudaMalloc(&result, sizeof(int)));
    check(cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice));

    void (*const kernels[])(const int *, int *)
        = { sum_interleaved, sum_sequential, sum_shuffle };
    const char *const names[] = { "interleaved", "sequential", "shuffle" };
    for (int k = 0; k < 3; k++) {
        int sum;
        check(cudaMemset(result, 0, sizeof(int)));
        kernels[k]<<<blocks, threads>>>(a, result);
        check(cudaGetLastError());
        check(cudaMemcpy(&sum, result, sizeof sum, cudaMemcpyDeviceToHost));
        printf("%-12s %d\n", names[k], sum);
        wrong += sum != expected;
    }
    check(cudaFree(a));
    check(cudaFree(result));
    return wrong != 0;
}
