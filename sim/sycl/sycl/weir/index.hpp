/* SPDX-License-Identifier: MIT
 *
 * index.hpp: ranges and ids: [SYCL20] 4.9.1. Both are D numbers with the same
 * arithmetic, which one base class defines. The last dimension is the fastest, as
 * everywhere in Weir. */
#ifndef WEIR_SYCL_INDEX_HPP
#define WEIR_SYCL_INDEX_HPP

#include "machine.hpp"

namespace sycl
{

enum class memory_order : int {
    relaxed = 0,
    acquire = 2,
    release = 3,
    acq_rel = 4,
    seq_cst = 5,
};
inline constexpr auto memory_order_relaxed = memory_order::relaxed;
inline constexpr auto memory_order_acquire = memory_order::acquire;
inline constexpr auto memory_order_release = memory_order::release;
inline constexpr auto memory_order_acq_rel = memory_order::acq_rel;
inline constexpr auto memory_order_seq_cst = memory_order::seq_cst;

enum class memory_scope : int { work_item, sub_group, work_group, device, system };
inline constexpr auto memory_scope_work_item = memory_scope::work_item;
inline constexpr auto memory_scope_sub_group = memory_scope::sub_group;
inline constexpr auto memory_scope_work_group = memory_scope::work_group;
inline constexpr auto memory_scope_device = memory_scope::device;
inline constexpr auto memory_scope_system = memory_scope::system;

namespace access
{
enum class fence_space { local_space = 1, global_space = 2, global_and_local = 3 };
}

/* ---- Ids and ranges -------------------------------------------------------------- */

template <int D_ = 1> class id;
template <int D_ = 1> class range;
template <int D_ = 1, bool Offset = true> class item;

} // namespace sycl

