/* SPDX-License-Identifier: MIT
 *
 * integers.cu: integer functions, conversions, roundings and words of lanes, against values that follow from their definitions. */
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstring>
__device__ int bad;
#define SAME(x, y)                                                                     \
    do {                                                                               \
        auto a_ = (x);                                                                 \
        decltype(a_) b_ = (y);                                                         \
        if (memcmp(&a_, &b_, sizeof a_) != 0) {                                        \
            printf("line %d: %s is %.17g, not %.17g\n", __LINE__, #x, (double)a_,      \
                   (double)b_);                                                        \
            atomicAdd(&bad, 1);                                                        \
        }                                                                              \
    } while (0)
__global__ void k(float nan, float inf, double dnan)
{
    SAME(__popc(0xf0f00001u), 9);
    SAME(__popcll(~0ull), 64);
    SAME(__clz(0), 32);
    SAME(__clz(1), 31);
    SAME(__clz(-1), 0);
    SAME(__clzll(0), 64);
    SAME(__clzll(1), 63);
    SAME(__ffs(0), 0);
    SAME(__ffs(8), 4);
    SAME(__ffs(INT_MIN), 32);
    SAME(__ffsll(1ll << 40), 41);
    SAME(__brev(1u), 0x80000000u);
    SAME(__brev(0x12345678u), 0x1e6a2c48u);
    SAME(__brevll(1ull), 1ull << 63);
    SAME(__fns(0xf0u, 0, 1), 4u);
    SAME(__fns(0xf0u, 0, 4), 7u);
    SAME(__fns(0xf0u, 0, 5), 0xffffffffu);
    SAME(__fns(0xf0u, 5, 1), 5u);
    SAME(__fns(0xf0u, 5, 2), 6u);
    SAME(__fns(0xf0u, 10, -1), 7u);
    SAME(__fns(0xf0u, 7, -2), 6u);
    SAME(__fns(0xf0u, 4, 0), 4u);
    SAME(__fns(0xf0u, 3, 0), 0xffffffffu);
    SAME(__byte_perm(0x33221100u, 0x77665544u, 0x7531), 0x77553311u);
    SAME(__byte_perm(0x33221100u, 0x77665544u, 0x0123), 0x00112233u);
    SAME(__funnelshift_l(0x80000001u, 0x12345678u, 4), 0x23456788u);
    SAME(__funnelshift_l(1, 2, 32), 2u);
    SAME(__funnelshift_lc(1, 2, 32), 1u);
    SAME(__funnelshift_lc(1, 2, 40), 1u);
    SAME(__funnelshift_r(0x80000001u, 0x12345678u, 4), 0x88000000u);
    SAME(__funnelshift_r(1, 2, 32), 1u);
    SAME(__funnelshift_rc(1, 2, 32), 2u);
    SAME(__mul24(0x00800000, 2), (int)0xff000000);
    SAME(__mul24(3, -5), -15);
    SAME(__umul24(0xff000003u, 5), 15u);
    SAME(__mulhi(INT_MIN, 2), -1);
    SAME(__umulhi(0x80000000u, 6), 3u);
    SAME(__mul64hi(LLONG_MIN, 2), -1ll);
    SAME(__umul64hi(1ull << 63, 6), 3ull);
    SAME(__sad(-3, 5, 10u), 18u);
    SAME(__sad(INT_MIN, INT_MAX, 1u), 0u);
    SAME(__usad(5, 3, 1), 3u);
    SAME(__hadd(-3, 0), -2);
    SAME(__rhadd(-3, 0), -1);
    SAME(__hadd(INT_MAX, INT_MAX), INT_MAX);
    SAME(__uhadd(~0u, ~0u), ~0u);
    SAME(__urhadd(1, 2), 2u);
    SAME(__dp4a((int)0xff020304, 0x01010101, 10), 10 - 1 + 2 + 3 + 4);
    SAME(__dp4a(0xff020304u, 0x01010101u, 10u), 10u + 255 + 9);
    SAME(__dp2a_lo(0x0002ffff, 0x05060708, 1), 1 + -1 * 8 + 2 * 7);
    SAME(__dp2a_hi(0x0002ffff, 0x05060708, 1), 1 + -1 * 6 + 2 * 5);
    SAME(max(-1, 3u), ~0u);
    SAME(min(-1, 3u), 3u);
    SAME(max(-1, 3), 3);
    SAME(max(2.0f, nan), 2.0f);
    SAME(min(1.0f, 2.0), 1.0);
    SAME(max(3ll, -4ll), 3ll);
    SAME(ullmin(1, 2), 1ull);
    SAME(__float2int_rn(2.5f), 2);
    SAME(__float2int_rn(3.5f), 4);
    SAME(__float2int_rz(-2.7f), -2);
    SAME(__float2int_ru(2.1f), 3);
    SAME(__float2int_rd(-2.1f), -3);
    SAME(__float2int_rn(3e9f), INT_MAX);
    SAME(__float2int_rz(-3e9f), INT_MIN);
    SAME(__float2int_rn(nan), 0);
    SAME(__float2uint_rz(-1.0f), 0u);
    SAME(__float2uint_rz(5e9f), ~0u);
    SAME(__float2uint_rn(4294967040.0f), 4294967040u);
    SAME(__float2ll_rz(inf), LLONG_MAX);
    SAME(__float2ll_rz(nan), LLONG_MIN);
    SAME(__float2ull_rz(nan), 1ull << 63);
    SAME(__float2ull_rz(inf), ~0ull);
    SAME(__double2int_rz(dnan), INT_MIN);
    SAME(__double2uint_rn(4294967295.4), ~0u);
    SAME(__double2ll_rd(-0.5), -1ll);
    SAME(__double2ull_ru(0.5), 1ull);
    SAME(__double2ll_rn(-9223372036854775808.0), LLONG_MIN);
    SAME(__double2float_ru(0.1), 0x1.99999ap-4f);
    SAME(__double2float_rd(0.1), 0x1.999998p-4f);
    SAME(__double2float_rz(-0.1), -0x1.999998p-4f);
    SAME(__int2float_ru(16777217), 16777218.0f);
    SAME(__int2float_rd(16777217), 16777216.0f);
    SAME(__uint2float_rz(~0u), 4294967040.0f);
    SAME(__uint2float_rn(~0u), 4294967296.0f);
    SAME(__ll2double_ru((1ll << 53) + 1), 9007199254740994.0);
    SAME(__ull2double_rd(~0ull), 18446744073709549568.0);
    SAME(__int_as_float(0x3f800000), 1.0f);
    SAME(__float_as_uint(-0.0f), 0x80000000u);
    SAME(__double2hiint(1.0), 0x3ff00000);
    SAME(__double2loint(1.0), 0);
    SAME(__hiloint2double(0x3ff00000, 0), 1.0);
    SAME(__double_as_longlong(2.0), 1ll << 62);
    SAME(__fadd_ru(1.0f, 0x1p-30f), 0x1.000002p0f);
    SAME(__fadd_rn(1.0f, 0x1p-30f), 1.0f);
    SAME(__fsub_rd(1.0f, 0x1p-30f), 0x1.fffffep-1f);
    SAME(__fdiv_rz(2.0f, 3.0f), 0x1.555554p-1f);
    SAME(__fdiv_ru(2.0f, 3.0f), 0x1.555556p-1f);
    SAME(__fsqrt_rd(2.0f), 0x1.6a09e6p0f);
    SAME(__fsqrt_ru(2.0f), 0x1.6a09e8p0f);
    SAME(__frcp_rd(3.0f), 0x1.555554p-2f);
    SAME(__fmaf_rd(1, 0x1p-30f, -1), -1.0f);
    SAME(__fmaf_rz(1, 0x1p-30f, -1), -0x1.fffffep-1f);
    SAME(__dmul_ru(0x1.0000000000001p0, 0x1.0000000000001p0), 0x1.0000000000003p0);
    SAME(__dadd_rd(-1.0, -0x1p-60), -0x1.0000000000001p0);
    SAME(__drcp_ru(3.0), 0x1.5555555555556p-2);
    SAME(__dsqrt_rz(2.0), 0x1.6a09e667f3bccp0);
    SAME(__fma_rn(3, 4, 5), 17.0);
    SAME(__saturatef(2.0f), 1.0f);
    SAME(__saturatef(nan), 0.0f);
    SAME(__saturatef(-1.0f), 0.0f);
    SAME(rsqrt(4.0), 0.5);
    SAME(rsqrtf(16.0f), 0.25f);
    SAME(sinpi(0.5), 1.0);
    SAME(cospif(1.0f), -1.0f);
    SAME(norm3d(2.0, 3.0, 6.0), 7.0);
    SAME(norm4df(1, 1, 1, 1), 2.0f);
    SAME(rhypot(3.0, 4.0), 0.2);
    SAME(rcbrt(8.0), 0.5);
    SAME(exp10f(2.0f), 100.0f);
    SAME(normcdf(0.0), 0.5);
    SAME(erfcinv(1.0), 0.0);
    SAME(fdividef(6, 3), 2.0f);
    SAME(__vadd2(0xffff0001u, 0x00010001u), 0x00000002u);
    SAME(__vaddss2(0x7fff8000u, 0x0001ffffu), 0x7fff8000u);
    SAME(__vaddus4(0xff010203u, 0x01010101u), 0xff020304u);
    SAME(__vsub4(0x00000001u, 0x00000002u), 0x000000ffu);
    SAME(__vsubus2(0x00010005u, 0x00020003u), 0x00000002u);
    SAME(__vabs4(0x80ff7f01u), 0x80017f01u);
    SAME(__vabsss4(0x80ff7f01u), 0x7f017f01u);
    SAME(__vabsdiffu4(0x00ff0510u, 0xff000a10u), 0xffff0500u);
    SAME(__vabsdiffs4(0x80ff0510u, 0x7f010a10u), 0xff020500u);
    SAME(__vavgu4(0x01ff0000u, 0x02ff0001u), 0x02ff0001u);
    SAME(__vmaxs2(0xffff0001u, 0x00000002u), 0x00000002u);
    SAME(__vmaxu2(0xffff0001u, 0x00000002u), 0xffff0002u);
    SAME(__vcmpeq4(0x01020304u, 0x01000300u), 0xff00ff00u);
    SAME(__vsetgts4(0x01ff0203u, 0x00000303u), 0x01000000u);
    SAME(__vsadu4(0x01020304u, 0u), 10u);
    SAME(__vsads2(0xffff0001u, 0x00000000u), 2u);
    SAME(__vneg2(0x00018000u), 0xffff8000u);
    SAME(__vnegss2(0x00018000u), 0xffff7fffu);
    SAME(__vhaddu4(0x03ff0001u, 0x02ff0000u), 0x02ff0000u);
    SAME(__viaddmax_s32(3, 4, 5), 7);
    SAME(__vimax3_s32(-1, -2, -3), -1);
    SAME(__viaddmin_s32_relu(-3, 1, 5), 0);
    SAME(__vimin3_u16x2(0x00050003u, 0x00040006u, 0x00090001u), 0x00040001u);
    int4 q = make_int4(1, 2, 3, 4);
    SAME(q.w, 4);
    dim3 d(3);
    SAME(d.y, 1u);
    uint3 u = threadIdx;
    SAME(u.x, threadIdx.x);
    dim3 bd = blockDim;
    SAME(bd.x, 1u);
    SAME((int)sizeof(float3), 12);
    SAME((int)alignof(float4), 16);
    SAME((int)alignof(double2), 16);
    SAME((int)alignof(char2), 2);
    SAME((int)sizeof(ulonglong3), 24);
    SAME((int)alignof(short4), 8);
}
int main()
{
    k<<<1, 1>>>(NAN, INFINITY, NAN);
    int b;
    cudaError_t e = cudaMemcpyFromSymbol(&b, bad, sizeof b);
    if (e)
        printf("%s\n", cudaGetErrorString(e));
    printf(b || e ? "%d wrong\n" : "right\n", b);
    return b != 0 || e;
}
