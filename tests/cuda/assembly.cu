/* SPDX-License-Identifier: MIT
 *
 * assembly.cu: inline PTX. Each number that a kernel makes is compared with one that the host
 * makes in another way. Prints a line for each that differs, then "right" if none does. */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
typedef uint16_t u16;

enum { MOST = 512 };

static u64 *results;
static unsigned failures;

template <class To, class From> static To as(From from)
{
    To to = 0;
    static_assert(sizeof(To) == sizeof(From), "");
    memcpy(&to, &from, sizeof(to));
    return to;
}

static void expect(const char *what, unsigned i, u64 wanted)
{
    if (results[i] != wanted) {
        printf("%s: number %u is %llx, not %llx\n", what, i,
               (unsigned long long)results[i], (unsigned long long)wanted);
        failures++;
    }
}

/* ---- Integers ------------------------------------------------------------ */

#define U32_2(i, text, a, b)                                                           \
    {                                                                                  \
        u32 d_;                                                                        \
        asm(text : "=r"(d_) : "r"((u32)(a)), "r"((u32)(b)));                           \
        out[i] = d_;                                                                   \
    }
#define U32_3(i, text, a, b, c)                                                        \
    {                                                                                  \
        u32 d_;                                                                        \
        asm(text : "=r"(d_) : "r"((u32)(a)), "r"((u32)(b)), "r"((u32)(c)));            \
        out[i] = d_;                                                                   \
    }

__global__ void integers(u64 *out, u32 a, u32 b, u64 c, u64 d, u16 h)
{
    u64 wide, low, high;
    u32 x, y;
    u16 narrow;
    U32_2(0, "add.u32 %0, %1, %2;", a, b);
    U32_2(1, "sub.s32 %0, %1, %2;", a, b);
    U32_2(2, "mul.lo.u32 %0, %1, %2;", a, b);
    U32_2(3, "mul.hi.u32 %0, %1, %2;", a, b);
    U32_2(4, "mul.hi.s32 %0, %1, %2;", a, b);
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(out[5]) : "r"(a), "r"(b));
    asm("mul.wide.s32 %0, %1, %2;" : "=l"(out[6]) : "r"(a), "r"(b));
    U32_3(7, "mad.lo.s32 %0, %1, %2, %3;", a, b, 77);
    asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(out[8]) : "r"(a), "r"(b), "l"(c));
    asm("mul.hi.u64 %0, %1, %2;" : "=l"(out[9]) : "l"(c), "l"(d));
    U32_2(10, "add.sat.s32 %0, %1, %2;", 0x7ffffff0, 0x20);
    U32_2(11, "sub.sat.s32 %0, %1, %2;", 0x80000010, 0x20);
    U32_2(12, "div.s32 %0, %1, %2;", -17, 5);
    U32_2(13, "rem.s32 %0, %1, %2;", -17, 5);
    U32_2(14, "div.u32 %0, %1, %2;", 0xffffffef, 5);
    U32_2(15, "min.s32 %0, %1, %2;", -1, 1);
    U32_2(16, "max.u32 %0, %1, %2;", -1, 1);
    U32_3(17, "sad.s32 %0, %1, %2, %3;", -5, 7, 100);
    asm("abs.s32 %0, %1;" : "=r"(x) : "r"(-9));
    out[18] = x;
    asm("neg.s64 %0, %1;" : "=l"(wide) : "l"(c));
    out[19] = wide;
    asm("add.u16 %0, %1, %2;" : "=h"(narrow) : "h"(h), "h"((u16)0xfff0));
    out[20] = narrow;
    /* 128 bits, by carries. */
    asm("{ add.cc.u64 %0, %2, %4; addc.u64 %1, %3, %5; }"
        : "=l"(low), "=l"(high)
        : "l"(c), "l"(d), "l"(0xfedcba9876543210ull), "l"(1ull));
    out[21] = low;
    out[22] = high;
    asm("sub.cc.u32 %0, %2, %3;\n\tsubc.u32 %1, %4, %5;"
        : "=r"(x), "=r"(y)
        : "r"(5), "r"(7), "r"(3), "r"(1));
    out[23] = x;
    out[24] = y;
    asm("mad.lo.cc.u32 %0, %2, %3, %4;\n\tmadc.hi.u32 %1, %2, %3, %5;"
        : "=r"(x), "=r"(y)
        : "r"(a), "r"(b), "r"(0xffffffff), "r"(0));
    out[25] = x;
    out[26] = y;
    U32_2(27, "mul24.lo.u32 %0, %1, %2;", 0xff000003, 0xaa000005);
    U32_3(28, "dp4a.s32.s32 %0, %1, %2, %3;", 0xff010203, 0x02030405, 10);
    U32_3(29, "dp4a.u32.u32 %0, %1, %2, %3;", 0xff010203, 0x02030405, 10);
    U32_3(30, "dp2a.lo.s32.u32 %0, %1, %2, %3;", 0xffff0003, 0x0a0b0c0d, 1);
}

