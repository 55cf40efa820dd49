/* SPDX-License-Identifier: MIT
 *
 * vec.hpp: vectors and arrays of numbers: [SYCL20] 4.14. A vector is an array in memory
 * order with room for a power of two of elements. A swizzle is a reference to its
 * vector with the numbers of elements as template arguments, so that reading and
 * writing through it are plain accesses of elements. */
#ifndef WEIR_SYCL_VEC_HPP
#define WEIR_SYCL_VEC_HPP

#include "half.hpp"
#include "machine.hpp"

#include <array>
#include <cstddef>
#include <initializer_list>

namespace sycl
{

template <class T_, int N_> class vec;

struct elem {
    static constexpr int x = 0, y = 1, z = 2, w = 3;
    static constexpr int r = 0, g = 1, b = 2, a = 3;
    static constexpr int s0 = 0, s1 = 1, s2 = 2, s3 = 3, s4 = 4, s5 = 5, s6 = 6, s7 = 7;
    static constexpr int s8 = 8, s9 = 9, sA = 10, sB = 11, sC = 12, sD = 13, sE = 14,
                         sF = 15;
};

enum class rounding_mode { automatic, rte, rtz, rtp, rtn };

} // namespace sycl

namespace weiri
{

/* Names of elements and their numbers. */
#define WEIRI_SYCL_LETTERS(X_)                                                         \
    X_(x, 0) X_(y, 1) X_(z, 2) X_(w, 3) X_(r, 0) X_(g, 1) X_(b, 2) X_(a, 3)

/* The type of the elements of a comparison's result. */
template <std::size_t bytes> struct truth_of;
template <> struct truth_of<1> {
    using type = std::int8_t;
};
template <> struct truth_of<2> {
    using type = std::int16_t;
};
template <> struct truth_of<4> {
    using type = std::int32_t;
};
template <> struct truth_of<8> {
    using type = std::int64_t;
};
template <class T_> using truth = typename truth_of<sizeof(T_)>::type;

template <class T_> struct is_vec : std::false_type {
};
template <class T_, int N_> struct is_vec<sycl::vec<T_, N_>> : std::true_type {
};

/* Elements of a vector by number: read as a vector, and written where it is one. */
template <class V_, int... I_> class swizzled
{
    V_ &of;

    /* A vector of three elements has an undefined fourth one: here it is the third. */
    static constexpr int number_of(int k) noexcept
    {
        const int number[] = { I_... };
        return number[k < size() ? k : size() - 1];
    }
    template <int First_, int Step_, int... K_>
    WEIRI_SYCL_INLINE auto every(std::integer_sequence<int, K_...>) const noexcept
    {
        return swizzle<(First_ + K_ * Step_)...>();
    }

  public:
    using element_type = typename V_::element_type;
    using vector_type
        = std::conditional_t<sizeof...(I_) == 1, element_type,
                             sycl::vec<element_type, static_cast<int>(sizeof...(I_))>>;

    WEIRI_SYCL_INLINE explicit swizzled(V_ &v) noexcept : of(v)
    {
    }
    swizzled(const swizzled &) noexcept = default;

    WEIRI_SYCL_INLINE vector_type get() const noexcept
    {
        return vector_type(of[I_]...);
    }
    WEIRI_SYCL_INLINE operator vector_type() const noexcept
    {
        return get();
    }

    WEIRI_SYCL_INLINE const swizzled &operator=(const vector_type &value) const noexcept
    {
        if constexpr (sizeof...(I_) == 1) {
            ((of[I_] = value), ...);
        } else {
            int k = 0;
            ((of[I_] = value[k++]), ...);
        }
        return *this;
    }
    WEIRI_SYCL_INLINE const swizzled &operator=(const swizzled &other) const noexcept
    {
        return *this = other.get();
    }
    template <class W_, int... J_>
    WEIRI_SYCL_INLINE const swizzled &operator=(
        const swizzled<W_, J_...> &other) const noexcept
    {
        return *this = vector_type(other.get());
    }

    WEIRI_SYCL_INLINE element_type operator[](int k) const noexcept
    {
        const int number[] = { I_... };
        return of[number[k]];
    }

    static constexpr int size() noexcept
    {
        return static_cast<int>(sizeof...(I_));
    }
    /* Elements of these elements: reached by the numbers that they have in @of. */
    template <int... J_> WEIRI_SYCL_INLINE auto swizzle() const noexcept
    {
        return swizzled<V_, number_of(J_)...>(of);
    }
#define WEIRI_SYCL_ELEMENT(name, number)                                               \
    WEIRI_SYCL_INLINE auto &name() const noexcept                                      \
    {                                                                                  \
        static_assert(number < sizeof...(I_), "no such element");                      \
        return of[number_of(number)];                                                  \
    }
    WEIRI_SYCL_LETTERS(WEIRI_SYCL_ELEMENT)
#undef WEIRI_SYCL_ELEMENT
#define WEIRI_SYCL_HALF(name, first, step)                                             \
    WEIRI_SYCL_INLINE auto name() const noexcept                                       \
    {                                                                                  \
        return every<first, step>(                                                     \
            std::make_integer_sequence<int, (sizeof...(I_) + 1) / 2>());               \
    }
    WEIRI_SYCL_HALF(lo, 0, 1)
    WEIRI_SYCL_HALF(hi, (sizeof...(I_) + 1) / 2, 1)
    WEIRI_SYCL_HALF(even, 0, 2)
    WEIRI_SYCL_HALF(odd, 1, 2)
#undef WEIRI_SYCL_HALF
    template <class U_> WEIRI_SYCL_INLINE auto convert() const noexcept
    {
        return sycl::vec<element_type, size()>(get()).template convert<U_>();
    }
    template <class U_> WEIRI_SYCL_INLINE U_ as() const noexcept
    {
        return sycl::vec<element_type, size()>(get()).template as<U_>();
    }

#define WEIRI_SYCL_OP(op)                                                              \
    template <class B_>                                                                \
    friend WEIRI_SYCL_INLINE auto operator op(const swizzled &a, const B_ &b) noexcept \
    {                                                                                  \
        return a.get() op vector_type(b);                                              \
    }                                                                                  \
    template <class A_,                                                                \
              class = std::enable_if_t<std::is_arithmetic_v<A_> || is_vec<A_>::value>> \
    friend WEIRI_SYCL_INLINE auto operator op(const A_ &a, const swizzled &b) noexcept \
    {                                                                                  \
        return vector_type(a) op b.get();                                              \
    }
    WEIRI_SYCL_ARITHMETIC(WEIRI_SYCL_OP)
    WEIRI_SYCL_COMPARISONS(WEIRI_SYCL_OP)
#undef WEIRI_SYCL_OP
#define WEIRI_SYCL_OP(op)                                                              \
    template <class B_>                                                                \
    WEIRI_SYCL_INLINE const swizzled &operator op##=(const B_ &b) const noexcept       \
    {                                                                                  \
        return *this = get() op vector_type(b);                                        \
    }
    WEIRI_SYCL_ARITHMETIC(WEIRI_SYCL_OP)
#undef WEIRI_SYCL_OP
    WEIRI_SYCL_INLINE auto operator-() const noexcept
    {
        return -get();
    }
};

} // namespace weiri

