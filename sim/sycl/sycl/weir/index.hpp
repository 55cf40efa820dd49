/* SPDX-License-Identifier: MIT
 *
 * index.hpp: ranges and ids: [SYCL20] 4.9.1. */
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

template <int D = 1> class id;
template <int D = 1> class range;
template <int D = 1, bool Offset = true> class item;

} // namespace sycl

namespace weiri
{

/* D numbers: what ids and ranges have in common. */
template <int D, class Self> class numbers
{
    static_assert(D >= 1 && D <= 3, "ids and ranges have 1 to 3 dimensions");

  protected:
    std::size_t of[D] = {};

  public:
    static constexpr int dimensions = D;

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
        for (int d = 0; d < D; d++) {
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
        for (int d = 0; d < D; d++) {                                                  \
            result.of[d] = static_cast<std::size_t>(a.of[d] op b.of[d]);               \
        }                                                                              \
        return result;                                                                 \
    }                                                                                  \
    template <class N, class = std::enable_if_t<std::is_integral_v<N>>>                \
    friend constexpr Self operator op(const Self &a, N n) noexcept                     \
    {                                                                                  \
        Self result(a);                                                                \
        for (int d = 0; d < D; d++) {                                                  \
            result.of[d]                                                               \
                = static_cast<std::size_t>(a.of[d] op static_cast<std::size_t>(n));    \
        }                                                                              \
        return result;                                                                 \
    }                                                                                  \
    template <class N, class = std::enable_if_t<std::is_integral_v<N>>>                \
    friend constexpr Self operator op(N n, const Self &b) noexcept                     \
    {                                                                                  \
        Self result(b);                                                                \
        for (int d = 0; d < D; d++) {                                                  \
            result.of[d]                                                               \
                = static_cast<std::size_t>(static_cast<std::size_t>(n) op b.of[d]);    \
        }                                                                              \
        return result;                                                                 \
    }
    WEIRI_SYCL_OP(+)
    WEIRI_SYCL_OP(-)
    WEIRI_SYCL_OP(*)
    WEIRI_SYCL_OP(/)
    WEIRI_SYCL_OP(%)
    WEIRI_SYCL_OP(<<)
    WEIRI_SYCL_OP(>>)
    WEIRI_SYCL_OP(&)
    WEIRI_SYCL_OP(|)
    WEIRI_SYCL_OP(^)
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
        for (int d = 0; d < D; d++) {                                                  \
            a.of[d] op b.of[d];                                                        \
        }                                                                              \
        return a;                                                                      \
    }                                                                                  \
    friend constexpr Self &operator op(Self &a, std::size_t n) noexcept                \
    {                                                                                  \
        for (int d = 0; d < D; d++) {                                                  \
            a.of[d] op n;                                                              \
        }                                                                              \
        return a;                                                                      \
    }
#define WEIRI_SYCL_STEP(op)                                                            \
    friend constexpr Self &operator op(Self &a) noexcept                               \
    {                                                                                  \
        for (int d = 0; d < D; d++) {                                                  \
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
template <int D, class Self> struct as_number {
};
template <class Self> struct as_number<1, Self> {
    WEIRI_SYCL_INLINE constexpr operator std::size_t() const noexcept
    {
        return static_cast<const Self *>(this)->operator[](0);
    }
};

template <class... N>
using all_integral = std::enable_if_t<(std::is_integral_v<std::decay_t<N>> && ...)>;

} // namespace weiri

namespace sycl
{

template <int D>
class id : public weiri::numbers<D, id<D>>, public weiri::as_number<D, id<D>>
{
    using base = weiri::numbers<D, id<D>>;

  public:
    constexpr id() noexcept = default;
    template <class... N, class = weiri::all_integral<N...>,
              class = std::enable_if_t<sizeof...(N) == D>>
    constexpr id(N... n) noexcept : base(static_cast<std::size_t>(n)...)
    {
    }
    constexpr id(const range<D> &range) noexcept;
    template <bool Offset> constexpr id(const item<D, Offset> &item) noexcept;
};
id()->id<1>;
template <class X, class = weiri::all_integral<X>> id(X) -> id<1>;
template <class X, class Y, class = weiri::all_integral<X, Y>> id(X, Y) -> id<2>;
template <class X, class Y, class Z, class = weiri::all_integral<X, Y, Z>>
id(X, Y, Z) -> id<3>;

template <int D> class range : public weiri::numbers<D, range<D>>
{
    using base = weiri::numbers<D, range<D>>;

  public:
    constexpr range() noexcept = default;
    template <class... N, class = weiri::all_integral<N...>,
              class = std::enable_if_t<sizeof...(N) == D>>
    constexpr range(N... n) noexcept : base(static_cast<std::size_t>(n)...)
    {
    }
    template <int E = D, class = std::enable_if_t<E == 1>>
    constexpr range(const id<1> &n) noexcept : base(n.get(0))
    {
    }

    constexpr std::size_t size() const noexcept
    {
        std::size_t product = 1;
        for (int d = 0; d < D; d++) {
            product *= this->of[d];
        }
        return product;
    }
};
range()->range<1>;
template <class X, class = weiri::all_integral<X>> range(X) -> range<1>;
template <class X, class Y, class = weiri::all_integral<X, Y>> range(X, Y) -> range<2>;
template <class X, class Y, class Z, class = weiri::all_integral<X, Y, Z>>
range(X, Y, Z) -> range<3>;

template <int D> constexpr id<D>::id(const range<D> &range) noexcept
{
    for (int d = 0; d < D; d++) {
        this->of[d] = range.get(d);
    }
}

/* An id of one dimension compares with numbers as the number that it is. */
#define WEIRI_SYCL_OP(op)                                                              \
    template <class N, class = std::enable_if_t<std::is_integral_v<N>>>                \
    constexpr bool operator op(const id<1> &a, N n) noexcept                           \
    {                                                                                  \
        return a.get(0) op static_cast<std::size_t>(n);                                \
    }                                                                                  \
    template <class N, class = std::enable_if_t<std::is_integral_v<N>>>                \
    constexpr bool operator op(N n, const id<1> &a) noexcept                           \
    {                                                                                  \
        return static_cast<std::size_t>(n) op a.get(0);                                \
    }
WEIRI_SYCL_OP(==)
WEIRI_SYCL_OP(!=)
#undef WEIRI_SYCL_OP

template <int D = 1> class nd_range
{
    range<D> global_, local_;
    id<D> offset_;

  public:
    static constexpr int dimensions = D;
    nd_range(range<D> global, range<D> local, id<D> offset = id<D>()) noexcept
        : global_(global), local_(local), offset_(offset)
    {
    }
    range<D> get_global_range() const noexcept
    {
        return global_;
    }
    range<D> get_local_range() const noexcept
    {
        return local_;
    }
    range<D> get_group_range() const noexcept
    {
        return global_ / local_;
    }
    id<D> get_offset() const noexcept
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
template <class X, class Y, class = weiri::all_integral<X, Y>>
nd_range(X, Y) -> nd_range<1>;

} // namespace sycl

#endif
