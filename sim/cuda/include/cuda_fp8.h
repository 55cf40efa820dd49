/* SPDX-License-Identifier: MIT
 *
 * cuda_fp8.h: numbers of 8 bits, E4M3 and E5M2, and two and four of them in a word.
 * They are for storage: arithmetic is that of the types which they are converted to.
 *
 * A number that is too large becomes the largest one where finite numbers are asked for
 * (__NV_SATFINITE), as in the constructors; else infinity, or NaN in E4M3, which has no
 * infinity. */
#ifndef WEIR_CUDA_FP8_H
#define WEIR_CUDA_FP8_H
#define __CUDA_FP8_H__ /* CUDA's own guard: programs ask for it */

#ifdef __cplusplus

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <weir/half-bits.h>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

typedef enum { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

/* ---- Conversions ----------------------------------------------------------- */

template <class F_>
WEIRI_BOTH __nv_fp8_storage_t weiri_fp8_of(double x, __nv_saturation_t saturate)
{
    unsigned bits = F_::of_double(x, WEIRI_RN);
    bool is_over = x == x && (bits & F_::nan) == F_::infinity;
    bits -= is_over && saturate == __NV_SATFINITE;
    return (__nv_fp8_storage_t)bits;
}

WEIRI_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x,
                                                     __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t format)
{
    return format == __NV_E4M3 ? weiri_fp8_of<weiri::e4m3>(x, saturate)
                               : weiri_fp8_of<weiri::e5m2>(x, saturate);
}

WEIRI_BOTH float weiri_fp8_to_float(__nv_fp8_storage_t x,
                                    __nv_fp8_interpretation_t format)
{
    return format == __NV_E4M3 ? weiri::e4m3::to_float(x) : weiri::e5m2::to_float(x);
}

/* The lower byte is the first of two. */
WEIRI_BOTH __nv_fp8x2_storage_t weiri_fp8x2_of(double x, double y,
                                               __nv_saturation_t saturate,
                                               __nv_fp8_interpretation_t format)
{
    return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_fp8(x, saturate, format)
                                  | __nv_cvt_double_to_fp8(y, saturate, format) << 8);
}

/* From one number and from two; @of makes a number of a parameter or its part. */
#define WEIRI_FP8_FROM(one, T_, two, T2, of)                                           \
    WEIRI_BOTH __nv_fp8_storage_t __nv_cvt_##one##_to_fp8(                             \
        const T_ x, __nv_saturation_t saturate, __nv_fp8_interpretation_t format)      \
    {                                                                                  \
        return __nv_cvt_double_to_fp8((double)of(x), saturate, format);                \
    }                                                                                  \
    WEIRI_BOTH __nv_fp8x2_storage_t __nv_cvt_##two##_to_fp8x2(                         \
        const T2 v, __nv_saturation_t saturate, __nv_fp8_interpretation_t format)      \
    {                                                                                  \
        return weiri_fp8x2_of((double)of(v.x), (double)of(v.y), saturate, format);     \
    }
#define WEIRI_FP8_OF_HALF(x) weiri::binary16::to_float(weiri_raw_bits(x))
#define WEIRI_FP8_OF_BFLOAT(x) weiri::bfloat16::to_float(weiri_raw_bits(x))
WEIRI_BOTH unsigned short weiri_raw_bits(unsigned short x)
{
    return x;
}
WEIRI_BOTH unsigned short weiri_raw_bits(__half_raw x)
{
    return x.x;
}
WEIRI_BOTH unsigned short weiri_raw_bits(__nv_bfloat16_raw x)
{
    return x.x;
}
WEIRI_FP8_FROM(float, float, float2, float2, )
WEIRI_FP8_FROM(halfraw, __half_raw, halfraw2, __half2_raw, WEIRI_FP8_OF_HALF)
WEIRI_FP8_FROM(bfloat16raw, __nv_bfloat16_raw, bfloat16raw2, __nv_bfloat162_raw,
               WEIRI_FP8_OF_BFLOAT)
#undef WEIRI_FP8_FROM
#undef WEIRI_FP8_OF_HALF
#undef WEIRI_FP8_OF_BFLOAT

WEIRI_BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(
    double2 v, __nv_saturation_t saturate, __nv_fp8_interpretation_t format)
{
    return weiri_fp8x2_of(v.x, v.y, saturate, format);
}

WEIRI_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x,
                                              __nv_fp8_interpretation_t format)
{
    float value = weiri_fp8_to_float(x, format);
    return __half_raw{ weiri::binary16::of_float(value, WEIRI_RN) };
}

WEIRI_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t v,
                                                  __nv_fp8_interpretation_t format)
{
    return __half2_raw{
        __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)v, format).x,
        __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(v >> 8), format).x
    };
}

/* ---- One number ------------------------------------------------------------ */

