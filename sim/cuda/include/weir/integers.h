/* SPDX-License-Identifier: MIT
 *
 * weir/integers.h: CUDA's integer functions, and min() and max() of all types. */
#ifndef WEIR_CUDA_INTEGERS_H
#define WEIR_CUDA_INTEGERS_H

#include <stdint.h>

#include <host_defines.h>
#include <vector_types.h>

/* ---- Bits ------------------------------------------------------------------ */

WEIRI_DEVICE int __popc(unsigned int x)
{
    return __builtin_popcount(x);
}

WEIRI_DEVICE int __popcll(unsigned long long int x)
{
    return __builtin_popcountll(x);
}

WEIRI_DEVICE int __clz(int x)
{
    return x != 0 ? __builtin_clz((unsigned int)x) : 32;
}

WEIRI_DEVICE int __clzll(long long int x)
{
    return x != 0 ? __builtin_clzll((unsigned long long int)x) : 64;
}

WEIRI_DEVICE int __ffs(int x)
{
    return __builtin_ffs(x);
}

WEIRI_DEVICE int __ffsll(long long int x)
{
    return __builtin_ffsll(x);
}

WEIRI_DEVICE unsigned int __brev(unsigned int x)
{
    return __builtin_bitreverse32(x);
}

WEIRI_DEVICE unsigned long long int __brevll(unsigned long long int x)
{
    return __builtin_bitreverse64(x);
}

/* The place of the @offset-th set bit, counted from bit @base: upwards if @offset is
 * positive, downwards if it is negative; with 0, @base itself if it is set. */
WEIRI_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int offset)
{
    int left = offset == 0 ? 1 : offset < 0 ? -offset : offset;
    int step = offset < 0 ? -1 : 1;
    for (int64_t bit = base; bit >= 0 && bit < 32; bit += step) {
        left -= (int)(mask >> bit & 1);
        if (left == 0) {
            return (unsigned int)bit;
        }
        if (offset == 0) {
            break;
        }
    }
    return 0xffffffffu;
}

/* Four bytes of x and y (which has the bytes 4 to 7), chosen by the low three bits of
 * each digit of @selector. */
WEIRI_DEVICE unsigned int __byte_perm(unsigned int x, unsigned int y,
                                      unsigned int selector)
{
    uint64_t bytes = (uint64_t)y << 32 | x;
    unsigned int result = 0;
    for (int i = 0; i < 4; i++) {
        unsigned int byte = selector >> 4 * i & 7;
        result |= (unsigned int)(bytes >> 8 * byte & 0xff) << 8 * i;
    }
    return result;
}

/* From the 64 bits of hi and lo: the high word after a shift to the left, the low one
 * after a shift to the right; _lc and _rc shift by 32 at most. */
WEIRI_DEVICE unsigned int __funnelshift_l(unsigned int lo, unsigned int hi,
                                          unsigned int shift)
{
    return (unsigned int)(((uint64_t)hi << 32 | lo) << (shift & 31) >> 32);
}

WEIRI_DEVICE unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi,
                                           unsigned int shift)
{
    return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}

WEIRI_DEVICE unsigned int __funnelshift_r(unsigned int lo, unsigned int hi,
                                          unsigned int shift)
{
    return (unsigned int)(((uint64_t)hi << 32 | lo) >> (shift & 31));
}

WEIRI_DEVICE unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi,
                                           unsigned int shift)
{
    return shift >= 32 ? hi : __funnelshift_r(lo, hi, shift);
}

/* ---- Products and sums ----------------------------------------------------- */

WEIRI_DEVICE int weiri_low_24(int x)
{
    return (int)((unsigned int)x << 8) >> 8;
}

WEIRI_DEVICE int __mul24(int x, int y)
{
    return (int)((unsigned int)weiri_low_24(x) * (unsigned int)weiri_low_24(y));
}

WEIRI_DEVICE unsigned int __umul24(unsigned int x, unsigned int y)
{
    return (x & 0xffffff) * (y & 0xffffff);
}

WEIRI_DEVICE int __mulhi(int x, int y)
{
    return (int)((int64_t)x * y >> 32);
}

WEIRI_DEVICE unsigned int __umulhi(unsigned int x, unsigned int y)
{
    return (unsigned int)((uint64_t)x * y >> 32);
}

