/* SPDX-License-Identifier: MIT
 *
 * copies.cu: copies that go on while threads do: who has waited for one reads what it
 * wrote. Each kernel adds up, over some rounds, what another thread's copy brought. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cuda/semaphore>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
const int threads = 64, rounds = 6;

/* A barrier that the copies of a group arrive on. */
__global__ void by_barrier(const int *in, int *out)
{
    __shared__ int s[threads];
    __shared__ block_barrier bar;
    auto block = cg::this_thread_block();
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        init(&bar, threads);
    }
    block.sync();
    for (int i = 0; i < rounds; i++) {
        cuda::memcpy_async(block, s, in + i * threads, sizeof s, bar);
        bar.arrive_and_wait();
        sum += s[threads - 1 - t];
        block.sync();
    }
    out[t] = sum;
}

/* A pipeline of the block with two stages; all threads produce and consume. */
__global__ void by_pipeline(const int *in, int *out)
{
    __shared__ int s[2][threads];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < rounds + 1; i++) {
        if (i < rounds) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[i % 2], in + i * threads,
                               cuda::aligned_size_t<16>(sizeof s[0]), pipe);
            pipe.producer_commit();
        }
        if (i > 0) {
            pipe.consumer_wait();
            sum += s[(i - 1) % 2][threads - 1 - t];
            pipe.consumer_release();
        }
    }
    out[t] = sum;
}

/* The same, where the first warp produces and the others consume. */
__global__ void by_roles(const int *in, int *out)
{
    __shared__ int s[2][threads];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    int t = threadIdx.x, sum = 0;
    auto role = t < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &state, role);
    for (int i = 0; i < rounds; i++) {
        if (t < 32) {
            pipe.producer_acquire();
            for (int k = t; k < threads; k += 32) {
                cuda::memcpy_async(&s[i % 2][k], in + i * threads + k, sizeof(int), pipe);
            }
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += s[i % 2][threads - 1 - t] + 1000 * s[i % 2][t];
            pipe.consumer_release();
        }
    }
    out[t] = sum;
}

/* A thread's own pipeline. */
__global__ void by_thread(const int *in, int *out)
{
    __shared__ int s[2][threads];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x, sum = 0;
    pipe.producer_acquire();
    cuda::memcpy_async(&s[0][t], in + t, sizeof(int), pipe);
    pipe.producer_commit();
    for (int i = 0; i < rounds; i++) {
        pipe.producer_acquire();
        if (i + 1 < rounds) {
            cuda::memcpy_async(&s[(i + 1) % 2][t], in + (i + 1) * threads + t,
                               sizeof(int), pipe);
        }
        pipe.producer_commit();
        pipe.consumer_wait();
        __syncthreads();
        sum += s[i % 2][threads - 1 - t];
        __syncthreads();
        pipe.consumer_release();
    }
    out[t] = sum;
}

/* One thread copies all, and tells the barrier how many bytes come. */
__global__ void in_bulk(const int *in, int *out)
{
    __shared__ alignas(16) int s[threads];
    __shared__ block_barrier bar;
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        init(&bar, threads);
        cuda::device::experimental::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    for (int i = 0; i < rounds; i++) {
        block_barrier::arrival_token token;
        if (t == 0) {
            cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global, s,
                                     in + i * threads, sizeof s,
                                     cuda::device::barrier_native_handle(bar));
            token = cuda::device::barrier_arrive_tx(bar, 1, sizeof s);
        } else {
            token = bar.arrive();
        }
        bar.wait(static_cast<block_barrier::arrival_token &&>(token));
        sum += s[threads - 1 - t];
        __syncthreads();
    }
    out[t] = sum;
}

/* Bytes after the first 8 of 16 are zeros. */
__global__ void with_zeros(const int *in, int *out)
{
    __shared__ alignas(16) int s[threads];
    int t = threadIdx.x;
    if (t % 4 == 0) {
        __pipeline_memcpy_async(&s[t], in + t, 16, 8);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = s[t];
}

static int bad, h[rounds * threads];
static int of(int t)
{
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
        sum += h[i * threads + t];
    }
    return sum;
}
static int mirrored(int t)
{
    return of(threads - 1 - t);
}
static int consumed(int t)
{
    return t < 32 ? 0 : of(threads - 1 - t) + 1000 * of(t);
}
static int half_of(int t)
{
    return t % 4 < 2 ? h[t] : 0;
}

/* Variables of the device that have a first value before any code runs. */
__device__ cuda::binary_semaphore<cuda::thread_scope_device> one(1);
__device__ cuda::barrier<cuda::thread_scope_device> meets(threads);
__device__ int turns;

__global__ void from_the_start(const int *in, int *out)
{
    int t = threadIdx.x;
    one.acquire();
    turns = turns + 1;
    one.release();
    meets.arrive_and_wait();
    out[t] = turns;
}

int every(int)
{
    return threads;
}

int main()
{
    struct {
        const char *name;
        void (*kernel)(const int *, int *);
        int (*expected)(int t);
    } cases[] = { { "by_barrier", by_barrier, mirrored },
                  { "by_pipeline", by_pipeline, mirrored },
                  { "by_roles", by_roles, consumed },
                  { "by_thread", by_thread, mirrored },
                  { "in_bulk", in_bulk, mirrored },
                  { "with_zeros", with_zeros, half_of },
                  { "from_the_start", from_the_start, every } };
    int *in, *out, r[threads];
    for (int i = 0; i < rounds * threads; i++) {
        h[i] = i * 7 % 23;
    }
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof r);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    for (auto &c : cases) {
        c.kernel<<<1, threads>>>(in, out);
        cudaError_t e = cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
        for (int t = 0; t < threads; t++) {
            if ((e || r[t] != c.expected(t)) && bad++ < 10) {
                printf("%s: thread %d: %d, not %d: %s\n", c.name, t, r[t], c.expected(t),
                       cudaGetErrorString(e));
            }
        }
    }
    printf(bad ? "%d wrong\n" : "right\n", bad);
    return bad != 0;
}
