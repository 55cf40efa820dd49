/* SPDX-License-Identifier: MIT
 *
 * math.hpp: functions of numbers and of vectors of them: [SYCL20] 4.17.5 to 4.17.9.
 * Each function is written for one number, and each_element() applies it to vectors,
 * arrays and swizzles. */
#ifndef WEIR_SYCL_MATH_HPP
#define WEIR_SYCL_MATH_HPP

#include "vec.hpp"

#include <cmath>
#include <cstdlib>

namespace weiri
{

template <class T_>
inline constexpr bool is_number
    = std::is_arithmetic_v<T_> || std::is_same_v<T_, sycl::half>;

template <class T_> struct elements_of {
    static constexpr int n = 0;
    using type = T_;
};
template <class T_, int N_> struct elements_of<sycl::vec<T_, N_>> {
    static constexpr int n = N_;
    using type = T_;
};
template <class T_, std::size_t N_> struct elements_of<sycl::marray<T_, N_>> {
    static constexpr int n = static_cast<int>(N_);
    using type = T_;
};
template <class V_, int... I_> struct elements_of<swizzled<V_, I_...>> {
    static constexpr int n = static_cast<int>(sizeof...(I_));
    using type = typename V_::element_type;
};
template <class T_> inline constexpr bool has_elements = elements_of<T_>::n > 0;

template <class T_, class U_> struct with_elements_of;
template <class T_, int N_, class U_> struct with_elements_of<sycl::vec<T_, N_>, U_> {
    using type = sycl::vec<U_, N_>;
};
template <class T_, std::size_t N_, class U_>
struct with_elements_of<sycl::marray<T_, N_>, U_> {
    using type = sycl::marray<U_, N_>;
};
template <class V_, int... I_, class U_>
struct with_elements_of<swizzled<V_, I_...>, U_> {
    using type = sycl::vec<U_, static_cast<int>(sizeof...(I_))>;
};

/* Element @k of an argument, or the argument itself if it has no elements. */
template <class T_>
WEIRI_SYCL_INLINE decltype(auto) element(const T_ &value, int k) noexcept
{
    if constexpr (has_elements<T_>) {
        return value[k];
    } else {
        (void)k;
        return value;
    }
}

/* f of each element. The first argument that has elements says how many. */
template <class First, class F_, class... A_>
WEIRI_SYCL_INLINE auto each_element(F_ f, const A_ &...arguments)
{
    using R_ = std::decay_t<decltype(f(element(arguments, 0)...))>;
    typename with_elements_of<First, R_>::type result;
    for (int k = 0; k < elements_of<First>::n; k++) {
        result[k] = f(element(arguments, k)...);
    }
    return result;
}

template <class A_, class... B_> struct first_vector {
    using type
        = std::conditional_t<has_elements<A_>, A_, typename first_vector<B_...>::type>;
};
template <class A_> struct first_vector<A_> {
    using type = A_;
};

template <class... A_>
using enable_math = std::enable_if_t<((is_number<A_> || has_elements<A_>)&&...)>;

/* Numbers are computed with as wide as the widest argument, vectors by element. */
template <class F_, class... A_>
WEIRI_SYCL_INLINE auto apply(F_ f, const A_ &...arguments)
{
    using first = typename first_vector<A_...>::type;
    if constexpr (has_elements<first>) {
        return each_element<first>(f, arguments...);
    } else {
        return f(arguments...);
    }
}

/* The type in which a function of real numbers computes: float for float and half. */
template <class T_>
using real = std::conditional_t<std::is_same_v<T_, sycl::half>, float,
                                std::conditional_t<std::is_integral_v<T_>, double, T_>>;
template <class... A_> using common_real = std::common_type_t<real<A_>...>;
template <class A_, class... B_>
using result_of = std::conditional_t<std::is_same_v<A_, sycl::half>, sycl::half,
                                     common_real<A_, B_...>>;

__extension__ typedef __int128 integer128;
__extension__ typedef unsigned __int128 natural128;

template <class T_> using unsigned_of = std::make_unsigned_t<T_>;
template <class T_> WEIRI_SYCL_INLINE int bits_in() noexcept
{
    return static_cast<int>(sizeof(T_) * 8);
}

} // namespace weiri