static void test_integers()
{
    const u32 a = 0x9abcdef1, b = 0x12345678;
    const u64 c = 0x8123456789abcdefull, d = 0xfedcba9876543211ull;
    const u16 h = 0x20;
    integers<<<1, 1>>>(results, a, b, c, d, h);
    cudaDeviceSynchronize();
    const char *t = "integers";
    const s64 sa = (s32)a, sb = (s32)b;
    expect(t, 0, (u32)(a + b));
    expect(t, 1, (u32)(a - b));
    expect(t, 2, (u32)(a * b));
    expect(t, 3, (u64)a * b >> 32);
    expect(t, 4, (u32)((sa * sb) >> 32));
    expect(t, 5, (u64)a * b);
    expect(t, 6, (u64)(sa * sb));
    expect(t, 7, (u32)(a * b + 77));
    expect(t, 8, (u64)(sa * sb) + c);
    expect(t, 9, (u64)(((unsigned __int128)c * d) >> 64));
    expect(t, 10, 0x7fffffff);
    expect(t, 11, 0x80000000);
    expect(t, 12, (u32)-3);
    expect(t, 13, (u32)-2);
    expect(t, 14, 858993455);
    expect(t, 15, (u32)-1);
    expect(t, 16, (u32)-1);
    expect(t, 17, 112);
    expect(t, 18, 9);
    expect(t, 19, (u64)-c);
    expect(t, 20, (u16)(h + 0xfff0));
    unsigned __int128 sum = ((unsigned __int128)d << 64 | c)
        + ((unsigned __int128)1 << 64 | 0xfedcba9876543210ull);
    expect(t, 21, (u64)sum);
    expect(t, 22, (u64)(sum >> 64));
    u64 difference = ((u64)3 << 32 | 5) - ((u64)1 << 32 | 7);
    expect(t, 23, (u32)difference);
    expect(t, 24, (u32)(difference >> 32));
    u64 product = (u64)a * b + 0xffffffff;
    expect(t, 25, (u32)product);
    expect(t, 26, product >> 32);
    expect(t, 27, 15);
    expect(t, 28, 10 - 2 + 3 + 8 + 15);
    expect(t, 29, 10 + 510 + 3 + 8 + 15);
    expect(t, 30, (u32)(1 + 3 * 0x0d - 0x0c));
}

/* ---- Bits ---------------------------------------------------------------- */