WEIRI_DEVICE long long int __mul64hi(long long int x, long long int y)
{
    return (long long int)((__int128)x * y >> 64);
}

WEIRI_DEVICE unsigned long long int __umul64hi(unsigned long long int x,
                                               unsigned long long int y)
{
    return (unsigned long long int)((unsigned __int128)x * y >> 64);
}

WEIRI_DEVICE int mulhi(int x, int y)
{
    return __mulhi(x, y);
}

WEIRI_DEVICE unsigned int umulhi(unsigned int x, unsigned int y)
{
    return __umulhi(x, y);
}

WEIRI_DEVICE long long int mul64hi(long long int x, long long int y)
{
    return __mul64hi(x, y);
}

WEIRI_DEVICE unsigned long long int umul64hi(unsigned long long int x,
                                             unsigned long long int y)
{
    return __umul64hi(x, y);
}

WEIRI_DEVICE int mul24(int x, int y)
{
    return __mul24(x, y);
}

WEIRI_DEVICE unsigned int umul24(unsigned int x, unsigned int y)
{
    return __umul24(x, y);
}

/* |x - y| + z */
WEIRI_DEVICE unsigned int __sad(int x, int y, unsigned int z)
{
    int64_t difference = (int64_t)x - y;
    return (unsigned int)(difference < 0 ? -difference : difference) + z;
}

WEIRI_DEVICE unsigned int __usad(unsigned int x, unsigned int y, unsigned int z)
{
    return (x < y ? y - x : x - y) + z;
}

/* Means: rounded down, and with r up. */
WEIRI_DEVICE int __hadd(int x, int y)
{
    return (int)(((int64_t)x + y) >> 1);
}

WEIRI_DEVICE int __rhadd(int x, int y)
{
    return (int)(((int64_t)x + y + 1) >> 1);
}

WEIRI_DEVICE unsigned int __uhadd(unsigned int x, unsigned int y)
{
    return (unsigned int)(((uint64_t)x + y) >> 1);
}

WEIRI_DEVICE unsigned int __urhadd(unsigned int x, unsigned int y)
{
    return (unsigned int)(((uint64_t)x + y + 1) >> 1);
}

/* ---- Dot products -------------------------------------------------------------
 * For bytes; and for two 16-bit numbers of a with the low or high two bytes of b. */

template <class A_, class B_>
WEIRI_DEVICE unsigned int weiri_dot_4(unsigned int a, unsigned int b, unsigned int sum)
{
    for (int i = 0; i < 4; i++) {
        sum += (unsigned int)((int)(A_)(a >> 8 * i) * (int)(B_)(b >> 8 * i));
    }
    return sum;
}

template <class A_, class B_>
WEIRI_DEVICE unsigned int weiri_dot_2(unsigned int a, unsigned int b, unsigned int sum)
{
    for (int i = 0; i < 2; i++) {
        sum += (unsigned int)((int)(A_)(a >> 16 * i) * (int)(B_)(b >> 8 * i));
    }
    return sum;
}

WEIRI_DEVICE unsigned int weiri_word(char4 v)
{
    return (uint8_t)v.x | (uint32_t)(uint8_t)v.y << 8 | (uint32_t)(uint8_t)v.z << 16
        | (uint32_t)(uint8_t)v.w << 24;
}

WEIRI_DEVICE unsigned int weiri_word(uchar4 v)
{
    return v.x | (uint32_t)v.y << 8 | (uint32_t)v.z << 16 | (uint32_t)v.w << 24;
}

WEIRI_DEVICE unsigned int weiri_word(short2 v)
{
    return (uint16_t)v.x | (uint32_t)(uint16_t)v.y << 16;
}

WEIRI_DEVICE unsigned int weiri_word(ushort2 v)
{
    return v.x | (uint32_t)v.y << 16;
}

WEIRI_DEVICE int __dp4a(int a, int b, int c)
{
    return (int)weiri_dot_4<int8_t, int8_t>((unsigned)a, (unsigned)b, (unsigned)c);
}

WEIRI_DEVICE unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c)
{
    return weiri_dot_4<uint8_t, uint8_t>(a, b, c);
}

WEIRI_DEVICE int __dp4a(char4 a, char4 b, int c)
{
    return (int)weiri_dot_4<int8_t, int8_t>(weiri_word(a), weiri_word(b), (unsigned)c);
}