namespace weiri
{

/* The product; the largest number if that is larger. */
constexpr std::size_t times(std::size_t a, std::size_t b) noexcept
{
    std::size_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

/* D numbers: what ids and ranges have in common. */
template <int D_, class Self> class numbers
{
    static_assert(D_ >= 1 && D_ <= 3, "ids and ranges have 1 to 3 dimensions");

  protected:
    std::size_t of[D_] = {};

  public:
    static constexpr int dimensions = D_;

    constexpr numbers() noexcept = default;
    constexpr explicit numbers(std::size_t x) noexcept : of{ x }
    {
    }
    constexpr numbers(std::size_t x, std::size_t y) noexcept : of{ x, y }
    {
    }
    constexpr numbers(std::size_t x, std::size_t y, std::size_t z) noexcept
        : of{ x, y, z }
    {
    }

    constexpr std::size_t get(int dimension) const noexcept
    {
        return of[dimension];
    }
    constexpr std::size_t &operator[](int dimension) noexcept
    {
        return of[dimension];
    }
    constexpr std::size_t operator[](int dimension) const noexcept
    {
        return of[dimension];
    }

    friend constexpr bool operator==(const Self &a, const Self &b) noexcept
    {
        for (int d = 0; d < D_; d++) {
            if (a.of[d] != b.of[d]) {
                return false;
            }
        }
        return true;
    }
    friend constexpr bool operator!=(const Self &a, const Self &b) noexcept
    {
        return !(a == b);
    }

#define WEIRI_SYCL_OP(op)                                                              \
    friend constexpr Self operator op(const Self &a, const Self &b) noexcept           \
    {                                                                                  \
        Self result(a);                                                                \
        for (int d = 0; d < D_; d++) {                                                 \
            result.of[d] = static_cast<std::size_t>(a.of[d] op b.of[d]);               \
        }                                                                              \
        return result;                                                                 \
    }                                                                                  \
    template <class N_, class = std::enable_if_t<std::is_integral_v<N_>>>              \
    friend constexpr Self operator op(const Self &a, N_ n) noexcept                    \
    {                                                                                  \
        Self result(a);                                                                \
        for (int d = 0; d < D_; d++) {                                                 \
            result.of[d]                                                               \
                = static_cast<std::size_t>(a.of[d] op static_cast<std::size_t>(n));    \
        }                                                                              \
        return result;                                                                 \
    }                                                                                  \
    template <class N_, class = std::enable_if_t<std::is_integral_v<N_>>>              \
    friend constexpr Self operator op(N_ n, const Self &b) noexcept                    \
    {                                                                                  \
        Self result(b);                                                                \
        for (int d = 0; d < D_; d++) {                                                 \
            result.of[d]                                                               \
                = static_cast<std::size_t>(static_cast<std::size_t>(n) op b.of[d]);    \
        }                                                                              \
        return result;                                                                 \
    }
    WEIRI_SYCL_ARITHMETIC(WEIRI_SYCL_OP)
    WEIRI_SYCL_OP(<<)
    WEIRI_SYCL_OP(>>)
    WEIRI_SYCL_OP(&&)
    WEIRI_SYCL_OP(||)
    WEIRI_SYCL_OP(<)
    WEIRI_SYCL_OP(>)
    WEIRI_SYCL_OP(<=)
    WEIRI_SYCL_OP(>=)
#undef WEIRI_SYCL_OP

#define WEIRI_SYCL_OP(op)                                                              \
    friend constexpr Self &operator op(Self &a, const Self &b) noexcept                \
    {                                                                                  \
        for (int d = 0; d < D_; d++) {                                                 \
            a.of[d] op b.of[d];                                                        \
        }                                                                              \
        return a;                                                                      \
    }                                                                                  \
    friend constexpr Self &operator op(Self &a, std::size_t n) noexcept                \
    {                                                                                  \
        for (int d = 0; d < D_; d++) {                                                 \
            a.of[d] op n;                                                              \
        }                                                                              \
        return a;                                                                      \
    }
#define WEIRI_SYCL_STEP(op)                                                            \
    friend constexpr Self &operator op(Self &a) noexcept                               \
    {                                                                                  \
        for (int d = 0; d < D_; d++) {                                                 \
            op a.of[d];                                                                \
        }                                                                              \
        return a;                                                                      \
    }                                                                                  \
    friend constexpr Self operator op(Self &a, int) noexcept                           \
    {                                                                                  \
        const Self before(a);                                                          \
        op a;                                                                          \
        return before;                                                                 \
    }
    WEIRI_SYCL_STEP(++)
    WEIRI_SYCL_STEP(--)
#undef WEIRI_SYCL_STEP
    WEIRI_SYCL_OP(+=)
    WEIRI_SYCL_OP(-=)
    WEIRI_SYCL_OP(*=)
    WEIRI_SYCL_OP(/=)
    WEIRI_SYCL_OP(%=)
    WEIRI_SYCL_OP(<<=)
    WEIRI_SYCL_OP(>>=)
    WEIRI_SYCL_OP(&=)
    WEIRI_SYCL_OP(|=)
    WEIRI_SYCL_OP(^=)
#undef WEIRI_SYCL_OP
};

/* Ids and items of one dimension are numbers. No template: indexing a pointer converts
 * them. */
template <int D_, class Self> struct as_number {
};
template <class Self> struct as_number<1, Self> {
    WEIRI_SYCL_INLINE constexpr operator std::size_t() const noexcept
    {
        return static_cast<const Self *>(this)->operator[](0);
    }
};

/* Types that can stand for a size: numbers, enumerators, and objects that convert to
 * one, but not ids and items, which have constructors of their own. */
template <class N_> struct is_index : std::false_type {
};
template <int D_> struct is_index<sycl::id<D_>> : std::true_type {
};
template <int D_> struct is_index<sycl::range<D_>> : std::true_type {
};
template <int D_, bool O_> struct is_index<sycl::item<D_, O_>> : std::true_type {
};
template <class N_>
inline constexpr bool is_size
    = std::is_arithmetic_v<
          N_> || (std::is_convertible_v<N_, std::size_t> && !is_index<N_>::value);
template <class... N_>
using all_sizes = std::enable_if_t<(is_size<std::decay_t<N_>> && ...)>;

} // namespace weiri

namespace sycl
{

template <int D_>
class id : public weiri::numbers<D_, id<D_>>, public weiri::as_number<D_, id<D_>>
{
    using base = weiri::numbers<D_, id<D_>>;