__global__ void bits(u64 *out, u32 a, u32 b, u32 c)
{
    u32 x;
    u64 wide;
    U32_3(0, "lop3.b32 %0, %1, %2, %3, 0xe8;", a, b, c);
    U32_3(1, "lop3.b32 %0, %1, %2, %3, 0x96;", a, b, c);
    U32_3(2, "prmt.b32 %0, %1, %2, %3;", 0x33221100, 0x77665584, 0x4701);
    U32_3(3, "prmt.b32 %0, %1, %2, %3;", 0x33221100, 0x77665584, 0xc000);
    U32_3(4, "prmt.b32.b4e %0, %1, %2, %3;", 0x33221100, 0x77665544, 1);
    U32_3(5, "shf.l.wrap.b32 %0, %1, %2, %3;", a, b, 36);
    U32_3(6, "shf.r.wrap.b32 %0, %1, %2, %3;", a, b, 4);
    U32_3(7, "shf.l.clamp.b32 %0, %1, %2, %3;", a, b, 40);
    U32_3(8, "bfe.u32 %0, %1, %2, %3;", a, 8, 12);
    U32_3(9, "bfe.s32 %0, %1, %2, %3;", 0x00000f00, 8, 4);
    U32_3(10, "bfe.s32 %0, %1, %2, %3;", 0x80000000, 28, 20);
    asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(x) : "r"(0xfab), "r"(a));
    out[11] = x;
    asm("popc.b64 %0, %1;" : "=r"(x) : "l"(0xf0f0000000000001ull));
    out[12] = x;
    asm("clz.b32 %0, %1;" : "=r"(x) : "r"(0x10));
    out[13] = x;
    asm("bfind.s32 %0, %1;" : "=r"(x) : "r"(-17));
    out[14] = x;
    asm("bfind.u32 %0, 0;" : "=r"(x));
    out[15] = x;
    asm("brev.b32 %0, %1;" : "=r"(x) : "r"(1));
    out[16] = x;
    U32_2(17, "shl.b32 %0, %1, %2;", a, 40);
    U32_2(18, "shr.s32 %0, %1, %2;", a, 40);
    U32_2(19, "shr.u32 %0, %1, %2;", a, 4);
    U32_2(20, "and.b32 %0, %1, %2;", a, b);
    U32_2(21, "xor.b32 %0, %1, %2;", a, b);
    asm("not.b64 %0, %1;" : "=l"(wide) : "l"(5ull));
    out[22] = wide;
    asm("cnot.b32 %0, %1;" : "=r"(x) : "r"(0));
    out[23] = x;
    /* Parts of registers. */
    asm("{ .reg .b32 lo, hi; mov.b64 {lo, hi}, %1; mov.b64 %0, {hi, lo}; }"
        : "=l"(wide)
        : "l"(0x0123456789abcdefull));
    out[24] = wide;
    asm("{ .reg .b16 l, h; mov.b32 {l, h}, %1; mov.b32 %0, {h, l}; }"
        : "=r"(x)
        : "r"(0x12345678));
    out[25] = x;
    asm("mov.b32 %0, 0f3f800000;" : "=r"(x));
    out[26] = x;
    asm("mov.u32 %0, 0b101;" : "=r"(x));
    out[27] = x;
}

static void test_bits()
{
    const u32 a = 0x9abcdef1, b = 0x12345678, c = 0x0f0f3355;
    bits<<<1, 1>>>(results, a, b, c);
    cudaDeviceSynchronize();
    const char *t = "bits";
    expect(t, 0, (a & b) | (a & c) | (b & c));
    expect(t, 1, a ^ b ^ c);
    expect(t, 2, 0x84770011);
    expect(t, 3, 0xff000000);
    expect(t, 4, 0x66770011);
    expect(t, 5, (u32)(b << 4 | a >> 28));
    expect(t, 6, (u32)(b << 28 | a >> 4));
    expect(t, 7, a);
    expect(t, 8, a >> 8 & 0xfff);
    expect(t, 9, 0xffffffff);
    expect(t, 10, 0xfffffff8);
    expect(t, 11, (a & ~0xff0u) | 0xab0);
    expect(t, 12, 9);
    expect(t, 13, 27);
    expect(t, 14, 4);
    expect(t, 15, 0xffffffff);
    expect(t, 16, 0x80000000);
    expect(t, 17, 0);
    expect(t, 18, 0xffffffff);
    expect(t, 19, a >> 4);
    expect(t, 20, a & b);
    expect(t, 21, a ^ b);
    expect(t, 22, ~5ull);
    expect(t, 23, 1);
    expect(t, 24, 0x89abcdef01234567ull);
    expect(t, 25, 0x56781234);
    expect(t, 26, 0x3f800000);
    expect(t, 27, 5);
}

