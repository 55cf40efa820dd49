/* SPDX-License-Identifier: MIT
 *
 * cuda_bf16.h: __nv_bfloat16 and __nv_bfloat162. */
#ifndef WEIR_CUDA_BF16_H
#define WEIR_CUDA_BF16_H
#define __CUDA_BF16_H__ /* CUDA's own guard: programs ask for it */

#ifdef __cplusplus

#include <weir/half.hpp>

WEIRI_HALF_TYPES(__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw, __nv_bfloat162_raw,
                 weiri::bfloat16)
WEIRI_HALF_OPERATORS(__nv_bfloat16, __nv_bfloat162)
WEIRI_HALF_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, weiri::bfloat16, bfloat16,
                       bfloat162)
WEIRI_HALF_ARITHMETIC(__nv_bfloat16, __nv_bfloat162, weiri::bfloat16)
WEIRI_HALF_COMPARISONS(__nv_bfloat16, __nv_bfloat162)
WEIRI_HALF_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
WEIRI_HALF_MACHINE(__nv_bfloat16, __nv_bfloat162)

WEIRI_BOTH float __bfloat162float(__nv_bfloat16 x)
{
    return (float)x;
}

WEIRI_BOTH float2 __bfloat1622float2(__nv_bfloat162 v)
{
    return float2{ (float)v.x, (float)v.y };
}

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80u)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fffu)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001u)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7fu)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000u)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000u)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80u)

#endif
#endif
