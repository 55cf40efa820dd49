/* SPDX-License-Identifier: MIT
 *
 * weir/half.hpp: numbers of 16 bits and pairs of them, and their functions, as macros:
 * cuda_fp16.h and cuda_bf16.h have the same with other names. In all macros H is the
 * type, H2 the pair, F the format of half-bits.h, and h, h2 their names in functions.
 *
 * Arithmetic is that of float, rounded to 16 bits after each operation.
 *
 * The file is long because it has one macro a family of functions, for both types. */
#ifndef WEIR_CUDA_HALF_HPP
#define WEIR_CUDA_HALF_HPP

#include <math.h>
#include <type_traits>

#include <vector_types.h>
#include <weir/atomic-objects.h>
#include <weir/half-bits.h>
#include <weir/math.hpp>
#include <weir/warp.h>

/* ---- Types ----------------------------------------------------------------- */

#define WEIRI_HALF_TYPES(H, H2, RAW, RAW2, F)                                          \
    struct __align__(2) RAW                                                            \
    {                                                                                  \
        unsigned short x;                                                              \
    };                                                                                 \
    struct __align__(4) RAW2                                                           \
    {                                                                                  \
        unsigned short x, y;                                                           \
    };                                                                                 \
    struct __align__(2) H                                                              \
    {                                                                                  \
        unsigned short __x;                                                            \
        H() = default;                                                                 \
        WEIRI_BOTH constexpr H(const RAW &raw) : __x(raw.x)                            \
        {                                                                              \
        }                                                                              \
        /* Any number, rounded to the nearest one. */                                  \
        template <class T,                                                             \
                  class = typename std::enable_if<std::is_arithmetic<T>::value>::type> \
        WEIRI_BOTH H(T x) : __x(F::of_double((double)x, WEIRI_RN))                     \
        {                                                                              \
        }                                                                              \
        template <class T>                                                             \
        WEIRI_BOTH typename std::enable_if<std::is_arithmetic<T>::value, H &>::type    \
        operator=(T x)                                                                 \
        {                                                                              \
            __x = F::of_double((double)x, WEIRI_RN);                                   \
            return *this;                                                              \
        }                                                                              \
        WEIRI_BOTH H &operator=(const RAW &raw)                                        \
        {                                                                              \
            __x = raw.x;                                                               \
            return *this;                                                              \
        }                                                                              \
        WEIRI_BOTH operator float() const                                              \
        {                                                                              \
            return F::to_float(__x);                                                   \
        }                                                                              \
        WEIRI_BOTH operator RAW() const                                                \
        {                                                                              \
            return RAW{ __x };                                                         \
        }                                                                              \
        WEIRI_BOTH explicit operator bool() const                                      \
        {                                                                              \
            return (__x & 0x7fff) != 0;                                                \
        }                                                                              \
        WEIRI_HALF_TO(F, char)                                                         \
        WEIRI_HALF_TO(F, signed char)                                                  \
        WEIRI_HALF_TO(F, unsigned char)                                                \
        WEIRI_HALF_TO(F, short)                                                        \
        WEIRI_HALF_TO(F, unsigned short)                                               \
        WEIRI_HALF_TO(F, int)                                                          \
        WEIRI_HALF_TO(F, unsigned int)                                                 \
        WEIRI_HALF_TO(F, long)                                                         \
        WEIRI_HALF_TO(F, unsigned long)                                                \
        WEIRI_HALF_TO(F, long long)                                                    \
        WEIRI_HALF_TO(F, unsigned long long)                                           \
    };                                                                                 \
    struct __align__(4) H2                                                             \
    {                                                                                  \
        H x, y;                                                                        \
        H2() = default;                                                                \
        WEIRI_BOTH H2(const H &a, const H &b) : x(a), y(b)                             \
        {                                                                              \
        }                                                                              \
        WEIRI_BOTH H2(const RAW2 &raw) : x(RAW{ raw.x }), y(RAW{ raw.y })              \
        {                                                                              \
        }                                                                              \
        WEIRI_BOTH operator RAW2() const                                               \
        {                                                                              \
            return RAW2{ x.__x, y.__x };                                               \
        }                                                                              \
    };
