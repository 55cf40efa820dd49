/* SPDX-License-Identifier: MIT
 *
 * barriers.cu: barriers, latches and semaphores that are objects: those who wait read what
 * others wrote before they arrived. */
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda_awbarrier.h>
namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
__device__ int out[8], data[64];
__device__ cuda::barrier<cuda::thread_scope_device> all_blocks;
__device__ cuda::latch<cuda::thread_scope_device> latch;
__device__ cuda::counting_semaphore<cuda::thread_scope_device, 2> permits;
__device__ int inside, most;
__global__ void begin()
{
    init(&all_blocks, 4 * 32);
    init(&latch, 4);
    init(&permits, 2);
}
struct Count {
    int *n;
    __device__ void operator()()
    {
        ++*n;
    }
};
__device__ int completions;
__global__ void k()
{
    __shared__ block_barrier bar;
    __shared__ int s[2][32];
    __shared__ nvcuda::experimental::awbarrier aw;
    __shared__ cuda::barrier<cuda::thread_scope_block, Count> counted;
    int t = threadIdx.x;
    if (t == 0) {
        init(&bar, 32);
        init(&aw, 32);
        init(&counted, 32, Count{ &completions });
    }
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        s[i % 2][t] = t + i;
        if (i % 2) {
            block_barrier::arrival_token token = bar.arrive();
            bar.wait(static_cast<block_barrier::arrival_token &&>(token));
        } else
            bar.arrive_and_wait();
        sum += s[i % 2][31 - t];
    }
    if (sum != 4 * (31 - t) + 6)
        atomicAdd(&out[0], 1);
    aw.arrive_and_wait();
    if (blockIdx.x == 0) {
        counted.arrive_and_wait();
        counted.arrive_and_wait();
        if (completions != 2)
            atomicAdd(&out[1], 1);
        if (t < 16)
            counted.arrive_and_drop();
        else {
            counted.arrive_and_wait();
            counted.arrive_and_wait();
        }
    }
    if (t == 0)
        data[blockIdx.x] = blockIdx.x + 1;
    all_blocks.arrive_and_wait();
    int total = 0;
    for (int b = 0; b < 4; b++)
        total += data[b];
    if (total != 10)
        atomicAdd(&out[2], 1);
    all_blocks.arrive_and_wait();
    if (t == 0)
        data[32 + blockIdx.x] = 3;
    if (t == 0)
        latch.arrive_and_wait();
    if (t == 0) {
        total = 0;
        for (int b = 0; b < 4; b++)
            total += data[32 + b];
        if (total != 12)
            atomicAdd(&out[3], 1);
        permits.acquire();
        int now = atomicAdd(&inside, 1) + 1;
        atomicMax(&most, now);
        __nanosleep(10);
        atomicSub(&inside, 1);
        permits.release();
    }
}
int main()
{
    begin<<<1, 1>>>();
    k<<<4, 32>>>();
    int r[8], m, c;
    cudaError_t e = cudaMemcpyFromSymbol(r, out, sizeof r);
    cudaMemcpyFromSymbol(&m, most, 4);
    cudaMemcpyFromSymbol(&c, completions, 4);
    bool wrong = e || r[0] || r[1] || r[2] || r[3] || m > 2 || m < 1 || c != 4;
    if (wrong)
        printf("%s %d %d %d %d most %d completions %d\n", cudaGetErrorString(e), r[0],
               r[1], r[2], r[3], m, c);
    printf(wrong ? "wrong\n" : "right\n");
    return wrong;
}
