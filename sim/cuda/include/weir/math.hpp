/* SPDX-License-Identifier: MIT
 *
 * weir/math.hpp: functions of CUDA's math library that <math.h> lacks, and intrinsics.
 * The fast intrinsics are as precise as their namesakes. */
#ifndef WEIR_CUDA_MATH_HPP
#define WEIR_CUDA_MATH_HPP

#include <math.h>

#include <host_defines.h>
#include <weir/convert.h>

extern "C" {
WEIRI_CUDA_FUNCTION double weiri_cuda_erfinv(double x);
WEIRI_CUDA_FUNCTION double weiri_cuda_erfcinv(double x);
WEIRI_CUDA_FUNCTION double weiri_cuda_erfcx(double x);
WEIRI_CUDA_FUNCTION double weiri_cuda_normcdf(double x);
WEIRI_CUDA_FUNCTION double weiri_cuda_normcdfinv(double x);
WEIRI_CUDA_FUNCTION double weiri_cuda_cyl_bessel_i0(double x);
WEIRI_CUDA_FUNCTION double weiri_cuda_cyl_bessel_i1(double x);
WEIRI_CUDA_FUNCTION double weiri_cuda_sinpi(double x);
WEIRI_CUDA_FUNCTION double weiri_cuda_cospi(double x);
WEIRI_CUDA_FUNCTION double weiri_cuda_norm(int n, const double *p);
WEIRI_CUDA_FUNCTION double weiri_cuda_normf(int n, const float *p);
#define X_(s, T_)                                                                      \
    WEIRI_CUDA_FUNCTION T_ weiri_cuda_add_##s(T_ a, T_ b, int rounding);               \
    WEIRI_CUDA_FUNCTION T_ weiri_cuda_sub_##s(T_ a, T_ b, int rounding);               \
    WEIRI_CUDA_FUNCTION T_ weiri_cuda_mul_##s(T_ a, T_ b, int rounding);               \
    WEIRI_CUDA_FUNCTION T_ weiri_cuda_div_##s(T_ a, T_ b, int rounding);               \
    WEIRI_CUDA_FUNCTION T_ weiri_cuda_fma_##s(T_ a, T_ b, T_ c, int rounding);         \
    WEIRI_CUDA_FUNCTION T_ weiri_cuda_sqrt_##s(T_ a, int rounding);
X_(f32, float)
X_(f64, double)
#undef X_
}

/* ---- One argument: name(double), namef(float) and name(float) -------------- */

#define WEIRI_MATH(name, ...)                                                          \
    WEIRI_BOTH double name(double x)                                                   \
    {                                                                                  \
        return __VA_ARGS__;                                                            \
    }                                                                                  \
    WEIRI_BOTH float name##f(float x_)                                                 \
    {                                                                                  \
        double x = (double)x_;                                                         \
        return (float)(__VA_ARGS__);                                                   \
    }                                                                                  \
    WEIRI_BOTH float name(float x)                                                     \
    {                                                                                  \
        return name##f(x);                                                             \
    }
WEIRI_MATH(erfinv, weiri_cuda_erfinv(x))
WEIRI_MATH(erfcinv, weiri_cuda_erfcinv(x))
WEIRI_MATH(erfcx, weiri_cuda_erfcx(x))
WEIRI_MATH(normcdf, weiri_cuda_normcdf(x))
WEIRI_MATH(normcdfinv, weiri_cuda_normcdfinv(x))
WEIRI_MATH(cyl_bessel_i0, weiri_cuda_cyl_bessel_i0(x))
WEIRI_MATH(cyl_bessel_i1, weiri_cuda_cyl_bessel_i1(x))
WEIRI_MATH(sinpi, weiri_cuda_sinpi(x))
WEIRI_MATH(cospi, weiri_cuda_cospi(x))
WEIRI_MATH(rcbrt, 1 / ::cbrt(x))
#undef WEIRI_MATH

WEIRI_BOTH double rsqrt(double x)
{
    return 1 / __builtin_sqrt(x);
}

WEIRI_BOTH float rsqrtf(float x)
{
    return 1 / __builtin_sqrtf(x);
}

WEIRI_BOTH float rsqrt(float x)
{
    return rsqrtf(x);
}

/* ---- More arguments -------------------------------------------------------- */

WEIRI_BOTH void sincospi(double x, double *sine, double *cosine)
{
    *sine = sinpi(x);
    *cosine = cospi(x);
}

WEIRI_BOTH void sincospif(float x, float *sine, float *cosine)
{
    *sine = sinpif(x);
    *cosine = cospif(x);
}

WEIRI_BOTH void sincospi(float x, float *sine, float *cosine)
{
    sincospif(x, sine, cosine);
}