namespace sycl
{

template <class T_, int N_> class vec
{
    static_assert(N_ == 1 || N_ == 2 || N_ == 3 || N_ == 4 || N_ == 8 || N_ == 16,
                  "a vec has 1, 2, 3, 4, 8 or 16 elements");
    static constexpr int room = N_ == 3 ? 4 : N_;
    alignas(sizeof(T_) * room <= 64 ? sizeof(T_) * room : 64) T_ of[room];

    template <class U_> static constexpr int count() noexcept
    {
        if constexpr (weiri::is_vec<std::decay_t<U_>>::value) {
            return std::decay_t<U_>::size();
        } else {
            return 1;
        }
    }
    template <class U_>
    WEIRI_SYCL_INLINE constexpr int put(int at, const U_ &value) noexcept
    {
        if constexpr (weiri::is_vec<U_>::value) {
            for (int k = 0; k < U_::size(); k++) {
                of[at + k] = static_cast<T_>(value[k]);
            }
            return at + U_::size();
        } else {
            of[at] = static_cast<T_>(value);
            return at + 1;
        }
    }

  public:
    using element_type = T_;
    using value_type = T_;

    constexpr vec() noexcept : of{}
    {
    }
    WEIRI_SYCL_INLINE constexpr vec(const T_ &value) noexcept : of{}
    {
        for (int k = 0; k < N_; k++) {
            of[k] = value;
        }
    }
    /* of what converts to T, too */
    WEIRI_SYCL_INLINE vec &operator=(const T_ &value) noexcept
    {
        return *this = vec(value);
    }
    template <class A_, class B_, class... C_,
              class = std::enable_if_t<
                  (count<A_>() + count<B_>() + (0 + ... + count<C_>())) == N_>>
    WEIRI_SYCL_INLINE constexpr vec(const A_ &a, const B_ &b, const C_ &...c) noexcept
        : of{}
    {
        int at = put(0, a);
        at = put(at, b);
        ((at = put(at, c)), ...);
        (void)at;
    }
    template <class V_, int... I_,
              class = std::enable_if_t<sizeof...(I_) == N_ && (N_ > 1)>>
    WEIRI_SYCL_INLINE vec(const weiri::swizzled<V_, I_...> &s) noexcept : vec(s.get())
    {
    }

    static constexpr int size() noexcept
    {
        return N_;
    }
    static constexpr std::size_t byte_size() noexcept
    {
        return sizeof(vec);
    }
    static constexpr std::size_t get_count() noexcept
    {
        return N_;
    }
    static constexpr std::size_t get_size() noexcept
    {
        return sizeof(vec);
    }

    WEIRI_SYCL_INLINE constexpr T_ &operator[](int k) noexcept
    {
        return of[k];
    }
    WEIRI_SYCL_INLINE constexpr const T_ &operator[](int k) const noexcept
    {
        return of[k];
    }

    template <int M_ = N_, class = std::enable_if_t<M_ == 1>>
    WEIRI_SYCL_INLINE operator T_() const noexcept
    {
        return of[0];
    }

    template <class U_, rounding_mode = rounding_mode::automatic>
    WEIRI_SYCL_INLINE vec<U_, N_> convert() const noexcept
    {
        vec<U_, N_> result;
        for (int k = 0; k < N_; k++) {
            result[k] = static_cast<U_>(of[k]);
        }
        return result;
    }
    template <class V_> WEIRI_SYCL_INLINE V_ as() const noexcept
    {
        static_assert(sizeof(V_) == sizeof(vec), "as() keeps the number of bytes");
        V_ result;
        __builtin_memcpy(static_cast<void *>(&result), this, sizeof(V_));
        return result;
    }

    /* Vectors lie in memory element after element. @offset counts vectors. */
    template <class P_>
    WEIRI_SYCL_INLINE void load(std::size_t offset, const P_ &from) noexcept
    {
        for (int k = 0; k < N_; k++) {
            of[k] = from[offset * N_ + static_cast<std::size_t>(k)];
        }
    }
    template <class P_>
    WEIRI_SYCL_INLINE void store(std::size_t offset, const P_ &to) const noexcept
    {
        for (int k = 0; k < N_; k++) {
            to[offset * N_ + static_cast<std::size_t>(k)] = of[k];
        }
    }

    template <int... I_> WEIRI_SYCL_INLINE auto swizzle() noexcept
    {
        return weiri::swizzled<vec, I_...>(*this);
    }
    template <int... I_> WEIRI_SYCL_INLINE auto swizzle() const noexcept
    {
        return weiri::swizzled<const vec, I_...>(*this);
    }

#define WEIRI_SYCL_ELEMENT(name, number)                                               \
    template <int M_ = N_, class = std::enable_if_t<(M_ > number)>>                    \
    WEIRI_SYCL_INLINE T_ &name() noexcept                                              \
    {                                                                                  \
        return of[number];                                                             \
    }                                                                                  \
    template <int M_ = N_, class = std::enable_if_t<(M_ > number)>>                    \
    WEIRI_SYCL_INLINE const T_ &name() const noexcept                                  \
    {                                                                                  \
        return of[number];                                                             \
    }
    WEIRI_SYCL_LETTERS(WEIRI_SYCL_ELEMENT)
    WEIRI_SYCL_ELEMENT(s0, 0)
    WEIRI_SYCL_ELEMENT(s1, 1)
    WEIRI_SYCL_ELEMENT(s2, 2)
    WEIRI_SYCL_ELEMENT(s3, 3)
    WEIRI_SYCL_ELEMENT(s4, 4)
    WEIRI_SYCL_ELEMENT(s5, 5)
    WEIRI_SYCL_ELEMENT(s6, 6)
    WEIRI_SYCL_ELEMENT(s7, 7)
    WEIRI_SYCL_ELEMENT(s8, 8)
    WEIRI_SYCL_ELEMENT(s9, 9)
    WEIRI_SYCL_ELEMENT(sA, 10)
    WEIRI_SYCL_ELEMENT(sB, 11)
    WEIRI_SYCL_ELEMENT(sC, 12)
    WEIRI_SYCL_ELEMENT(sD, 13)
    WEIRI_SYCL_ELEMENT(sE, 14)
    WEIRI_SYCL_ELEMENT(sF, 15)
#undef WEIRI_SYCL_ELEMENT

#define WEIRI_SYCL_HALF(name, first, step)                                             \
  private:                                                                             \
    template <class V_, int... I_>                                                     \
    static WEIRI_SYCL_INLINE auto name##_of(                                           \
        V_ &v, std::integer_sequence<int, I_...>) noexcept                             \
    {                                                                                  \
        return weiri::swizzled<V_, (first + I_ * step)...>(v);                         \
    }                                                                                  \
                                                                                       \
  public:                                                                              \
    template <int M_ = N_, class = std::enable_if_t<(M_ > 1)>>                         \
    WEIRI_SYCL_INLINE auto name() noexcept                                             \
    {                                                                                  \
        return name##_of(*this, std::make_integer_sequence<int, (room / 2)>());        \
    }                                                                                  \
    template <int M_ = N_, class = std::enable_if_t<(M_ > 1)>>                         \
    WEIRI_SYCL_INLINE auto name() const noexcept                                       \
    {                                                                                  \
        return name##_of(*this, std::make_integer_sequence<int, (room / 2)>());        \
    }
    WEIRI_SYCL_HALF(lo, 0, 1)
    WEIRI_SYCL_HALF(hi, room / 2, 1)
    WEIRI_SYCL_HALF(even, 0, 2)
    WEIRI_SYCL_HALF(odd, 1, 2)
#undef WEIRI_SYCL_HALF

#include "swizzles.hpp"

#define WEIRI_SYCL_OP(op)                                                              \
    friend WEIRI_SYCL_INLINE constexpr vec operator op(const vec &a,                   \
                                                       const vec &b) noexcept          \
    {                                                                                  \
        vec result;                                                                    \
        for (int k = 0; k < N_; k++) {                                                 \
            result.of[k] = static_cast<T_>(a.of[k] op b.of[k]);                        \
        }                                                                              \
        return result;                                                                 \
    }                                                                                  \
    friend WEIRI_SYCL_INLINE constexpr vec &operator op##=(vec &a,                     \
                                                           const vec &b) noexcept      \
    {                                                                                  \
        for (int k = 0; k < N_; k++) {                                                 \
            a.of[k] = static_cast<T_>(a.of[k] op b.of[k]);                             \
        }                                                                              \
        return a;                                                                      \
    }
    WEIRI_SYCL_ARITHMETIC(WEIRI_SYCL_OP)
    WEIRI_SYCL_OP(<<)
    WEIRI_SYCL_OP(>>)
