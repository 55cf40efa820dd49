/* SPDX-License-Identifier: MIT
 *
 * atomics.cu: each thread of 8 blocks of 32 takes part in one word an operation. */
#include <cstdio>
#include <cstring>
#include <cuda/atomic>
#include <cuda/std/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__device__ int i32[16];
__device__ unsigned u32[16];
__device__ unsigned long long u64[16];
__device__ long long i64[8];
__device__ float f;
__device__ double d;
__device__ half2 h2;
__device__ __nv_bfloat16 bf[2];
__device__ __half h[2];
__device__ cuda::atomic<int, cuda::thread_scope_device> a;
__device__ cuda::atomic<char> c;
__device__ cuda::atomic<short, cuda::thread_scope_block> *none;
__device__ cuda::atomic<double, cuda::thread_scope_device> ad;
struct P {
    int x, y;
};
__device__ cuda::atomic<P, cuda::thread_scope_device> p;
__device__ char bytes[8];
__device__ unsigned short halves[2];
__device__ cuda::std::atomic_uint su;
__device__ cuda::atomic<int *, cuda::thread_scope_device> ap;
__global__ void k()
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&i32[0], t);
    atomicSub(&i32[1], t);
    atomicMin(&i32[2], -t);
    atomicMax(&i32[3], t);
    atomicOr(&i32[4], 1 << t % 31);
    atomicXor(&i32[5], t);
    atomicAnd(&i32[6], ~(1 << t % 31));
    atomicAdd_system(&i32[7], 2);
    atomicAdd_block(&i32[8 + blockIdx.x], 1);
    atomicInc(&u32[0], 9);
    atomicDec(&u32[1], 9);
    atomicMax(&u32[2], (unsigned)-t);
    atomicMin(&u32[3], 5u);
    atomicSub(&u32[4], 1u);
    atomicAdd(&u32[5], 1u);
    unsigned old = atomicAdd(&u32[6], 0u), seen;
    do {
        seen = old;
        old = atomicCAS(&u32[6], seen, seen + 3);
    } while (old != seen);
    if (atomicExch(&u32[7], 1u) == 0)
        atomicAdd(&u32[8], 1u);
    atomicAdd(&u64[0], 1ull << 40);
    atomicMax(&u64[1], 1ull << (t % 60));
    atomicMin(&i64[0], -(long long)t << 33);
    atomicMax(&i64[1], (long long)t << 33);
    atomicAnd(&u64[2], ~(1ull << (t % 64)));
    atomicOr(&u64[3], 1ull << (t % 64));
    atomicXor(&u64[4], (unsigned long long)t << 40);
    unsigned long long o = atomicAdd(&u64[5], 0ull), s;
    do {
        s = o;
        o = atomicCAS(&u64[5], s, s + 5);
    } while (o != s);
    atomicExch(&u64[6], 7ull);
    atomicAdd(&f, 0.5f);
    atomicAdd(&d, 0.25);
    if (t < 64) {
        atomicAdd(&h2, half2(__half(1), __half(2)));
        atomicAdd(&bf[t % 2], __nv_bfloat16(1));
        atomicAdd(&h[t % 2], __half(2));
    }
    a++;
    a.fetch_add(2);
    a += 3;
    a.fetch_sub(1);
    c.fetch_add(1);
    ad.fetch_add(0.5);
    su++;
    ap += 1;
    P w = p.load();
    while (!p.compare_exchange_weak(w, P{ w.x + 1, w.y + 2 })) {}
    unsigned short taken = 0, read;
    do {
        read = taken;
        taken = atomicCAS(&halves[1], read, (unsigned short)(read + 2));
    } while (taken != read);
    cuda::atomic_ref<char> r(bytes[t % 8]);
    r.fetch_add(1);
}
static int bad;
template <class T, class E> void is(const T &symbol, size_t at, E e, int line)
{
    E v;
    cudaMemcpyFromSymbol(&v, symbol, sizeof v, at * sizeof v);
    if (memcmp(&v, &e, sizeof v)) {
        bad++;
        printf("line %d: %g, not %g\n", line, (double)v, (double)e);
    }
}
#define IS(x, at, e) is(x, at, e, __LINE__)
int main()
{
    int all = ~0;
    unsigned long long all64 = ~0ull;
    unsigned big = 100;
    cudaMemcpyToSymbol(i32, &all, 4, 6 * 4);
    cudaMemcpyToSymbol(u64, &all64, 8, 16);
    cudaMemcpyToSymbol(u32, &big, 4, 12);
    k<<<8, 32>>>();
    cudaError_t e = cudaDeviceSynchronize();
    if (e)
        printf("%s\n", cudaGetErrorString(e));
    IS(i32, 0, 255 * 128);
    IS(i32, 1, -255 * 128);
    IS(i32, 2, -255);
    IS(i32, 3, 255);
    IS(i32, 4, 0x7fffffff);
    IS(i32, 5, 0);
    IS(i32, 6, (int)0x80000000);
    IS(i32, 7, 512);
    for (int b = 0; b < 8; b++)
        IS(i32, 8 + b, 32);
    IS(u32, 0, 256u % 10);
    IS(u32, 1, (10 - 256 % 10) % 10 + 0u);
    IS(u32, 2, ~0u);
    IS(u32, 3, 5u);
    IS(u32, 4, -256u);
    IS(u32, 5, 256u);
    IS(u32, 6, 768u);
    IS(u32, 8, 1u);
    IS(u64, 0, 256ull << 40);
    IS(u64, 1, 1ull << 59);
    IS(i64, 0, -(255ll << 33));
    IS(i64, 1, 255ll << 33);
    IS(u64, 2, 0ull);
    IS(u64, 3, ~0ull);
    IS(u64, 4, 0ull);
    IS(u64, 5, 1280ull);
    IS(u64, 6, 7ull);
    IS(f, 0, 128.0f);
    IS(d, 0, 64.0);
    IS(h2, 0, (0x5800 << 16) | 0x5400);
    IS(bf, 0, 0x42004200);
    IS(h, 0, 0x54005400);
    IS(a, 0, 256 * 5);
    IS(c, 0, (char)0);
    IS(ad, 0, 128.0);
    IS(su, 0, 256u);
    IS(p, 0, 256 + (512ll << 32));
    for (int b = 0; b < 8; b++)
        IS(bytes, b, (char)32);
    IS(halves, 0, 512 << 16);
    IS(ap, 0, 1024ll);
    printf(bad ? "%d wrong\n" : "right\n", bad);
    return bad != 0 || e;
}