/* Towards zero, to the nearest limit, and 0 for NaN. */
#define WEIRI_HALF_TO(F, T)                                                            \
    WEIRI_BOTH explicit operator T() const                                             \
    {                                                                                  \
        return weiri_saturate<T>(weiri_rounded_rz(F::to_float(__x)), (T)0);            \
    }

/* ---- Operators ------------------------------------------------------------- */

#define WEIRI_HALF_OPERATOR(H, H2, op)                                                 \
    WEIRI_BOTH H operator op(const H &a, const H &b)                                   \
    {                                                                                  \
        return H((float)a op(float) b);                                                \
    }                                                                                  \
    WEIRI_BOTH H &operator op##=(H &a, const H &b)                                     \
    {                                                                                  \
        return a = a op b;                                                             \
    }                                                                                  \
    WEIRI_BOTH H2 operator op(const H2 &a, const H2 &b)                                \
    {                                                                                  \
        return H2(a.x op b.x, a.y op b.y);                                             \
    }                                                                                  \
    WEIRI_BOTH H2 &operator op##=(H2 &a, const H2 &b)                                  \
    {                                                                                  \
        return a = a op b;                                                             \
    }
#define WEIRI_HALF_RELATION(H, H2, op)                                                 \
    WEIRI_BOTH bool operator op(const H &a, const H &b)                                \
    {                                                                                  \
        return (float)a op(float) b;                                                   \
    }                                                                                  \
    WEIRI_BOTH bool operator op(const H2 &a, const H2 &b)                              \
    {                                                                                  \
        return a.x op b.x && a.y op b.y;                                               \
    }
#define WEIRI_HALF_OPERATORS(H, H2)                                                    \
    WEIRI_HALF_OPERATOR(H, H2, +)                                                      \
    WEIRI_HALF_OPERATOR(H, H2, -)                                                      \
    WEIRI_HALF_OPERATOR(H, H2, *)                                                      \
    WEIRI_HALF_OPERATOR(H, H2, /)                                                      \
    WEIRI_HALF_RELATION(H, H2, ==)                                                     \
    WEIRI_HALF_RELATION(H, H2, !=)                                                     \
    WEIRI_HALF_RELATION(H, H2, <)                                                      \
    WEIRI_HALF_RELATION(H, H2, >)                                                      \
    WEIRI_HALF_RELATION(H, H2, <=)                                                     \
    WEIRI_HALF_RELATION(H, H2, >=)                                                     \
    WEIRI_BOTH H operator+(const H &a)                                                 \
    {                                                                                  \
        return a;                                                                      \
    }                                                                                  \
    WEIRI_BOTH H operator-(const H &a)                                                 \
    {                                                                                  \
        H negative = a;                                                                \
        negative.__x ^= 0x8000;                                                        \
        return negative;                                                               \
    }                                                                                  \
    WEIRI_BOTH H2 operator+(const H2 &a)                                               \
    {                                                                                  \
        return a;                                                                      \
    }                                                                                  \
    WEIRI_BOTH H2 operator-(const H2 &a)                                               \
    {                                                                                  \
        return H2(-a.x, -a.y);                                                         \
    }                                                                                  \
    WEIRI_HALF_STEP(H, H2, ++, +)                                                      \
    WEIRI_HALF_STEP(H, H2, --, -)
#define WEIRI_HALF_STEP(H, H2, step, op)                                               \
    WEIRI_BOTH H &operator step(H &a)                                                  \
    {                                                                                  \
        return a = a op H(1);                                                          \
    }                                                                                  \
    WEIRI_BOTH H operator step(H &a, int)                                              \
    {                                                                                  \
        H old = a;                                                                     \
        a = a op H(1);                                                                 \
        return old;                                                                    \
    }                                                                                  \
    WEIRI_BOTH H2 &operator step(H2 &a)                                                \
    {                                                                                  \
        return a = a op H2(H(1), H(1));                                                \
    }                                                                                  \
    WEIRI_BOTH H2 operator step(H2 &a, int)                                            \
    {                                                                                  \
        H2 old = a;                                                                    \
        a = a op H2(H(1), H(1));                                                       \
        return old;                                                                    \
    }

/* ---- Conversions ----------------------------------------------------------- */

#define WEIRI_HALF_RAW(H, bits) H(H##_raw{ (unsigned short)(bits) })