/* ---- Reals --------------------------------------------------------------- */

#define F32(i, text, ...)                                                              \
    {                                                                                  \
        float d_;                                                                      \
        asm(text : "=f"(d_) : __VA_ARGS__);                                            \
        out[i] = __float_as_uint(d_);                                                  \
    }

__global__ void reals(u64 *out, float a, float b, double c)
{
    double wide;
    u32 x;
    s32 s;
    u16 half;
    F32(0, "add.f32 %0, %1, %2;", "f"(a), "f"(b));
    F32(1, "add.rz.f32 %0, %1, %2;", "f"(1.0f), "f"(0x1.8p-24f));
    F32(2, "add.rp.f32 %0, %1, %2;", "f"(1.0f), "f"(0x1p-40f));
    F32(3, "fma.rn.f32 %0, %1, %1, %2;", "f"(1.0f + 0x1p-12f), "f"(-1.0f));
    F32(4, "add.sat.f32 %0, %1, %2;", "f"(0.75f), "f"(0.5f));
    F32(5, "mul.ftz.f32 %0, %1, %2;", "f"(0x1p-100f), "f"(-0x1p-40f));
    F32(6, "min.f32 %0, %1, %2;", "f"(NAN), "f"(2.0f));
    F32(7, "max.f32 %0, %1, %2;", "f"(-0.0f), "f"(0.0f));
    F32(8, "neg.f32 %0, %1;", "f"(a));
    F32(9, "rcp.rn.f32 %0, %1;", "f"(8.0f));
    F32(10, "sqrt.approx.f32 %0, %1;", "f"(2.25f));
    F32(11, "ex2.approx.ftz.f32 %0, %1;", "f"(-3.0f));
    F32(12, "lg2.approx.f32 %0, %1;", "f"(32.0f));
    F32(13, "div.rn.f32 %0, %1, %2;", "f"(a), "f"(b));
    F32(14, "copysign.f32 %0, %1, %2;", "f"(-1.0f), "f"(3.0f));
    asm("fma.rn.f64 %0, %1, %2, 0d3ff0000000000000;" : "=d"(wide) : "d"(c), "d"(2.0));
    out[15] = __double_as_longlong(wide);
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(s) : "f"(-2.75f));
    out[16] = (u32)s;
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(s) : "f"(2.5f));
    out[17] = (u32)s;
    asm("cvt.rpi.u32.f32 %0, %1;" : "=r"(x) : "f"(2.25f));
    out[18] = x;
    asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(x) : "f"(-4.0f));
    out[19] = x;
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(s) : "f"(1e20f));
    out[20] = (u32)s;
    F32(21, "cvt.rn.f32.s32 %0, %1;", "r"(-16777217));
    F32(22, "cvt.rz.f32.u32 %0, %1;", "r"(0xffffffffu));
    F32(23, "cvt.rn.f32.f64 %0, %1;", "d"(c));
    asm("cvt.f64.f32 %0, %1;" : "=d"(wide) : "f"(a));
    out[24] = __double_as_longlong(wide);
    F32(25, "cvt.rmi.f32.f32 %0, %1;", "f"(-1.5f));
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(1.5f));
    out[26] = half;
    F32(27, "cvt.f32.f16 %0, %1;", "h"((u16)0xc100));
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(half) : "f"(1.00390625f));
    out[28] = half;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(x) : "f"(2.0f), "f"(1.0f));
    out[29] = x;
    asm("add.f16x2 %0, %1, %2;" : "=r"(x) : "r"(0x3c004000), "r"(0x3c003c00));
    out[30] = x;
    asm("fma.rn.f16 %0, %1, %1, %1;" : "=h"(half) : "h"((u16)0x4200));
    out[31] = half;
    asm("cvt.s32.s8 %0, %1;" : "=r"(s) : "r"(0x1280));
    out[32] = (u32)s;
    asm("cvt.sat.u8.s32 %0, %1;" : "=r"(x) : "r"(300));
    out[33] = x;
    asm("cvt.sat.s8.s32 %0, %1;" : "=r"(s) : "r"(-300));
    out[34] = (u32)s;
    asm("cvt.u64.u32 %0, %1;" : "=l"(out[35]) : "r"(0x80000000u));
    asm("cvt.s64.s32 %0, %1;" : "=l"(out[36]) : "r"(0x80000000u));
    asm("{ .reg .pred p; testp.infinite.f32 p, %1; selp.u32 %0, 3, 4, p; }"
        : "=r"(x)
        : "f"(INFINITY));
    out[37] = x;
    asm("cvt.rni.s64.f32 %0, %1;" : "=l"(out[38]) : "f"(NAN));
    F32(39, "tanh.approx.f32 %0, %1;", "f"(0.0f));
    F32(40, "cvt.sat.f32.f32 %0, %1;", "f"(-3.0f));
}

