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

#define WEIRI_HALF_TYPES(H_, H2, RAW, RAW2, F_)                                        \
    struct __align__(2) RAW                                                            \
    {                                                                                  \
        unsigned short x;                                                              \
    };                                                                                 \
    struct __align__(4) RAW2                                                           \
    {                                                                                  \
        unsigned short x, y;                                                           \
    };                                                                                 \
    struct __align__(2) H_                                                             \
    {                                                                                  \
        unsigned short __x;                                                            \
        H_() = default;                                                                \
        WEIRI_BOTH constexpr H_(const RAW &raw) : __x(raw.x)                           \
        {                                                                              \
        }                                                                              \
        /* Any number, rounded to the nearest one. */                                  \
        template <class T_,                                                            \
                  class =                                                              \
                      typename std::enable_if<std::is_arithmetic<T_>::value>::type>    \
        WEIRI_BOTH H_(T_ x) : __x(F_::of_double((double)x, WEIRI_RN))                  \
        {                                                                              \
        }                                                                              \
        template <class T_>                                                            \
        WEIRI_BOTH typename std::enable_if<std::is_arithmetic<T_>::value, H_ &>::type  \
        operator=(T_ x)                                                                \
        {                                                                              \
            __x = F_::of_double((double)x, WEIRI_RN);                                  \
            return *this;                                                              \
        }                                                                              \
        WEIRI_BOTH H_ &operator=(const RAW &raw)                                       \
        {                                                                              \
            __x = raw.x;                                                               \
            return *this;                                                              \
        }                                                                              \
        WEIRI_BOTH operator float() const                                              \
        {                                                                              \
            return F_::to_float(__x);                                                  \
        }                                                                              \
        WEIRI_BOTH operator RAW() const                                                \
        {                                                                              \
            return RAW{ __x };                                                         \
        }                                                                              \
        WEIRI_BOTH explicit operator bool() const                                      \
        {                                                                              \
            return (__x & 0x7fff) != 0;                                                \
        }                                                                              \
        WEIRI_HALF_TO_ALL(F_)                                                          \
    };                                                                                 \
    struct __align__(4) H2                                                             \
    {                                                                                  \
        H_ x, y;                                                                       \
        H2() = default;                                                                \
        WEIRI_BOTH H2(const H_ &a, const H_ &b) : x(a), y(b)                           \
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
#define WEIRI_HALF_TO(F_, T_)                                                          \
    WEIRI_BOTH explicit operator T_() const                                            \
    {                                                                                  \
        return weiri_saturate<T_>(weiri_rounded_rz(F_::to_float(__x)), (T_)0);         \
    }
/* To each type of integers. */
#define WEIRI_HALF_TO_ALL(F_)                                                          \
    WEIRI_HALF_TO(F_, char)                                                            \
    WEIRI_HALF_TO(F_, signed char)                                                     \
    WEIRI_HALF_TO(F_, unsigned char)                                                   \
    WEIRI_HALF_TO(F_, short)                                                           \
    WEIRI_HALF_TO(F_, unsigned short)                                                  \
    WEIRI_HALF_TO(F_, int)                                                             \
    WEIRI_HALF_TO(F_, unsigned int)                                                    \
    WEIRI_HALF_TO(F_, long)                                                            \
    WEIRI_HALF_TO(F_, unsigned long)                                                   \
    WEIRI_HALF_TO(F_, long long)                                                       \
    WEIRI_HALF_TO(F_, unsigned long long)

/* ---- Operators ------------------------------------------------------------- */

#define WEIRI_HALF_OPERATOR(H_, H2, op)                                                \
    WEIRI_BOTH H_ operator op(const H_ &a, const H_ &b)                                \
    {                                                                                  \
        return H_((float)a op(float) b);                                               \
    }                                                                                  \
    WEIRI_BOTH H_ &operator op##=(H_ &a, const H_ &b)                                  \
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
#define WEIRI_HALF_RELATION(H_, H2, op)                                                \
    WEIRI_BOTH bool operator op(const H_ &a, const H_ &b)                              \
    {                                                                                  \
        return (float)a op(float) b;                                                   \
    }                                                                                  \
    WEIRI_BOTH bool operator op(const H2 &a, const H2 &b)                              \
    {                                                                                  \
        return a.x op b.x && a.y op b.y;                                               \
    }
#define WEIRI_HALF_OPERATORS(H_, H2)                                                   \
    WEIRI_HALF_OPERATOR(H_, H2, +)                                                     \
    WEIRI_HALF_OPERATOR(H_, H2, -)                                                     \
    WEIRI_HALF_OPERATOR(H_, H2, *)                                                     \
    WEIRI_HALF_OPERATOR(H_, H2, /)                                                     \
    WEIRI_HALF_RELATION(H_, H2, ==)                                                    \
    WEIRI_HALF_RELATION(H_, H2, !=)                                                    \
    WEIRI_HALF_RELATION(H_, H2, <)                                                     \
    WEIRI_HALF_RELATION(H_, H2, >)                                                     \
    WEIRI_HALF_RELATION(H_, H2, <=)                                                    \
    WEIRI_HALF_RELATION(H_, H2, >=)                                                    \
    WEIRI_BOTH H_ operator+(const H_ &a)                                               \
    {                                                                                  \
        return a;                                                                      \
    }                                                                                  \
    WEIRI_BOTH H_ operator-(const H_ &a)                                               \
    {                                                                                  \
        H_ negative = a;                                                               \
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
    WEIRI_HALF_STEP(H_, H2, ++, +)                                                     \
    WEIRI_HALF_STEP(H_, H2, --, -)
#define WEIRI_HALF_STEP(H_, H2, step, op)                                              \
    WEIRI_BOTH H_ &operator step(H_ &a)                                                \
    {                                                                                  \
        return a = a op H_(1);                                                         \
    }                                                                                  \
    WEIRI_BOTH H_ operator step(H_ &a, int)                                            \
    {                                                                                  \
        H_ old = a;                                                                    \
        a = a op H_(1);                                                                \
        return old;                                                                    \
    }                                                                                  \
    WEIRI_BOTH H2 &operator step(H2 &a)                                                \
    {                                                                                  \
        return a = a op H2(H_(1), H_(1));                                              \
    }                                                                                  \
    WEIRI_BOTH H2 operator step(H2 &a, int)                                            \
    {                                                                                  \
        H2 old = a;                                                                    \
        a = a op H2(H_(1), H_(1));                                                     \
        return old;                                                                    \
    }

/* ---- Conversions ----------------------------------------------------------- */

#define WEIRI_HALF_RAW(H_, bits) H_(H_##_raw{ (unsigned short)(bits) })

#define WEIRI_HALF_CONVERSIONS(H_, H2, F_, h, h2)                                      \
    WEIRI_HALF_OF_REAL(H_, F_, h, _rn, RN)                                             \
    WEIRI_HALF_OF_REAL(H_, F_, h, _rz, RZ)                                             \
    WEIRI_HALF_OF_REAL(H_, F_, h, _ru, RU)                                             \
    WEIRI_HALF_OF_REAL(H_, F_, h, _rd, RD)                                             \
    WEIRI_BOTH H_ __float2##h(float x)                                                 \
    {                                                                                  \
        return __float2##h##_rn(x);                                                    \
    }                                                                                  \
    WEIRI_BOTH H_ __double2##h(double x)                                               \
    {                                                                                  \
        return WEIRI_HALF_RAW(H_, F_::of_double(x, WEIRI_RN));                         \
    }                                                                                  \
    WEIRI_HALF_INTEGERS(H_, F_, h, int, int)                                           \
    WEIRI_HALF_INTEGERS(H_, F_, h, uint, unsigned int)                                 \
    WEIRI_HALF_INTEGERS(H_, F_, h, short, short)                                       \
    WEIRI_HALF_INTEGERS(H_, F_, h, ushort, unsigned short)                             \
    WEIRI_HALF_INTEGERS(H_, F_, h, ll, long long int)                                  \
    WEIRI_HALF_INTEGERS(H_, F_, h, ull, unsigned long long int)                        \
    WEIRI_BOTH signed char __##h##2char_rz(H_ x)                                       \
    {                                                                                  \
        return (signed char)x;                                                         \
    }                                                                                  \
    WEIRI_BOTH unsigned char __##h##2uchar_rz(H_ x)                                    \
    {                                                                                  \
        return (unsigned char)x;                                                       \
    }                                                                                  \
    WEIRI_BOTH short __##h##_as_short(H_ x)                                            \
    {                                                                                  \
        return (short)x.__x;                                                           \
    }                                                                                  \
    WEIRI_BOTH unsigned short __##h##_as_ushort(H_ x)                                  \
    {                                                                                  \
        return x.__x;                                                                  \
    }                                                                                  \
    WEIRI_BOTH H_ __short_as_##h(short x)                                              \
    {                                                                                  \
        return WEIRI_HALF_RAW(H_, x);                                                  \
    }                                                                                  \
    WEIRI_BOTH H_ __ushort_as_##h(unsigned short x)                                    \
    {                                                                                  \
        return WEIRI_HALF_RAW(H_, x);                                                  \
    }                                                                                  \
    WEIRI_BOTH H2 __##h##2##h2(H_ x)                                                   \
    {                                                                                  \
        return H2(x, x);                                                               \
    }                                                                                  \
    WEIRI_BOTH H2 __halves2##h2(H_ x, H_ y)                                            \
    {                                                                                  \
        return H2(x, y);                                                               \
    }                                                                                  \
    WEIRI_BOTH H2 make_##h2(H_ x, H_ y)                                                \
    {                                                                                  \
        return H2(x, y);                                                               \
    }                                                                                  \
    WEIRI_BOTH H2 __float2##h2##_rn(float x)                                           \
    {                                                                                  \
        return H2(H_(x), H_(x));                                                       \
    }                                                                                  \
    WEIRI_BOTH H2 __floats2##h2##_rn(float x, float y)                                 \
    {                                                                                  \
        return H2(H_(x), H_(y));                                                       \
    }                                                                                  \
    WEIRI_BOTH H2 __float22##h2##_rn(float2 v)                                         \
    {                                                                                  \
        return H2(H_(v.x), H_(v.y));                                                   \
    }                                                                                  \
    WEIRI_BOTH float __low2float(H2 v)                                                 \
    {                                                                                  \
        return (float)v.x;                                                             \
    }                                                                                  \
    WEIRI_BOTH float __high2float(H2 v)                                                \
    {                                                                                  \
        return (float)v.y;                                                             \
    }                                                                                  \
    WEIRI_BOTH H_ __low2##h(H2 v)                                                      \
    {                                                                                  \
        return v.x;                                                                    \
    }                                                                                  \
    WEIRI_BOTH H_ __high2##h(H2 v)                                                     \
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
#define WEIRI_HALF_OF_REAL(H_, F_, h, mode, MODE)                                      \
    WEIRI_BOTH H_ __float2##h##mode(float x)                                           \
    {                                                                                  \
        return WEIRI_HALF_RAW(H_, F_::of_float(x, WEIRI_##MODE));                      \
    }
#define WEIRI_HALF_INTEGERS(H_, F_, h, name, T_)                                       \
    WEIRI_HALF_INTEGER(H_, F_, h, name, T_, rn, RN)                                    \
    WEIRI_HALF_INTEGER(H_, F_, h, name, T_, rz, RZ)                                    \
    WEIRI_HALF_INTEGER(H_, F_, h, name, T_, ru, RU)                                    \
    WEIRI_HALF_INTEGER(H_, F_, h, name, T_, rd, RD)
/* A large integer is rounded to double first, which does not change the result: there
 * it is far over the greatest half, and 53 bits are more than twice those of a
 * bfloat16; but a tie may be made, so the last bit is kept sticky. */
template <class T_> WEIRI_BOTH double weiri_sticky(T_ x)
{
    bool negative = x < 0;
    unsigned long long size
        = negative ? 0ull - (unsigned long long)x : (unsigned long long)x;
    if (size >> 53 != 0) {
        size = (size >> 11 | ((size & 0x7ff) != 0)) << 11;
    }
    return negative ? -(double)size : (double)size;
}
#define WEIRI_HALF_INTEGER(H_, F_, h, name, T_, mode, MODE)                            \
    WEIRI_BOTH H_ __##name##2##h##_##mode(T_ x)                                        \
    {                                                                                  \
        return WEIRI_HALF_RAW(H_, F_::of_double(weiri_sticky(x), WEIRI_##MODE));       \
    }                                                                                  \
    WEIRI_BOTH T_ __##h##2##name##_##mode(H_ x)                                        \
    {                                                                                  \
        return weiri_saturate<T_>(weiri_rounded_##mode((double)(float)x),              \
                                  sizeof(T_) == 8 ? (T_)(1ull << 63) : (T_)0);         \
    }

/* ---- Arithmetic ------------------------------------------------------------ */

/* One or two numbers: name(H) and name2(H2). */
#define WEIRI_HALF_UNARY(H_, H2, name, ...)                                            \
    WEIRI_BOTH H_ name(const H_ a)                                                     \
    {                                                                                  \
        float x = (float)a;                                                            \
        return H_(__VA_ARGS__);                                                        \
    }
#define WEIRI_HALF_UNARY_2(H_, H2, name1, name2)                                       \
    WEIRI_BOTH H2 name2(const H2 a)                                                    \
    {                                                                                  \
        return H2(name1(a.x), name1(a.y));                                             \
    }
#define WEIRI_HALF_BINARY(H_, H2, name1, name2, ...)                                   \
    WEIRI_BOTH H_ name1(const H_ a, const H_ b)                                        \
    {                                                                                  \
        float x = (float)a, y = (float)b;                                              \
        return H_(__VA_ARGS__);                                                        \
    }                                                                                  \
    WEIRI_BOTH H2 name2(const H2 a, const H2 b)                                        \
    {                                                                                  \
        return H2(name1(a.x, b.x), name1(a.y, b.y));                                   \
    }
/* Into [0, 1], and NaN to 0. */
#define WEIRI_HALF_SATURATED(H_, H2, name1, name2, base)                               \
    WEIRI_BOTH H_ name1(const H_ a, const H_ b)                                        \
    {                                                                                  \
        float x = (float)base(a, b);                                                   \
        return H_(x > 0 ? x < 1 ? x : 1.0f : 0.0f);                                    \
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

#define WEIRI_HALF_ARITHMETIC(H_, H2, F_)                                              \
    WEIRI_HALF_BINARY(H_, H2, __hadd, __hadd2, x + y)                                  \
    WEIRI_HALF_BINARY(H_, H2, __hsub, __hsub2, x - y)                                  \
    WEIRI_HALF_BINARY(H_, H2, __hmul, __hmul2, x *y)                                   \
    WEIRI_HALF_BINARY(H_, H2, __hadd_rn, __hadd2_rn, x + y)                            \
    WEIRI_HALF_BINARY(H_, H2, __hsub_rn, __hsub2_rn, x - y)                            \
    WEIRI_HALF_BINARY(H_, H2, __hmul_rn, __hmul2_rn, x *y)                             \
    WEIRI_HALF_BINARY(H_, H2, __hdiv, __h2div, x / y)                                  \
    WEIRI_HALF_SATURATED(H_, H2, __hadd_sat, __hadd2_sat, __hadd)                      \
    WEIRI_HALF_SATURATED(H_, H2, __hsub_sat, __hsub2_sat, __hsub)                      \
    WEIRI_HALF_SATURATED(H_, H2, __hmul_sat, __hmul2_sat, __hmul)                      \
    WEIRI_HALF_BINARY(H_, H2, __hmin, __hmin2, ::fminf(x, y))                          \
    WEIRI_HALF_BINARY(H_, H2, __hmax, __hmax2, ::fmaxf(x, y))                          \
    WEIRI_HALF_BINARY(H_, H2, __hmin_nan, __hmin2_nan,                                 \
                      x != x || y != y ? __builtin_nanf("") : ::fminf(x, y))           \
    WEIRI_HALF_BINARY(H_, H2, __hmax_nan, __hmax2_nan,                                 \
                      x != x || y != y ? __builtin_nanf("") : ::fmaxf(x, y))           \
    WEIRI_BOTH H_ __habs(const H_ a)                                                   \
    {                                                                                  \
        return WEIRI_HALF_RAW(H_, a.__x & 0x7fff);                                     \
    }                                                                                  \
    WEIRI_BOTH H_ __hneg(const H_ a)                                                   \
    {                                                                                  \
        return -a;                                                                     \
    }                                                                                  \
    WEIRI_HALF_UNARY_2(H_, H2, __habs, __habs2)                                        \
    WEIRI_HALF_UNARY_2(H_, H2, __hneg, __hneg2)                                        \
    WEIRI_BOTH H_ __hfma(const H_ a, const H_ b, const H_ c)                           \
    {                                                                                  \
        return WEIRI_HALF_RAW(                                                         \
            H_,                                                                        \
            F_::of_double(weiri_half_fma((float)a, (float)b, (float)c), WEIRI_RN));    \
    }                                                                                  \
    WEIRI_BOTH H_ __hfma_sat(const H_ a, const H_ b, const H_ c)                       \
    {                                                                                  \
        float x = (float)__hfma(a, b, c);                                              \
        return H_(x > 0 ? x < 1 ? x : 1.0f : 0.0f);                                    \
    }                                                                                  \
    WEIRI_BOTH H_ __hfma_relu(const H_ a, const H_ b, const H_ c)                      \
    {                                                                                  \
        float x = (float)__hfma(a, b, c);                                              \
        return x < 0 ? H_(0) : H_(x);                                                  \
    }                                                                                  \
    WEIRI_HALF_TERNARY_2(H2, __hfma, __hfma2)                                          \
    WEIRI_HALF_TERNARY_2(H2, __hfma_sat, __hfma2_sat)                                  \
    WEIRI_HALF_TERNARY_2(H2, __hfma_relu, __hfma2_relu)                                \
    WEIRI_BOTH H2 __hcmadd(const H2 a, const H2 b, const H2 c)                         \
    {                                                                                  \
        H_ re = __hfma(a.x, b.x, c.x), im = __hfma(a.x, b.y, c.y);                     \
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

#define WEIRI_HALF_COMPARE(H_, H2, name, ...)                                          \
    WEIRI_BOTH bool __h##name(const H_ a, const H_ b)                                  \
    {                                                                                  \
        float x = (float)a, y = (float)b;                                              \
        return __VA_ARGS__;                                                            \
    }                                                                                  \
    WEIRI_BOTH H2 __h##name##2(const H2 a, const H2 b)                                 \
    {                                                                                  \
        return H2(H_(__h##name(a.x, b.x) ? 1.0f : 0.0f),                               \
                  H_(__h##name(a.y, b.y) ? 1.0f : 0.0f));                              \
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
#define WEIRI_HALF_COMPARISONS(H_, H2)                                                 \
    WEIRI_HALF_COMPARE(H_, H2, eq, x == y)                                             \
    WEIRI_HALF_COMPARE(H_, H2, ne, x<y || x> y)                                        \
    WEIRI_HALF_COMPARE(H_, H2, lt, x < y)                                              \
    WEIRI_HALF_COMPARE(H_, H2, le, x <= y)                                             \
    WEIRI_HALF_COMPARE(H_, H2, gt, x > y)                                              \
    WEIRI_HALF_COMPARE(H_, H2, ge, x >= y)                                             \
    WEIRI_HALF_COMPARE(H_, H2, equ, !(x < y || x > y))                                 \
    WEIRI_HALF_COMPARE(H_, H2, neu, !(x == y))                                         \
    WEIRI_HALF_COMPARE(H_, H2, ltu, !(x >= y))                                         \
    WEIRI_HALF_COMPARE(H_, H2, leu, !(x > y))                                          \
    WEIRI_HALF_COMPARE(H_, H2, gtu, !(x <= y))                                         \
    WEIRI_HALF_COMPARE(H_, H2, geu, !(x < y))                                          \
    WEIRI_BOTH bool __hisnan(const H_ a)                                               \
    {                                                                                  \
        return (float)a != (float)a;                                                   \
    }                                                                                  \
    WEIRI_BOTH H2 __hisnan2(const H2 a)                                                \
    {                                                                                  \
        return H2(H_(__hisnan(a.x) ? 1.0f : 0.0f), H_(__hisnan(a.y) ? 1.0f : 0.0f));   \
    }                                                                                  \
    WEIRI_BOTH int __hisinf(const H_ a)                                                \
    {                                                                                  \
        float x = (float)a;                                                            \
        return x - x == 0 || x != x ? 0 : x > 0 ? 1 : -1;                              \
    }

/* ---- Functions ------------------------------------------------------------- */

#define WEIRI_HALF_FUNCTION(H_, H2, name, ...)                                         \
    WEIRI_HALF_UNARY(H_, H2, h##name, __VA_ARGS__)                                     \
    WEIRI_HALF_UNARY_2(H_, H2, h##name, h2##name)
#define WEIRI_HALF_FUNCTIONS(H_, H2)                                                   \
    WEIRI_HALF_FUNCTION(H_, H2, sqrt, ::sqrtf(x))                                      \
    WEIRI_HALF_FUNCTION(H_, H2, rsqrt, 1.0 / ::sqrt((double)x))                        \
    WEIRI_HALF_FUNCTION(H_, H2, rcp, 1.0f / x)                                         \
    WEIRI_HALF_FUNCTION(H_, H2, exp, ::exp((double)x))                                 \
    WEIRI_HALF_FUNCTION(H_, H2, exp2, ::exp2((double)x))                               \
    WEIRI_HALF_FUNCTION(H_, H2, exp10, ::exp10((double)x))                             \
    WEIRI_HALF_FUNCTION(H_, H2, log, ::log((double)x))                                 \
    WEIRI_HALF_FUNCTION(H_, H2, log2, ::log2((double)x))                               \
    WEIRI_HALF_FUNCTION(H_, H2, log10, ::log10((double)x))                             \
    WEIRI_HALF_FUNCTION(H_, H2, sin, ::sin((double)x))                                 \
    WEIRI_HALF_FUNCTION(H_, H2, cos, ::cos((double)x))                                 \
    WEIRI_HALF_FUNCTION(H_, H2, tanh, ::tanh((double)x))                               \
    WEIRI_HALF_FUNCTION(H_, H2, tanh_approx, ::tanh((double)x))                        \
    WEIRI_HALF_FUNCTION(H_, H2, ceil, ::ceilf(x))                                      \
    WEIRI_HALF_FUNCTION(H_, H2, floor, ::floorf(x))                                    \
    WEIRI_HALF_FUNCTION(H_, H2, trunc, ::truncf(x))                                    \
    WEIRI_HALF_FUNCTION(H_, H2, rint, ::rintf(x))

/* ---- Lanes and atomics ----------------------------------------------------- */

#ifdef __CUDA__
#define WEIRI_HALF_MACHINE(H_, H2)                                                     \
    WEIRI_HALF_SHUFFLES(H_, uint16_t)                                                  \
    WEIRI_HALF_SHUFFLES(H2, uint32_t)                                                  \
    WEIRI_DEVICE H2 atomicAdd(H2 *address, H2 value)                                   \
    {                                                                                  \
        typedef weiri::atomic_memory<H2, WEIRI_SCOPE_DEVICE> memory;                   \
        return memory::change<weiri::op_add>(address, value, __ATOMIC_RELAXED);        \
    }                                                                                  \
    WEIRI_DEVICE H_ atomicAdd(H_ *address, H_ value)                                   \
    {                                                                                  \
        typedef weiri::atomic_memory<H_, WEIRI_SCOPE_DEVICE> memory;                   \
        return memory::change<weiri::op_add>(address, value, __ATOMIC_RELAXED);        \
    }
#define WEIRI_HALF_SHUFFLES(T_, U_)                                                    \
    WEIRI_HALF_SHUFFLE(, index, 31, T_, U_, int)                                       \
    WEIRI_HALF_SHUFFLE(_up, up, 0, T_, U_, unsigned int)                               \
    WEIRI_HALF_SHUFFLE(_down, down, 31, T_, U_, unsigned int)                          \
    WEIRI_HALF_SHUFFLE(_xor, xor, 31, T_, U_, int)
#define WEIRI_HALF_SHUFFLE(name, builtin, clamp, T_, U_, lane_type)                    \
    WEIRI_DEVICE T_ __shfl##name##_sync(unsigned int mask, T_ value, lane_type lane,   \
                                        int width = warpSize)                          \
    {                                                                                  \
        return weiri_bits<T_>((U_)weiri_cu_shuffle_##builtin##_u32(                    \
            mask, weiri_bits<U_>(value), (unsigned int)lane,                           \
            weiri_shuffle_bounds(width, clamp)));                                      \
    }
#else
#define WEIRI_HALF_MACHINE(H_, H2)
#endif

#endif
