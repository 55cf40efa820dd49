/* SPDX-License-Identifier: MIT
 *
 * cuComplex.h: complex numbers as float2 and double2, for C and C++. Quotients and
 * sizes are scaled, so that no square goes out of range. */
#ifndef WEIR_CUCOMPLEX_H
#define WEIR_CUCOMPLEX_H

#include <math.h>

#include <vector_types.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* X(type, element, letter before names, end of functions of libm) */
#define WEIRI_COMPLEX(C_, T_, name, f)                                                 \
    WEIRI_BOTH T_ cuCreal##f(C_ x)                                                     \
    {                                                                                  \
        return x.x;                                                                    \
    }                                                                                  \
    WEIRI_BOTH T_ cuCimag##f(C_ x)                                                     \
    {                                                                                  \
        return x.y;                                                                    \
    }                                                                                  \
    WEIRI_BOTH C_ make_cu##name##Complex(T_ re, T_ im)                                 \
    {                                                                                  \
        C_ z;                                                                          \
        z.x = re;                                                                      \
        z.y = im;                                                                      \
        return z;                                                                      \
    }                                                                                  \
    WEIRI_BOTH C_ cuConj##f(C_ x)                                                      \
    {                                                                                  \
        return make_cu##name##Complex(x.x, -x.y);                                      \
    }                                                                                  \
    WEIRI_BOTH C_ cuCadd##f(C_ x, C_ y)                                                \
    {                                                                                  \
        return make_cu##name##Complex(x.x + y.x, x.y + y.y);                           \
    }                                                                                  \
    WEIRI_BOTH C_ cuCsub##f(C_ x, C_ y)                                                \
    {                                                                                  \
        return make_cu##name##Complex(x.x - y.x, x.y - y.y);                           \
    }                                                                                  \
    WEIRI_BOTH C_ cuCmul##f(C_ x, C_ y)                                                \
    {                                                                                  \
        return make_cu##name##Complex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);   \
    }                                                                                  \
    WEIRI_BOTH C_ cuCdiv##f(C_ x, C_ y)                                                \
    {                                                                                  \
        T_ scale = 1 / (fabs##f(y.x) + fabs##f(y.y));                                  \
        T_ a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;         \
        T_ over = 1 / (c * c + d * d);                                                 \
        return make_cu##name##Complex((a * c + b * d) * over, (b * c - a * d) * over); \
    }                                                                                  \
    WEIRI_BOTH T_ cuCabs##f(C_ x)                                                      \
    {                                                                                  \
        return hypot##f(x.x, x.y);                                                     \
    }                                                                                  \
    WEIRI_BOTH C_ cuCfma##f(C_ x, C_ y, C_ z)                                          \
    {                                                                                  \
        return cuCadd##f(cuCmul##f(x, y), z);                                          \
    }
WEIRI_COMPLEX(cuFloatComplex, float, Float, f)
WEIRI_COMPLEX(cuDoubleComplex, double, Double, )
#undef WEIRI_COMPLEX

WEIRI_BOTH cuComplex make_cuComplex(float re, float im)
{
    return make_cuFloatComplex(re, im);
}

WEIRI_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x)
{
    return make_cuDoubleComplex(x.x, x.y);
}

WEIRI_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x)
{
    return make_cuFloatComplex((float)x.x, (float)x.y);
}

#endif