namespace sycl
{

/* ---- Real numbers ---------------------------------------------------------------- */

#define WEIRI_SYCL_1(name, call)                                                       \
    template <class A_, class = weiri::enable_math<A_>>                                \
    WEIRI_SYCL_INLINE auto name(const A_ &a)                                           \
    {                                                                                  \
        return weiri::apply(                                                           \
            [](const auto &x_) {                                                       \
                using R_ = weiri::result_of<std::decay_t<decltype(x_)>>;               \
                const auto x                                                           \
                    = static_cast<weiri::real<std::decay_t<decltype(x_)>>>(x_);        \
                return static_cast<R_>(call);                                          \
            },                                                                         \
            a);                                                                        \
    }
#define WEIRI_SYCL_2(name, call)                                                       \
    template <class A_, class B_, class = weiri::enable_math<A_, B_>>                  \
    WEIRI_SYCL_INLINE auto name(const A_ &a, const B_ &b)                              \
    {                                                                                  \
        return weiri::apply(                                                           \
            [](const auto &x_, const auto &y_) {                                       \
                using X_ = std::decay_t<decltype(x_)>;                                 \
                using Y_ = std::decay_t<decltype(y_)>;                                 \
                using Common = weiri::common_real<X_, Y_>;                             \
                const Common x = static_cast<Common>(x_), y = static_cast<Common>(y_); \
                return static_cast<weiri::result_of<X_, Y_>>(call);                    \
            },                                                                         \
            a, b);                                                                     \
    }
#define WEIRI_SYCL_3(name, call)                                                       \
    template <class A_, class B_, class C_, class = weiri::enable_math<A_, B_, C_>>    \
    WEIRI_SYCL_INLINE auto name(const A_ &a, const B_ &b, const C_ &c)                 \
    {                                                                                  \
        return weiri::apply(                                                           \
            [](const auto &x_, const auto &y_, const auto &z_) {                       \
                using X_ = std::decay_t<decltype(x_)>;                                 \
                using Y_ = std::decay_t<decltype(y_)>;                                 \
                using Z_ = std::decay_t<decltype(z_)>;                                 \
                using Common = weiri::common_real<X_, Y_, Z_>;                         \
                const Common x = static_cast<Common>(x_), y = static_cast<Common>(y_), \
                        z = static_cast<Common>(z_);                                   \
                return static_cast<weiri::result_of<X_, Y_, Z_>>(call);                \
            },                                                                         \
            a, b, c);                                                                  \
    }
#define WEIRI_SYCL_FUNCTIONS(X_)                                                       \
    X_(acos)                                                                           \
    X_(acosh)                                                                          \
    X_(asin)                                                                           \
    X_(asinh)                                                                          \
    X_(atan)                                                                           \
    X_(atanh)                                                                          \
    X_(cbrt)                                                                           \
    X_(ceil)                                                                           \
    X_(cos)                                                                            \
    X_(cosh)                                                                           \
    X_(erf)                                                                            \
    X_(erfc) X_(exp) X_(exp2) X_(expm1) X_(fabs) X_(floor) X_(lgamma) X_(log)          \
        X_(log10) X_(log1p) X_(log2) X_(logb) X_(rint) X_(round) X_(sin) X_(sinh)      \
            X_(sqrt) X_(tan) X_(tanh) X_(tgamma) X_(trunc)
#define WEIRI_SYCL_X(name) WEIRI_SYCL_1(name, std::name(x))
WEIRI_SYCL_FUNCTIONS(WEIRI_SYCL_X)
#undef WEIRI_SYCL_X
#undef WEIRI_SYCL_FUNCTIONS
WEIRI_SYCL_1(acospi, std::acos(x) / R_(3.14159265358979323846))
WEIRI_SYCL_1(asinpi, std::asin(x) / R_(3.14159265358979323846))
WEIRI_SYCL_1(atanpi, std::atan(x) / R_(3.14159265358979323846))
WEIRI_SYCL_1(cospi, std::cos(x *R_(3.14159265358979323846)))
WEIRI_SYCL_1(sinpi, std::sin(x *R_(3.14159265358979323846)))
WEIRI_SYCL_1(tanpi, std::tan(x *R_(3.14159265358979323846)))
WEIRI_SYCL_1(exp10, std::pow(static_cast<decltype(x)>(10), x))
WEIRI_SYCL_1(rsqrt, 1 / std::sqrt(x))
WEIRI_SYCL_1(degrees, x * 57.295779513082320877)
WEIRI_SYCL_1(radians, x * 0.017453292519943295769)
WEIRI_SYCL_1(sign, x > 0 ? 1 : x < 0 ? -1 : x)
WEIRI_SYCL_2(atan2, std::atan2(x, y))
WEIRI_SYCL_2(atan2pi, std::atan2(x, y) / Common(3.14159265358979323846))
WEIRI_SYCL_2(copysign, std::copysign(x, y))
WEIRI_SYCL_2(fdim, std::fdim(x, y))
WEIRI_SYCL_2(fmax, std::fmax(x, y))
WEIRI_SYCL_2(fmin, std::fmin(x, y))
WEIRI_SYCL_2(fmod, std::fmod(x, y))
WEIRI_SYCL_2(hypot, std::hypot(x, y))
WEIRI_SYCL_2(maxmag,
             std::fabs(x) > std::fabs(y)       ? x
                 : std::fabs(y) > std::fabs(x) ? y
                                               : std::fmax(x, y))
WEIRI_SYCL_2(minmag,
             std::fabs(x) < std::fabs(y)       ? x
                 : std::fabs(y) < std::fabs(x) ? y
                                               : std::fmin(x, y))
WEIRI_SYCL_2(nextafter, std::nextafter(x, y))
WEIRI_SYCL_2(pow, std::pow(x, y))
WEIRI_SYCL_2(powr, std::pow(x, y))
WEIRI_SYCL_2(remainder, std::remainder(x, y))
WEIRI_SYCL_2(step, y < x ? 0 : 1)
WEIRI_SYCL_3(fma, std::fma(x, y, z))
WEIRI_SYCL_3(mad, x *y + z)
WEIRI_SYCL_3(mix, x + (y - x) * z)
#define WEIRI_SYCL_T(z, x, y) (((z) - (x)) / ((y) - (x)))
#define WEIRI_SYCL_U(t) ((t) < 0 ? 0 : (t) > 1 ? 1 : (t))
WEIRI_SYCL_3(smoothstep,
             WEIRI_SYCL_U(WEIRI_SYCL_T(z, x, y)) * WEIRI_SYCL_U(WEIRI_SYCL_T(z, x, y))
                 * (3 - 2 * WEIRI_SYCL_U(WEIRI_SYCL_T(z, x, y))))
#undef WEIRI_SYCL_T
#undef WEIRI_SYCL_U
#undef WEIRI_SYCL_1
#undef WEIRI_SYCL_2
#undef WEIRI_SYCL_3

template <class A_, class B_, class = weiri::enable_math<A_, B_>>
WEIRI_SYCL_INLINE auto pown(const A_ &a, const B_ &b)
{
    return pow(a, b);
}
template <class A_, class B_, class = weiri::enable_math<A_, B_>>
WEIRI_SYCL_INLINE auto rootn(const A_ &a, const B_ &b)
{
    return weiri::apply(
        [](const auto &x, const auto &n) {
            using R_ = std::decay_t<decltype(x)>;
            const auto root = std::pow(std::fabs(static_cast<weiri::real<R_>>(x)),
                                       1 / static_cast<weiri::real<R_>>(n));
            return static_cast<R_>(x < 0 && n % 2 != 0 ? -root : root);
        },
        a, b);
}
template <class A_, class B_, class = weiri::enable_math<A_, B_>>
WEIRI_SYCL_INLINE auto ldexp(const A_ &a, const B_ &b)
{
    return weiri::apply(
        [](const auto &x, const auto &n) {
            using R_ = std::decay_t<decltype(x)>;
            return static_cast<R_>(
                std::ldexp(static_cast<weiri::real<R_>>(x), static_cast<int>(n)));
        },
        a, b);
}
template <class A_, class = weiri::enable_math<A_>>
WEIRI_SYCL_INLINE auto ilogb(const A_ &a)
{
    return weiri::apply(
        [](const auto &x) {
            return std::ilogb(static_cast<weiri::real<std::decay_t<decltype(x)>>>(x));
        },
        a);
}
/* The second result goes where the pointer says. */
template <class A_, class P_, class = weiri::enable_math<A_>>
WEIRI_SYCL_INLINE A_ sincos(const A_ &a, P_ cosine)
{
    *cosine = cos(a);
    return sin(a);
}
template <class A_, class P_, class = weiri::enable_math<A_>>
WEIRI_SYCL_INLINE A_ modf(const A_ &a, P_ whole)
{
    *whole = trunc(a);
    return a - trunc(a);
}
template <class A_, class P_, class = weiri::enable_math<A_>>
WEIRI_SYCL_INLINE A_ fract(const A_ &a, P_ whole)
{
    *whole = floor(a);
    return a - floor(a);
}
template <class A_, class P_, class = std::enable_if_t<weiri::is_number<A_>>>
WEIRI_SYCL_INLINE A_ frexp(const A_ &a, P_ exponent)
{
    int e = 0;
    const A_ result = static_cast<A_>(std::frexp(static_cast<weiri::real<A_>>(a), &e));
    *exponent = e;
    return result;
}

template <class A_, class P_, class = std::enable_if_t<weiri::is_number<A_>>>
WEIRI_SYCL_INLINE A_ lgamma_r(const A_ &a, P_ sign)
{
    const auto x = static_cast<weiri::real<A_>>(a);
    *sign = x < 0 && std::floor(x) != x && std::fmod(std::floor(x), 2) != 0 ? -1 : 1;
    return static_cast<A_>(std::lgamma(x));
}
template <class A_, class P_, class = std::enable_if_t<weiri::is_number<A_>>>
WEIRI_SYCL_INLINE A_ remquo(const A_ &a, const A_ &b, P_ quotient)
{
    int q = 0;
    const auto rest = std::remquo(static_cast<weiri::real<A_>>(a),
                                  static_cast<weiri::real<A_>>(b), &q);
    *quotient = q;
    return static_cast<A_>(rest);
}
template <class B_>
using nan_of = std::conditional_t<sizeof(B_) == 2, half,
                                  std::conditional_t<sizeof(B_) == 4, float, double>>;
template <class B_, class = std::enable_if_t<std::is_unsigned_v<B_>>>
inline nan_of<B_> nan(B_)
{
    return nan_of<B_>(std::numeric_limits<float>::quiet_NaN());
}
template <class B_, int N_> vec<nan_of<B_>, N_> nan(const vec<B_, N_> &)
{
    return vec<nan_of<B_>, N_>(nan(B_()));
}
template <class B_, std::size_t N_> marray<nan_of<B_>, N_> nan(const marray<B_, N_> &)
{
    return marray<nan_of<B_>, N_>(nan(B_()));
}

namespace native
{
using sycl::cos;
using sycl::exp;
using sycl::exp10;
using sycl::exp2;
using sycl::log;
using sycl::log10;
using sycl::log2;
using sycl::powr;
using sycl::rsqrt;
using sycl::sin;
using sycl::sqrt;
using sycl::tan;
template <class A_, class B_> WEIRI_SYCL_INLINE auto divide(const A_ &a, const B_ &b)
{
    return a / b;
}
template <class A_> WEIRI_SYCL_INLINE auto recip(const A_ &a)
{
    return A_(1) / a;
}
} // namespace native
namespace half_precision
{
using namespace native;
}

/* ---- All numbers ----------------------------------------------------------------- */

#define WEIRI_SYCL_COMMON(name, code)                                                  \
    template <class A_, class B_, class = weiri::enable_math<A_, B_>>                  \
    WEIRI_SYCL_INLINE auto name(const A_ &a, const B_ &b)                              \
    {                                                                                  \
        return weiri::apply(                                                           \
            [](const auto &x_, const auto &y_) {                                       \
                using R_ = std::common_type_t<std::decay_t<decltype(x_)>,              \
                                             std::decay_t<decltype(y_)>>;              \
                const R_ x = static_cast<R_>(x_), y = static_cast<R_>(y_);             \
                return static_cast<R_>(code);                                          \
            },                                                                         \
            a, b);                                                                     \
    }
WEIRI_SYCL_COMMON(min, y < x ? y : x)
WEIRI_SYCL_COMMON(max, x < y ? y : x)
#undef WEIRI_SYCL_COMMON
template <class A_, class B_, class C_, class = weiri::enable_math<A_, B_, C_>>
WEIRI_SYCL_INLINE auto clamp(const A_ &a, const B_ &low, const C_ &high)
{
    return min(max(a, low), high);
}
template <class A_, class = weiri::enable_math<A_>>
WEIRI_SYCL_INLINE auto abs(const A_ &a)
{
    return weiri::apply(
        [](const auto &x) {
            using R_ = std::decay_t<decltype(x)>;
            return static_cast<R_>(x < R_(0) ? -x : x);
        },
        a);
}

/* ---- Integers -------------------------------------------------------------------- */

#define WEIRI_SYCL_INTEGER_2(name, code)                                               \
    template <class A_, class B_, class = weiri::enable_math<A_, B_>>                  \
    WEIRI_SYCL_INLINE auto name(const A_ &a, const B_ &b)                              \
    {                                                                                  \
        return weiri::apply(                                                           \
            [](const auto &x, const auto &y_) {                                        \
                using T_ = std::decay_t<decltype(x)>;                                  \
                using U_ [[maybe_unused]] = weiri::unsigned_of<T_>;                    \
                const T_ y = static_cast<T_>(y_);                                      \
                return static_cast<T_>(code);                                          \
            },                                                                         \
            a, b);                                                                     \
    }
WEIRI_SYCL_INTEGER_2(abs_diff, x > y ? U_(x) - U_(y) : U_(y) - U_(x))
WEIRI_SYCL_INTEGER_2(hadd, (x & y) + ((x ^ y) >> 1))
WEIRI_SYCL_INTEGER_2(rhadd, (x | y) - ((x ^ y) >> 1))
WEIRI_SYCL_INTEGER_2(mul24, x *y)
WEIRI_SYCL_INTEGER_2(mul_hi,
                     static_cast<weiri::integer128>(x) * y >> weiri::bits_in<T_>())
WEIRI_SYCL_INTEGER_2(rotate,
                     U_(x) << (U_(y) % weiri::bits_in<T_>())
                         | U_(x) >>
                         ((weiri::bits_in<T_>() - U_(y) % weiri::bits_in<T_>())
                          % weiri::bits_in<T_>()))
#undef WEIRI_SYCL_INTEGER_2
template <class T_>
WEIRI_SYCL_INLINE T_ weiri_saturate(weiri::integer128 value) noexcept
{
    using limits = std::numeric_limits<T_>;
    return value > limits::max()   ? limits::max()
        : value < limits::lowest() ? limits::lowest()
                                   : static_cast<T_>(value);
}
template <class A_, class B_, class = weiri::enable_math<A_, B_>>
WEIRI_SYCL_INLINE auto add_sat(const A_ &a, const B_ &b)
{
    return weiri::apply(
        [](const auto &x, const auto &y) {
            return weiri_saturate<std::decay_t<decltype(x)>>(
                static_cast<weiri::integer128>(x) + y);
        },
        a, b);
}
template <class A_, class B_, class = weiri::enable_math<A_, B_>>
WEIRI_SYCL_INLINE auto sub_sat(const A_ &a, const B_ &b)
{
    return weiri::apply(
        [](const auto &x, const auto &y) {
            return weiri_saturate<std::decay_t<decltype(x)>>(
                static_cast<weiri::integer128>(x) - y);
        },
        a, b);
}
template <class A_, class B_, class C_, class = weiri::enable_math<A_, B_, C_>>
WEIRI_SYCL_INLINE auto mad_sat(const A_ &a, const B_ &b, const C_ &c)
{
    return weiri::apply(
        [](const auto &x, const auto &y, const auto &z) {
            using T_ = std::decay_t<decltype(x)>;
            using W_
                = std::conditional_t<std::is_signed_v<T_>, weiri::integer128,
                                     weiri::natural128>;
            const W_ value
                = static_cast<W_>(x) * static_cast<W_>(y) + static_cast<W_>(z);
            return std::is_signed_v<T_>
                ? weiri_saturate<T_>(static_cast<weiri::integer128>(value))
                : value > static_cast<W_>(std::numeric_limits<T_>::max())
                ? std::numeric_limits<T_>::max()
                : static_cast<T_>(value);
        },
        a, b, c);
}
/* of the next wider type, of a high and a low part */
template <class A_, class B_, class = weiri::enable_math<A_, B_>>
WEIRI_SYCL_INLINE auto upsample(const A_ &high, const B_ &low)
{
    return weiri::apply(
        [](const auto &h, const auto &l) {
            using T_ = std::decay_t<decltype(h)>;
            using I_ = std::conditional_t<
                sizeof(T_) == 1, std::int16_t,
                std::conditional_t<sizeof(T_) == 2, std::int32_t, std::int64_t>>;
            using R_ = std::conditional_t<std::is_signed_v<T_>, I_,
                                          std::make_unsigned_t<I_>>;
            return static_cast<R_>(static_cast<std::uint64_t>(h) << 8 * sizeof(T_)
                                  | static_cast<weiri::unsigned_of<T_>>(l));
        },
        high, low);
}
template <class A_, class B_, class C_>
WEIRI_SYCL_INLINE auto mad24(const A_ &a, const B_ &b, const C_ &c)
{
    return a * b + c;
}
template <class A_, class B_, class C_>
WEIRI_SYCL_INLINE auto mad_hi(const A_ &a, const B_ &b, const C_ &c)
{
    return mul_hi(a, b) + c;
}
#define WEIRI_SYCL_INTEGER_1(name, code)                                               \
    template <class A_, class = weiri::enable_math<A_>>                                \
    WEIRI_SYCL_INLINE auto name(const A_ &a)                                           \
    {                                                                                  \
        return weiri::apply(                                                           \
            [](const auto &x_) {                                                       \
                using T_ = std::decay_t<decltype(x_)>;                                 \
                const auto x = static_cast<unsigned long long>(                        \
                    static_cast<weiri::unsigned_of<T_>>(x_));                          \
                return static_cast<T_>(code);                                          \
            },                                                                         \
            a);                                                                        \
    }
WEIRI_SYCL_INTEGER_1(clz,
                     x == 0 ? weiri::bits_in<T_>()
                            : __builtin_clzll(x) - (64 - weiri::bits_in<T_>()))
WEIRI_SYCL_INTEGER_1(ctz, x == 0 ? weiri::bits_in<T_>() : __builtin_ctzll(x))
WEIRI_SYCL_INTEGER_1(popcount, __builtin_popcountll(x))
#undef WEIRI_SYCL_INTEGER_1

/* ---- Vectors --------------------------------------------------------------------- */

template <class A_, class B_, class = weiri::enable_math<A_, B_>>
WEIRI_SYCL_INLINE auto dot(const A_ &a, const B_ &b)
{
    if constexpr (weiri::has_elements<A_>) {
        auto sum = a[0] * b[0];
        for (int k = 1; k < weiri::elements_of<A_>::n; k++) {
            sum += a[k] * b[k];
        }
        return sum;
    } else {
        return a * b;
    }
}
template <class A_, class = weiri::enable_math<A_>>
WEIRI_SYCL_INLINE auto length(const A_ &a)
{
    return sqrt(dot(a, a));
}
template <class A_, class = weiri::enable_math<A_>>
WEIRI_SYCL_INLINE auto fast_length(const A_ &a)
{
    return length(a);
}
template <class A_, class B_, class = weiri::enable_math<A_, B_>>
WEIRI_SYCL_INLINE auto distance(const A_ &a, const B_ &b)
{
    return length(a - b);
}
template <class A_, class B_, class = weiri::enable_math<A_, B_>>
WEIRI_SYCL_INLINE auto fast_distance(const A_ &a, const B_ &b)
{
    return length(a - b);
}
template <class A_, class = weiri::enable_math<A_>>
WEIRI_SYCL_INLINE auto normalize(const A_ &a)
{
    return a / A_(length(a));
}
template <class A_, class = weiri::enable_math<A_>>
WEIRI_SYCL_INLINE auto fast_normalize(const A_ &a)
{
    return normalize(a);
}
template <class T_, int N_, class = std::enable_if_t<N_ == 3 || N_ == 4>>
WEIRI_SYCL_INLINE vec<T_, N_> cross(const vec<T_, N_> &a, const vec<T_, N_> &b)
{
    vec<T_, N_> result(T_(0));
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        result[k] = a[i] * b[j] - a[j] * b[i];
    }
    return result;
}