#undef WEIRI_SYCL_OP

#define WEIRI_SYCL_OP(op)                                                              \
    friend WEIRI_SYCL_INLINE constexpr vec<weiri::truth<T_>, N_> operator op(          \
        const vec &a, const vec &b) noexcept                                           \
    {                                                                                  \
        vec<weiri::truth<T_>, N_> result;                                              \
        for (int k = 0; k < N_; k++) {                                                 \
            result[k] = (a.of[k] op b.of[k]) ? -1 : 0;                                 \
        }                                                                              \
        return result;                                                                 \
    }
    WEIRI_SYCL_COMPARISONS(WEIRI_SYCL_OP)
    WEIRI_SYCL_OP(&&)
    WEIRI_SYCL_OP(||)
#undef WEIRI_SYCL_OP

    friend WEIRI_SYCL_INLINE constexpr vec operator-(const vec &a) noexcept
    {
        vec result;
        for (int k = 0; k < N_; k++) {
            result.of[k] = static_cast<T_>(-a.of[k]);
        }
        return result;
    }
    friend WEIRI_SYCL_INLINE constexpr vec operator+(const vec &a) noexcept
    {
        return a;
    }
    friend WEIRI_SYCL_INLINE constexpr vec operator~(const vec &a) noexcept
    {
        vec result;
        for (int k = 0; k < N_; k++) {
            result.of[k] = static_cast<T_>(~a.of[k]);
        }
        return result;
    }
    friend WEIRI_SYCL_INLINE constexpr vec<weiri::truth<T_>, N_> operator!(
        const vec &a) noexcept
    {
        vec<weiri::truth<T_>, N_> result;
        for (int k = 0; k < N_; k++) {
            result[k] = !a.of[k] ? -1 : 0;
        }
        return result;
    }
    friend WEIRI_SYCL_INLINE vec &operator++(vec &a) noexcept
    {
        return a += vec(T_(1));
    }
    friend WEIRI_SYCL_INLINE vec &operator--(vec &a) noexcept
    {
        return a -= vec(T_(1));
    }
    friend WEIRI_SYCL_INLINE vec operator++(vec &a, int) noexcept
    {
        vec before(a);
        a += vec(T_(1));
        return before;
    }
    friend WEIRI_SYCL_INLINE vec operator--(vec &a, int) noexcept
    {
        vec before(a);
        a -= vec(T_(1));
        return before;
    }
};