#define WEIRI_HALF_CONVERSIONS(H, H2, F, h, h2)                                        \
    WEIRI_HALF_OF_REAL(H, F, h, _rn, RN)                                               \
    WEIRI_HALF_OF_REAL(H, F, h, _rz, RZ)                                               \
    WEIRI_HALF_OF_REAL(H, F, h, _ru, RU)                                               \
    WEIRI_HALF_OF_REAL(H, F, h, _rd, RD)                                               \
    WEIRI_BOTH H __float2##h(float x)                                                  \
    {                                                                                  \
        return __float2##h##_rn(x);                                                    \
    }                                                                                  \
    WEIRI_BOTH H __double2##h(double x)                                                \
    {                                                                                  \
        return WEIRI_HALF_RAW(H, F::of_double(x, WEIRI_RN));                           \
    }                                                                                  \
    WEIRI_HALF_INTEGERS(H, F, h, int, int)                                             \
    WEIRI_HALF_INTEGERS(H, F, h, uint, unsigned int)                                   \
    WEIRI_HALF_INTEGERS(H, F, h, short, short)                                         \
    WEIRI_HALF_INTEGERS(H, F, h, ushort, unsigned short)                               \
    WEIRI_HALF_INTEGERS(H, F, h, ll, long long int)                                    \
    WEIRI_HALF_INTEGERS(H, F, h, ull, unsigned long long int)                          \
    WEIRI_BOTH signed char __##h##2char_rz(H x)                                        \
    {                                                                                  \
        return (signed char)x;                                                         \
    }                                                                                  \
    WEIRI_BOTH unsigned char __##h##2uchar_rz(H x)                                     \
    {                                                                                  \
        return (unsigned char)x;                                                       \
    }                                                                                  \
    WEIRI_BOTH short __##h##_as_short(H x)                                             \
    {                                                                                  \
        return (short)x.__x;                                                           \
    }                                                                                  \
    WEIRI_BOTH unsigned short __##h##_as_ushort(H x)                                   \
    {                                                                                  \
        return x.__x;                                                                  \
    }                                                                                  \
    WEIRI_BOTH H __short_as_##h(short x)                                               \
    {                                                                                  \
        return WEIRI_HALF_RAW(H, x);                                                   \
    }                                                                                  \
    WEIRI_BOTH H __ushort_as_##h(unsigned short x)                                     \
    {                                                                                  \
        return WEIRI_HALF_RAW(H, x);                                                   \
    }                                                                                  \
    WEIRI_BOTH H2 __##h##2##h2(H x)                                                    \
    {                                                                                  \
        return H2(x, x);                                                               \
    }                                                                                  \
    WEIRI_BOTH H2 __halves2##h2(H x, H y)                                              \
    {                                                                                  \
        return H2(x, y);                                                               \
    }                                                                                  \
    WEIRI_BOTH H2 make_##h2(H x, H y)                                                  \
    {                                                                                  \
        return H2(x, y);                                                               \
    }                                                                                  \
    WEIRI_BOTH H2 __float2##h2##_rn(float x)                                           \
    {                                                                                  \
        return H2(H(x), H(x));                                                         \
    }                                                                                  \
    WEIRI_BOTH H2 __floats2##h2##_rn(float x, float y)                                 \
    {                                                                                  \
        return H2(H(x), H(y));                                                         \
    }                                                                                  \
    WEIRI_BOTH H2 __float22##h2##_rn(float2 v)                                         \
    {                                                                                  \
        return H2(H(v.x), H(v.y));                                                     \
    }                                                                                  \
    WEIRI_BOTH float __low2float(H2 v)                                                 \
    {                                                                                  \
        return (float)v.x;                                                             \
    }                                                                                  \
    WEIRI_BOTH float __high2float(H2 v)                                                \
    {                                                                                  \
        return (float)v.y;                                                             \
    }                                                                                  \
    WEIRI_BOTH H __low2##h(H2 v)                                                       \
    {                                                                                  \
        return v.x;                                                                    \
    }                                                                                  \
    WEIRI_BOTH H __high2##h(H2 v)                                                      \
    {                                                                                  \
        return v.y;                                                                    \
    }                                                                                  \
    WEIRI_BOTH H2 __low2##h2(H2 v)                                                     \
    {                                                                                  \
        return H2(v.x, v.x);                                                           \
    }                                                                                  \
    WEIRI_BOTH H2 __high2##h2(H2 v)                                                    \
    {                                                                                  \
        return H2(v.y, v.y);                                                           \
    }                                                                                  \
    WEIRI_BOTH H2 __lows2##h2(H2 a, H2 b)                                              \
    {                                                                                  \
        return H2(a.x, b.x);                                                           \
    }                                                                                  \
    WEIRI_BOTH H2 __highs2##h2(H2 a, H2 b)                                             \
    {                                                                                  \
        return H2(a.y, b.y);                                                           \
    }                                                                                  \
    WEIRI_BOTH H2 __lowhigh2highlow(H2 v)                                              \
    {                                                                                  \
        return H2(v.y, v.x);                                                           \
    }
