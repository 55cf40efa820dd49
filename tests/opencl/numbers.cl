// SPDX-License-Identifier: MIT
//
// numbers.cl: what C leaves undefined and OpenCL C does not: [CL30C] 6.3 and 6.4. An
// unspecified value is not looked at.

// by_zero 5 5 runs: -6 -12 77 12 6 0 0 77 0 0
kernel void by_zero(global int *in, global int *out)
{
    int g = get_global_id(0), divisor = g - 2;
    int quotient = (in[5] + 7) / divisor, rest = in[10] % divisor;
    out[g] = divisor == 0 ? 77 : quotient;
    out[g + 5] = divisor == 0 ? 77 : rest;
}

// least_by_minus_one 2 2 runs: 77 1073741824 77 0
kernel void least_by_minus_one(global int *in, global int *out)
{
    int g = get_global_id(0), divisor = -1 - g;
    int quotient = (in[0] + INT_MIN) / divisor, rest = (in[0] + INT_MIN) % divisor;
    out[g] = g == 0 ? 77 : quotient;
    out[g + 2] = g == 0 ? 77 : rest;
}

// numbers_in_vectors 1 1 runs: 10 77 -2 3 10 77 1
kernel void numbers_in_vectors(global int *in, global int *out)
{
    int4 v = (int4)(10, 11, 12, 13) / (int4)(in[1], in[0], -in[6], in[4]);
    uchar2 b = (uchar2)(200, 100) / (uchar2)((uchar)in[20], (uchar)in[0]);
    ulong u = (ulong)in[9] / (ulong)in[8];
    out[0] = v.x;
    out[1] = in[0] == 0 ? 77 : v.y;
    out[2] = v.z;
    out[3] = v.w;
    out[4] = b.x;
    out[5] = in[0] == 0 ? 77 : b.y;
    out[6] = (int)u;
}

// by_constants 1 1 runs: 33 1 -50
kernel void by_constants(global int *in, global int *out)
{
    out[0] = in[100] / 3;
    out[1] = in[100] % 3;
    out[2] = in[100] / -2;
}

// A count is taken modulo the width.
// shifts 1 1 runs: 2 5 1 32
kernel void shifts(global int *in, global int *out)
{
    out[0] = in[1] << (in[33]);
    out[1] = in[10] >> (in[65]);
    out[2] = (int)((long)in[1] << in[64]);
    out[3] = in[2] << 36;
}

// (2^30 * 12) >> 32 is 3, and 2^31 * 2^31 >> 32 is 2^30.
// high 1 1 runs: 8 1073741825 13 3 0 32 7
kernel void high(global int *in, global int *out)
{
    out[0] = mad_hi(in[1] << 30, 12, 5);
    out[1] = (int)mad_hi(1u << (31 + in[0]), 1u << 31, 1u);
    int4 v = mad_hi((int4)(in[1] << 30), (int4)(12, 4, 0, 0), (int4)(10, 2, 0, 0));
    out[2] = v.x;
    out[3] = v.y;
    out[4] = ctz(in[1]);
    out[5] = ctz(in[0]);
    out[6] = (int)ctz((ulong2)((ulong)in[64] << 1, 1)).x;
}

// 0 - INT_MIN, -8 - INT_MAX, 100 - -100 of char, 5 - 6 of uint; INT_MIN + -1, and 3 + 4.
// saturated 1 1 runs: 2147483647 -2147483648 127 0 -2147483648 7 2147483647
kernel void saturated(global int *in, global int *out)
{
    int2 v = sub_sat((int2)(in[0], in[0] - 8), (int2)(INT_MIN, INT_MAX));
    out[0] = v.x;
    out[1] = v.y;
    out[2] = sub_sat((char)in[100], (char)-in[100]);
    out[3] = (int)sub_sat((uint)in[5], (uint)in[6]);
    out[4] = add_sat(INT_MIN + in[0], -in[1]);
    out[5] = add_sat(in[3], in[4]);
    out[6] = sub_sat((long)in[0], LONG_MIN) == LONG_MAX ? sub_sat(in[0], INT_MIN) : 0;
}