static void test_reals()
{
    const float a = 1.3f, b = -7.1f;
    const double c = 1.0 / 3;
    reals<<<1, 1>>>(results, a, b, c);
    cudaDeviceSynchronize();
    const char *t = "reals";
    expect(t, 0, as<u32>(a + b));
    expect(t, 1, as<u32>(1.0f));
    expect(t, 2, as<u32>(1.0f + 0x1p-23f));
    expect(t, 3, as<u32>(0x1p-11f + 0x1p-24f));
    expect(t, 4, as<u32>(1.0f));
    expect(t, 5, 0x80000000);
    expect(t, 6, as<u32>(2.0f));
    expect(t, 7, 0);
    expect(t, 8, as<u32>(-a));
    expect(t, 9, as<u32>(0.125f));
    expect(t, 10, as<u32>(1.5f));
    expect(t, 11, as<u32>(0.125f));
    expect(t, 12, as<u32>(5.0f));
    expect(t, 13, as<u32>(a / b));
    expect(t, 14, as<u32>(-3.0f));
    expect(t, 15, as<u64>(fma(c, 2.0, 1.0)));
    expect(t, 16, (u32)-2);
    expect(t, 17, 2);
    expect(t, 18, 3);
    expect(t, 19, 0);
    expect(t, 20, 0x7fffffff);
    expect(t, 21, as<u32>(-16777216.0f));
    expect(t, 22, as<u32>(4294967040.0f));
    expect(t, 23, as<u32>((float)c));
    expect(t, 24, as<u64>((double)a));
    expect(t, 25, as<u32>(-2.0f));
    expect(t, 26, 0x3e00);
    expect(t, 27, as<u32>(-2.5f));
    expect(t, 28, 0x3f80); /* half way: to even */
    expect(t, 29, 0x40003c00);
    expect(t, 30, 0x40004200);
    expect(t, 31, 0x4a00); /* 12 */
    expect(t, 32, (u32)-128);
    expect(t, 33, 255);
    expect(t, 34, (u32)-128);
    expect(t, 35, 0x80000000);
    expect(t, 36, 0xffffffff80000000ull);
    expect(t, 37, 3);
    expect(t, 38, 0x8000000000000000ull);
    expect(t, 39, 0);
    expect(t, 40, 0);
}

/* ---- Predicates, labels and registers ------------------------------------ */

__device__ u32 collatz(u32 n)
{
    u32 steps;
    asm("{\n"
        "  .reg .pred p, odd;       // a comment\n"
        "  .reg .u32 n, bit, r<2>;\n"
        "  mov.u32 n, %1; /* another */\n"
        "  mov.u32 r1, 0;\n"
        "LOOP:\n"
        "  setp.eq.u32 p, n, 1;\n"
        "  @p bra.uni DONE;\n"
        "  and.b32 bit, n, 1;\n"
        "  setp.ne.u32 odd, bit, 0;\n"
        "  @odd mad.lo.u32 n, n, 3, 1;\n"
        "  @!odd shr.u32 n, n, 1;\n"
        "  add.u32 r1, r1, 1;\n"
        "  bra LOOP;\n"
        "DONE:\n"
        "  mov.u32 %0, r1;\n"
        "}"
        : "=r"(steps)
        : "r"(n));
    return steps;
}

