/* SPDX-License-Identifier: MIT
 *
 * math.hpp: functions of numbers and of vectors of them: [SYCL20] 4.17.5 to 4.17.9. */
#ifndef WEIR_SYCL_MATH_HPP
#define WEIR_SYCL_MATH_HPP

#include "vec.hpp"

#include <cmath>
#include <cstdlib>

namespace weiri
{

template <class T>
inline constexpr bool is_number
    = std::is_arithmetic_v<T> || std::is_same_v<T, sycl::half>;

template <class T> struct elements_of {
    static constexpr int n = 0;
    using type = T;
};
template <class T, int N> struct elements_of<sycl::vec<T, N>> {
    static constexpr int n = N;
    using type = T;
};
template <class T, std::size_t N> struct elements_of<sycl::marray<T, N>> {
    static constexpr int n = static_cast<int>(N);
    using type = T;
};
template <class V, int... I> struct elements_of<swizzled<V, I...>> {
    static constexpr int n = static_cast<int>(sizeof...(I));
    using type = typename V::element_type;
};
template <class T> inline constexpr bool has_elements = elements_of<T>::n > 0;

template <class T, class U> struct with_elements_of;
template <class T, int N, class U> struct with_elements_of<sycl::vec<T, N>, U> {
    using type = sycl::vec<U, N>;
};
template <class T, std::size_t N, class U>
struct with_elements_of<sycl::marray<T, N>, U> {
    using type = sycl::marray<U, N>;
};
template <class V, int... I, class U> struct with_elements_of<swizzled<V, I...>, U> {
    using type = sycl::vec<U, static_cast<int>(sizeof...(I))>;
};

/* Of an argument: its element, or itself for all. */
template <class T>
WEIRI_SYCL_INLINE decltype(auto) element(const T &value, int k) noexcept
{
    if constexpr (has_elements<T>) {
        return value[k];
    } else {
        (void)k;
        return value;
    }
}

/* f of each element. The first argument that has elements says how many. */
template <class First, class F, class... A>
WEIRI_SYCL_INLINE auto each_element(F f, const A &...arguments)
{
    using R = std::decay_t<decltype(f(element(arguments, 0)...))>;
    typename with_elements_of<First, R>::type result;
    for (int k = 0; k < elements_of<First>::n; k++) {
        result[k] = f(element(arguments, k)...);
    }
    return result;
}

template <class A, class... B> struct first_vector {
    using type
        = std::conditional_t<has_elements<A>, A, typename first_vector<B...>::type>;
};
template <class A> struct first_vector<A> {
    using type = A;
};

template <class... A>
using enable_math = std::enable_if_t<((is_number<A> || has_elements<A>)&&...)>;

/* Numbers are computed with as wide as the widest argument, vectors by element. */
template <class F, class... A> WEIRI_SYCL_INLINE auto apply(F f, const A &...arguments)
{
    using first = typename first_vector<A...>::type;
    if constexpr (has_elements<first>) {
        return each_element<first>(f, arguments...);
    } else {
        return f(arguments...);
    }
}

/* What a function of real numbers computes in: float for float and half. */
template <class T>
using real = std::conditional_t<std::is_same_v<T, sycl::half>, float,
                                std::conditional_t<std::is_integral_v<T>, double, T>>;
template <class... A> using common_real = std::common_type_t<real<A>...>;
template <class A, class... B>
using result_of = std::conditional_t<std::is_same_v<A, sycl::half>, sycl::half,
                                     common_real<A, B...>>;

__extension__ typedef __int128 integer128;
__extension__ typedef unsigned __int128 natural128;

template <class T> using unsigned_of = std::make_unsigned_t<T>;
template <class T> WEIRI_SYCL_INLINE int bits_in() noexcept
{
    return static_cast<int>(sizeof(T) * 8);
}

} // namespace weiri