WEIRI_BOTH void sincos(float x, float *sine, float *cosine)
{
    ::sincosf(x, sine, cosine);
}

WEIRI_BOTH float fdividef(float x, float y)
{
    return x / y;
}

WEIRI_BOTH double fdivide(double x, double y)
{
    return x / y;
}

WEIRI_BOTH float fdivide(float x, float y)
{
    return x / y;
}

WEIRI_BOTH float exp10(float x)
{
    return ::exp10f(x);
}

#define WEIRI_NORMS(T_, f, NORM)                                                       \
    WEIRI_BOTH T_ norm##f(int n, const T_ *p)                                          \
    {                                                                                  \
        return (T_)NORM(n, p);                                                         \
    }                                                                                  \
    WEIRI_BOTH T_ rnorm##f(int n, const T_ *p)                                         \
    {                                                                                  \
        return (T_)(1 / NORM(n, p));                                                   \
    }                                                                                  \
    WEIRI_BOTH T_ norm3d##f(T_ a, T_ b, T_ c)                                          \
    {                                                                                  \
        return (T_)::hypot(::hypot((double)a, (double)b), (double)c);                  \
    }                                                                                  \
    WEIRI_BOTH T_ norm4d##f(T_ a, T_ b, T_ c, T_ d)                                    \
    {                                                                                  \
        return (T_)::hypot(::hypot((double)a, (double)b),                              \
                           ::hypot((double)c, (double)d));                             \
    }                                                                                  \
    WEIRI_BOTH T_ rnorm3d##f(T_ a, T_ b, T_ c)                                         \
    {                                                                                  \
        return (T_)(1 / ::hypot(::hypot((double)a, (double)b), (double)c));            \
    }                                                                                  \
    WEIRI_BOTH T_ rnorm4d##f(T_ a, T_ b, T_ c, T_ d)                                   \
    {                                                                                  \
        return (T_)(1                                                                  \
                    / ::hypot(::hypot((double)a, (double)b),                           \
                              ::hypot((double)c, (double)d)));                         \
    }                                                                                  \
    WEIRI_BOTH T_ rhypot##f(T_ a, T_ b)                                                \
    {                                                                                  \
        return (T_)(1 / ::hypot((double)a, (double)b));                                \
    }
WEIRI_NORMS(double, , weiri_cuda_norm)
WEIRI_NORMS(float, f, weiri_cuda_normf)
#undef WEIRI_NORMS

/* ---- Fast intrinsics ----------------------------------------------------------
 * glibc declares functions of these names, so they are macros. */

#define WEIRI_FAST(name, CALL)                                                         \
    WEIRI_DEVICE float name(float x)                                                   \
    {                                                                                  \
        return CALL(x);                                                                \
    }
WEIRI_FAST(weiri_fast_sinf, ::sinf)
WEIRI_FAST(weiri_fast_cosf, ::cosf)
WEIRI_FAST(weiri_fast_tanf, ::tanf)
WEIRI_FAST(weiri_fast_tanhf, ::tanhf)
WEIRI_FAST(weiri_fast_expf, ::expf)
WEIRI_FAST(weiri_fast_exp10f, ::exp10f)
WEIRI_FAST(weiri_fast_logf, ::logf)
WEIRI_FAST(weiri_fast_log2f, ::log2f)
WEIRI_FAST(weiri_fast_log10f, ::log10f)
#undef WEIRI_FAST
WEIRI_DEVICE float weiri_fast_powf(float x, float y)
{
    return ::powf(x, y);
}
WEIRI_DEVICE void weiri_fast_sincosf(float x, float *sine, float *cosine)
{
    ::sincosf(x, sine, cosine);
}
#define __sinf weiri_fast_sinf
#define __cosf weiri_fast_cosf
#define __tanf weiri_fast_tanf
#define __tanhf weiri_fast_tanhf
#define __expf weiri_fast_expf
#define __exp10f weiri_fast_exp10f
#define __logf weiri_fast_logf
#define __log2f weiri_fast_log2f
#define __log10f weiri_fast_log10f
#define __powf weiri_fast_powf
#define __sincosf weiri_fast_sincosf

WEIRI_DEVICE float __fdividef(float x, float y)
{
    return x / y;
}

/* Into [0, 1]; NaN becomes 0. */
WEIRI_DEVICE float __saturatef(float x)
{
    return x > 0 ? x < 1 ? x : 1 : 0;
}

WEIRI_DEVICE float saturate(float x)
{
    return __saturatef(x);
}

/* ---- Arithmetic with a rounding mode ------------------------------------------
 * No compiler joins a product and a sum of these: they are calls, or the pragma forbids
 * it. */

