/* SPDX-License-Identifier: MIT
 *
 * fp8.cu: numbers of 8 bits against the definitions of OCP's OFP8: E4M3 has bias 7, 448 as
 * its largest number, no infinity, and NaN where all bits but the sign are 1; E5M2 is as
 * IEEE's formats, with bias 15 and 57344. All numbers, what lies half way between two
 * neighbours and next to that on both sides, and what is too large with saturation and
 * without. */
#include <cmath>
#include <cstdio>
#include <cuda_fp8.h>

static int bad;

static void expect(const char *what, double x, unsigned is, unsigned want)
{
    if (is != want && bad++ < 20) {
        printf("%s of %a: %02x, not %02x\n", what, x, is, want);
    }
}

struct e4m3 {
    typedef __nv_fp8_e4m3 number;
    typedef __nv_fp8x2_e4m3 pair;
    typedef __nv_fp8x4_e4m3 four;
    static const __nv_fp8_interpretation_t format = __NV_E4M3;
    static const int fraction_bits = 3, bias = 7, largest = 0x7e, over = 0x7f;
    static double value(int bits)
    {
        return bits == 0x7f ? NAN : finite(bits);
    }
    static double finite(int bits)
    {
        return bits < 8 ? ldexp(bits, -9) : ldexp(8 + bits % 8, bits / 8 - 10);
    }
};

struct e5m2 {
    typedef __nv_fp8_e5m2 number;
    typedef __nv_fp8x2_e5m2 pair;
    typedef __nv_fp8x4_e5m2 four;
    static const __nv_fp8_interpretation_t format = __NV_E5M2;
    static const int fraction_bits = 2, bias = 15, largest = 0x7b, over = 0x7c;
    static double value(int bits)
    {
        return bits == 0x7c ? INFINITY : bits > 0x7c ? NAN : finite(bits);
    }
    static double finite(int bits)
    {
        return bits < 4 ? ldexp(bits, -16) : ldexp(4 + bits % 4, bits / 4 - 17);
    }
};

template <class F> static unsigned without(double x)
{
    return __nv_cvt_double_to_fp8(x, __NV_NOSAT, F::format);
}

template <class F> static unsigned finite(double x)
{
    return __nv_cvt_double_to_fp8(x, __NV_SATFINITE, F::format);
}

/* @bits, without the sign, is what x and -x become. */
template <class F> static void try_both(double x, unsigned bits, unsigned saturated)
{
    expect("without saturation", x, without<F>(x), bits);
    expect("without saturation", -x, without<F>(-x), bits | 0x80);
    expect("with saturation", x, finite<F>(x), saturated);
    expect("with saturation", -x, finite<F>(-x), saturated | 0x80);
    expect("constructor", x, typename F::number(x).__x, saturated);
    if (x == (float)x) {
        expect("float", x, __nv_cvt_float_to_fp8((float)x, __NV_NOSAT, F::format), bits);
        expect("constructor of a float", x, typename F::number((float)x).__x, saturated);
    }
}

template <class F> static void try_numbers()
{
    for (int bits = 0; bits < F::over; bits++) {
        double x = F::value(bits), next = F::finite(bits + 1), middle = (x + next) / 2;
        int even = bits % 2 == 0 ? bits : bits + 1;
        int least = bits < F::largest ? bits + 1 : F::largest;
        try_both<F>(x, bits, bits);
        try_both<F>(nextafter(middle, x), bits, bits);
        try_both<F>(middle, even, even < least ? even : least);
        try_both<F>(nextafter(middle, next), bits + 1, least);
    }
    try_both<F>(1e300, F::over, F::largest);
    try_both<F>(INFINITY, F::over, F::largest);
    try_both<F>(0x1p-1074, 0, 0);
    expect("NaN", NAN, std::isnan(F::value(without<F>(NAN) & 0x7f)), true);
    expect("NaN", NAN, std::isnan(F::value(finite<F>(NAN) & 0x7f)), true);
}

/* On the device: numbers, pairs and fours. */
struct results {
    float one[256], half[256], of_pair[2], of_four[4];
    unsigned char two[2], four[4];
    int whole, is_zero, is_not;
};

template <class F> __global__ void convert(results *out)
{
    int t = threadIdx.x;
    typename F::number x;
    x.__x = (unsigned char)t;
    out->one[t] = float(x);
    out->half[t] = __half2float(__half(__nv_cvt_fp8_to_halfraw(x.__x, F::format)));
    if (t == 0) {
        typename F::pair pair(float2{ 1.5f, -1e9f });
        typename F::four four(float4{ 0.5f, -2, 1e9f, 448 });
        float2 p(pair);
        float4 f(four);
        for (int i = 0; i < 2; i++) {
            out->two[i] = (unsigned char)(pair.__x >> 8 * i);
            out->of_pair[i] = i == 0 ? p.x : p.y;
        }
        const float parts[] = { f.x, f.y, f.z, f.w };
        for (int i = 0; i < 4; i++) {
            out->four[i] = (unsigned char)(four.__x >> 8 * i);
            out->of_four[i] = parts[i];
        }
        out->whole = int(typename F::number(-2.5f));
        out->is_zero = bool(typename F::number(-0.0f));
        out->is_not = bool(typename F::number(__float2half(0.25f)));
    }
}

template <class F> static void try_device(unsigned of_1_5, unsigned of_448)
{
    results *out;
    cudaMallocManaged(&out, sizeof *out);
    convert<F><<<1, 256>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 256; i++) {
        double x = i < 128 ? F::value(i) : -F::value(i - 128);
        bool is_right = x != x ? out->one[i] != out->one[i] && out->half[i] != out->half[i]
                               : out->one[i] == x && out->half[i] == x;
        expect("float and half", x, is_right && signbit(out->one[i]) == (i >= 128), true);
    }
    double top = F::value(F::largest);
    expect("first of two", 1.5, out->two[0], of_1_5);
    expect("second of two", -1e9, out->two[1], 0x80 | F::largest);
    expect("pair", 1.5, out->of_pair[0] == 1.5 && out->of_pair[1] == -top, true);
    expect("third of four", 1e9, out->four[2], F::largest);
    expect("fourth of four", 448, out->four[3], of_448);
    expect("four", 0.5,
           out->of_four[0] == 0.5 && out->of_four[1] == -2 && out->of_four[2] == top
               && out->of_four[3] == 448,
           true);
    expect("int", -2.5, out->whole, -2);
    expect("bool", 0, out->is_zero, false);
    expect("bool", 0.25, out->is_not, true);
    cudaFree(out);
}

int main()
{
    try_numbers<e4m3>();
    try_numbers<e5m2>();
    try_device<e4m3>(0x3c, 0x7e);
    try_device<e5m2>(0x3e, 0x5f);
    puts(bad ? "wrong" : "right");
    return bad != 0;
}
