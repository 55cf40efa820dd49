/* SPDX-License-Identifier: MIT
 *
 * math.c: functions of CUDA's math library that libm lacks, and arithmetic with a
 * rounding mode. Code of the device and of the host calls them.
 *
 * Invariants: the mode of the processor is "to nearest" before and after every call. An
 * operation with another mode reads its operands from volatile variables, and writes
 * its result to one: the compiler keeps these accesses between the two calls of
 * fesetround(). */
#include "config.h"

#include "cuda/device/math.h"

#include <fenv.h>
#include <math.h>

/* ---- Inverse error functions ----------------------------------------------- */

static const double two_over_sqrt_pi = 1.1283791670955125739;

/* A step of Halley's method for a root of erf() or -erfc(), where @error is the
 * function's value less the one that is asked for: it triples the digits. */
static double halley(double x, double error)
{
    double step = error / (two_over_sqrt_pi * exp(-x * x));
    return x - step / (1 + x * step);
}

double weiri_cuda_erfcinv(double y)
{
    if (!(y >= 0 && y <= 2)) {
        return NAN;
    }
    if (y == 0 || y == 2) {
        return y == 0 ? INFINITY : -INFINITY;
    }
    if (y >= 0.5) {
        return weiri_cuda_erfinv(1 - y); /* which is exact */
    }
    /* The guess is the rational one of Abramowitz and Stegun, 26.2.22. */
    double t = sqrt(-2 * log(y / 2));
    double x
        = M_SQRT1_2 * (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)));
    for (int i = 0; i < 3; i++) {
        x = halley(x, y - erfc(x));
    }
    return x;
}

double weiri_cuda_erfinv(double x)
{
    double size = fabs(x);
    if (!(size <= 1)) {
        return NAN;
    }
    if (size == 1) {
        return copysign(INFINITY, x);
    }
    if (size > 0.5) {
        return copysign(weiri_cuda_erfcinv(1 - size), x); /* 1 - size is exact */
    }
    double guess = size / two_over_sqrt_pi;
    for (int i = 0; i < 4; i++) {
        guess = halley(guess, erf(guess) - size);
    }
    return size == 0 ? x : copysign(guess, x);
}

/* exp(x * x) * erfc(x). The square is a sum of two numbers: its rounding would be an
 * error of the result, times the square. */
double weiri_cuda_erfcx(double x)
{
    double square = x * x, rest = fma(x, x, -square);
    if (x < 25) {
        return exp(square) * erfc(x) * (1 + (isfinite(square) ? rest : 0));
    }
    double series = 1, term = 1;
    for (int k = 1; k < 13; k++) {
        term *= (0.5 - k) / square;
        series += term;
    }
    return two_over_sqrt_pi / 2 / x * series;
}

double weiri_cuda_normcdf(double x)
{
    /* 1 / sqrt(2) is a sum of two numbers. */
    const double low = -4.833646656726457e-17;
    double at = -x * M_SQRT1_2;
    double error = fma(-x, M_SQRT1_2, -at) - x * low;
    double value = erfc(at);
    return isfinite(x) ? (value - error * two_over_sqrt_pi * exp(-at * at)) / 2
                       : value / 2;
}

double weiri_cuda_normcdfinv(double p)
{
    return -M_SQRT2 * weiri_cuda_erfcinv(2 * p);
}

/* ---- Bessel functions ---------------------------------------------------------
 * By their series, whose terms are all positive; some hundreds of them, so their
 * roundings are those of a longer type. */

static double bessel_i(double x, int order)
{
    long double quarter = (long double)x * x / 4;
    long double term = order == 0 ? 1 : (long double)x / 2, sum = term;
    for (int k = 1; k < 2000 && fabsl(term) > fabsl(sum) * 1e-20L; k++) {
        term *= quarter / ((long double)k * (k + order));
        sum += term;
    }
    return (double)sum;
}