  public:
    constexpr id() noexcept = default;
    template <class... N_, class = weiri::all_sizes<N_...>,
              class = std::enable_if_t<sizeof...(N_) == D_>>
    constexpr id(N_... n) noexcept : base(static_cast<std::size_t>(n)...)
    {
    }
    constexpr id(const range<D_> &range) noexcept;
    template <bool Offset> constexpr id(const item<D_, Offset> &item) noexcept;
};
id()->id<1>;
template <class X_, class = weiri::all_sizes<X_>> id(X_) -> id<1>;
template <class X_, class Y_, class = weiri::all_sizes<X_, Y_>> id(X_, Y_) -> id<2>;
template <class X_, class Y_, class Z_, class = weiri::all_sizes<X_, Y_, Z_>>
id(X_, Y_, Z_) -> id<3>;

template <int D_> class range : public weiri::numbers<D_, range<D_>>
{
    using base = weiri::numbers<D_, range<D_>>;

  public:
    constexpr range() noexcept = default;
    template <class... N_, class = weiri::all_sizes<N_...>,
              class = std::enable_if_t<sizeof...(N_) == D_>>
    constexpr range(N_... n) noexcept : base(static_cast<std::size_t>(n)...)
    {
    }
    template <int E_ = D_, class = std::enable_if_t<E_ == 1>>
    constexpr range(const id<1> &n) noexcept : base(n.get(0))
    {
    }

    constexpr std::size_t size() const noexcept
    {
        std::size_t product = 1;
        for (int d = 0; d < D_; d++) {
            product = weiri::times(product, this->of[d]);
        }
        return product;
    }
};
range()->range<1>;
template <class X_, class = weiri::all_sizes<X_>> range(X_) -> range<1>;
template <class X_, class Y_, class = weiri::all_sizes<X_, Y_>>
range(X_, Y_) -> range<2>;
template <class X_, class Y_, class Z_, class = weiri::all_sizes<X_, Y_, Z_>>
range(X_, Y_, Z_) -> range<3>;

template <int D_> constexpr id<D_>::id(const range<D_> &range) noexcept
{
    for (int d = 0; d < D_; d++) {
        this->of[d] = range.get(d);
    }
}

/* An id of one dimension compares with numbers as the number that it is. */
#define WEIRI_SYCL_OP(op)                                                              \
    template <class N_, class = std::enable_if_t<std::is_integral_v<N_>>>              \
    constexpr bool operator op(const id<1> &a, N_ n) noexcept                          \
    {                                                                                  \
        return a.get(0) op static_cast<std::size_t>(n);                                \
    }                                                                                  \
    template <class N_, class = std::enable_if_t<std::is_integral_v<N_>>>              \
    constexpr bool operator op(N_ n, const id<1> &a) noexcept                          \
    {                                                                                  \
        return static_cast<std::size_t>(n) op a.get(0);                                \
    }
WEIRI_SYCL_OP(==)
WEIRI_SYCL_OP(!=)
#undef WEIRI_SYCL_OP

template <int D_ = 1> class nd_range
{
    range<D_> global_, local_;
    id<D_> offset_;

  public:
    static constexpr int dimensions = D_;
    nd_range(range<D_> global, range<D_> local, id<D_> offset = id<D_>()) noexcept
        : global_(global), local_(local), offset_(offset)
    {
    }
    range<D_> get_global_range() const noexcept
    {
        return global_;
    }
    range<D_> get_local_range() const noexcept
    {
        return local_;
    }
    range<D_> get_group_range() const noexcept
    {
        return global_ / local_;
    }
    id<D_> get_offset() const noexcept
    {
        return offset_;
    }

    friend bool operator==(const nd_range &a, const nd_range &b) noexcept
    {
        return a.global_ == b.global_ && a.local_ == b.local_ && a.offset_ == b.offset_;
    }
    friend bool operator!=(const nd_range &a, const nd_range &b) noexcept
    {
        return !(a == b);
    }
};
template <class X_, class Y_, class = weiri::all_sizes<X_, Y_>>
nd_range(X_, Y_) -> nd_range<1>;

} // namespace sycl

#endif
