/* SPDX-License-Identifier: MIT
 *
 * vector_types.h: CUDA's vector types, for C and C++, host and device. A type of two or
 * four elements is aligned to its size, up to 16 bytes. */
#ifndef WEIR_CUDA_VECTOR_TYPES_H
#define WEIR_CUDA_VECTOR_TYPES_H

#include <host_defines.h>

/* ---- Tables: X(name, element, bytes of an element) ------------------------- */

#define WEIRI_VECTORS_NARROW(X)                                                        \
    X(char, signed char, 1)                                                            \
    X(uchar, unsigned char, 1)                                                         \
    X(short, short, 2)                                                                 \
    X(ushort, unsigned short, 2)                                                       \
    X(int, int, 4)                                                                     \
    X(uint, unsigned int, 4)                                                           \
    X(float, float, 4)
#define WEIRI_VECTORS_WIDE(X)                                                          \
    X(long, long int, 8)                                                               \
    X(ulong, unsigned long int, 8)                                                     \
    X(longlong, long long int, 8)                                                      \
    X(ulonglong, unsigned long long int, 8)                                            \
    X(double, double, 8)
#define WEIRI_VECTORS(X) WEIRI_VECTORS_NARROW(X) WEIRI_VECTORS_WIDE(X)

/* ---- Types ----------------------------------------------------------------- */

#define WEIRI_VECTOR_1(name, T)                                                        \
    struct name {                                                                      \
        T x;                                                                           \
    };                                                                                 \
    typedef struct name name;
#define WEIRI_VECTOR_2(name, T, alignment)                                             \
    struct __align__(alignment) name                                                   \
    {                                                                                  \
        T x, y;                                                                        \
    };                                                                                 \
    typedef struct name name;
#define WEIRI_VECTOR_3(name, T)                                                        \
    struct name {                                                                      \
        T x, y, z;                                                                     \
    };                                                                                 \
    typedef struct name name;
#define WEIRI_VECTOR_4(name, T, alignment)                                             \
    struct __align__(alignment) name                                                   \
    {                                                                                  \
        T x, y, z, w;                                                                  \
    };                                                                                 \
    typedef struct name name;

#define X(name, T, bytes)                                                              \
    WEIRI_VECTOR_1(name##1, T)                                                         \
    WEIRI_VECTOR_2(name##2, T, 2 * (bytes))                                            \
    WEIRI_VECTOR_3(name##3, T)                                                         \
    WEIRI_VECTOR_4(name##4, T, (bytes) < 8 ? 4 * (bytes) : 16)
WEIRI_VECTORS(X)
#undef X

/* CUDA 13 has the alignment in the name. */
#define X(name, T, bytes)                                                              \
    WEIRI_VECTOR_4(name##4_16a, T, 16)                                                 \
    WEIRI_VECTOR_4(name##4_32a, T, 32)
WEIRI_VECTORS_WIDE(X)
#undef X

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
