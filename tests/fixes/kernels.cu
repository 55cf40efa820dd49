// SPDX-License-Identifier: MIT
//
// kernels.cu: kernels that are right. tests/cli/cuda-fixes.sh makes one mistake at a time.
// PART is the kernel that is compiled; the program ends with 1 if an answer is wrong.

#include <cstdio>
#include <cuda/atomic>

#define CHECK(call)                                                                    \
    do {                                                                               \
        if ((call) != cudaSuccess)                                                     \
            return 2;                                                                  \
    } while (0)

#if PART == 1
// A tree in shared memory.
__global__ void work(const int *in, int *out, int n)
{
    __shared__ int part[64];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(out, part[0]);
}
#endif
#if PART == 2
// The lanes of a warp exchange their values.
__global__ void work(const int *in, int *out, int n)
{
    __shared__ int box[64];
    int t = threadIdx.x, lane = t % 32;
    box[t] = in[blockIdx.x * 64 + t];
    __syncwarp();
    if (box[t - lane + 31 - lane] == in[blockIdx.x * 64 + t - lane + 31 - lane])
        atomicAdd(out, in[blockIdx.x * 64 + t]);
}
#endif
#if PART == 3
// Threads of all blocks add to one sum.
__global__ void work(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(out, in[i]);
}
#endif
#if PART == 4
// The first block sends a message to the second.
__device__ int sent[64];
__device__ int flag;
__global__ void work(const int *in, int *out, int n)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(flag);
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        sent[t] = in[t] + in[t + 64];
        __syncthreads();
        if (t == 0)
            ready.store(1, cuda::memory_order_release);
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0) {
        }
        atomicAdd(out, sent[t]);
    }
}
#endif
#if PART == 5
// The same with a flag that is volatile.
__device__ int sent[64];
__device__ volatile int flag;
__global__ void work(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        sent[t] = in[t] + in[t + 64];
        __syncthreads();
        if (t == 0) {
            __threadfence();
            flag = 1;
        }
    } else {
        while (flag == 0) {
        }
        __threadfence();
        atomicAdd(out, sent[t]);
    }
}
#endif
#if PART == 6
// Each block counts in shared memory first.
__global__ void work(const int *in, int *out, int n)
{
    __shared__ int bins[4];
    int t = threadIdx.x;
    for (unsigned i = t; i < 4; i += blockDim.x)
        bins[i] = 0;
    __syncthreads();
    atomicAdd(&bins[t % 4], in[blockIdx.x * 64 + t]);
    __syncthreads();
    if (t < 4)
        atomicAdd(out, bins[t]);
}
#endif
#if PART == 7
// The last block to come adds up what all have left.
__device__ int left[2];
__device__ unsigned came;
__global__ void work(const int *in, int *out, int n)
{
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < 64; i++)
            sum += in[blockIdx.x * 64 + i];
        left[blockIdx.x] = sum;
        __threadfence();
        if (atomicInc(&came, gridDim.x) == gridDim.x - 1) {
            __threadfence();
            *out = left[0] + left[1];
            came = 0;
        }
    }
}
#endif

int main()
{
    const int n = 128;
    static int values[n];
    int *in, *out, sum = 0, answer = 0;
    for (int i = 0; i < n; i++) {
        values[i] = i * 7 % 13 + 1;
        sum += values[i];
    }
    CHECK(cudaMalloc(&in, sizeof values));
    CHECK(cudaMalloc(&out, sizeof *out));
    CHECK(cudaMemset(out, 0, sizeof *out));
    CHECK(cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice));
    work<<<2 + (PART == 3), 64>>>(in, out, n);
    CHECK(cudaMemcpy(&answer, out, sizeof answer, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%s\n", answer == sum ? "right" : "wrong");
    return answer != sum;
}