// 2^31 and -2^32 to int, 2^63 to long, -1 to uint, NaN to int; 2.5 to even, and up.
// converted 1 1 runs: 2147483647 -2147483648 1 0 0 2 3
kernel void converted(global int *in, global int *out)
{
    float big = (float)INT_MAX + in[0];
    int2 v = convert_int2_sat((float2)(big, -2 * big));
    out[0] = v.x;
    out[1] = v.y;
    long2 w = convert_long2_sat((float2)(big * big * 2, in[3]));
    out[2] = w.x == LONG_MAX && w.y == 3;
    out[3] = convert_uint_sat((float)-in[1]);
    out[4] = convert_int_sat(as_float(0x7fc00000 + in[0]));
    out[5] = convert_char_sat_rte(in[2] + 0.5f);
    out[6] = convert_uchar4_sat_rtp((double4)(in[2] + 0.5)).w;
}

// 0 * -1 + 5, 3 * -4 + 0, LONG_MIN * -1 + 0, LONG_MAX * 1 - LONG_MAX, 2^62 * -4 + 9, and
// 2^62 * 2 - 1, whose product alone is too large.
// mads 1 1 runs: 5 -12 1 0 1 1
kernel void mads(global int *in, global int *out)
{
    long zero = in[0], one = in[1];
    out[0] = (int)mad_sat(zero, -one, 5L);
    long4 v = mad_sat((long4)(3, LONG_MIN, LONG_MAX, one << 62),
                      (long4)(-4, -one, one, -4), (long4)(zero, zero, -LONG_MAX, 9));
    out[1] = (int)v.x;
    out[2] = v.y == LONG_MAX;
    out[3] = (int)v.z;
    out[4] = v.w == LONG_MIN;
    out[5] = mad_sat(one << 62, 2L, -one) == LONG_MAX;
}

// From a choice of 0 and -1, which clang 14 makes a number of one bit, and from others.
// absolute 1 1 runs: 1 1 128 0 7 9
kernel void absolute(global int *in, global int *out)
{
    uchar4 chosen = (uchar4)(7);
    for (int i = 0; i < in[3]; i++) {
        chosen.s2 = abs((char)(i != 0 ? (char)-1 : (char)0));
        out[1] = abs(-(in[i] != 0));
    }
    out[0] = chosen.s2;
    out[2] = abs((char)(in[1] - 129));
    out[3] = (int)abs((short4)(in[5], in[0], in[6], in[7])).y;
    out[4] = (int)abs((long3)(in[5], in[0], -in[7])).z;
    out[5] = (int)abs((uint)in[9]);
}

// A half is rounded as the name says, tiny and huge numbers, too: [CL30C] 6.15.7.
// rounded_halves 1 1 runs: 1 0 32769 0 31744 31743 64511 15361 15360 15361 1 32768 15360
kernel void rounded_halves(global int *in, global int *out)
{
    ushort bits[16];
    private half *h = (private half *)bits;
    float tiny = in[1] * 1e-30f, huge = in[1] * 1e6f, one = in[1] * 1.0001f;
    vstore_half_rtp(tiny, 0, h);
    vstore_half_rtn(tiny, 1, h);
    vstore_half_rtn(-tiny, 2, h);
    vstore_half_rtz(tiny, 3, h);
    vstore_half_rtp(huge, 4, h);
    vstore_half_rtn(huge, 5, h);
    vstore_half_rtz(-huge, 6, h);
    vstore_half_rtp(one, 7, h);
    vstore_half(one, 8, h);
    vstore_half_rtp((double)one, 9, h);
    ushort4 three;
    vstorea_half3_rtp((float3)(tiny, -tiny, in[1]), 0, (private half *)&three);
    for (int i = 0; i < 10; i++)
        out[i] = bits[i];
    out[10] = three.x;
    out[11] = three.y;
    out[12] = three.z;
}