double weiri_cuda_cyl_bessel_i0(double x)
{
    return isinf(x) ? INFINITY : bessel_i(x, 0);
}

double weiri_cuda_cyl_bessel_i1(double x)
{
    return isinf(x) ? x : bessel_i(x, 1);
}

/* ---- Angles in half turns -------------------------------------------------- */

/* @x less the nearest multiple of 1/2, exactly. @quarter: the multiple, from 0 to 3 */
static double reduced(double x, int *quarter)
{
    double turn = fmod(x, 2), multiple = rint(turn * 2);
    *quarter = (int)multiple & 3;
    return turn - multiple / 2;
}

double weiri_cuda_sinpi(double x)
{
    int quarter;
    double rest = reduced(fabs(x), &quarter) * M_PI;
    double size = quarter == 0 ? sin(rest)
        : quarter == 1         ? cos(rest)
        : quarter == 2         ? 0 - sin(rest)
                               : -cos(rest);
    if (isfinite(x) && x == rint(x)) {
        return copysign(0, x);
    }
    return signbit(x) ? -size : size;
}

double weiri_cuda_cospi(double x)
{
    int quarter;
    double rest = reduced(fabs(x), &quarter) * M_PI;
    return quarter == 0 ? cos(rest)
        : quarter == 1  ? 0 - sin(rest)
        : quarter == 2  ? -cos(rest)
                        : sin(rest);
}

/* ---- Norms ----------------------------------------------------------------- */

double weiri_cuda_norm(int n, const double *p)
{
    double norm = 0;
    for (int i = 0; i < n; i++) {
        norm = hypot(norm, p[i]);
    }
    return norm;
}

double weiri_cuda_normf(int n, const float *p)
{
    double norm = 0;
    for (int i = 0; i < n; i++) {
        norm = hypot(norm, (double)p[i]);
    }
    return norm;
}

/* ---- Roundings ------------------------------------------------------------- */

static void set_rounding(int rounding)
{
    static const int modes[] = { FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD };
    fesetround(modes[rounding & 3]);
}

#define ROUNDED(name, T, parameters, OPERANDS, VALUE)                                  \
    T weiri_cuda_##name parameters                                                     \
    {                                                                                  \
        OPERANDS;                                                                      \
        volatile T result;                                                             \
        set_rounding(rounding);                                                        \
        result = (VALUE);                                                              \
        set_rounding(WEIRI_CUDA_RN);                                                   \
        return result;                                                                 \
    }

#define CONVERSION(name, T, From)                                                      \
    ROUNDED(name, T, (From x, int rounding), volatile From from = x, (T)from)
CONVERSION(f32_of_f64, float, double)
CONVERSION(f32_of_i64, float, long long)
CONVERSION(f32_of_u64, float, unsigned long long)
CONVERSION(f64_of_i64, double, long long)
CONVERSION(f64_of_u64, double, unsigned long long)

#define ARITHMETIC(s, T, FMA, SQRT)                                                    \
    ROUNDED(add_##s, T, (T a, T b, int rounding), volatile T u = a;                    \
            volatile T v = b, u + v)                                                   \
    ROUNDED(sub_##s, T, (T a, T b, int rounding), volatile T u = a;                    \
            volatile T v = b, u - v)                                                   \
    ROUNDED(mul_##s, T, (T a, T b, int rounding), volatile T u = a;                    \
            volatile T v = b, u * v)                                                   \
    ROUNDED(div_##s, T, (T a, T b, int rounding), volatile T u = a;                    \
            volatile T v = b, u / v)                                                   \
    ROUNDED(fma_##s, T, (T a, T b, T c, int rounding), volatile T u = a;               \
            volatile T v = b; volatile T w = c, FMA(u, v, w))                          \
    ROUNDED(sqrt_##s, T, (T a, int rounding), volatile T u = a, SQRT(u))
ARITHMETIC(f32, float, fmaf, sqrtf)
ARITHMETIC(f64, double, fma, sqrt)
