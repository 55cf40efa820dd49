/* SPDX-License-Identifier: MIT
 *
 * swizzles.hpp: members of a vec that are several of its elements by name, in any
 * order: v.wzyx(). vec.hpp includes it inside of the class. [SYCL20] 4.14.2.2: a
 * program defines SYCL_SIMPLE_SWIZZLES for them. */
#ifndef WEIR_SYCL_VEC_HPP
#error "a part of vec.hpp"
#endif
#ifdef SYCL_SIMPLE_SWIZZLES

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
#define WEIRI_SYCL_2(a, i, b, j) WEIRI_SYCL_AS(a##b, M_ > i && M_ > j, i, j)
#define WEIRI_SYCL_3(a, i, b, j, c, k)                                                 \
    WEIRI_SYCL_AS(a##b##c, M_ > i && M_ > j && M_ > k, i, j, k)
#define WEIRI_SYCL_4(a, i, b, j, c, k, d, l)                                           \
    WEIRI_SYCL_AS(a##b##c##d, M_ == 4, i, j, k, l)
#define WEIRI_SYCL_R2(p, i)                                                            \
    WEIRI_SYCL_2(p, i, x, 0)                                                           \
    WEIRI_SYCL_2(p, i, y, 1) WEIRI_SYCL_2(p, i, z, 2) WEIRI_SYCL_2(p, i, w, 3)
#define WEIRI_SYCL_R3(p, i, q, j)                                                      \
    WEIRI_SYCL_3(p, i, q, j, x, 0)                                                     \
    WEIRI_SYCL_3(p, i, q, j, y, 1)                                                     \
    WEIRI_SYCL_3(p, i, q, j, z, 2) WEIRI_SYCL_3(p, i, q, j, w, 3)
#define WEIRI_SYCL_R4(p, i, q, j, s, k)                                                \
    WEIRI_SYCL_4(p, i, q, j, s, k, x, 0)                                               \
    WEIRI_SYCL_4(p, i, q, j, s, k, y, 1)                                               \
    WEIRI_SYCL_4(p, i, q, j, s, k, z, 2) WEIRI_SYCL_4(p, i, q, j, s, k, w, 3)
#define WEIRI_SYCL_C3(p, i)                                                            \
    WEIRI_SYCL_R3(p, i, x, 0)                                                          \
    WEIRI_SYCL_R3(p, i, y, 1) WEIRI_SYCL_R3(p, i, z, 2) WEIRI_SYCL_R3(p, i, w, 3)
#define WEIRI_SYCL_C4(p, i, q, j)                                                      \
    WEIRI_SYCL_R4(p, i, q, j, x, 0)                                                    \
    WEIRI_SYCL_R4(p, i, q, j, y, 1)                                                    \
    WEIRI_SYCL_R4(p, i, q, j, z, 2) WEIRI_SYCL_R4(p, i, q, j, w, 3)
#define WEIRI_SYCL_D4(p, i)                                                            \
    WEIRI_SYCL_C4(p, i, x, 0)                                                          \
    WEIRI_SYCL_C4(p, i, y, 1) WEIRI_SYCL_C4(p, i, z, 2) WEIRI_SYCL_C4(p, i, w, 3)
WEIRI_SYCL_R2(x, 0)
WEIRI_SYCL_C3(x, 0)
WEIRI_SYCL_D4(x, 0)
WEIRI_SYCL_R2(y, 1)
WEIRI_SYCL_C3(y, 1)
WEIRI_SYCL_D4(y, 1)
WEIRI_SYCL_R2(z, 2)
WEIRI_SYCL_C3(z, 2)
WEIRI_SYCL_D4(z, 2)
WEIRI_SYCL_R2(w, 3)
WEIRI_SYCL_C3(w, 3)
WEIRI_SYCL_D4(w, 3)
#undef WEIRI_SYCL_R2
#undef WEIRI_SYCL_R3
#undef WEIRI_SYCL_R4
#undef WEIRI_SYCL_C3
#undef WEIRI_SYCL_C4
#undef WEIRI_SYCL_D4
#define WEIRI_SYCL_R2(p, i)                                                            \
    WEIRI_SYCL_2(p, i, r, 0)                                                           \
    WEIRI_SYCL_2(p, i, g, 1) WEIRI_SYCL_2(p, i, b, 2) WEIRI_SYCL_2(p, i, a, 3)
#define WEIRI_SYCL_R3(p, i, q, j)                                                      \
    WEIRI_SYCL_3(p, i, q, j, r, 0)                                                     \
    WEIRI_SYCL_3(p, i, q, j, g, 1)                                                     \
    WEIRI_SYCL_3(p, i, q, j, b, 2) WEIRI_SYCL_3(p, i, q, j, a, 3)
#define WEIRI_SYCL_R4(p, i, q, j, s, k)                                                \
    WEIRI_SYCL_4(p, i, q, j, s, k, r, 0)                                               \
    WEIRI_SYCL_4(p, i, q, j, s, k, g, 1)                                               \
    WEIRI_SYCL_4(p, i, q, j, s, k, b, 2) WEIRI_SYCL_4(p, i, q, j, s, k, a, 3)
#define WEIRI_SYCL_C3(p, i)                                                            \
    WEIRI_SYCL_R3(p, i, r, 0)                                                          \
    WEIRI_SYCL_R3(p, i, g, 1) WEIRI_SYCL_R3(p, i, b, 2) WEIRI_SYCL_R3(p, i, a, 3)
#define WEIRI_SYCL_C4(p, i, q, j)                                                      \
    WEIRI_SYCL_R4(p, i, q, j, r, 0)                                                    \
    WEIRI_SYCL_R4(p, i, q, j, g, 1)                                                    \
    WEIRI_SYCL_R4(p, i, q, j, b, 2) WEIRI_SYCL_R4(p, i, q, j, a, 3)
#define WEIRI_SYCL_D4(p, i)                                                            \
    WEIRI_SYCL_C4(p, i, r, 0)                                                          \
    WEIRI_SYCL_C4(p, i, g, 1) WEIRI_SYCL_C4(p, i, b, 2) WEIRI_SYCL_C4(p, i, a, 3)
    WEIRI_SYCL_R2(r, 0) WEIRI_SYCL_C3(r, 0) WEIRI_SYCL_D4(r, 0) WEIRI_SYCL_R2(g, 1)
        WEIRI_SYCL_C3(g, 1) WEIRI_SYCL_D4(g, 1) WEIRI_SYCL_R2(b, 2) WEIRI_SYCL_C3(b, 2)
            WEIRI_SYCL_D4(b, 2) WEIRI_SYCL_R2(a, 3) WEIRI_SYCL_C3(a, 3)
                WEIRI_SYCL_D4(a, 3)
#undef WEIRI_SYCL_R2
#undef WEIRI_SYCL_R3
#undef WEIRI_SYCL_R4
#undef WEIRI_SYCL_C3
#undef WEIRI_SYCL_C4
#undef WEIRI_SYCL_D4
#undef WEIRI_SYCL_AS
#undef WEIRI_SYCL_2
#undef WEIRI_SYCL_3
#undef WEIRI_SYCL_4
#endif
