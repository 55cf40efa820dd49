/* SPDX-License-Identifier: MIT
 *
 * cuda_fp16.h: __half and __half2. */
#ifndef WEIR_CUDA_FP16_H
#define WEIR_CUDA_FP16_H
#define __CUDA_FP16_H__ /* CUDA's own guard: programs ask for it */

#ifdef __cplusplus

#include <weir/half.hpp>

WEIRI_HALF_TYPES(__half, __half2, __half_raw, __half2_raw, weiri::binary16)
WEIRI_HALF_OPERATORS(__half, __half2)
WEIRI_HALF_CONVERSIONS(__half, __half2, weiri::binary16, half, half2)
WEIRI_HALF_ARITHMETIC(__half, __half2, weiri::binary16)
WEIRI_HALF_COMPARISONS(__half, __half2)
WEIRI_HALF_FUNCTIONS(__half, __half2)
WEIRI_HALF_MACHINE(__half, __half2)

WEIRI_BOTH float __half2float(__half x)
{
    return (float)x;
}

WEIRI_BOTH float2 __half22float2(__half2 v)
{
    return float2{ (float)v.x, (float)v.y };
}

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00u)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fffu)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001u)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bffu)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000u)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000u)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00u)

#else

typedef struct __align__(2)
{
    unsigned short x;
}
__half;
typedef struct __align__(4)
{
    unsigned short x, y;
}
__half2;

#endif
#endif
