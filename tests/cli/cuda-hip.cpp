// SPDX-License-Identifier: MIT
//
// cuda-hip.cpp: a program in HIP, for weir-hipcc. The word of the command line names a
// wrong case; without one all right ones run.
#include <hip/hip_runtime.h>

#include <hip/hip_bf16.h>
#include <hip/hip_complex.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>

#include <cstdio>
#include <cstring>

#if !defined(__HIPCC__) || !defined(__HIP_PLATFORM_AMD__) || defined(__CUDACC__)       \
    || defined(__NVCC__) || defined(__CUDA_ARCH__)
#error "the compiler is hipcc for AMD"
#endif

enum { N = 64 };

template <int count, typename T> __global__ void warps(T *out, float4 v)
{
#ifdef __HIP_DEVICE_COMPILE__
    HIP_DYNAMIC_SHARED(T, s)
    int t = hipThreadIdx_x;
    T sum = t;
    for (int half = warpSize / 2; half > 0; half /= 2) {
        sum += __shfl_down(sum, half);
    }
    s[t] = __shfl(sum, 0);
    __syncthreads();
    bool ok = s[0] == 31 * 16 && s[32] == 31 * 16 + 32 * 32;
    ok = ok && __ballot(t % 2) == 0xaaaaaaaaull && __any(t == 3 || t == 40)
        && !__all(t == 3);
    ok = ok && __shfl_xor(t, 1) == (t ^ 1) && __lane_id() == t % 32u;
    v = 2.f * v + float4{ 1, 1, 1, 1 };
    v -= 1;
    ok = ok && v == float4{ 2, 4, 6, 8 };
    out[t] = ok && count == 3;
#endif
}