#define WEIRI_FP8_TYPE(H_, F_)                                                         \
    struct H_ {                                                                        \
        __nv_fp8_storage_t __x;                                                        \
        H_() = default;                                                                \
        template <                                                                     \
            class T_,                                                                  \
            class = typename std::enable_if<std::is_arithmetic<T_>::value>::type>      \
        explicit WEIRI_BOTH H_(T_ x)                                                   \
            : __x(weiri_fp8_of<F_>((double)x, __NV_SATFINITE))                         \
        {                                                                              \
        }                                                                              \
        explicit WEIRI_BOTH H_(__half x)                                               \
            : __x(weiri_fp8_of<F_>((double)(float)x, __NV_SATFINITE))                  \
        {                                                                              \
        }                                                                              \
        explicit WEIRI_BOTH H_(__nv_bfloat16 x)                                        \
            : __x(weiri_fp8_of<F_>((double)(float)x, __NV_SATFINITE))                  \
        {                                                                              \
        }                                                                              \
        explicit WEIRI_BOTH operator float() const                                     \
        {                                                                              \
            return F_::to_float(__x);                                                  \
        }                                                                              \
        explicit WEIRI_BOTH operator double() const                                    \
        {                                                                              \
            return (double)F_::to_float(__x);                                          \
        }                                                                              \
        explicit WEIRI_BOTH operator __half() const                                    \
        {                                                                              \
            return __half(F_::to_float(__x));                                          \
        }                                                                              \
        explicit WEIRI_BOTH operator __nv_bfloat16() const                             \
        {                                                                              \
            return __nv_bfloat16(F_::to_float(__x));                                   \
        }                                                                              \
        explicit WEIRI_BOTH operator bool() const                                      \
        {                                                                              \
            return (__x & F_::nan) != 0;                                               \
        }                                                                              \
        WEIRI_HALF_TO_ALL(F_)                                                          \
    };
WEIRI_FP8_TYPE(__nv_fp8_e4m3, weiri::e4m3)
WEIRI_FP8_TYPE(__nv_fp8_e5m2, weiri::e5m2)
#undef WEIRI_FP8_TYPE

/* ---- Two and four ---------------------------------------------------------- */

#define WEIRI_FP8_PAIR(x, y, format) weiri_fp8x2_of(x, y, __NV_SATFINITE, format)
#define WEIRI_FP8_PART(i, format)                                                      \
    weiri_fp8_to_float((__nv_fp8_storage_t)(__x >> 8 * (i)), format)

#define WEIRI_FP8_TYPES(H2, H4, format)                                                \
    struct __align__(2) H2                                                             \
    {                                                                                  \
        __nv_fp8x2_storage_t __x;                                                      \
        H2() = default;                                                                \
        WEIRI_FP8_PAIR_OF(H2, __half2, float, format)                                  \
        WEIRI_FP8_PAIR_OF(H2, __nv_bfloat162, float, format)                           \
        WEIRI_FP8_PAIR_OF(H2, float2, double, format)                                  \
        WEIRI_FP8_PAIR_OF(H2, double2, double, format)                                 \
        explicit WEIRI_BOTH operator __half2() const                                   \
        {                                                                              \
            return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, format));                   \
        }                                                                              \
        explicit WEIRI_BOTH operator float2() const                                    \
        {                                                                              \
            return float2{ WEIRI_FP8_PART(0, format), WEIRI_FP8_PART(1, format) };     \
        }                                                                              \
    };                                                                                 \
    struct __align__(4) H4                                                             \
    {                                                                                  \
        __nv_fp8x4_storage_t __x;                                                      \
        H4() = default;                                                                \
        WEIRI_FP8_PAIRS_OF(H2, H4, __half2)                                            \
        WEIRI_FP8_PAIRS_OF(H2, H4, __nv_bfloat162)                                     \
        WEIRI_FP8_FOUR_OF(H4, float4, format)                                          \
        WEIRI_FP8_FOUR_OF(H4, double4, format)                                         \
        explicit WEIRI_BOTH operator float4() const                                    \
        {                                                                              \
            return float4{ WEIRI_FP8_PART(0, format), WEIRI_FP8_PART(1, format),       \
                           WEIRI_FP8_PART(2, format), WEIRI_FP8_PART(3, format) };     \
        }                                                                              \
    };
#define WEIRI_FP8_PAIR_OF(H2, T2, real, format)                                        \
    explicit WEIRI_BOTH H2(T2 v) : __x(WEIRI_FP8_PAIR((real)v.x, (real)v.y, format))   \
    {                                                                                  \
    }
#define WEIRI_FP8_PAIRS_OF(H2, H4, T2)                                                 \
    WEIRI_BOTH H4(T2 low, T2 high)                                                     \
        : __x(H2(low).__x | (__nv_fp8x4_storage_t)H2(high).__x << 16)                  \
    {                                                                                  \
    }
#define WEIRI_FP8_FOUR_OF(H4, T4, format)                                              \
    explicit WEIRI_BOTH H4(T4 v)                                                       \
        : __x(WEIRI_FP8_PAIR(v.x, v.y, format)                                         \
              | (__nv_fp8x4_storage_t)WEIRI_FP8_PAIR(v.z, v.w, format) << 16)          \
    {                                                                                  \
    }
WEIRI_FP8_TYPES(__nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
WEIRI_FP8_TYPES(__nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)
#undef WEIRI_FP8_TYPES
#undef WEIRI_FP8_PAIR_OF
#undef WEIRI_FP8_PAIRS_OF
#undef WEIRI_FP8_FOUR_OF
#undef WEIRI_FP8_PAIR
#undef WEIRI_FP8_PART

#endif
#endif
