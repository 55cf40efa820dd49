/* SPDX-License-Identifier: MIT
 *
 * hip/hip_runtime.h: HIP as its compiler for AMD knows it, over CUDA's headers: the
 * runtime, the vector types with their operators, and the functions of kernels that
 * CUDA has not. A warp has 32 lanes, as on RDNA.
 *
 * HIP's functions of warps have no mask: all lanes of the warp take part in them. */
#ifndef WEIR_HIP_RUNTIME_H
#define WEIR_HIP_RUNTIME_H

#include <hip/hip_runtime_api.h>
#include <hip/hip_vector_types.h>

/* ---- Launches -------------------------------------------------------------- */

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(type, variable) extern __shared__ type variable[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

#ifdef __CUDA__

#define hipLaunchKernelGGL(kernel, ...) WEIRI_HIP_LAUNCH((kernel), __VA_ARGS__)
#define WEIRI_HIP_LAUNCH(kernel, grid, block, shared_bytes, stream, ...)               \
    do {                                                                               \
        kernel<<<(grid), (block), (shared_bytes), (stream)>>>(__VA_ARGS__);            \
    } while (0)

/* ---- Ids ------------------------------------------------------------------- */

#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

WEIRI_DEVICE unsigned int __lane_id()
{
    return weiri_cu_lane();
}

/* ---- Warps: the lanes that the warp has ------------------------------------ */

#define WEIRI_HIP_SHUFFLE(name, builtin, clamp, T_, s, U_, lane_type)                  \
    WEIRI_DEVICE T_ __shfl##name(T_ value, lane_type lane, int width = warpSize)       \
    {                                                                                  \
        return weiri_bits<T_>(weiri_cu_shuffle_##builtin##_##s(                        \
            weiri_cu_warp_mask(), weiri_bits<U_>(value), (unsigned int)lane,           \
            weiri_shuffle_bounds(width, clamp)));                                      \
    }
#define WEIRI_HIP_SHUFFLES(T_, s, U_)                                                  \
    WEIRI_HIP_SHUFFLE(, index, 31, T_, s, U_, int)                                     \
    WEIRI_HIP_SHUFFLE(_up, up, 0, T_, s, U_, unsigned int)                             \
    WEIRI_HIP_SHUFFLE(_down, down, 31, T_, s, U_, unsigned int)                        \
    WEIRI_HIP_SHUFFLE(_xor, xor, 31, T_, s, U_, int)
WEIRI_HIP_SHUFFLES(int, u32, uint32_t)
WEIRI_HIP_SHUFFLES(unsigned int, u32, uint32_t)
WEIRI_HIP_SHUFFLES(float, u32, uint32_t)
WEIRI_HIP_SHUFFLES(long, u64, uint64_t)
WEIRI_HIP_SHUFFLES(unsigned long, u64, uint64_t)
WEIRI_HIP_SHUFFLES(long long, u64, uint64_t)
WEIRI_HIP_SHUFFLES(unsigned long long, u64, uint64_t)
WEIRI_HIP_SHUFFLES(double, u64, uint64_t)
#undef WEIRI_HIP_SHUFFLE
#undef WEIRI_HIP_SHUFFLES

WEIRI_DEVICE int __any(int predicate)
{
    return (int)weiri_cu_vote_any(weiri_cu_warp_mask(), predicate);
}

WEIRI_DEVICE int __all(int predicate)
{
    return (int)weiri_cu_vote_all(weiri_cu_warp_mask(), predicate);
}

WEIRI_DEVICE unsigned long long __ballot(int predicate)
{
    return weiri_cu_vote_ballot(weiri_cu_warp_mask(), predicate);
}
#define __ballot64 __ballot

/* ---- Atomics --------------------------------------------------------------- */

#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5