#define WEIRI_HALF_OF_REAL(H, F, h, mode, MODE)                                        \
    WEIRI_BOTH H __float2##h##mode(float x)                                            \
    {                                                                                  \
        return WEIRI_HALF_RAW(H, F::of_float(x, WEIRI_##MODE));                        \
    }
#define WEIRI_HALF_INTEGERS(H, F, h, name, T)                                          \
    WEIRI_HALF_INTEGER(H, F, h, name, T, rn, RN)                                       \
    WEIRI_HALF_INTEGER(H, F, h, name, T, rz, RZ)                                       \
    WEIRI_HALF_INTEGER(H, F, h, name, T, ru, RU)                                       \
    WEIRI_HALF_INTEGER(H, F, h, name, T, rd, RD)
/* A large integer is rounded to double first, which does not change the result: there
 * it is far over the greatest half, and 53 bits are more than twice those of a
 * bfloat16; but a tie may be made, so the last bit is kept sticky. */
template <class T> WEIRI_BOTH double weiri_sticky(T x)
{
    bool negative = x < 0;
    unsigned long long size
        = negative ? 0ull - (unsigned long long)x : (unsigned long long)x;
    if (size >> 53 != 0) {
        size = (size >> 11 | ((size & 0x7ff) != 0)) << 11;
    }
    return negative ? -(double)size : (double)size;
}
#define WEIRI_HALF_INTEGER(H, F, h, name, T, mode, MODE)                               \
    WEIRI_BOTH H __##name##2##h##_##mode(T x)                                          \
    {                                                                                  \
        return WEIRI_HALF_RAW(H, F::of_double(weiri_sticky(x), WEIRI_##MODE));         \
    }                                                                                  \
    WEIRI_BOTH T __##h##2##name##_##mode(H x)                                          \
    {                                                                                  \
        return weiri_saturate<T>(weiri_rounded_##mode((double)(float)x),               \
                                 sizeof(T) == 8 ? (T)(1ull << 63) : (T)0);             \
    }

/* ---- Arithmetic ------------------------------------------------------------ */

/* One or two numbers: name(H) and name2(H2). */
#define WEIRI_HALF_UNARY(H, H2, name, ...)                                             \
    WEIRI_BOTH H name(const H a)                                                       \
    {                                                                                  \
        float x = (float)a;                                                            \
        return H(__VA_ARGS__);                                                         \
    }
#define WEIRI_HALF_UNARY_2(H, H2, name1, name2)                                        \
    WEIRI_BOTH H2 name2(const H2 a)                                                    \
    {                                                                                  \
        return H2(name1(a.x), name1(a.y));                                             \
    }
#define WEIRI_HALF_BINARY(H, H2, name1, name2, ...)                                    \
    WEIRI_BOTH H name1(const H a, const H b)                                           \
    {                                                                                  \
        float x = (float)a, y = (float)b;                                              \
        return H(__VA_ARGS__);                                                         \
    }                                                                                  \
    WEIRI_BOTH H2 name2(const H2 a, const H2 b)                                        \
    {                                                                                  \
        return H2(name1(a.x, b.x), name1(a.y, b.y));                                   \
    }
/* Into [0, 1], and NaN to 0. */
#define WEIRI_HALF_SATURATED(H, H2, name1, name2, base)                                \
    WEIRI_BOTH H name1(const H a, const H b)                                           \
    {                                                                                  \
        float x = (float)base(a, b);                                                   \
        return H(x > 0 ? x < 1 ? x : 1.0f : 0.0f);                                     \
    }                                                                                  \
    WEIRI_BOTH H2 name2(const H2 a, const H2 b)                                        \
    {                                                                                  \
        return H2(name1(a.x, b.x), name1(a.y, b.y));                                   \
    }

/* A fused product and sum: in double the product is exact. The sum's last bit is made
 * sticky, so that rounding it again is right. */
WEIRI_BOTH double weiri_half_fma(double x, double y, double z)
{
    double product = x * y, sum = product + z;
    double rest = (product - (sum - (sum - product))) + (z - (sum - product));
    if (rest != 0 && rest == rest && sum - sum == 0) {
        uint64_t bits = weiri_bits<uint64_t>(sum);
        if ((bits & 1) == 0) {
            bits += (rest > 0) == (sum > 0) ? 1 : (uint64_t)-1;
        }
        sum = weiri_bits<double>(bits);
    }
    return sum;
}

#define WEIRI_HALF_ARITHMETIC(H, H2, F)                                                \
    WEIRI_HALF_BINARY(H, H2, __hadd, __hadd2, x + y)                                   \
    WEIRI_HALF_BINARY(H, H2, __hsub, __hsub2, x - y)                                   \
    WEIRI_HALF_BINARY(H, H2, __hmul, __hmul2, x *y)                                    \
    WEIRI_HALF_BINARY(H, H2, __hadd_rn, __hadd2_rn, x + y)                             \
    WEIRI_HALF_BINARY(H, H2, __hsub_rn, __hsub2_rn, x - y)                             \
    WEIRI_HALF_BINARY(H, H2, __hmul_rn, __hmul2_rn, x *y)                              \
    WEIRI_HALF_BINARY(H, H2, __hdiv, __h2div, x / y)                                   \
    WEIRI_HALF_SATURATED(H, H2, __hadd_sat, __hadd2_sat, __hadd)                       \
    WEIRI_HALF_SATURATED(H, H2, __hsub_sat, __hsub2_sat, __hsub)                       \
    WEIRI_HALF_SATURATED(H, H2, __hmul_sat, __hmul2_sat, __hmul)                       \
    WEIRI_HALF_BINARY(H, H2, __hmin, __hmin2, ::fminf(x, y))                           \
    WEIRI_HALF_BINARY(H, H2, __hmax, __hmax2, ::fmaxf(x, y))                           \
    WEIRI_HALF_BINARY(H, H2, __hmin_nan, __hmin2_nan,                                  \
                      x != x || y != y ? __builtin_nanf("") : ::fminf(x, y))           \
    WEIRI_HALF_BINARY(H, H2, __hmax_nan, __hmax2_nan,                                  \
                      x != x || y != y ? __builtin_nanf("") : ::fmaxf(x, y))           \
    WEIRI_BOTH H __habs(const H a)                                                     \
    {                                                                                  \
        return WEIRI_HALF_RAW(H, a.__x & 0x7fff);                                      \
    }                                                                                  \
    WEIRI_BOTH H __hneg(const H a)                                                     \
    {                                                                                  \
        return -a;                                                                     \
    }                                                                                  \
    WEIRI_HALF_UNARY_2(H, H2, __habs, __habs2)                                         \
    WEIRI_HALF_UNARY_2(H, H2, __hneg, __hneg2)                                         \
    WEIRI_BOTH H __hfma(const H a, const H b, const H c)                               \
    {                                                                                  \
        return WEIRI_HALF_RAW(                                                         \
            H, F::of_double(weiri_half_fma((float)a, (float)b, (float)c), WEIRI_RN));  \
    }                                                                                  \
    WEIRI_BOTH H __hfma_sat(const H a, const H b, const H c)                           \
    {                                                                                  \
        float x = (float)__hfma(a, b, c);                                              \
        return H(x > 0 ? x < 1 ? x : 1.0f : 0.0f);                                     \
    }                                                                                  \
    WEIRI_BOTH H __hfma_relu(const H a, const H b, const H c)                          \
    {                                                                                  \
        float x = (float)__hfma(a, b, c);                                              \
        return x < 0 ? H(0) : H(x);                                                    \
    }                                                                                  \
    WEIRI_HALF_TERNARY_2(H2, __hfma, __hfma2)                                          \
    WEIRI_HALF_TERNARY_2(H2, __hfma_sat, __hfma2_sat)                                  \
    WEIRI_HALF_TERNARY_2(H2, __hfma_relu, __hfma2_relu)                                \
    WEIRI_BOTH H2 __hcmadd(const H2 a, const H2 b, const H2 c)                         \
    {                                                                                  \
        H re = __hfma(a.x, b.x, c.x), im = __hfma(a.x, b.y, c.y);                      \
        return H2(__hfma(-a.y, b.y, re), __hfma(a.y, b.x, im));                        \
    }
#define WEIRI_HALF_TERNARY_2(H2, name1, name2)                                         \
    WEIRI_BOTH H2 name2(const H2 a, const H2 b, const H2 c)                            \
    {                                                                                  \
        return H2(name1(a.x, b.x, c.x), name1(a.y, b.y, c.y));                         \
    }

/* ---- Comparisons --------------------------------------------------------------
 * Ordered ones are false for NaN, those with u true. The forms of pairs give 1.0 or
 * 0.0, all bits or none (_mask), or the answer for both (b). */

#define WEIRI_HALF_COMPARE(H, H2, name, ...)                                           \
    WEIRI_BOTH bool __h##name(const H a, const H b)                                    \
    {                                                                                  \
        float x = (float)a, y = (float)b;                                              \
        return __VA_ARGS__;                                                            \
    }                                                                                  \
    WEIRI_BOTH H2 __h##name##2(const H2 a, const H2 b)                                 \
    {                                                                                  \
        return H2(H(__h##name(a.x, b.x) ? 1.0f : 0.0f),                                \
                  H(__h##name(a.y, b.y) ? 1.0f : 0.0f));                               \
    }                                                                                  \
    WEIRI_BOTH bool __hb##name##2(const H2 a, const H2 b)                              \
    {                                                                                  \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                             \
    }                                                                                  \
    WEIRI_BOTH unsigned int __h##name##2_mask(const H2 a, const H2 b)                  \
    {                                                                                  \
        return (__h##name(a.x, b.x) ? 0xffffu : 0)                                     \
            | (__h##name(a.y, b.y) ? 0xffff0000u : 0);                                 \
    }
#define WEIRI_HALF_COMPARISONS(H, H2)                                                  \
    WEIRI_HALF_COMPARE(H, H2, eq, x == y)                                              \
    WEIRI_HALF_COMPARE(H, H2, ne, x<y || x> y)                                         \
    WEIRI_HALF_COMPARE(H, H2, lt, x < y)                                               \
    WEIRI_HALF_COMPARE(H, H2, le, x <= y)                                              \
    WEIRI_HALF_COMPARE(H, H2, gt, x > y)                                               \
    WEIRI_HALF_COMPARE(H, H2, ge, x >= y)                                              \
    WEIRI_HALF_COMPARE(H, H2, equ, !(x < y || x > y))                                  \
    WEIRI_HALF_COMPARE(H, H2, neu, !(x == y))                                          \
    WEIRI_HALF_COMPARE(H, H2, ltu, !(x >= y))                                          \
    WEIRI_HALF_COMPARE(H, H2, leu, !(x > y))                                           \
    WEIRI_HALF_COMPARE(H, H2, gtu, !(x <= y))                                          \
    WEIRI_HALF_COMPARE(H, H2, geu, !(x < y))                                           \
    WEIRI_BOTH bool __hisnan(const H a)                                                \
    {                                                                                  \
        return (float)a != (float)a;                                                   \
    }                                                                                  \
    WEIRI_BOTH H2 __hisnan2(const H2 a)                                                \
    {                                                                                  \
        return H2(H(__hisnan(a.x) ? 1.0f : 0.0f), H(__hisnan(a.y) ? 1.0f : 0.0f));     \
    }                                                                                  \
    WEIRI_BOTH int __hisinf(const H a)                                                 \
    {                                                                                  \
        float x = (float)a;                                                            \
        return x - x == 0 || x != x ? 0 : x > 0 ? 1 : -1;                              \
    }

/* ---- Functions ------------------------------------------------------------- */

#define WEIRI_HALF_FUNCTION(H, H2, name, ...)                                          \
    WEIRI_HALF_UNARY(H, H2, h##name, __VA_ARGS__)                                      \
    WEIRI_HALF_UNARY_2(H, H2, h##name, h2##name)
#define WEIRI_HALF_FUNCTIONS(H, H2)                                                    \
    WEIRI_HALF_FUNCTION(H, H2, sqrt, ::sqrtf(x))                                       \
    WEIRI_HALF_FUNCTION(H, H2, rsqrt, 1.0 / ::sqrt((double)x))                         \
    WEIRI_HALF_FUNCTION(H, H2, rcp, 1.0f / x)                                          \
    WEIRI_HALF_FUNCTION(H, H2, exp, ::exp((double)x))                                  \
    WEIRI_HALF_FUNCTION(H, H2, exp2, ::exp2((double)x))                                \
    WEIRI_HALF_FUNCTION(H, H2, exp10, ::exp10((double)x))                              \
    WEIRI_HALF_FUNCTION(H, H2, log, ::log((double)x))                                  \
    WEIRI_HALF_FUNCTION(H, H2, log2, ::log2((double)x))                                \
    WEIRI_HALF_FUNCTION(H, H2, log10, ::log10((double)x))                              \
    WEIRI_HALF_FUNCTION(H, H2, sin, ::sin((double)x))                                  \
    WEIRI_HALF_FUNCTION(H, H2, cos, ::cos((double)x))                                  \
    WEIRI_HALF_FUNCTION(H, H2, tanh, ::tanh((double)x))                                \
    WEIRI_HALF_FUNCTION(H, H2, tanh_approx, ::tanh((double)x))                         \
    WEIRI_HALF_FUNCTION(H, H2, ceil, ::ceilf(x))                                       \
    WEIRI_HALF_FUNCTION(H, H2, floor, ::floorf(x))                                     \
    WEIRI_HALF_FUNCTION(H, H2, trunc, ::truncf(x))                                     \
    WEIRI_HALF_FUNCTION(H, H2, rint, ::rintf(x))

/* ---- Lanes and atomics ----------------------------------------------------- */

#ifdef __CUDA__
#define WEIRI_HALF_MACHINE(H, H2)                                                      \
    WEIRI_HALF_SHUFFLES(H, uint16_t)                                                   \
    WEIRI_HALF_SHUFFLES(H2, uint32_t)                                                  \
    WEIRI_DEVICE H2 atomicAdd(H2 *address, H2 value)                                   \
    {                                                                                  \
        typedef weiri::atomic_memory<H2, WEIRI_SCOPE_DEVICE> memory;                   \
        return memory::change<weiri::op_add>(address, value, __ATOMIC_RELAXED);        \
    }                                                                                  \
    WEIRI_DEVICE H atomicAdd(H *address, H value)                                      \
    {                                                                                  \
        typedef weiri::atomic_memory<H, WEIRI_SCOPE_DEVICE> memory;                    \
        return memory::change<weiri::op_add>(address, value, __ATOMIC_RELAXED);        \
    }
#define WEIRI_HALF_SHUFFLES(T, U)                                                      \
    WEIRI_HALF_SHUFFLE(, index, 31, T, U, int)                                         \
    WEIRI_HALF_SHUFFLE(_up, up, 0, T, U, unsigned int)                                 \
    WEIRI_HALF_SHUFFLE(_down, down, 31, T, U, unsigned int)                            \
    WEIRI_HALF_SHUFFLE(_xor, xor, 31, T, U, int)
#define WEIRI_HALF_SHUFFLE(name, builtin, clamp, T, U, lane_type)                      \
    WEIRI_DEVICE T __shfl##name##_sync(unsigned int mask, T value, lane_type lane,     \
                                       int width = warpSize)                           \
    {                                                                                  \
        return weiri_bits<T>((U)weiri_cu_shuffle_##builtin##_u32(                      \
            mask, weiri_bits<U>(value), (unsigned int)lane,                            \
            weiri_shuffle_bounds(width, clamp)));                                      \
    }
#else
#define WEIRI_HALF_MACHINE(H, H2)
#endif

#endif