template <class T_, class... U_,
          class = std::enable_if_t<(std::is_same_v<T_, U_> && ...)>>
vec(T_, U_...) -> vec<T_, static_cast<int>(sizeof...(U_)) + 1>;

#define WEIRI_SYCL_ALIASES(T_, name)                                                   \
    using name##2 = vec<T_, 2>;                                                        \
    using name##3 = vec<T_, 3>;                                                        \
    using name##4 = vec<T_, 4>;                                                        \
    using name##8 = vec<T_, 8>;                                                        \
    using name##16 = vec<T_, 16>;                                                      \
    using cl_##name##2 = name##2; /* of SYCL 1.2.1 */                                  \
    using cl_##name##3 = name##3;                                                      \
    using cl_##name##4 = name##4;                                                      \
    using cl_##name##8 = name##8;                                                      \
    using cl_##name##16 = name##16;
using schar = signed char;
using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;
using longlong = long long;
using ulonglong = unsigned long long;
WEIRI_SYCL_ALIASES(std::int8_t, char)
WEIRI_SYCL_ALIASES(std::int8_t, schar)
WEIRI_SYCL_ALIASES(std::uint8_t, uchar)
WEIRI_SYCL_ALIASES(std::int16_t, short)
WEIRI_SYCL_ALIASES(std::uint16_t, ushort)
WEIRI_SYCL_ALIASES(std::int32_t, int)
WEIRI_SYCL_ALIASES(std::uint32_t, uint)
WEIRI_SYCL_ALIASES(std::int64_t, long)
WEIRI_SYCL_ALIASES(std::uint64_t, ulong)
WEIRI_SYCL_ALIASES(std::int64_t, longlong)
WEIRI_SYCL_ALIASES(std::uint64_t, ulonglong)
WEIRI_SYCL_ALIASES(half, half)
WEIRI_SYCL_ALIASES(float, float)
WEIRI_SYCL_ALIASES(double, double)
#undef WEIRI_SYCL_ALIASES