__global__ void predicates(u64 *out, s32 a, s32 b)
{
    u32 x, y = 5;
    out[0] = collatz(27);
    asm("{ .reg .pred p, q; setp.lt.s32 p|q, %2, %3;\n"
        "selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q; }"
        : "=r"(x), "+r"(y)
        : "r"(a), "r"(b));
    out[1] = x;
    out[2] = y;
    asm("{ .reg .pred p, q; setp.gt.s32 q, %1, 0; setp.lt.and.s32 p, %1, 100, !q;\n"
        "selp.u32 %0, 1, 0, p; }"
        : "=r"(x)
        : "r"(a));
    out[3] = x;
    asm("set.lt.u32.s32 %0, %1, %2;" : "=r"(x) : "r"(a), "r"(b));
    out[4] = x;
    /* Not written: it keeps its value. */
    y = 8;
    asm("{ .reg .pred p; setp.gt.s32 p, %1, 1000; @p mov.u32 %0, 1; }"
        : "+r"(y)
        : "r"(a));
    out[5] = y;
    asm("{ .reg .pred p; setp.lo.u32 p, %1, %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(x)
        : "r"(a), "r"(b));
    out[6] = x;
    asm("slct.s32.s32 %0, 11, 22, %1;" : "=r"(x) : "r"(a));
    out[7] = x;
    asm("{ .reg .pred p; setp.neu.f32 p, %1, %1; selp.u32 %0, 1, 0, p; }"
        : "=r"(x)
        : "f"(NAN));
    out[8] = x;
    asm("{ .reg .pred p; setp.ne.f32 p, %1, %1; selp.u32 %0, 1, 0, p; }"
        : "=r"(x)
        : "f"(NAN));
    out[9] = x;
    /* Each block has registers of its own. */
    asm("{ .reg .u32 r; mov.u32 r, 1; { .reg .u32 r; mov.u32 r, 2; } mov.u32 %0, r; }"
        : "=r"(x));
    out[10] = x;
    asm("add.u32 %0, %[b], %[a];" : "=r"(x) : [a] "r"(3), [b] "n"(4));
    out[11] = x;
}

static void test_predicates()
{
    predicates<<<1, 1>>>(results, -3, 4);
    cudaDeviceSynchronize();
    const char *t = "predicates";
    u32 n = 27, steps = 0;
    for (; n != 1; steps++) {
        n = n % 2 == 1 ? 3 * n + 1 : n / 2;
    }
    static const u64 wanted[] = { 1, 0, 1, 0xffffffff, 8, 0, 22, 1, 0, 1, 7 };
    expect(t, 0, steps);
    for (unsigned i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
        expect(t, i + 1, wanted[i]);
    }
}

/* ---- Memory -------------------------------------------------------------- */

