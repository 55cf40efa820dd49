/* SPDX-License-Identifier: MIT
 *
 * half.cu: numbers of 16 bits: conversions against an enumeration of all of them, arithmetic against long double. */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
static int bad;
static long double value_of(unsigned bits, int fraction)
{
    int exponent_bits = 15 - fraction, e = (bits & 0x7fff) >> fraction,
        bias = (1 << (exponent_bits - 1)) - 1;
    long double f = bits & ((1 << fraction) - 1);
    long double v = e == (1 << exponent_bits) - 1 ? (f != 0 ? NAN : INFINITY)
        : e == 0                                  ? ldexpl(f, 1 - bias - fraction)
                 : ldexpl(f + (1 << fraction), e - bias - fraction);
    return bits & 0x8000 ? -v : v;
}
/* The bits nearest to x in a mode, by bisection of the ordered positive numbers. */
static unsigned round_to(long double x, int fraction, int mode)
{
    if (x != x)
        return 0x7fff;
    unsigned sign = signbit(x) ? 0x8000 : 0;
    long double a = fabsl(x);
    unsigned inf = ((1u << (15 - fraction)) - 1) << fraction, lo = 0, hi = inf;
    if (isinf(x))
        return sign | inf;
    while (hi - lo > 1) {
        unsigned m = (lo + hi) / 2;
        if (value_of(m, fraction) <= a)
            lo = m;
        else
            hi = m;
    }
    long double l = value_of(lo, fraction),
                h = hi == inf
        ? 2 * value_of(inf - 1, fraction) - value_of(inf - 2, fraction)
        : value_of(hi, fraction);
    if (a == l)
        return sign | lo;
    bool up = mode == 0 ? (a - l > h - a || (a - l == h - a && (lo & 1)))
        : mode == 2     ? !sign
        : mode == 3     ? sign != 0
                        : false;
    if (a >= h)
        up = mode == 0 || (mode == 2 && !sign) || (mode == 3 && sign);
    return sign | (up ? hi : lo);
}
/* The sum, or where it is not a number of long double its neighbour on the true side. */
static long double sum_of(long double p, long double r)
{
    volatile long double s = p + r, t = s - p, e = (p - (s - t)) + (r - t);
    uint64_t m;
    memcpy(&m, (void *)&s, 8);
    return e == 0 || e != e || (m & 1) ? (long double)s
                                       : nextafterl(s, e > 0 ? INFINITY : -INFINITY);
}
static uint64_t seed = 1;
static uint64_t draw()
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}
#define CHECK(c, ...)                                                                  \
    do {                                                                               \
        if (!(c) && bad++ < 20) {                                                      \
            printf("line %d: ", __LINE__);                                             \
            printf(__VA_ARGS__);                                                       \
            printf("\n");                                                              \
        }                                                                              \
    } while (0)