__global__ void atomics(int *n, float *least, double *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __hip_atomic_fetch_add(n, 2, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    __hip_atomic_fetch_sub(n, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    atomicMin(least, -1.f * i);
    unsafeAtomicAdd(sum, 0.5);
    atomicAdd_system(n, 1);
}

// A flag: with release and acquire right, relaxed wrong.
__global__ void hands(int *data, int *flag, int release, int acquire)
{
    if (blockIdx.x == 0) {
        *data = 1;
        __hip_atomic_store(flag, 1, release, __HIP_MEMORY_SCOPE_AGENT);
    } else {
        while (__hip_atomic_load(flag, acquire, __HIP_MEMORY_SCOPE_AGENT) == 0) {}
        data[1] = *data; // after the flag
    }
}

__global__ void counts(int *n)
{
    if (threadIdx.x % 2 == 0) {
        atomicAdd(n, 1); // an atomic
    } else {
        *n = 1; // a plain access
    }
}

__global__ void narrow(int *n)
{
    __hip_atomic_fetch_add(n, 1, __ATOMIC_RELAXED,
                           __HIP_MEMORY_SCOPE_WORKGROUP); // narrow
}

__global__ void beyond(int *n)
{
    n[threadIdx.x] = 1; // beyond
}

__device__ int table[N];

#define CHECK(call)                                                                    \
    do {                                                                               \
        hipError_t e = call;                                                           \
        if (e != hipSuccess) {                                                         \
            printf("%s: %s: %s\n", #call, hipGetErrorName(e), hipGetErrorString(e));   \
            return 1;                                                                  \
        }                                                                              \
    } while (0)

static int all()
{
    hipDeviceProp_t p;
    CHECK(hipGetDeviceProperties(&p, 0));
    int warp, *out, h[N], n = 0;
    CHECK(hipDeviceGetAttribute(&warp, hipDeviceAttributeWarpSize, 0));
    if (p.warpSize != 32 || warp != 32 || p.gcnArchName[0] == '\0'
        || !p.arch.hasDoubles) {
        return 2;
    }
    CHECK(hipMalloc(&out, sizeof h));
    hipLaunchKernelGGL(HIP_KERNEL_NAME(warps<3, int>), dim3(1), dim3(N),
                       N * sizeof(int), 0, out, make_float4(1, 2, 3, 4));
    CHECK(hipGetLastError());
    CHECK(hipMemcpy(h, out, sizeof h, hipMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) {
        n += h[i];
    }
    hipStream_t s;
    hipEvent_t begin, end;
    CHECK(hipStreamCreateWithFlags(&s, hipStreamNonBlocking));
    CHECK(hipEventCreate(&begin));
    CHECK(hipEventCreate(&end));
    float *least, ms;
    double *sum;
    CHECK(hipHostMalloc((void **)&least, sizeof *least, hipHostMallocDefault));
    CHECK(hipMallocManaged(&sum, sizeof *sum));
    *least = 1;
    *sum = 0;
    CHECK(hipMemsetAsync(out, 0, sizeof h, s));
    CHECK(hipEventRecord(begin, s));
    atomics<<<2, N, 0, s>>>(out, least, sum);
    CHECK(hipEventRecord(end, s));
    CHECK(hipEventSynchronize(end));
    CHECK(hipEventElapsedTime(&ms, begin, end));
    CHECK(hipMemcpyWithStream(h, out, sizeof h, hipMemcpyDeviceToHost, s));
    bool right = n == N && h[0] == 4 * N && *least == 1 - 2 * N && *sum == N;
    for (int i = 0; i < N; i++) {
        h[i] = i;
    }
    CHECK(hipMemcpyToSymbol(HIP_SYMBOL(table), h, sizeof h));
    CHECK(hipMemsetD32(out, 7, N));
    CHECK(hipMemcpyDtoH(h, out, sizeof h));
    right = right && h[N - 1] == 7;
    CHECK(hipMemcpyFromSymbol(h, HIP_SYMBOL(table), sizeof h));
    right = right && h[N - 1] == N - 1;
    hipDoubleComplex z
        = hipCmul(make_hipDoubleComplex(0, 1), make_hipDoubleComplex(0, 1));
    right = right && hipCreal(z) == -1 && (float)__hip_bfloat16(2.f) == 2.f
        && (float)__half(2.f) == 2.f;
    CHECK(hipHostFree(least));
    CHECK(hipFree(sum));
    CHECK(hipFree(out));
    CHECK(hipStreamDestroy(s));
    void *none;
    hipError_t e = hipMalloc(&none, (size_t)1 << 60);
    right = right && e == hipErrorOutOfMemory
        && !strcmp(hipGetErrorName(e), "hipErrorOutOfMemory") && hipGetLastError() == e;
    puts(right ? "right" : "wrong");
    return !right;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        return all();
    }
    int *a, h[2];
    hipMalloc(&a, 2 * sizeof *a);
    hipMemset(a, 0, 2 * sizeof *a);
    int *flag;
    hipMalloc(&flag, sizeof *flag);
    hipMemset(flag, 0, sizeof *flag);
    if (strcmp(argv[1], "hands") == 0) {
        bool relaxed = argc > 2;
        hands<<<2, 1>>>(a, flag, relaxed ? __ATOMIC_RELAXED : __ATOMIC_RELEASE,
                        relaxed ? __ATOMIC_RELAXED : __ATOMIC_ACQUIRE);
    } else if (strcmp(argv[1], "counts") == 0) {
        counts<<<1, 2>>>(a);
    } else if (strcmp(argv[1], "narrow") == 0) {
        narrow<<<2, 1>>>(a);
    } else if (strcmp(argv[1], "beyond") == 0) {
        beyond<<<1, 3>>>(a);
    } else if (strcmp(argv[1], "streams") == 0) {
        hipStream_t s[2];
        hipStreamCreate(&s[0]);
        hipStreamCreate(&s[1]);
        hipMemsetAsync(a, 0, 4, s[0]);
        hipMemsetAsync(a, 1, 4, s[1]); // unordered
        hipDeviceSynchronize();
    } else if (strcmp(argv[1], "kind") == 0) {
        hipMemcpy(h, a, sizeof h, hipMemcpyHostToDevice); // kind
    } else if (strcmp(argv[1], "free") == 0) {
        hipFree(h); // free
    } else if (strcmp(argv[1], "freed") == 0) {
        hipFree(a);
        beyond<<<1, 1>>>(a);
    }
    hipMemcpy(h, flag, sizeof *h, hipMemcpyDeviceToHost);
    hipFree(flag);
    return 0;
}