/* ---- Relations ------------------------------------------------------------------- */

} // namespace sycl

namespace weiri
{
template <class F_, class... A_>
WEIRI_SYCL_INLINE auto relate(F_ f, const A_ &...arguments)
{
    using first = typename first_vector<A_...>::type;
    if constexpr (has_elements<first>) {
        using T_ = typename elements_of<first>::type;
        return each_element<first>(
            [&](const auto &...x) { return static_cast<truth<T_>>(f(x...) ? -1 : 0); },
            arguments...);
    } else {
        return static_cast<bool>(f(arguments...));
    }
}
} // namespace weiri

namespace sycl
{

#define WEIRI_SYCL_RELATION_1(name, call)                                              \
    template <class A_, class = weiri::enable_math<A_>>                                \
    WEIRI_SYCL_INLINE auto name(const A_ &a)                                           \
    {                                                                                  \
        return weiri::relate(                                                          \
            [](const auto &x_) {                                                       \
                const auto x                                                           \
                    = static_cast<weiri::real<std::decay_t<decltype(x_)>>>(x_);        \
                return call;                                                           \
            },                                                                         \
            a);                                                                        \
    }
WEIRI_SYCL_RELATION_1(isfinite, std::isfinite(x))
WEIRI_SYCL_RELATION_1(isinf, std::isinf(x))
WEIRI_SYCL_RELATION_1(isnan, std::isnan(x))
WEIRI_SYCL_RELATION_1(isnormal, std::isnormal(x))
WEIRI_SYCL_RELATION_1(signbit, std::signbit(x))
#undef WEIRI_SYCL_RELATION_1
#define WEIRI_SYCL_RELATION_2(name, code)                                              \
    template <class A_, class B_, class = weiri::enable_math<A_, B_>>                  \
    WEIRI_SYCL_INLINE auto name(const A_ &a, const B_ &b)                              \
    {                                                                                  \
        return weiri::relate([](const auto &x, const auto &y) { return code; }, a, b); \
    }
WEIRI_SYCL_RELATION_2(isequal, x == y)
WEIRI_SYCL_RELATION_2(isnotequal, x != y)
WEIRI_SYCL_RELATION_2(isgreater, x > y)
WEIRI_SYCL_RELATION_2(isgreaterequal, x >= y)
WEIRI_SYCL_RELATION_2(isless, x < y)
WEIRI_SYCL_RELATION_2(islessequal, x <= y)
WEIRI_SYCL_RELATION_2(islessgreater, x<y || x> y)
WEIRI_SYCL_RELATION_2(isordered, x == x && y == y)
WEIRI_SYCL_RELATION_2(isunordered, x != x || y != y)
#undef WEIRI_SYCL_RELATION_2

template <class A_, class = weiri::enable_math<A_>>
WEIRI_SYCL_INLINE bool any(const A_ &a)
{
    bool found = false;
    for (int k = 0; k < weiri::elements_of<A_>::n; k++) {
        found |= a[k] < 0;
    }
    return found;
}
template <class A_, class = weiri::enable_math<A_>>
WEIRI_SYCL_INLINE bool all(const A_ &a)
{
    bool found = true;
    for (int k = 0; k < weiri::elements_of<A_>::n; k++) {
        found &= a[k] < 0;
    }
    return found;
}
template <class A_, class B_, class C_, class = weiri::enable_math<A_, B_>>
WEIRI_SYCL_INLINE auto select(const A_ &a, const B_ &b, const C_ &c)
{
    if constexpr (weiri::has_elements<A_>) {
        return weiri::each_element<A_>(
            [](const auto &x, const auto &y, const auto &z) { return z < 0 ? y : x; },
            a, b, c);
    } else {
        return c ? static_cast<A_>(b) : a;
    }
}
template <class T_, class = weiri::enable_math<T_>>
WEIRI_SYCL_INLINE T_ bitselect(const T_ &a, const T_ &b, const T_ &c)
{
    return (c & b) | (~c & a);
}

} // namespace sycl

#endif
