/* SPDX-License-Identifier: MIT
 *
 * functional.hpp: function objects: [SYCL20] 4.17.2; and bit_cast. */
#ifndef WEIR_SYCL_FUNCTIONAL_HPP
#define WEIR_SYCL_FUNCTIONAL_HPP

#include "machine.hpp"

#include <functional>

namespace sycl
{

#define WEIRI_SYCL_FUNCTION(name, code)                                                \
    template <class T_ = void> struct name {                                           \
        WEIRI_SYCL_INLINE constexpr T_ operator()(const T_ &a, const T_ &b) const      \
        {                                                                              \
            return code;                                                               \
        }                                                                              \
    };                                                                                 \
    template <> struct name<void> {                                                    \
        template <class T_, class U_>                                                  \
        WEIRI_SYCL_INLINE constexpr auto operator()(const T_ &a, const U_ &b) const    \
            -> std::decay_t<decltype(code)>                                            \
        {                                                                              \
            return code;                                                               \
        }                                                                              \
    };
WEIRI_SYCL_FUNCTION(plus, a + b)
WEIRI_SYCL_FUNCTION(multiplies, a *b)
WEIRI_SYCL_FUNCTION(bit_and, a &b)
WEIRI_SYCL_FUNCTION(bit_or, a | b)
WEIRI_SYCL_FUNCTION(bit_xor, a ^ b)
WEIRI_SYCL_FUNCTION(logical_and, a &&b)
WEIRI_SYCL_FUNCTION(logical_or, a || b)
WEIRI_SYCL_FUNCTION(minimum, b < a ? b : a)
WEIRI_SYCL_FUNCTION(maximum, a < b ? b : a)
#undef WEIRI_SYCL_FUNCTION

/* The value with the same bits. */
template <class To, class From,
          class = std::enable_if_t<sizeof(To) == sizeof(From)
                                   && std::is_trivially_copyable_v<
                                       To> && std::is_trivially_copyable_v<From>>>
WEIRI_SYCL_INLINE constexpr To bit_cast(const From &from) noexcept
{
    return __builtin_bit_cast(To, from);
}

} // namespace sycl

namespace weiri
{

/* A function object of the standard library is the one of the same name here. */
template <class Op> struct op_here {
    using type = Op;
};
#define WEIRI_SYCL_FUNCTION(name)                                                      \
    template <class T_> struct op_here<std::name<T_>> {                                \
        using type = sycl::name<T_>;                                                   \
    };
WEIRI_SYCL_FUNCTION(plus)
WEIRI_SYCL_FUNCTION(multiplies)
WEIRI_SYCL_FUNCTION(bit_and)
WEIRI_SYCL_FUNCTION(bit_or)
WEIRI_SYCL_FUNCTION(bit_xor)
WEIRI_SYCL_FUNCTION(logical_and)
WEIRI_SYCL_FUNCTION(logical_or)
#undef WEIRI_SYCL_FUNCTION

template <class Op, class T_, template <class> class F_>
inline constexpr bool is_op
    = std::is_same_v<typename op_here<Op>::type,
                     F_<T_>> || std::is_same_v<typename op_here<Op>::type, F_<void>>;

} // namespace weiri

#endif