namespace sycl
{

/* ---- Of real numbers ------------------------------------------------------------- */

#define WEIRI_SYCL_1(name, call)                                                       \
    template <class A, class = weiri::enable_math<A>>                                  \
    WEIRI_SYCL_INLINE auto name(const A &a)                                            \
    {                                                                                  \
        return weiri::apply(                                                           \
            [](const auto &x_) {                                                       \
                using R = weiri::result_of<std::decay_t<decltype(x_)>>;                \
                const auto x                                                           \
                    = static_cast<weiri::real<std::decay_t<decltype(x_)>>>(x_);        \
                return static_cast<R>(call);                                           \
            },                                                                         \
            a);                                                                        \
    }
#define WEIRI_SYCL_2(name, call)                                                       \
    template <class A, class B, class = weiri::enable_math<A, B>>                      \
    WEIRI_SYCL_INLINE auto name(const A &a, const B &b)                                \
    {                                                                                  \
        return weiri::apply(                                                           \
            [](const auto &x_, const auto &y_) {                                       \
                using X = std::decay_t<decltype(x_)>;                                  \
                using Y = std::decay_t<decltype(y_)>;                                  \
                using C = weiri::common_real<X, Y>;                                    \
                const C x = static_cast<C>(x_), y = static_cast<C>(y_);                \
                return static_cast<weiri::result_of<X, Y>>(call);                      \
            },                                                                         \
            a, b);                                                                     \
    }
#define WEIRI_SYCL_3(name, call)                                                       \
    template <class A, class B, class C_, class = weiri::enable_math<A, B, C_>>        \
    WEIRI_SYCL_INLINE auto name(const A &a, const B &b, const C_ &c)                   \
    {                                                                                  \
        return weiri::apply(                                                           \
            [](const auto &x_, const auto &y_, const auto &z_) {                       \
                using X = std::decay_t<decltype(x_)>;                                  \
                using Y = std::decay_t<decltype(y_)>;                                  \
                using Z = std::decay_t<decltype(z_)>;                                  \
                using C = weiri::common_real<X, Y, Z>;                                 \
                const C x = static_cast<C>(x_), y = static_cast<C>(y_),                \
                        z = static_cast<C>(z_);                                        \
                return static_cast<weiri::result_of<X, Y, Z>>(call);                   \
            },                                                                         \
            a, b, c);                                                                  \
    }
#define WEIRI_SYCL_FUNCTIONS(X)                                                        \
    X(acos)                                                                            \
    X(acosh)                                                                           \
    X(asin)                                                                            \
    X(asinh)                                                                           \
    X(atan)                                                                            \
    X(atanh)                                                                           \
    X(cbrt)                                                                            \
    X(ceil)                                                                            \
    X(cos)                                                                             \
    X(cosh)                                                                            \
    X(erf)                                                                             \
    X(erfc) X(exp) X(exp2) X(expm1) X(fabs) X(floor) X(lgamma) X(log) X(log10)         \
        X(log1p) X(log2) X(logb) X(rint) X(round) X(sin) X(sinh) X(sqrt) X(tan)        \
            X(tanh) X(tgamma) X(trunc)
#define X(name) WEIRI_SYCL_1(name, std::name(x))
WEIRI_SYCL_FUNCTIONS(X)
#undef X
#undef WEIRI_SYCL_FUNCTIONS
WEIRI_SYCL_1(acospi, std::acos(x) / R(3.14159265358979323846))
WEIRI_SYCL_1(asinpi, std::asin(x) / R(3.14159265358979323846))
WEIRI_SYCL_1(atanpi, std::atan(x) / R(3.14159265358979323846))
WEIRI_SYCL_1(cospi, std::cos(x *R(3.14159265358979323846)))
WEIRI_SYCL_1(sinpi, std::sin(x *R(3.14159265358979323846)))
WEIRI_SYCL_1(tanpi, std::tan(x *R(3.14159265358979323846)))
WEIRI_SYCL_1(exp10, std::pow(static_cast<decltype(x)>(10), x))
WEIRI_SYCL_1(rsqrt, 1 / std::sqrt(x))
WEIRI_SYCL_1(degrees, x * 57.295779513082320877)
WEIRI_SYCL_1(radians, x * 0.017453292519943295769)
WEIRI_SYCL_1(sign, x > 0 ? 1 : x < 0 ? -1 : x)
WEIRI_SYCL_2(atan2, std::atan2(x, y))
WEIRI_SYCL_2(atan2pi, std::atan2(x, y) / C(3.14159265358979323846))
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

template <class A, class B, class = weiri::enable_math<A, B>>
WEIRI_SYCL_INLINE auto pown(const A &a, const B &b)
{
    return pow(a, b);
}
template <class A, class B, class = weiri::enable_math<A, B>>
WEIRI_SYCL_INLINE auto rootn(const A &a, const B &b)
{
    return weiri::apply(
        [](const auto &x, const auto &n) {
            using R = std::decay_t<decltype(x)>;
            const auto root = std::pow(std::fabs(static_cast<weiri::real<R>>(x)),
                                       1 / static_cast<weiri::real<R>>(n));
            return static_cast<R>(x < 0 && n % 2 != 0 ? -root : root);
        },
        a, b);
}
template <class A, class B, class = weiri::enable_math<A, B>>
WEIRI_SYCL_INLINE auto ldexp(const A &a, const B &b)
{
    return weiri::apply(
        [](const auto &x, const auto &n) {
            using R = std::decay_t<decltype(x)>;
            return static_cast<R>(
                std::ldexp(static_cast<weiri::real<R>>(x), static_cast<int>(n)));
        },
        a, b);
}
template <class A, class = weiri::enable_math<A>>
WEIRI_SYCL_INLINE auto ilogb(const A &a)
{
    return weiri::apply(
        [](const auto &x) {
            return std::ilogb(static_cast<weiri::real<std::decay_t<decltype(x)>>>(x));
        },
        a);
}
/* The second result goes where the pointer says. */
template <class A, class P, class = weiri::enable_math<A>>
WEIRI_SYCL_INLINE A sincos(const A &a, P cosine)
{
    *cosine = cos(a);
    return sin(a);
}
template <class A, class P, class = weiri::enable_math<A>>
WEIRI_SYCL_INLINE A modf(const A &a, P whole)
{
    *whole = trunc(a);
    return a - trunc(a);
}
template <class A, class P, class = weiri::enable_math<A>>
WEIRI_SYCL_INLINE A fract(const A &a, P whole)
{
    *whole = floor(a);
    return a - floor(a);
}
template <class A, class P, class = std::enable_if_t<weiri::is_number<A>>>
WEIRI_SYCL_INLINE A frexp(const A &a, P exponent)
{
    int e = 0;
    const A result = static_cast<A>(std::frexp(static_cast<weiri::real<A>>(a), &e));
    *exponent = e;
    return result;
}

template <class A, class P, class = std::enable_if_t<weiri::is_number<A>>>
WEIRI_SYCL_INLINE A lgamma_r(const A &a, P sign)
{
    const auto x = static_cast<weiri::real<A>>(a);
    *sign = x < 0 && std::floor(x) != x && std::fmod(std::floor(x), 2) != 0 ? -1 : 1;
    return static_cast<A>(std::lgamma(x));
}
template <class A, class P, class = std::enable_if_t<weiri::is_number<A>>>
WEIRI_SYCL_INLINE A remquo(const A &a, const A &b, P quotient)
{
    int q = 0;
    const auto rest = std::remquo(static_cast<weiri::real<A>>(a),
                                  static_cast<weiri::real<A>>(b), &q);
    *quotient = q;
    return static_cast<A>(rest);
}
inline float nan(unsigned int)
{
    return std::numeric_limits<float>::quiet_NaN();
}
inline double nan(unsigned long)
{
    return std::numeric_limits<double>::quiet_NaN();
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
template <class A, class B> WEIRI_SYCL_INLINE auto divide(const A &a, const B &b)
{
    return a / b;
}
template <class A> WEIRI_SYCL_INLINE auto recip(const A &a)
{
    return A(1) / a;
}
} // namespace native
namespace half_precision
{
using namespace native;
}

/* ---- Of all numbers -------------------------------------------------------------- */

#define WEIRI_SYCL_COMMON(name, code)                                                  \
    template <class A, class B, class = weiri::enable_math<A, B>>                      \
    WEIRI_SYCL_INLINE auto name(const A &a, const B &b)                                \
    {                                                                                  \
        return weiri::apply(                                                           \
            [](const auto &x_, const auto &y_) {                                       \
                using R = std::common_type_t<std::decay_t<decltype(x_)>,               \
                                             std::decay_t<decltype(y_)>>;              \
                const R x = static_cast<R>(x_), y = static_cast<R>(y_);                \
                return static_cast<R>(code);                                           \
            },                                                                         \
            a, b);                                                                     \
    }
WEIRI_SYCL_COMMON(min, y < x ? y : x)
WEIRI_SYCL_COMMON(max, x < y ? y : x)
#undef WEIRI_SYCL_COMMON
template <class A, class B, class C, class = weiri::enable_math<A, B, C>>
WEIRI_SYCL_INLINE auto clamp(const A &a, const B &low, const C &high)
{
    return min(max(a, low), high);
}
template <class A, class = weiri::enable_math<A>> WEIRI_SYCL_INLINE auto abs(const A &a)
{
    return weiri::apply(
        [](const auto &x) {
            using R = std::decay_t<decltype(x)>;
            return static_cast<R>(x < R(0) ? -x : x);
        },
        a);
}

/* ---- Of integers ----------------------------------------------------------------- */

#define WEIRI_SYCL_INTEGER_2(name, code)                                               \
    template <class A, class B, class = weiri::enable_math<A, B>>                      \
    WEIRI_SYCL_INLINE auto name(const A &a, const B &b)                                \
    {                                                                                  \
        return weiri::apply(                                                           \
            [](const auto &x, const auto &y_) {                                        \
                using T = std::decay_t<decltype(x)>;                                   \
                using U [[maybe_unused]] = weiri::unsigned_of<T>;                      \
                const T y = static_cast<T>(y_);                                        \
                return static_cast<T>(code);                                           \
            },                                                                         \
            a, b);                                                                     \
    }
WEIRI_SYCL_INTEGER_2(abs_diff, x > y ? U(x) - U(y) : U(y) - U(x))
WEIRI_SYCL_INTEGER_2(hadd, (x & y) + ((x ^ y) >> 1))
WEIRI_SYCL_INTEGER_2(rhadd, (x | y) - ((x ^ y) >> 1))
WEIRI_SYCL_INTEGER_2(mul24, x *y)
WEIRI_SYCL_INTEGER_2(mul_hi,
                     static_cast<weiri::integer128>(x) * y >> weiri::bits_in<T>())
WEIRI_SYCL_INTEGER_2(rotate,
                     U(x) << (U(y) % weiri::bits_in<T>())
                         | U(x) >> ((weiri::bits_in<T>() - U(y) % weiri::bits_in<T>())
                                    % weiri::bits_in<T>()))
#undef WEIRI_SYCL_INTEGER_2
template <class T> WEIRI_SYCL_INLINE T weiri_saturate(weiri::integer128 value) noexcept
{
    using limits = std::numeric_limits<T>;
    return value > limits::max()   ? limits::max()
        : value < limits::lowest() ? limits::lowest()
                                   : static_cast<T>(value);
}
template <class A, class B, class = weiri::enable_math<A, B>>
WEIRI_SYCL_INLINE auto add_sat(const A &a, const B &b)
{
    return weiri::apply(
        [](const auto &x, const auto &y) {
            return weiri_saturate<std::decay_t<decltype(x)>>(
                static_cast<weiri::integer128>(x) + y);
        },
        a, b);
}
template <class A, class B, class = weiri::enable_math<A, B>>
WEIRI_SYCL_INLINE auto sub_sat(const A &a, const B &b)
{
    return weiri::apply(
        [](const auto &x, const auto &y) {
            return weiri_saturate<std::decay_t<decltype(x)>>(
                static_cast<weiri::integer128>(x) - y);
        },
        a, b);
}
template <class A, class B, class C, class = weiri::enable_math<A, B, C>>
WEIRI_SYCL_INLINE auto mad_sat(const A &a, const B &b, const C &c)
{
    return weiri::apply(
        [](const auto &x, const auto &y, const auto &z) {
            using T = std::decay_t<decltype(x)>;
            using W
                = std::conditional_t<std::is_signed_v<T>, weiri::integer128,
                                     weiri::natural128>;
            const W value = static_cast<W>(x) * static_cast<W>(y) + static_cast<W>(z);
            return std::is_signed_v<T>
                ? weiri_saturate<T>(static_cast<weiri::integer128>(value))
                : value > static_cast<W>(std::numeric_limits<T>::max())
                ? std::numeric_limits<T>::max()
                : static_cast<T>(value);
        },
        a, b, c);
}
/* of the next wider type, of a high and a low part */
template <class A, class B, class = weiri::enable_math<A, B>>
WEIRI_SYCL_INLINE auto upsample(const A &high, const B &low)
{
    return weiri::apply(
        [](const auto &h, const auto &l) {
            using T = std::decay_t<decltype(h)>;
            using I = std::conditional_t<
                sizeof(T) == 1, std::int16_t,
                std::conditional_t<sizeof(T) == 2, std::int32_t, std::int64_t>>;
            using R
                = std::conditional_t<std::is_signed_v<T>, I, std::make_unsigned_t<I>>;
            return static_cast<R>(static_cast<std::uint64_t>(h) << 8 * sizeof(T)
                                  | static_cast<weiri::unsigned_of<T>>(l));
        },
        high, low);
}
template <class A, class B, class C>
WEIRI_SYCL_INLINE auto mad24(const A &a, const B &b, const C &c)
{
    return a * b + c;
}
template <class A, class B, class C>
WEIRI_SYCL_INLINE auto mad_hi(const A &a, const B &b, const C &c)
{
    return mul_hi(a, b) + c;
}
#define WEIRI_SYCL_INTEGER_1(name, code)                                               \
    template <class A, class = weiri::enable_math<A>>                                  \
    WEIRI_SYCL_INLINE auto name(const A &a)                                            \
    {                                                                                  \
        return weiri::apply(                                                           \
            [](const auto &x_) {                                                       \
                using T = std::decay_t<decltype(x_)>;                                  \
                const auto x = static_cast<unsigned long long>(                        \
                    static_cast<weiri::unsigned_of<T>>(x_));                           \
                return static_cast<T>(code);                                           \
            },                                                                         \
            a);                                                                        \
    }
WEIRI_SYCL_INTEGER_1(clz,
                     x == 0 ? weiri::bits_in<T>()
                            : __builtin_clzll(x) - (64 - weiri::bits_in<T>()))
WEIRI_SYCL_INTEGER_1(ctz, x == 0 ? weiri::bits_in<T>() : __builtin_ctzll(x))
WEIRI_SYCL_INTEGER_1(popcount, __builtin_popcountll(x))
#undef WEIRI_SYCL_INTEGER_1

/* ---- Of vectors ------------------------------------------------------------------ */

template <class A, class B, class = weiri::enable_math<A, B>>
WEIRI_SYCL_INLINE auto dot(const A &a, const B &b)
{
    if constexpr (weiri::has_elements<A>) {
        auto sum = a[0] * b[0];
        for (int k = 1; k < weiri::elements_of<A>::n; k++) {
            sum += a[k] * b[k];
        }
        return sum;
    } else {
        return a * b;
    }
}
template <class A, class = weiri::enable_math<A>>
WEIRI_SYCL_INLINE auto length(const A &a)
{
    return sqrt(dot(a, a));
}
template <class A, class = weiri::enable_math<A>>
WEIRI_SYCL_INLINE auto fast_length(const A &a)
{
    return length(a);
}
template <class A, class B, class = weiri::enable_math<A, B>>
WEIRI_SYCL_INLINE auto distance(const A &a, const B &b)
{
    return length(a - b);
}
template <class A, class B, class = weiri::enable_math<A, B>>
WEIRI_SYCL_INLINE auto fast_distance(const A &a, const B &b)
{
    return length(a - b);
}
template <class A, class = weiri::enable_math<A>>
WEIRI_SYCL_INLINE auto normalize(const A &a)
{
    return a / A(length(a));
}
template <class A, class = weiri::enable_math<A>>
WEIRI_SYCL_INLINE auto fast_normalize(const A &a)
{
    return normalize(a);
}
template <class T, int N, class = std::enable_if_t<N == 3 || N == 4>>
WEIRI_SYCL_INLINE vec<T, N> cross(const vec<T, N> &a, const vec<T, N> &b)
{
    vec<T, N> result(T(0));
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
template <class F, class... A> WEIRI_SYCL_INLINE auto relate(F f, const A &...arguments)
{
    using first = typename first_vector<A...>::type;
    if constexpr (has_elements<first>) {
        using T = typename elements_of<first>::type;
        return each_element<first>(
            [&](const auto &...x) { return static_cast<truth<T>>(f(x...) ? -1 : 0); },
            arguments...);
    } else {
        return static_cast<bool>(f(arguments...));
    }
}
} // namespace weiri

namespace sycl
{

#define WEIRI_SYCL_RELATION_1(name, call)                                              \
    template <class A, class = weiri::enable_math<A>>                                  \
    WEIRI_SYCL_INLINE auto name(const A &a)                                            \
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
    template <class A, class B, class = weiri::enable_math<A, B>>                      \
    WEIRI_SYCL_INLINE auto name(const A &a, const B &b)                                \
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

template <class A, class = weiri::enable_math<A>> WEIRI_SYCL_INLINE bool any(const A &a)
{
    bool found = false;
    for (int k = 0; k < weiri::elements_of<A>::n; k++) {
        found |= a[k] < 0;
    }
    return found;
}
template <class A, class = weiri::enable_math<A>> WEIRI_SYCL_INLINE bool all(const A &a)
{
    bool found = true;
    for (int k = 0; k < weiri::elements_of<A>::n; k++) {
        found &= a[k] < 0;
    }
    return found;
}
template <class A, class B, class C, class = weiri::enable_math<A, B>>
WEIRI_SYCL_INLINE auto select(const A &a, const B &b, const C &c)
{
    if constexpr (weiri::has_elements<A>) {
        return weiri::each_element<A>(
            [](const auto &x, const auto &y, const auto &z) { return z < 0 ? y : x; },
            a, b, c);
    } else {
        return c ? static_cast<A>(b) : a;
    }
}
template <class T, class = weiri::enable_math<T>>
WEIRI_SYCL_INLINE T bitselect(const T &a, const T &b, const T &c)
{
    return (c & b) | (~c & a);
}

} // namespace sycl

#endif
