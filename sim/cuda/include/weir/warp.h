/* SPDX-License-Identifier: MIT
 *
 * weir/warp.h: functions of the lanes that a mask names. The forms without _sync, which
 * CUDA removed for processors from sm_70 on, do not compile and name what replaces
 * them. */
#ifndef WEIR_CUDA_WARP_H
#define WEIR_CUDA_WARP_H

#include <weir/bits.h>
#include <weir/builtins.h>
#include <weir/ids.h>

WEIRI_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu)
{
    weiri_cu_warp_sync(mask);
}

WEIRI_DEVICE unsigned int __activemask()
{
    return weiri_cu_active_mask();
}

/* ---- Votes ----------------------------------------------------------------- */

WEIRI_DEVICE int __any_sync(unsigned int mask, int predicate)
{
    return (int)weiri_cu_vote_any(mask, predicate);
}

WEIRI_DEVICE int __all_sync(unsigned int mask, int predicate)
{
    return (int)weiri_cu_vote_all(mask, predicate);
}

WEIRI_DEVICE int __uni_sync(unsigned int mask, int predicate)
{
    return (int)weiri_cu_vote_uniform(mask, predicate);
}

WEIRI_DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate)
{
    return weiri_cu_vote_ballot(mask, predicate);
}

/* ---- Shuffles -----------------------------------------------------------------
 * PTX's operand c: the mask of the segment, and the last lane that may be read. */

WEIRI_DEVICE unsigned int weiri_shuffle_bounds(int width, unsigned int clamp)
{
    return ((unsigned int)(warpSize - width) << 8) | clamp;
}

#define WEIRI_SHUFFLE(name, builtin, clamp, T_, s, U_, lane_type)                      \
    WEIRI_DEVICE T_ __shfl##name##_sync(unsigned int mask, T_ value, lane_type lane,   \
                                        int width = warpSize)                          \
    {                                                                                  \
        return weiri_bits<T_>(weiri_cu_shuffle_##builtin##_##s(                        \
            mask, weiri_bits<U_>(value), (unsigned int)lane,                           \
            weiri_shuffle_bounds(width, clamp)));                                      \
    }
#define WEIRI_SHUFFLES(T_, s, U_)                                                      \
    WEIRI_SHUFFLE(, index, 31, T_, s, U_, int)                                         \
    WEIRI_SHUFFLE(_up, up, 0, T_, s, U_, unsigned int)                                 \
    WEIRI_SHUFFLE(_down, down, 31, T_, s, U_, unsigned int)                            \
    WEIRI_SHUFFLE(_xor, xor, 31, T_, s, U_, int)
WEIRI_SHUFFLES(int, u32, uint32_t)
WEIRI_SHUFFLES(unsigned int, u32, uint32_t)
WEIRI_SHUFFLES(float, u32, uint32_t)
WEIRI_SHUFFLES(long, u64, uint64_t)
WEIRI_SHUFFLES(unsigned long, u64, uint64_t)
WEIRI_SHUFFLES(long long, u64, uint64_t)
WEIRI_SHUFFLES(unsigned long long, u64, uint64_t)
WEIRI_SHUFFLES(double, u64, uint64_t)

/* ---- Matches --------------------------------------------------------------- */

#define WEIRI_MATCH(T_, s, U_)                                                         \
    WEIRI_DEVICE unsigned int __match_any_sync(unsigned int mask, T_ value)            \
    {                                                                                  \
        return weiri_cu_match_any_##s(mask, weiri_bits<U_>(value));                    \
    }                                                                                  \
    WEIRI_DEVICE unsigned int __match_all_sync(unsigned int mask, T_ value, int *pred) \
    {                                                                                  \
        unsigned int all = weiri_cu_match_all_##s(mask, weiri_bits<U_>(value));        \
        *pred = all != 0;                                                              \
        return all;                                                                    \
    }
WEIRI_MATCH(int, u32, uint32_t)
WEIRI_MATCH(unsigned int, u32, uint32_t)
WEIRI_MATCH(float, u32, uint32_t)
WEIRI_MATCH(long, u64, uint64_t)
WEIRI_MATCH(unsigned long, u64, uint64_t)
WEIRI_MATCH(long long, u64, uint64_t)
WEIRI_MATCH(unsigned long long, u64, uint64_t)
WEIRI_MATCH(double, u64, uint64_t)
#undef WEIRI_MATCH

/* ---- Reductions ------------------------------------------------------------ */

#define WEIRI_REDUCE(name, T_, s)                                                      \
    WEIRI_DEVICE T_ __reduce_##name##_sync(unsigned int mask, T_ value)                \
    {                                                                                  \
        return (T_)weiri_cu_warp_reduce_##name##_##s(mask, value);                     \
    }
WEIRI_REDUCE(add, int, i32)
WEIRI_REDUCE(add, unsigned int, u32)
WEIRI_REDUCE(min, int, i32)
WEIRI_REDUCE(min, unsigned int, u32)
WEIRI_REDUCE(max, int, i32)
WEIRI_REDUCE(max, unsigned int, u32)
WEIRI_REDUCE(and, unsigned int, u32)
WEIRI_REDUCE(or, unsigned int, u32)
WEIRI_REDUCE(xor, unsigned int, u32)
#undef WEIRI_REDUCE

/* ---- Forms without a mask: HIP has them, in hip/hip_runtime.h -------------- */

#ifndef __HIPCC__
#define WEIRI_REMOVED(name)                                                            \
    template <class... T_>                                                             \
    __device__ __attribute__((                                                         \
        unavailable("CUDA has removed it for sm_70 and later: call " #name             \
                    "_sync() with the mask of the lanes that take part"))) int         \
    name(T_...);
WEIRI_REMOVED(__any)
WEIRI_REMOVED(__all)
WEIRI_REMOVED(__ballot)
WEIRI_REMOVED(__shfl)
WEIRI_REMOVED(__shfl_up)
WEIRI_REMOVED(__shfl_down)
WEIRI_REMOVED(__shfl_xor)
#undef WEIRI_REMOVED
#endif

#endif