// Each code makes a quiet NaN: [CL30C] 6.15.2. Those of doubles have bit 51.
// codes 1 1 runs: 1 1 1 1 1 1 1
kernel void codes(global int *in, global int *out)
{
    double2 two = nan((ulong2)((ulong)in[0], (ulong)in[1]));
    float single = nan((uint)in[0]);
    out[0] = isnan(two.x);
    out[1] = isnan(two.y);
    out[2] = (as_ulong(two.x) >> 51 & 1) != 0;
    out[3] = (as_ulong(two.y) >> 51 & 1) != 0;
    out[4] = isnan(single);
    out[5] = (as_uint(single) >> 22 & 1) != 0;
    out[6] = isnan(nan((ulong)in[0]));
}

// Results that are less than a normal number, and arguments that are: [CL30C] 7.2.
// tiny_numbers 1 1 runs: 1 1 1 1 1 1 1 1 5
kernel void tiny_numbers(global int *in, global int *out)
{
    float tiny = in[1] * 0x1p-130f, log_tiny = in[1] * -87.4f;
    float2 two = exp((float2)(log_tiny, (float)in[0]));
    out[0] = two.x > 1.0e-38f && two.x < 1.2e-38f && two.y == 1;
    out[1] = exp2(in[1] * -127.0f) == 0x1p-127f;
    out[2] = erfc(in[1] * 9.4f) > 2e-40f && erfc(in[1] * 9.4f) < 3e-40f;
    out[3] = fmod(in[1] * 0x1.8p-126f, tiny * 5) == 0x1p-128f;
    out[4] = remainder(in[1] * 0x1.8p-126f, tiny * 5) == -tiny;
    out[5] = ldexp(tiny, 20) == 0x1p-110f && rootn(-tiny, in[1]) == -tiny;
    out[6] = isnan(ldexp(nan((uint)in[1]), 100000)) && isnan(ldexp(nan((ulong)in[1]), 100000))
        && isinf(ldexp(in[1] * 0x1.5p739, INT_MAX - 1522 - in[0]))
        && isinf(ldexp(in[1] * 0x1.4ep38f, INT_MAX - 356 - in[0]));
    int quotient; // 24 is 5 * 5 - 1
    out[4] &= remquo(in[1] * 0x1.8p-126f, tiny * 5, &quotient) == -tiny;
    out[8] = quotient;
    out[7] = lgamma(in[1] * -0x1p-64f) > 44.3f && lgamma(in[1] * -0x1p-64f) < 44.4f;
}

// cos(10^17) is -0.88556, tgamma(-1/2) is -2 sqrt(pi). A zero has the sign of [CL30C] 7.5.
// large_and_negative 1 1 runs: 1 1 1 1 1 1 1 1
kernel void large_and_negative(global int *in, global int *out)
{
    double large = in[1] * 1e17, minus = in[1] * -0.0, inf = in[1] * (double)INFINITY;
    out[0] = fabs(cos(large) + 0.88556) < 1e-4;
    out[1] = sinh(inf) == inf && sinh(-inf) == -inf && cosh(-inf) == inf && isnan(cosh(cos(inf)));
    out[2] = fabs(tgamma(in[1] * -0.5) + 3.5449) < 1e-4 && fabs(tgamma(in[1] * -0.5f) + 3.5449f) < 1e-4f;
    out[3] = signbit(sin(minus)) && signbit(tan(minus)) && signbit(atan(minus)) && signbit(expm1(minus));
    out[4] = signbit(atanpi(minus)) && signbit(erf(minus));
    double3 three = sinpi((double3)(in[1], -0x1p900, 0.5) * in[1]);
    out[5] = three.x == 0 && three.y == 0 && signbit(three.y) && three.z == 1;
    out[5] &= !signbit(sinpi(in[1] * 1.0f)) && signbit(sinpi(in[1] * -1.0)) && !signbit(cospi(in[1] * 0.5));
    out[6] = signbit(tanpi(in[1] * 1.0f)) && !signbit(tanpi(in[2] * 1.0)) && !signbit(fdim((float)minus, 0.0f));
    out[7] = smoothstep(in[0] * 1.0, in[4] * 1.0, (double2)(2, 1)).y == 0.15625;
}