WEIRI_DEVICE unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c)
{
    return weiri_dot_4<uint8_t, uint8_t>(weiri_word(a), weiri_word(b), c);
}

#define WEIRI_DOT_2(name, shift)                                                       \
    WEIRI_DEVICE int name(int a, int b, int c)                                         \
    {                                                                                  \
        return (int)weiri_dot_2<int16_t, int8_t>((unsigned)a, (unsigned)b >> shift,    \
                                                 (unsigned)c);                         \
    }                                                                                  \
    WEIRI_DEVICE unsigned int name(unsigned int a, unsigned int b, unsigned int c)     \
    {                                                                                  \
        return weiri_dot_2<uint16_t, uint8_t>(a, b >> shift, c);                       \
    }                                                                                  \
    WEIRI_DEVICE int name(short2 a, char4 b, int c)                                    \
    {                                                                                  \
        return name((int)weiri_word(a), (int)weiri_word(b), c);                        \
    }                                                                                  \
    WEIRI_DEVICE unsigned int name(ushort2 a, uchar4 b, unsigned int c)                \
    {                                                                                  \
        return name(weiri_word(a), weiri_word(b), c);                                  \
    }
WEIRI_DOT_2(__dp2a_lo, 0)
WEIRI_DOT_2(__dp2a_hi, 16)
#undef WEIRI_DOT_2

/* ---- min() and max() ----------------------------------------------------------
 * X(type of the result and of the comparison, types of the arguments) */

#define WEIRI_CHOICES(X_)                                                              \
    X_(int, int, int)                                                                  \
    X_(unsigned int, unsigned int, unsigned int)                                       \
    X_(unsigned int, int, unsigned int)                                                \
    X_(unsigned int, unsigned int, int)                                                \
    X_(long int, long int, long int)                                                   \
    X_(unsigned long int, unsigned long int, unsigned long int)                        \
    X_(unsigned long int, long int, unsigned long int)                                 \
    X_(unsigned long int, unsigned long int, long int)                                 \
    X_(long long int, long long int, long long int)                                    \
    X_(unsigned long long int, unsigned long long int, unsigned long long int)         \
    X_(unsigned long long int, long long int, unsigned long long int)                  \
    X_(unsigned long long int, unsigned long long int, long long int)
#define X_(T_, A_, B_)                                                                 \
    WEIRI_BOTH constexpr T_ min(const A_ a, const B_ b)                                \
    {                                                                                  \
        return (T_)a < (T_)b ? (T_)a : (T_)b;                                          \
    }                                                                                  \
    WEIRI_BOTH constexpr T_ max(const A_ a, const B_ b)                                \
    {                                                                                  \
        return (T_)a > (T_)b ? (T_)a : (T_)b;                                          \
    }
WEIRI_CHOICES(X_)
#undef X_
#undef WEIRI_CHOICES

#define WEIRI_NAMED_CHOICES(prefix, T_)                                                \
    WEIRI_BOTH T_ prefix##min(const T_ a, const T_ b)                                  \
    {                                                                                  \
        return a < b ? a : b;                                                          \
    }                                                                                  \
    WEIRI_BOTH T_ prefix##max(const T_ a, const T_ b)                                  \
    {                                                                                  \
        return a > b ? a : b;                                                          \
    }
WEIRI_NAMED_CHOICES(u, unsigned int)
WEIRI_NAMED_CHOICES(ll, long long int)
WEIRI_NAMED_CHOICES(ull, unsigned long long int)
#undef WEIRI_NAMED_CHOICES

/* A number that is not NaN is chosen before one that is, as fmin() does. */
#define WEIRI_REAL_CHOICES(T_, A_, B_, suffix)                                         \
    WEIRI_BOTH T_ min(const A_ a, const B_ b)                                          \
    {                                                                                  \
        return __builtin_fmin##suffix((T_)a, (T_)b);                                   \
    }                                                                                  \
    WEIRI_BOTH T_ max(const A_ a, const B_ b)                                          \
    {                                                                                  \
        return __builtin_fmax##suffix((T_)a, (T_)b);                                   \
    }
WEIRI_REAL_CHOICES(float, float, float, f)
WEIRI_REAL_CHOICES(double, double, double, )
WEIRI_REAL_CHOICES(double, float, double, )
WEIRI_REAL_CHOICES(double, double, float, )
#undef WEIRI_REAL_CHOICES

#endif