__global__ void memory(u64 *out, u32 *global)
{
    __shared__ __align__(16) u32 shared[64];
    u32 t = threadIdx.x, x, y, z, w;
    u32 base = (u32)__cvta_generic_to_shared(shared);
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(base + 4 * t), "r"(t * 10) : "memory");
    asm volatile("bar.sync 0;" ::: "memory");
    if (t == 0) {
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4+16];"
                     : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                     : "r"(base));
        out[0] = x;
        out[1] = w;
        asm volatile("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }"
                     : "=r"(x)
                     : "l"(shared));
        out[2] = x == base;
        asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(x) : "l"(global));
        out[3] = x;
        asm volatile("ld.global.nc.L1::no_allocate.v2.u32 {%0, %1}, [%2];"
                     : "=r"(x), "=r"(y)
                     : "l"(global + 2));
        out[4] = x + y;
        asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(x) : "l"(global + 1));
        out[5] = x;
        asm volatile("st.release.sys.global.u32 [%0+4], %1;" ::"l"(global), "r"(99)
                     : "memory");
        out[6] = global[1];
        asm volatile("atom.global.add.u32 %0, [%1], 5;" : "=r"(x) : "l"(global));
        out[7] = x;
        asm volatile("red.relaxed.gpu.global.max.s32 [%0], %1;" ::"l"(global), "r"(1000)
                     : "memory");
        out[8] = global[0];
        asm volatile("atom.cas.acq_rel.cta.b32 %0, [%1], %2, %3;"
                     : "=r"(x)
                     : "l"(global), "r"(1000), "r"(7)
                     : "memory");
        out[9] = x;
        out[10] = global[0];
        asm volatile("atom.inc.u32 %0, [%1], 7;" : "=r"(x) : "l"(global) : "memory");
        out[11] = global[0];
        asm volatile("atom.shared.exch.b32 %0, [%1], 77;"
                     : "=r"(x)
                     : "r"(base)
                     : "memory");
        out[12] = shared[0];
        asm volatile("ld.global.u8 %0, [%1+1];" : "=r"(x) : "l"(global + 2));
        out[13] = x;
        asm volatile("ld.global.s8 %0, [%1];" : "=r"(x) : "l"(global + 4));
        out[14] = x;
        asm volatile("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }"
                     : "=r"(x)
                     : "l"(shared));
        out[15] = x;
        asm volatile("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }"
                     : "=r"(x)
                     : "l"(global));
        out[16] = x;
        asm volatile("red.add.noftz.f16x2 [%0], %1;" ::"l"(global + 5), "r"(0x3c004000)
                     : "memory");
        out[17] = global[5];
    }
    __syncthreads();
    /* Copies. */
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(base + 4 * t),
                 "l"(global + 8 + t)
                 : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group %0;" ::"n"(0) : "memory");
    out[32 + t] = shared[t];
}

static void test_memory()
{
    u32 *global;
    cudaMallocManaged(&global, 1024);
    for (u32 i = 0; i < 256; i++) {
        global[i] = i + 40;
    }
    global[2] = 0x1234;
    global[4] = 0x80;
    global[5] = 0x3c003c00;
    memory<<<1, 32>>>(results, global);
    cudaDeviceSynchronize();
    static const u64 wanted[] = { 40, 70, 1, 40, 0x1234 + 43, 41, 99,         40,  1000,
                                  1000, 7, 0, 77, 0x12, 0xffffff80, 1, 0, 0x40004200 };
    for (unsigned i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
        expect("memory", i, wanted[i]);
    }
    for (unsigned i = 0; i < 32; i++) {
        expect("memory", 32 + i, i + 48);
    }
}

/* ---- Warps and barriers -------------------------------------------------- */

__global__ void warps(u64 *out)
{
    __shared__ u32 shared[64];
    u32 t = threadIdx.x, x, y, mask;
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(x));
    asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    out[t] = x + 100 * (u64)(mask == (1u << t % 32) - 1);
    asm volatile("{ .reg .pred p; shfl.sync.bfly.b32 %0|p, %2, 1, 0x1f, 0xffffffff;\n"
                 "selp.u32 %1, 1, 0, p; }"
                 : "=r"(x), "=r"(y)
                 : "r"(t));
    out[64 + t] = x + 100 * (u64)y;
    asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, 4, 0x1f, -1;\n"
                 "selp.u32 %1, 1, 0, p; }"
                 : "=r"(x), "=r"(y)
                 : "r"(t));
    out[128 + t] = y;
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 40;\n"
                 "vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(x)
                 : "r"(t));
    out[192 + t] = x;
    asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(x) : "r"(t % 32));
    out[256 + t] = x;
    asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(x) : "r"(t % 2));
    out[320 + t] = x;
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }"
                 : "=r"(x));
    out[384 + t] = x;
    /* The second warp writes, the first reads. */
    if (t >= 32) {
        shared[t] = t;
        asm volatile("bar.arrive %0, %1;" ::"r"(1), "n"(64) : "memory");
    } else {
        asm volatile("barrier.sync %0, %1;" ::"r"(1), "n"(64) : "memory");
        out[448 + t] = shared[t + 32];
    }
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 10;\n"
                 "barrier.red.popc.aligned.u32 %0, 0, p; }"
                 : "=r"(x)
                 : "r"(t));
    if (t < 32) {
        out[480 + t] = x;
    }
}

