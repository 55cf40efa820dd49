/* SPDX-License-Identifier: MIT
 *
 * vector_types.h: CUDA's vector types, for C and C++, host and device. A type of two or
 * four elements is aligned to its size, up to 16 bytes. */
#ifndef WEIR_CUDA_VECTOR_TYPES_H
#define WEIR_CUDA_VECTOR_TYPES_H
#define __VECTOR_TYPES_H__ /* CUDA's own guard: programs ask for it */

#include <host_defines.h>

/* ---- Tables: X(name, element, bytes of an element) ------------------------- */

#define WEIRI_VECTORS_NARROW(X_)                                                       \
    X_(char, signed char, 1)                                                           \
    X_(uchar, unsigned char, 1)                                                        \
    X_(short, short, 2)                                                                \
    X_(ushort, unsigned short, 2)                                                      \
    X_(int, int, 4)                                                                    \
    X_(uint, unsigned int, 4)                                                          \
    X_(float, float, 4)
#define WEIRI_VECTORS_WIDE(X_)                                                         \
    X_(long, long int, 8)                                                              \
    X_(ulong, unsigned long int, 8)                                                    \
    X_(longlong, long long int, 8)                                                     \
    X_(ulonglong, unsigned long long int, 8)                                           \
    X_(double, double, 8)
#define WEIRI_VECTORS(X_) WEIRI_VECTORS_NARROW(X_) WEIRI_VECTORS_WIDE(X_)

/* ---- Types ----------------------------------------------------------------- */

#define WEIRI_VECTOR_1(name, T_)                                                       \
    struct name {                                                                      \
        T_ x;                                                                          \
    };                                                                                 \
    typedef struct name name;
#define WEIRI_VECTOR_2(name, T_, alignment)                                            \
    struct __align__(alignment) name                                                   \
    {                                                                                  \
        T_ x, y;                                                                       \
    };                                                                                 \
    typedef struct name name;
#define WEIRI_VECTOR_3(name, T_)                                                       \
    struct name {                                                                      \
        T_ x, y, z;                                                                    \
    };                                                                                 \
    typedef struct name name;
#define WEIRI_VECTOR_4(name, T_, alignment)                                            \
    struct __align__(alignment) name                                                   \
    {                                                                                  \
        T_ x, y, z, w;                                                                 \
    };                                                                                 \
    typedef struct name name;

#define X_(name, T_, bytes)                                                            \
    WEIRI_VECTOR_1(name##1, T_)                                                        \
    WEIRI_VECTOR_2(name##2, T_, 2 * (bytes))                                           \
    WEIRI_VECTOR_3(name##3, T_)                                                        \
    WEIRI_VECTOR_4(name##4, T_, (bytes) < 8 ? 4 * (bytes) : 16)
WEIRI_VECTORS(X_)
#undef X_

/* CUDA 13 has the alignment in the name. */
#define X_(name, T_, bytes)                                                            \
    WEIRI_VECTOR_4(name##4_16a, T_, 16)                                                \
    WEIRI_VECTOR_4(name##4_32a, T_, 32)
WEIRI_VECTORS_WIDE(X_)
#undef X_

#undef WEIRI_VECTOR_1
#undef WEIRI_VECTOR_2
#undef WEIRI_VECTOR_3
#undef WEIRI_VECTOR_4

/* Sizes and places of blocks and grids. */
struct dim3 {
    unsigned int x, y, z;
#if defined(__cplusplus) && __cplusplus >= 201103L
    WEIRI_BOTH constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1,
                              unsigned int z_ = 1)
        : x(x_), y(y_), z(z_)
    {
    }
    WEIRI_BOTH constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    WEIRI_BOTH constexpr operator uint3() const
    {
        return uint3{ x, y, z };
    }
#elif defined(__cplusplus)
    WEIRI_BOTH dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
        : x(x_), y(y_), z(z_)
    {
    }
    WEIRI_BOTH dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    WEIRI_BOTH operator uint3() const
    {
        uint3 v = { x, y, z };
        return v;
    }
#endif
};
typedef struct dim3 dim3;

#endif