/* ---- marray ---------------------------------------------------------------------- */

template <class T_, std::size_t N_> class marray
{
    T_ of[N_];

  public:
    using value_type = T_;
    using reference = T_ &;
    using const_reference = const T_ &;
    using iterator = T_ *;
    using const_iterator = const T_ *;

    constexpr marray() noexcept : of{}
    {
    }
    explicit constexpr marray(const T_ &value) noexcept : of{}
    {
        for (T_ &one : of) {
            one = value;
        }
    }
    template <class... U_,
              class = std::enable_if_t<sizeof...(U_) == N_ && (N_ > 1)
                                       && (std::is_convertible_v<U_, T_> && ...)>>
    constexpr marray(const U_ &...values) noexcept : of{ static_cast<T_>(values)... }
    {
    }
    static constexpr std::size_t size() noexcept
    {
        return N_;
    }
    constexpr T_ &operator[](std::size_t k) noexcept
    {
        return of[k];
    }
    constexpr const T_ &operator[](std::size_t k) const noexcept
    {
        return of[k];
    }
    iterator begin() noexcept
    {
        return of;
    }
    const_iterator begin() const noexcept
    {
        return of;
    }
    iterator end() noexcept
    {
        return of + N_;
    }
    const_iterator end() const noexcept
    {
        return of + N_;
    }

#define WEIRI_SYCL_OP(op)                                                              \
    friend constexpr marray operator op(const marray &a, const marray &b) noexcept     \
    {                                                                                  \
        marray result;                                                                 \
        for (std::size_t k = 0; k < N_; k++) {                                         \
            result.of[k] = static_cast<T_>(a.of[k] op b.of[k]);                        \
        }                                                                              \
        return result;                                                                 \
    }                                                                                  \
    friend constexpr marray operator op(const marray &a, const T_ &b) noexcept         \
    {                                                                                  \
        return a op marray(b);                                                         \
    }                                                                                  \
    friend constexpr marray operator op(const T_ &a, const marray &b) noexcept         \
    {                                                                                  \
        return marray(a) op b;                                                         \
    }                                                                                  \
    friend constexpr marray &operator op##=(marray &a, const marray &b) noexcept       \
    {                                                                                  \
        return a = a op b;                                                             \
    }                                                                                  \
    friend constexpr marray &operator op##=(marray &a, const T_ &b) noexcept           \
    {                                                                                  \
        return a = a op marray(b);                                                     \
    }
    WEIRI_SYCL_ARITHMETIC(WEIRI_SYCL_OP)
#undef WEIRI_SYCL_OP
#define WEIRI_SYCL_OP(op)                                                              \
    friend constexpr marray<bool, N_> operator op(const marray &a,                     \
                                                  const marray &b) noexcept            \
    {                                                                                  \
        marray<bool, N_> result;                                                       \
        for (std::size_t k = 0; k < N_; k++) {                                         \
            result[k] = a.of[k] op b.of[k];                                            \
        }                                                                              \
        return result;                                                                 \
    }
    WEIRI_SYCL_COMPARISONS(WEIRI_SYCL_OP)
#undef WEIRI_SYCL_OP
};

} // namespace sycl

#endif