static void test_warps()
{
    warps<<<1, 64>>>(results);
    cudaDeviceSynchronize();
    for (unsigned t = 0; t < 64; t++) {
        expect("tid", t, t + 100);
        expect("shfl.bfly", 64 + t, (t ^ 1) + 100);
        expect("shfl.down", 128 + t, t % 32 < 28);
        expect("ballot", 192 + t, t < 32 ? 0xffffffff : 0xff);
        expect("redux", 256 + t, 31 * 32 / 2);
        expect("match", 320 + t, t % 2 == 0 ? 0x55555555 : 0xaaaaaaaa);
        expect("elect", 384 + t, t % 32 == 0);
    }
    for (unsigned t = 0; t < 32; t++) {
        expect("arrive", 448 + t, t + 32);
        expect("popc", 480 + t, 10);
    }
}

/* ---- mbarriers, matrices ------------------------------------------------- */

__device__ void wait(u32 bar, u32 parity)
{
    asm volatile("{\n"
                 ".reg .pred P1;\n"
                 "LAB_WAIT:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
                 "@P1 bra DONE;\n"
                 "bra LAB_WAIT;\n"
                 "DONE:\n"
                 "}" ::"r"(bar),
                 "r"(parity)
                 : "memory");
}

__global__ void objects(u64 *out, const u32 *global)
{
    __shared__ u64 bar;
    __shared__ __align__(16) u32 shared[64];
    __shared__ __align__(16) u16 matrix[64];
    u32 t = threadIdx.x, at = (u32)__cvta_generic_to_shared(&bar), x;
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(32));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    matrix[t] = (u16)t;
    matrix[t + 32] = (u16)(t + 32);
    __syncthreads();
    if (t == 0) {
        u32 to = (u32)__cvta_generic_to_shared(shared);
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at),
                     "r"(256)
                     : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                     " [%0], [%1], %2, [%3];" ::"r"(to),
                     "l"(global), "r"(256), "r"(at)
                     : "memory");
    } else {
        asm volatile("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" ::"r"(
                         at)
                     : "memory");
    }
    wait(at, 0);
    out[t] = shared[t] + shared[t + 32];
    u32 row = (u32)__cvta_generic_to_shared(&matrix[8 * (t % 8)]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(x)
                 : "r"(row));
    out[32 + t] = x;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                 : "=r"(x)
                 : "r"(row));
    out[64 + t] = x;
}

static void test_objects()
{
    u32 *global;
    cudaMallocManaged(&global, 256);
    for (u32 i = 0; i < 64; i++) {
        global[i] = i * i;
    }
    objects<<<1, 32>>>(results, global);
    cudaDeviceSynchronize();
    for (u32 t = 0; t < 32; t++) {
        u32 row = t / 4, column = t % 4 * 2;
        expect("bulk copy", t, t * t + (t + 32) * (t + 32));
        expect("ldmatrix", 32 + t, (row * 8 + column + 1) << 16 | (row * 8 + column));
        expect("transposed", 64 + t, (column * 8 + 8 + row) << 16 | (column * 8 + row));
    }
}

int main()
{
    cudaMallocManaged(&results, MOST * sizeof(*results));
    test_integers();
    test_bits();
    test_reals();
    test_predicates();
    test_memory();
    test_warps();
    test_objects();
    if (cudaGetLastError() != cudaSuccess) {
        printf("a launch failed\n");
        failures++;
    }
    printf(failures == 0 ? "right\n" : "wrong\n");
    return failures != 0;
}