// 2^63 - 1 lies between two doubles, 2^24 + 1 between two floats: [CL30C] 6.2.3.3.
// rounded_conversions 1 1 runs: 1 1 1 1 1 1 1 1
kernel void rounded_conversions(global int *in, global int *out)
{
    long most = LONG_MAX - in[0];
    double minus = in[1] * -1e-60;
    int2 both = (int2)(16777216 + in[1], -16777216 - in[1]);
    out[0] = convert_double_rtn(most) == 0x1.fffffffffffffp62;
    out[1] = convert_double_rtp(most) == 0x1p63 && convert_float_rtz(most) == 0x1.fffffep62f;
    out[2] = convert_float_rtz(ULONG_MAX - (ulong)in[0]) == 0x1.fffffep63f;
    out[3] = convert_float_rtp(ULONG_MAX - (ulong)in[0]) == 0x1p64f;
    out[4] = convert_float2_rtp(both).x == 16777218 && convert_float2_rtp(both).y == -16777216;
    out[5] = convert_float2_rtn(both).x == 16777216 && convert_float2_rtz(both).y == -16777216;
    out[6] = signbit(convert_float_rtp(minus)) && convert_float_rtn(minus) == -0x1p-149f;
    out[7] = convert_float_rtz(in[1] * -1e300) == -FLT_MAX;
}

// A number or, where it is 0, its bits with the sign of another. With AVX-512 this is one
// instruction, which LLVM makes wrong.
// signs_of_whole 4 4 runs: 1 1 1 1
kernel void signs_of_whole(global const int *in, global int *out)
{
    size_t i = get_global_id(0);
    double4 x = (double4)(in[i], -1.0 - in[i], in[i] + 0.5, -0.25), rest = trunc(x) - x;
    long4 bits = (as_long4(rest) & LONG_MAX) | (as_long4(x) & LONG_MIN);
    double4 got = as_double4((rest == 0.0) ? bits : as_long4(rest));
    out[i] = as_long(got.x) == 0 && as_long(got.y) == LONG_MIN && got.z == -0.5 && got.w == 0.25;
}

// What is made of the address of local memory is constant to the front end: such
// expressions stand in each other, in operands of any instruction, and in vectors.
// addresses 4 4 runs: 0 0 0 0
kernel void addresses(global int *in, global int *out)
{
    local int part[8];
    local short other[4];
    size_t i = get_global_id(0), sizes[2] = { (size_t)part % 4, (size_t)other % 2 };
    local int *table[2] = { part, &part[3] };
    local int *chosen = in[i] == 2 ? &part[(size_t)part % 4] : &part[1];
    ulong2 both = (ulong2)((size_t)part % 4, (size_t)&part[1]);
    int wrong = (size_t)part % sizeof(int) != 0;
    wrong += (long)(size_t)part % 4 != 0 || (size_t)part / 4 * 4 != (size_t)part;
    wrong += (uint)(size_t)part % 4u + ((size_t)part << 3 >> 3) % 4;
    wrong += (size_t)&part[1] - (size_t)part != 4;
    wrong += (float)((size_t)part % 4) + 1.0f != 1.0f;
    wrong += ((size_t)part % 4 ? 3 : 0) + min((int)((size_t)part % 4), 5);
    wrong += table[i & 1] - part != (i & 1 ? 3 : 0) || sizes[i & 1] != 0;
    wrong += chosen - part != (i == 2 ? 0 : 1);
    wrong += ((size_t)part + in[3] - in[i]) % 4 != (3 - in[i]) % 4;
    wrong += both.x != 0 || both.y - (size_t)part != 4;
    switch ((size_t)part % 4) {
    case 0: break;
    default: wrong += 100;
    }
    for (size_t k = (size_t)part % 4; k < (size_t)part % 4 + 2; k++)
        wrong += k > 1;
    out[i] = wrong;
}
