/* SPDX-License-Identifier: MIT
 *
 * vector_functions.h: make_int4() and its like. */
#ifndef WEIR_CUDA_VECTOR_FUNCTIONS_H
#define WEIR_CUDA_VECTOR_FUNCTIONS_H

#include <vector_types.h>

#define WEIRI_MAKE_4(name, T)                                                          \
    WEIRI_BOTH name make_##name(T x, T y, T z, T w)                                    \
    {                                                                                  \
        name v = { x, y, z, w };                                                       \
        return v;                                                                      \
    }
#define X(name, T, bytes)                                                              \
    WEIRI_BOTH name##1 make_##name##1(T x)                                             \
    {                                                                                  \
        name##1 v = { x };                                                             \
        return v;                                                                      \
    }                                                                                  \
    WEIRI_BOTH name##2 make_##name##2(T x, T y)                                        \
    {                                                                                  \
        name##2 v = { x, y };                                                          \
        return v;                                                                      \
    }                                                                                  \
    WEIRI_BOTH name##3 make_##name##3(T x, T y, T z)                                   \
    {                                                                                  \
        name##3 v = { x, y, z };                                                       \
        return v;                                                                      \
    }                                                                                  \
    WEIRI_MAKE_4(name##4, T)
WEIRI_VECTORS(X)
#undef X
#define X(name, T, bytes)                                                              \
    WEIRI_MAKE_4(name##4_16a, T)                                                       \
    WEIRI_MAKE_4(name##4_32a, T)
WEIRI_VECTORS_WIDE(X)
#undef X
#undef WEIRI_MAKE_4

#endif
