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
#define WEIRI_COMPLEX(C, T, name, f)                                                   \
    WEIRI_BOTH T cuCreal##f(C x)                                                       \
    {                                                                                  \
        return x.x;                                                                    \
    }                                                                                  \
    WEIRI_BOTH T cuCimag##f(C x)                                                       \
    {                                                                                  \
        return x.y;                                                                    \
    }                                                                                  \
    WEIRI_BOTH C make_cu##name##Complex(T re, T im)                                    \
    {                                                                                  \
        C z;                                                                           \
        z.x = re;                                                                      \
        z.y = im;                                                                      \
        return z;                                                                      \
    }                                                                                  \
    WEIRI_BOTH C cuConj##f(C x)                                                        \
    {                                                                                  \
        return make_cu##name##Complex(x.x, -x.y);                                      \
    }                                                                                  \
    WEIRI_BOTH C cuCadd##f(C x, C y)                                                   \
    {                                                                                  \
        return make_cu##name##Complex(x.x + y.x, x.y + y.y);                           \
    }                                                                                  \
    WEIRI_BOTH C cuCsub##f(C x, C y)                                                   \
    {                                                                                  \
        return make_cu##name##Complex(x.x - y.x, x.y - y.y);                           \
    }                                                                                  \
    WEIRI_BOTH C cuCmul##f(C x, C y)                                                   \
    {                                                                                  \
        return make_cu##name##Complex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);   \
    }                                                                                  \
    WEIRI_BOTH C cuCdiv##f(C x, C y)                                                   \
    {                                                                                  \
        T scale = 1 / (fabs##f(y.x) + fabs##f(y.y));                                   \
        T a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;          \
        T over = 1 / (c * c + d * d);                                                  \
        return make_cu##name##Complex((a * c + b * d) * over, (b * c - a * d) * over); \
    }                                                                                  \
    WEIRI_BOTH T cuCabs##f(C x)                                                        \
    {                                                                                  \
        return hypot##f(x.x, x.y);                                                     \
    }                                                                                  \
    WEIRI_BOTH C cuCfma##f(C x, C y, C z)                                              \
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
