/* SPDX-License-Identifier: MIT
 *
 * weir/convert.h: conversions with a rounding mode, and bits taken for numbers. PTX's
 * cvt: a real that an integer type does not have becomes its nearest limit. NaN becomes
 * 0 where both are 32 bits wide, else the number with the highest bit alone. */
#ifndef WEIR_CUDA_CONVERT_H
#define WEIR_CUDA_CONVERT_H

#include <stdint.h>

#include <host_defines.h>
#include <weir/bits.h>

/* In the library, which sets the processor's rounding mode: sim/cuda/device/math.c. */
enum { WEIRI_RN, WEIRI_RZ, WEIRI_RU, WEIRI_RD };
extern "C" {
WEIRI_CUDA_FUNCTION float weiri_cuda_f32_of_f64(double x, int rounding);
WEIRI_CUDA_FUNCTION float weiri_cuda_f32_of_i64(long long int x, int rounding);
WEIRI_CUDA_FUNCTION float weiri_cuda_f32_of_u64(unsigned long long int x, int rounding);
WEIRI_CUDA_FUNCTION double weiri_cuda_f64_of_i64(long long int x, int rounding);
WEIRI_CUDA_FUNCTION double weiri_cuda_f64_of_u64(unsigned long long int x,
                                                 int rounding);
}

/* ---- Bits ------------------------------------------------------------------ */

#define WEIRI_AS(name, T_, From)                                                       \
    WEIRI_BOTH T_ name(From x)                                                         \
    {                                                                                  \
        return weiri_bits<T_>(x);                                                      \
    }
WEIRI_AS(__int_as_float, float, int)
WEIRI_AS(__uint_as_float, float, unsigned int)
WEIRI_AS(__float_as_int, int, float)
WEIRI_AS(__float_as_uint, unsigned int, float)
WEIRI_AS(__longlong_as_double, double, long long int)
WEIRI_AS(__double_as_longlong, long long int, double)
#undef WEIRI_AS

WEIRI_DEVICE int __double2hiint(double x)
{
    return (int)(weiri_bits<uint64_t>(x) >> 32);
}

WEIRI_DEVICE int __double2loint(double x)
{
    return (int)(uint32_t)weiri_bits<uint64_t>(x);
}

WEIRI_DEVICE double __hiloint2double(int hi, int lo)
{
    return weiri_bits<double>((uint64_t)(uint32_t)hi << 32 | (uint32_t)lo);
}

/* ---- Reals to integers ----------------------------------------------------- */

WEIRI_BOTH double weiri_rounded_rn(double x)
{
    return __builtin_rint(x);
}

WEIRI_BOTH double weiri_rounded_rz(double x)
{
    return __builtin_trunc(x);
}

WEIRI_BOTH double weiri_rounded_ru(double x)
{
    return __builtin_ceil(x);
}

WEIRI_BOTH double weiri_rounded_rd(double x)
{
    return __builtin_floor(x);
}

/* @x is integral, infinite or NaN. */
template <class T_> WEIRI_BOTH T_ weiri_saturate(double x, T_ of_nan)
{
    constexpr bool is_signed = (T_)-1 < 0;
    constexpr int bits = 8 * (int)sizeof(T_) - is_signed;
    constexpr T_ greatest = (T_)(UINT64_MAX >> (64 - bits));
    constexpr T_ least = is_signed ? (T_)(-greatest - 1) : 0;
    const double above = (double)(1ull << (bits - 1)) * 2;
    if (x != x) {
        return of_nan;
    }
    return x >= above ? greatest : x < (double)least ? least : (T_)x;
}

#define WEIRI_TO_INTEGER(name, T_, From, of_nan)                                       \
    WEIRI_DEVICE T_ name##_rn(From x)                                                  \
    {                                                                                  \
        return weiri_saturate<T_>(weiri_rounded_rn(x), of_nan);                        \
    }                                                                                  \
    WEIRI_DEVICE T_ name##_rz(From x)                                                  \
    {                                                                                  \
        return weiri_saturate<T_>(weiri_rounded_rz(x), of_nan);                        \
    }                                                                                  \
    WEIRI_DEVICE T_ name##_ru(From x)                                                  \
    {                                                                                  \
        return weiri_saturate<T_>(weiri_rounded_ru(x), of_nan);                        \
    }                                                                                  \
    WEIRI_DEVICE T_ name##_rd(From x)                                                  \
    {                                                                                  \
        return weiri_saturate<T_>(weiri_rounded_rd(x), of_nan);                        \
    }
WEIRI_TO_INTEGER(__float2int, int, float, 0)
WEIRI_TO_INTEGER(__float2uint, unsigned int, float, 0u)
WEIRI_TO_INTEGER(__float2ll, long long int, float, INT64_MIN)
WEIRI_TO_INTEGER(__float2ull, unsigned long long int, float, 1ull << 63)
WEIRI_TO_INTEGER(__double2int, int, double, INT32_MIN)
WEIRI_TO_INTEGER(__double2uint, unsigned int, double, 1u << 31)
WEIRI_TO_INTEGER(__double2ll, long long int, double, INT64_MIN)
WEIRI_TO_INTEGER(__double2ull, unsigned long long int, double, 1ull << 63)
#undef WEIRI_TO_INTEGER

/* ---- To reals -------------------------------------------------------------- */

#define WEIRI_TO_REAL(name, T_, From, CALL)                                            \
    WEIRI_DEVICE T_ name##_rn(From x)                                                  \
    {                                                                                  \
        return (T_)x;                                                                  \
    }                                                                                  \
    WEIRI_DEVICE T_ name##_rz(From x)                                                  \
    {                                                                                  \
        return CALL(x, WEIRI_RZ);                                                      \
    }                                                                                  \
    WEIRI_DEVICE T_ name##_ru(From x)                                                  \
    {                                                                                  \
        return CALL(x, WEIRI_RU);                                                      \
    }                                                                                  \
    WEIRI_DEVICE T_ name##_rd(From x)                                                  \
    {                                                                                  \
        return CALL(x, WEIRI_RD);                                                      \
    }
WEIRI_TO_REAL(__double2float, float, double, weiri_cuda_f32_of_f64)
WEIRI_TO_REAL(__int2float, float, int, weiri_cuda_f32_of_i64)
WEIRI_TO_REAL(__uint2float, float, unsigned int, weiri_cuda_f32_of_u64)
WEIRI_TO_REAL(__ll2float, float, long long int, weiri_cuda_f32_of_i64)
WEIRI_TO_REAL(__ull2float, float, unsigned long long int, weiri_cuda_f32_of_u64)
WEIRI_TO_REAL(__ll2double, double, long long int, weiri_cuda_f64_of_i64)
WEIRI_TO_REAL(__ull2double, double, unsigned long long int, weiri_cuda_f64_of_u64)
#undef WEIRI_TO_REAL

WEIRI_DEVICE double __int2double_rn(int x)
{
    return (double)x;
}

WEIRI_DEVICE double __uint2double_rn(unsigned int x)
{
    return (double)x;
}

#endif