template <class H> unsigned bits(H h)
{
    uint16_t b;
    memcpy(&b, &h, 2);
    return b;
}
template <class H> H of(unsigned b)
{
    uint16_t s = b;
    H h;
    memcpy(&h, &s, 2);
    return h;
}
struct Half {
    typedef __half H;
    static const int f = 10;
    static H rn(float x)
    {
        return __float2half_rn(x);
    }
    static H rz(float x)
    {
        return __float2half_rz(x);
    }
    static H ru(float x)
    {
        return __float2half_ru(x);
    }
    static H rd(float x)
    {
        return __float2half_rd(x);
    }
    static H d(double x)
    {
        return __double2half(x);
    }
    static H ll(long long x)
    {
        return __ll2half_rn(x);
    }
    static H ull(unsigned long long x)
    {
        return __ull2half_rz(x);
    }
};
struct Bf {
    typedef __nv_bfloat16 H;
    static const int f = 7;
    static H rn(float x)
    {
        return __float2bfloat16_rn(x);
    }
    static H rz(float x)
    {
        return __float2bfloat16_rz(x);
    }
    static H ru(float x)
    {
        return __float2bfloat16_ru(x);
    }
    static H rd(float x)
    {
        return __float2bfloat16_rd(x);
    }
    static H d(double x)
    {
        return __double2bfloat16(x);
    }
    static H ll(long long x)
    {
        return __ll2bfloat16_rn(x);
    }
    static H ull(unsigned long long x)
    {
        return __ull2bfloat16_rz(x);
    }
};
static bool nan(unsigned b, int f)
{
    return (b & 0x7fff) > (((1u << (15 - f)) - 1) << f);
}
template <class T> void all()
{
    typedef typename T::H H;
    const int f = T::f;
    for (unsigned b = 0; b < 65536; b++) {
        float x = (float)of<H>(b);
        long double v = value_of(b, f);
        CHECK(nan(b, f) ? x != x : x == v && signbit(x) == (b >> 15),
              "%04x is %g not %Lg", b, x, v);
        if (!nan(b, f))
            CHECK(bits(T::rn(x)) == b, "%04x -> %g -> %04x", b, x, bits(T::rn(x)));
    }
    for (int i = 0; i < 50000; i++) {
        uint32_t w = draw();
        float x;
        if (i % 3 == 0)
            w = (w & 0x80000fff) | ((127 - 30 + w % 48) << 23) | (draw() % 1024 << 13);
        if (i % 3 == 1) {
            float y = (float)of<H>(draw() & 0xffff), z = (float)of<H>(draw() & 0xffff);
            y = i % 2 ? y : y + z;
            memcpy(&w, &y, 4);
        }
        memcpy(&x, &w, 4);
        unsigned got[4]
            = { bits(T::rn(x)), bits(T::rz(x)), bits(T::ru(x)), bits(T::rd(x)) };
        for (int m = 0; m < 4; m++)
            CHECK(got[m] == round_to(x, f, m), "%a mode %d is %04x not %04x", x, m,
                  got[m], round_to(x, f, m));
        uint64_t dw = draw();
        double d;
        if (i % 2)
            dw = (dw & 0x800fffffffffffff) | ((1023 - 30 + dw % 48) << 52);
        if (i % 5 == 0)
            dw &= ~0xffffffull;
        memcpy(&d, &dw, 8);
        CHECK(bits(T::d(d)) == round_to(d, f, 0), "%a is %04x not %04x", d,
              bits(T::d(d)), round_to(d, f, 0));
        long long n = (long long)draw() >> draw() % 64;
        if (i % 2)
            n = (n & ~0xffll) + 1;
        CHECK(bits(T::ll(n)) == round_to(n, f, 0), "%lld is %04x not %04x", n,
              bits(T::ll(n)), round_to(n, f, 0));
        CHECK(bits(T::ull(n)) == round_to((unsigned long long)n, f, 1),
              "%lld rz is %04x not %04x", n, bits(T::ull(n)),
              round_to((unsigned long long)n, f, 1));
        unsigned a = draw() & 0xffff, b = draw() & 0xffff, c = draw() & 0xffff;
        if (i % 2) {
            b = (b & 0x83ff) | (a & 0x7c00);
            c = (c & 0x83ff) | (a & 0x7c00);
        }
        H p = of<H>(a), q = of<H>(b), r = of<H>(c);
        long double P = value_of(a, f), Q = value_of(b, f), R = value_of(c, f);
        struct {
            const char *n;
            H got;
            long double v;
        } t[] = { { "+", p + q, P + Q },
                  { "-", p - q, P - Q },
                  { "*", p * q, P * Q },
                  { "/", p / q, P / Q },
                  { "fma", __hfma(p, q, r), sum_of(P * Q, R) },
                  { "sqrt", hsqrt(p), sqrtl(P) },
                  { "rcp", hrcp(p), 1 / P },
                  { "neg", -p, -P },
                  { "abs", __habs(p), fabsl(P) } };
        for (auto &o : t) {
            unsigned e = round_to(o.v, f, 0);
            CHECK(o.v != o.v ? nan(bits(o.got), f) : bits(o.got) == e,
                  "%04x %s %04x %04x is %04x not %04x", a, o.n, b, c, bits(o.got), e);
        }
        CHECK((p < q) == (P < Q) && (p == q) == (P == Q)
                  && __hne(p, q) == (P < Q || P > Q) && __hneu(p, q) == !(P == Q)
                  && __hltu(p, q) == !(P >= Q) && (p != q) == (P != Q),
              "relations of %04x %04x", a, b);
    }
}
int main()
{
    all<Half>();
    all<Bf>();
    CHECK(__half2int_rz(__half(-2.7f)) == -2 && __half2int_rn(__half(2.5f)) == 2
              && __half2uint_ru(__half(0.1f)) == 1
              && __half2short_rd(__half(-0.1f)) == -1
              && __half2int_rn(CUDART_INF_FP16) == 2147483647
              && __half2int_rn(CUDART_NAN_FP16) == 0,
          "integers");
    half2 v(__half(1), __half(2));
    CHECK(__low2float(__lowhigh2highlow(v)) == 2 && __hbeq2(v, v) && !__hbgt2(v, v)
              && __heq2_mask(v, half2(__half(1), __half(3))) == 0xffff,
          "pairs");
    printf(bad ? "%d wrong\n" : "right\n", bad);
    return bad != 0;
}