#define WEIRI_UNFUSED _Pragma("clang fp contract(off)")

#define WEIRI_BINARY(name, T_, CALL, op)                                               \
    WEIRI_DEVICE T_ name##_rn(T_ x, T_ y)                                              \
    {                                                                                  \
        WEIRI_UNFUSED                                                                  \
        return x op y;                                                                 \
    }                                                                                  \
    WEIRI_DEVICE T_ name##_rz(T_ x, T_ y)                                              \
    {                                                                                  \
        return CALL(x, y, WEIRI_RZ);                                                   \
    }                                                                                  \
    WEIRI_DEVICE T_ name##_ru(T_ x, T_ y)                                              \
    {                                                                                  \
        return CALL(x, y, WEIRI_RU);                                                   \
    }                                                                                  \
    WEIRI_DEVICE T_ name##_rd(T_ x, T_ y)                                              \
    {                                                                                  \
        return CALL(x, y, WEIRI_RD);                                                   \
    }
WEIRI_BINARY(__fadd, float, weiri_cuda_add_f32, +)
WEIRI_BINARY(__fsub, float, weiri_cuda_sub_f32, -)
WEIRI_BINARY(__fmul, float, weiri_cuda_mul_f32, *)
WEIRI_BINARY(__fdiv, float, weiri_cuda_div_f32, /)
WEIRI_BINARY(__dadd, double, weiri_cuda_add_f64, +)
WEIRI_BINARY(__dsub, double, weiri_cuda_sub_f64, -)
WEIRI_BINARY(__dmul, double, weiri_cuda_mul_f64, *)
WEIRI_BINARY(__ddiv, double, weiri_cuda_div_f64, /)
#undef WEIRI_BINARY

#define WEIRI_UNARY(prefix, T_, s, SQRT, FMA)                                          \
    WEIRI_DEVICE T_ prefix##sqrt_rn(T_ x)                                              \
    {                                                                                  \
        return SQRT(x);                                                                \
    }                                                                                  \
    WEIRI_DEVICE T_ prefix##rcp_rn(T_ x)                                               \
    {                                                                                  \
        return 1 / x;                                                                  \
    }                                                                                  \
    WEIRI_ROUNDED_UNARY(prefix, rz, RZ, T_, s)                                         \
    WEIRI_ROUNDED_UNARY(prefix, ru, RU, T_, s)                                         \
    WEIRI_ROUNDED_UNARY(prefix, rd, RD, T_, s)
#define WEIRI_ROUNDED_UNARY(prefix, mode, MODE, T_, s)                                 \
    WEIRI_DEVICE T_ prefix##sqrt_##mode(T_ x)                                          \
    {                                                                                  \
        return weiri_cuda_sqrt_##s(x, WEIRI_##MODE);                                   \
    }                                                                                  \
    WEIRI_DEVICE T_ prefix##rcp_##mode(T_ x)                                           \
    {                                                                                  \
        return weiri_cuda_div_##s(1, x, WEIRI_##MODE);                                 \
    }
WEIRI_UNARY(__f, float, f32, __builtin_sqrtf, __builtin_fmaf)
WEIRI_UNARY(__d, double, f64, __builtin_sqrt, __builtin_fma)
#undef WEIRI_UNARY
#undef WEIRI_ROUNDED_UNARY

#define WEIRI_FMA(name, T_, s, FMA)                                                    \
    WEIRI_DEVICE T_ name##_rn(T_ x, T_ y, T_ z)                                        \
    {                                                                                  \
        return FMA(x, y, z);                                                           \
    }                                                                                  \
    WEIRI_DEVICE T_ name##_rz(T_ x, T_ y, T_ z)                                        \
    {                                                                                  \
        return weiri_cuda_fma_##s(x, y, z, WEIRI_RZ);                                  \
    }                                                                                  \
    WEIRI_DEVICE T_ name##_ru(T_ x, T_ y, T_ z)                                        \
    {                                                                                  \
        return weiri_cuda_fma_##s(x, y, z, WEIRI_RU);                                  \
    }                                                                                  \
    WEIRI_DEVICE T_ name##_rd(T_ x, T_ y, T_ z)                                        \
    {                                                                                  \
        return weiri_cuda_fma_##s(x, y, z, WEIRI_RD);                                  \
    }
WEIRI_FMA(__fmaf, float, f32, __builtin_fmaf)
WEIRI_FMA(__fmaf_ieee, float, f32, __builtin_fmaf)
WEIRI_FMA(__fma, double, f64, __builtin_fma)
#undef WEIRI_FMA

WEIRI_DEVICE float __frsqrt_rn(float x)
{
    return (float)(1 / __builtin_sqrt((double)x));
}

#endif
