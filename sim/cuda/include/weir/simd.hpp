/* SPDX-License-Identifier: MIT
 *
 * weir/simd.hpp: functions of the two halves, or the four bytes, of a word; and minima
 * and maxima of sums and of three numbers (DPX). */
#ifndef WEIR_CUDA_SIMD_HPP
#define WEIR_CUDA_SIMD_HPP

#include <stdint.h>

#include <host_defines.h>

namespace weiri
{

/* The lanes of a word, of @bits bits each, with and without sign. */
template <int bits> struct lanes {
    static constexpr int n = 32 / bits;
    static constexpr unsigned int mask = (1u << bits) - 1;
    static constexpr int greatest = (int)(mask >> 1), least = -greatest - 1;

    static WEIRI_BOTH int u(unsigned int word, int i)
    {
        return (int)(word >> bits * i & mask);
    }
    static WEIRI_BOTH int s(unsigned int word, int i)
    {
        return (int)(word << (32 - bits * (i + 1))) >> (32 - bits);
    }
    static WEIRI_BOTH unsigned int put(int value, int i)
    {
        return ((unsigned int)value & mask) << bits * i;
    }
    static WEIRI_BOTH int clamp_s(int x)
    {
        return x < least ? least : x > greatest ? greatest : x;
    }
    static WEIRI_BOTH int clamp_u(int x)
    {
        return x < 0 ? 0 : x > (int)mask ? (int)mask : x;
    }
    static WEIRI_BOTH int size(int x)
    {
        return x < 0 ? -x : x;
    }
};

} // namespace weiri

/* A function of one word or two: x and y are lanes with a sign (s) or without (u). */
#define WEIRI_LANES_1(name, bits, ...)                                                 \
    WEIRI_DEVICE unsigned int name(unsigned int a)                                     \
    {                                                                                  \
        typedef weiri::lanes<bits> L_;                                                 \
        unsigned int result = 0;                                                       \
        for (int i = 0; i < L_::n; i++) {                                              \
            int x = L_::s(a, i);                                                       \
            result |= L_::put((__VA_ARGS__), i);                                       \
        }                                                                              \
        return result;                                                                 \
    }
#define WEIRI_LANES_2(name, bits, sign, ...)                                           \
    WEIRI_DEVICE unsigned int name(unsigned int a, unsigned int b)                     \
    {                                                                                  \
        typedef weiri::lanes<bits> L_;                                                 \
        unsigned int result = 0;                                                       \
        for (int i = 0; i < L_::n; i++) {                                              \
            int x = L_::sign(a, i), y = L_::sign(b, i);                                \
            result |= L_::put((__VA_ARGS__), i);                                       \
        }                                                                              \
        return result;                                                                 \
    }
#define WEIRI_LANES_SUM(name, bits, sign)                                              \
    WEIRI_DEVICE unsigned int name(unsigned int a, unsigned int b)                     \
    {                                                                                  \
        typedef weiri::lanes<bits> L_;                                                 \
        unsigned int result = 0;                                                       \
        for (int i = 0; i < L_::n; i++) {                                              \
            result += (unsigned int)L_::size(L_::sign(a, i) - L_::sign(b, i));         \
        }                                                                              \
        return result;                                                                 \
    }