/* HIP has these on numbers, too. */
#define X_(suffix, SCOPE)                                                              \
    WEIRI_HIP_NUMBER(atomicMin##suffix, SCOPE, float, min, f32)                        \
    WEIRI_HIP_NUMBER(atomicMax##suffix, SCOPE, float, max, f32)                        \
    WEIRI_HIP_NUMBER(atomicMin##suffix, SCOPE, double, min, f64)                       \
    WEIRI_HIP_NUMBER(atomicMax##suffix, SCOPE, double, max, f64)
#define WEIRI_HIP_NUMBER(name, SCOPE, T_, builtin, s)                                  \
    WEIRI_DEVICE T_ name(T_ *address, T_ value)                                        \
    {                                                                                  \
        return weiri_cu_##builtin##_##s(address, value, WEIRI_RELAXED,                 \
                                        WEIRI_SCOPE_##SCOPE);                          \
    }
WEIRI_SCOPES(X_)
WEIRI_HIP_NUMBER(unsafeAtomicAdd, DEVICE, float, add, f32)
WEIRI_HIP_NUMBER(unsafeAtomicAdd, DEVICE, double, add, f64)
WEIRI_HIP_NUMBER(safeAtomicAdd, DEVICE, float, add, f32)
WEIRI_HIP_NUMBER(safeAtomicAdd, DEVICE, double, add, f64)
WEIRI_HIP_NUMBER(unsafeAtomicMin, DEVICE, float, min, f32)
WEIRI_HIP_NUMBER(unsafeAtomicMin, DEVICE, double, min, f64)
WEIRI_HIP_NUMBER(unsafeAtomicMax, DEVICE, float, max, f32)
WEIRI_HIP_NUMBER(unsafeAtomicMax, DEVICE, double, max, f64)
#undef WEIRI_HIP_NUMBER
#undef X_
WEIRI_DEVICE void atomicAddNoRet(float *address, float value)
{
    weiri_cu_add_f32(address, value, WEIRI_RELAXED, WEIRI_SCOPE_DEVICE);
}

/* clang knows builtins of these names, which know no scope here. weir-cuda-cc calls the
 * functions by the names of the macros. @T_: one of the machine's types; the
 * scopes of HIP are one greater than the machine's. */
#define __hip_atomic_load weiri_hip_atomic_load
#define __hip_atomic_store weiri_hip_atomic_store
#define __hip_atomic_exchange weiri_hip_atomic_exchange
#define __hip_atomic_compare_exchange_weak weiri_hip_atomic_compare_exchange_weak
#define __hip_atomic_compare_exchange_strong weiri_hip_atomic_compare_exchange_strong
#define __hip_atomic_fetch_add weiri_hip_atomic_fetch_add
#define __hip_atomic_fetch_sub weiri_hip_atomic_fetch_sub
#define __hip_atomic_fetch_min weiri_hip_atomic_fetch_min
#define __hip_atomic_fetch_max weiri_hip_atomic_fetch_max
#define __hip_atomic_fetch_and weiri_hip_atomic_fetch_and
#define __hip_atomic_fetch_or weiri_hip_atomic_fetch_or
#define __hip_atomic_fetch_xor weiri_hip_atomic_fetch_xor

#define WEIRI_HIP_FETCH(name, T_, C_, builtin, s, minus)                               \
    WEIRI_DEVICE T_ weiri_hip_atomic_##name(T_ *p, T_ value, int order, int scope)     \
    {                                                                                  \
        return (T_)weiri_cu_##builtin##_##s(p, (C_)minus(C_) value, order, scope - 1); \
    }                                                                                  \
    WEIRI_DEVICE T_ weiri_hip_atomic_##name(volatile T_ *p, T_ value, int order,       \
                                            int scope)                                 \
    {                                                                                  \
        return (T_)weiri_cu_##builtin##_##s((void *)p, (C_)minus(C_) value, order,     \
                                            scope - 1);                                \
    }
#define WEIRI_HIP_EXCHANGE(name, T_, C_, s, weak)                                      \
    WEIRI_DEVICE bool weiri_hip_atomic_compare_exchange_##name(                        \
        T_ *p, T_ *expected, T_ desired, int success, int failure, int scope)          \
    {                                                                                  \
        T_ before = (T_)weiri_cu_cas_##s(p, (C_)*expected, (C_)desired, success,       \
                                         failure, scope - 1, weak);                    \
        bool done = memcmp(&before, expected, sizeof before) == 0;                     \
        *expected = before;                                                            \
        return done;                                                                   \
    }
#define WEIRI_HIP_NUMBERS(T_, C_, s)                                                   \
    WEIRI_DEVICE T_ weiri_hip_atomic_load(const volatile T_ *p, int order, int scope)  \
    {                                                                                  \
        return (T_)weiri_cu_load_##s((const void *)p, order, scope - 1);               \
    }                                                                                  \
    WEIRI_DEVICE void weiri_hip_atomic_store(volatile T_ *p, T_ value, int order,      \
                                             int scope)                                \
    {                                                                                  \
        weiri_cu_store_##s((void *)p, (C_)value, order, scope - 1);                    \
    }                                                                                  \
    WEIRI_HIP_FETCH(exchange, T_, C_, exchange, s, )                                   \
    WEIRI_HIP_FETCH(fetch_add, T_, C_, add, s, )                                       \
    WEIRI_HIP_FETCH(fetch_sub, T_, C_, add, s, -)                                      \
    WEIRI_HIP_FETCH(fetch_min, T_, C_, min, s, )                                       \
    WEIRI_HIP_FETCH(fetch_max, T_, C_, max, s, )                                       \
    WEIRI_HIP_EXCHANGE(weak, T_, C_, s, 1)                                             \
    WEIRI_HIP_EXCHANGE(strong, T_, C_, s, 0)
#define WEIRI_HIP_INTEGERS(T_, C_, s)                                                  \
    WEIRI_HIP_NUMBERS(T_, C_, s)                                                       \
    WEIRI_HIP_FETCH(fetch_and, T_, C_, and, s, )                                       \
    WEIRI_HIP_FETCH(fetch_or, T_, C_, or, s, )                                         \
    WEIRI_HIP_FETCH(fetch_xor, T_, C_, xor, s, )
WEIRI_HIP_INTEGERS(int, int32_t, i32)
WEIRI_HIP_INTEGERS(unsigned int, uint32_t, u32)
WEIRI_HIP_INTEGERS(long, int64_t, i64)
WEIRI_HIP_INTEGERS(unsigned long, uint64_t, u64)
WEIRI_HIP_INTEGERS(long long, int64_t, i64)
WEIRI_HIP_INTEGERS(unsigned long long, uint64_t, u64)
WEIRI_HIP_NUMBERS(float, float, f32)
WEIRI_HIP_NUMBERS(double, double, f64)
#undef WEIRI_HIP_FETCH
#undef WEIRI_HIP_EXCHANGE
#undef WEIRI_HIP_NUMBERS
#undef WEIRI_HIP_INTEGERS

/* ---- Others ---------------------------------------------------------------- */

WEIRI_DEVICE long long wall_clock64()
{
    return (long long)weiri_cu_clock();
}

#endif
#endif
