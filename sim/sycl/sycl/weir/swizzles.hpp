/* SPDX-License-Identifier: MIT
 *
 * swizzles.hpp: members of a vec that are several of its elements by name, in any
 * order: v.wzyx(). vec.hpp includes it inside of the class. [SYCL20] 4.14.2.2: a
 * program defines SYCL_SIMPLE_SWIZZLES for them.
 *
 * The macros walk a tree: its nodes are the letters so far, and @x to @w the letters
 * that can follow. A node of two, three or four letters is a name. */
#ifndef WEIR_SYCL_VEC_HPP
#error "a part of vec.hpp"
#endif
#ifdef SYCL_SIMPLE_SWIZZLES

/* A letter's number. Constants of the class would have to be looked up by each name. */
#define WEIRI_SYCL_NUMBER_x 0
#define WEIRI_SYCL_NUMBER_y 1
#define WEIRI_SYCL_NUMBER_z 2
#define WEIRI_SYCL_NUMBER_w 3
#define WEIRI_SYCL_NUMBER_r 0
#define WEIRI_SYCL_NUMBER_g 1
#define WEIRI_SYCL_NUMBER_b 2
#define WEIRI_SYCL_NUMBER_a 3
#define WEIRI_SYCL_AS(name, fits, ...)                                                 \
    template <int M_ = N_, class = std::enable_if_t<(M_ <= 4) && (fits)>>              \
    WEIRI_SYCL_INLINE auto name() noexcept                                             \
    {                                                                                  \
        return swizzle<__VA_ARGS__>();                                                 \
    }                                                                                  \
    template <int M_ = N_, class = std::enable_if_t<(M_ <= 4) && (fits)>>              \
    WEIRI_SYCL_INLINE auto name() const noexcept                                       \
    {                                                                                  \
        return swizzle<__VA_ARGS__>();                                                 \
    }
#define WEIRI_SYCL_4(a, b, c, d)                                                       \
    WEIRI_SYCL_AS(a##b##c##d, M_ == 4, WEIRI_SYCL_NUMBER_##a, WEIRI_SYCL_NUMBER_##b,   \
                  WEIRI_SYCL_NUMBER_##c, WEIRI_SYCL_NUMBER_##d)
#define WEIRI_SYCL_3(a, b, c, x, y, z, w)                                              \
    WEIRI_SYCL_AS(a##b##c,                                                             \
                  M_ > WEIRI_SYCL_NUMBER_##a && M_ > WEIRI_SYCL_NUMBER_##b             \
                      && M_ > WEIRI_SYCL_NUMBER_##c,                                   \
                  WEIRI_SYCL_NUMBER_##a, WEIRI_SYCL_NUMBER_##b, WEIRI_SYCL_NUMBER_##c) \
    WEIRI_SYCL_4(a, b, c, x)                                                           \
    WEIRI_SYCL_4(a, b, c, y) WEIRI_SYCL_4(a, b, c, z) WEIRI_SYCL_4(a, b, c, w)
#define WEIRI_SYCL_2(a, b, ...)                                                        \
    WEIRI_SYCL_AS(a##b, M_ > WEIRI_SYCL_NUMBER_##a && M_ > WEIRI_SYCL_NUMBER_##b,      \
                  WEIRI_SYCL_NUMBER_##a, WEIRI_SYCL_NUMBER_##b)                        \
    WEIRI_SYCL_EACH_3(a, b, __VA_ARGS__)
#define WEIRI_SYCL_EACH_3(a, b, x, y, z, w)                                            \
    WEIRI_SYCL_3(a, b, x, x, y, z, w)                                                  \
    WEIRI_SYCL_3(a, b, y, x, y, z, w)                                                  \
    WEIRI_SYCL_3(a, b, z, x, y, z, w) WEIRI_SYCL_3(a, b, w, x, y, z, w)
#define WEIRI_SYCL_1(a, x, y, z, w)                                                    \
    WEIRI_SYCL_2(a, x, x, y, z, w)                                                     \
    WEIRI_SYCL_2(a, y, x, y, z, w)                                                     \
    WEIRI_SYCL_2(a, z, x, y, z, w) WEIRI_SYCL_2(a, w, x, y, z, w)
#define WEIRI_SYCL_0(x, y, z, w)                                                       \
    WEIRI_SYCL_1(x, x, y, z, w)                                                        \
    WEIRI_SYCL_1(y, x, y, z, w) WEIRI_SYCL_1(z, x, y, z, w) WEIRI_SYCL_1(w, x, y, z, w)
WEIRI_SYCL_0(x, y, z, w)
WEIRI_SYCL_0(r, g, b, a)
#undef WEIRI_SYCL_AS
#undef WEIRI_SYCL_4
#undef WEIRI_SYCL_3
#undef WEIRI_SYCL_EACH_3
#undef WEIRI_SYCL_2
#undef WEIRI_SYCL_1
#undef WEIRI_SYCL_0
#endif