#define WEIRI_LANES_COMPARE(k, bits, name, sign, op)                                   \
    WEIRI_LANES_2(__vcmp##name##k, bits, sign, x op y ? -1 : 0)                        \
    WEIRI_LANES_2(__vset##name##k, bits, sign, x op y ? 1 : 0)

#define WEIRI_SIMD(k, bits)                                                            \
    WEIRI_LANES_1(__vabs##k, bits, L_::size(x))                                        \
    WEIRI_LANES_1(__vabsss##k, bits, L_::clamp_s(L_::size(x)))                         \
    WEIRI_LANES_1(__vneg##k, bits, -x)                                                 \
    WEIRI_LANES_1(__vnegss##k, bits, L_::clamp_s(-x))                                  \
    WEIRI_LANES_2(__vadd##k, bits, u, x + y)                                           \
    WEIRI_LANES_2(__vaddss##k, bits, s, L_::clamp_s(x + y))                            \
    WEIRI_LANES_2(__vaddus##k, bits, u, L_::clamp_u(x + y))                            \
    WEIRI_LANES_2(__vsub##k, bits, u, x - y)                                           \
    WEIRI_LANES_2(__vsubss##k, bits, s, L_::clamp_s(x - y))                            \
    WEIRI_LANES_2(__vsubus##k, bits, u, L_::clamp_u(x - y))                            \
    WEIRI_LANES_2(__vavgs##k, bits, s,                                                 \
                  x + y >= 0 ? (x + y + 1) >> 1 : -((-(x + y) + 1) >> 1))              \
    WEIRI_LANES_2(__vavgu##k, bits, u, (x + y + 1) >> 1)                               \
    WEIRI_LANES_2(__vhaddu##k, bits, u, (x + y) >> 1)                                  \
    WEIRI_LANES_2(__vabsdiffs##k, bits, s, L_::size(x - y))                            \
    WEIRI_LANES_2(__vabsdiffu##k, bits, u, L_::size(x - y))                            \
    WEIRI_LANES_2(__vmaxs##k, bits, s, x > y ? x : y)                                  \
    WEIRI_LANES_2(__vmaxu##k, bits, u, x > y ? x : y)                                  \
    WEIRI_LANES_2(__vmins##k, bits, s, x < y ? x : y)                                  \
    WEIRI_LANES_2(__vminu##k, bits, u, x < y ? x : y)                                  \
    WEIRI_LANES_SUM(__vsads##k, bits, s)                                               \
    WEIRI_LANES_SUM(__vsadu##k, bits, u)                                               \
    WEIRI_LANES_COMPARE(k, bits, eq, u, ==)                                            \
    WEIRI_LANES_COMPARE(k, bits, ne, u, !=)                                            \
    WEIRI_LANES_COMPARE(k, bits, ges, s, >=)                                           \
    WEIRI_LANES_COMPARE(k, bits, geu, u, >=)                                           \
    WEIRI_LANES_COMPARE(k, bits, gts, s, >)                                            \
    WEIRI_LANES_COMPARE(k, bits, gtu, u, >)                                            \
    WEIRI_LANES_COMPARE(k, bits, les, s, <=)                                           \
    WEIRI_LANES_COMPARE(k, bits, leu, u, <=)                                           \
    WEIRI_LANES_COMPARE(k, bits, lts, s, <)                                            \
    WEIRI_LANES_COMPARE(k, bits, ltu, u, <)
WEIRI_SIMD(2, 16)
WEIRI_SIMD(4, 8)

/* ---- DPX ----------------------------------------------------------------------
 * Minima and maxima: of three numbers, of a sum and a number, with 0 (relu). */

#define WEIRI_DPX_WORD(T_, s)                                                          \
    WEIRI_BOTH T_ __vimax3_##s##32(T_ a, T_ b, T_ c)                                   \
    {                                                                                  \
        T_ most = a > b ? a : b;                                                       \
        return most > c ? most : c;                                                    \
    }                                                                                  \
    WEIRI_BOTH T_ __vimin3_##s##32(T_ a, T_ b, T_ c)                                   \
    {                                                                                  \
        T_ least = a < b ? a : b;                                                      \
        return least < c ? least : c;                                                  \
    }                                                                                  \
    WEIRI_BOTH T_ __viaddmax_##s##32(T_ a, T_ b, T_ c)                                 \
    {                                                                                  \
        T_ sum = (T_)((unsigned int)a + (unsigned int)b);                              \
        return sum > c ? sum : c;                                                      \
    }                                                                                  \
    WEIRI_BOTH T_ __viaddmin_##s##32(T_ a, T_ b, T_ c)                                 \
    {                                                                                  \
        T_ sum = (T_)((unsigned int)a + (unsigned int)b);                              \
        return sum < c ? sum : c;                                                      \
    }                                                                                  \
    WEIRI_BOTH T_ __vibmax_##s##32(T_ a, T_ b, bool *first)                            \
    {                                                                                  \
        *first = a >= b;                                                               \
        return a >= b ? a : b;                                                         \
    }                                                                                  \
    WEIRI_BOTH T_ __vibmin_##s##32(T_ a, T_ b, bool *first)                            \
    {                                                                                  \
        *first = a <= b;                                                               \
        return a <= b ? a : b;                                                         \
    }
WEIRI_DPX_WORD(int, s)
WEIRI_DPX_WORD(unsigned int, u)
#undef WEIRI_DPX_WORD

#define WEIRI_DPX_RELU(name, parameters, arguments)                                    \
    WEIRI_BOTH int name##_relu parameters                                              \
    {                                                                                  \
        int value = name arguments;                                                    \
        return value > 0 ? value : 0;                                                  \
    }
WEIRI_DPX_RELU(__vimax3_s32, (int a, int b, int c), (a, b, c))
WEIRI_DPX_RELU(__vimin3_s32, (int a, int b, int c), (a, b, c))
WEIRI_DPX_RELU(__viaddmax_s32, (int a, int b, int c), (a, b, c))
WEIRI_DPX_RELU(__viaddmin_s32, (int a, int b, int c), (a, b, c))
#undef WEIRI_DPX_RELU

WEIRI_BOTH int __vimax_s32_relu(int a, int b)
{
    return __vimax3_s32(a, b, 0);
}

WEIRI_BOTH int __vimin_s32_relu(int a, int b)
{
    int least = a < b ? a : b;
    return least > 0 ? least : 0;
}

#define WEIRI_DPX_HALVES(s)                                                            \
    WEIRI_LANES_2(weiri_max_##s##16x2, 16, s, x > y ? x : y)                           \
    WEIRI_LANES_2(weiri_min_##s##16x2, 16, s, x < y ? x : y)                           \
    WEIRI_DEVICE unsigned int __vimax3_##s##16x2(unsigned int a, unsigned int b,       \
                                                 unsigned int c)                       \
    {                                                                                  \
        return weiri_max_##s##16x2(weiri_max_##s##16x2(a, b), c);                      \
    }                                                                                  \
    WEIRI_DEVICE unsigned int __vimin3_##s##16x2(unsigned int a, unsigned int b,       \
                                                 unsigned int c)                       \
    {                                                                                  \
        return weiri_min_##s##16x2(weiri_min_##s##16x2(a, b), c);                      \
    }                                                                                  \
    WEIRI_DEVICE unsigned int __viaddmax_##s##16x2(unsigned int a, unsigned int b,     \
                                                   unsigned int c)                     \
    {                                                                                  \
        return weiri_max_##s##16x2(__vadd2(a, b), c);                                  \
    }                                                                                  \
    WEIRI_DEVICE unsigned int __viaddmin_##s##16x2(unsigned int a, unsigned int b,     \
                                                   unsigned int c)                     \
    {                                                                                  \
        return weiri_min_##s##16x2(__vadd2(a, b), c);                                  \
    }
WEIRI_DPX_HALVES(s)
WEIRI_DPX_HALVES(u)
#undef WEIRI_DPX_HALVES

#undef WEIRI_SIMD
#undef WEIRI_LANES_COMPARE
#undef WEIRI_LANES_SUM
#undef WEIRI_LANES_2
#undef WEIRI_LANES_1

#endif
