/* SPDX-License-Identifier: MIT
 *
 * vector_functions.h: make_int4() and its like. */
#ifndef WEIR_CUDA_VECTOR_FUNCTIONS_H
#define WEIR_CUDA_VECTOR_FUNCTIONS_H

#include <vector_types.h>

#define WEIRI_MAKE_4(name, T_)                                                         \
    WEIRI_BOTH name make_##name(T_ x, T_ y, T_ z, T_ w)                                \
    {                                                                                  \
        name v = { x, y, z, w };                                                       \
        return v;                                                                      \
    }
#define X_(name, T_, bytes)                                                            \
    WEIRI_BOTH name##1 make_##name##1(T_ x)                                            \
    {                                                                                  \
        name##1 v = { x };                                                             \
        return v;                                                                      \
    }                                                                                  \
    WEIRI_BOTH name##2 make_##name##2(T_ x, T_ y)                                      \
    {                                                                                  \
        name##2 v = { x, y };                                                          \
        return v;                                                                      \
    }                                                                                  \
    WEIRI_BOTH name##3 make_##name##3(T_ x, T_ y, T_ z)                                \
    {                                                                                  \
        name##3 v = { x, y, z };                                                       \
        return v;                                                                      \
    }                                                                                  \
    WEIRI_MAKE_4(name##4, T_)
WEIRI_VECTORS(X_)
#undef X_
#define X_(name, T_, bytes)                                                            \
    WEIRI_MAKE_4(name##4_16a, T_)                                                      \
    WEIRI_MAKE_4(name##4_32a, T_)
WEIRI_VECTORS_WIDE(X_)
#undef X_
#undef WEIRI_MAKE_4

#endif
