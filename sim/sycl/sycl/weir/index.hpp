/* SPDX-License-Identifier: MIT
 *
 * index.hpp: ranges, ids, and what an item knows of its place: [SYCL20] 4.9.1. */
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

/* ---- Items ----------------------------------------------------------------------- */

namespace weiri
{

/* An item's place, as the loop around the kernel has it. */
template <int D> struct place {
    const weiri_shape *shape;
    std::size_t linear; /* in the group */
    std::size_t local[D];

    WEIRI_SYCL_INLINE explicit place(const weir_item &item) noexcept
        : shape(item.shape), linear(item.local_linear)
    {
        for (int d = 0; d < D; d++) {
            local[d] = item.local[d];
        }
    }
    WEIRI_SYCL_INLINE place(const weiri_shape *shape_, std::size_t linear_) noexcept
        : shape(shape_), linear(linear_), local{ linear_ }
    {
    }
    WEIRI_SYCL_INLINE std::size_t global(int d) const noexcept
    {
        return shape->group[d] * shape->local[d] + local[d];
    }
    WEIRI_SYCL_INLINE std::size_t global_linear() const noexcept
    {
        std::size_t linear_ = global(0);
        for (int d = 1; d < D; d++) {
            linear_ = linear_ * shape->global[d] + global(d);
        }
        return linear_;
    }
};

template <template <int> class C, int D, class Get>
WEIRI_SYCL_INLINE C<D> collect(Get get) noexcept
{
    C<D> result;
    for (int d = 0; d < D; d++) {
        result[d] = get(d);
    }
    return result;
}

} // namespace weiri

namespace sycl
{

/* An item of a launch without groups. The range may be smaller than what runs: see
 * queue.hpp. */
template <int D, bool Offset> class item : public weiri::as_number<D, item<D, Offset>>
{
    id<D> id_;
    range<D> range_;
    id<D> offset_;

  public:
    static constexpr int dimensions = D;
    WEIRI_SYCL_INLINE item(id<D> id, range<D> range, sycl::id<D> offset) noexcept
        : id_(id), range_(range), offset_(offset)
    {
    }
    WEIRI_SYCL_INLINE sycl::id<D> get_id() const noexcept
    {
        return id_;
    }
    WEIRI_SYCL_INLINE std::size_t get_id(int d) const noexcept
    {
        return id_.get(d);
    }
    WEIRI_SYCL_INLINE std::size_t operator[](int d) const noexcept
    {
        return id_.get(d);
    }
    WEIRI_SYCL_INLINE sycl::range<D> get_range() const noexcept
    {
        return range_;
    }
    WEIRI_SYCL_INLINE std::size_t get_range(int d) const noexcept
    {
        return range_.get(d);
    }
    WEIRI_SYCL_INLINE sycl::id<D> get_offset() const noexcept
    {
        return offset_;
    }
    WEIRI_SYCL_INLINE std::size_t get_linear_id() const noexcept
    {
        std::size_t linear = id_.get(0) - offset_.get(0);
        for (int d = 1; d < D; d++) {
            linear = linear * range_.get(d) + (id_.get(d) - offset_.get(d));
        }
        return linear;
    }
    WEIRI_SYCL_INLINE operator item<D, !Offset>() const noexcept
    {
        return { id_, range_, offset_ };
    }
};

template <int D>
template <bool Offset>
constexpr id<D>::id(const item<D, Offset> &item) noexcept : id(item.get_id())
{
}

template <int D = 1> class group;
class device_event;
template <int D = 1> class nd_item;
class sub_group;

} // namespace sycl

namespace weiri
{
/* What the operations of a group need of it. */
struct group_access {
    template <class G> static WEIRI_SYCL_INLINE auto &place_of(const G &g) noexcept
    {
        return g.place_;
    }
};
} // namespace weiri

namespace sycl
{

template <int D> class group
{
    friend struct weiri::group_access;
    weiri::place<D> place_;

  public:
    using id_type = id<D>;
    using range_type = range<D>;
    using linear_id_type = std::size_t;
    static constexpr int dimensions = D;
    static constexpr memory_scope fence_scope = memory_scope::work_group;

    WEIRI_SYCL_INLINE explicit group(const weiri::place<D> &place) noexcept
        : place_(place)
    {
    }

    WEIRI_SYCL_INLINE id<D> get_group_id() const noexcept
    {
        return weiri::collect<id, D>([&](int d) { return place_.shape->group[d]; });
    }
    WEIRI_SYCL_INLINE std::size_t get_group_id(int d) const noexcept
    {
        return place_.shape->group[d];
    }
    WEIRI_SYCL_INLINE id<D> get_id() const noexcept
    {
        return get_group_id();
    }
    WEIRI_SYCL_INLINE std::size_t get_id(int d) const noexcept
    {
        return get_group_id(d);
    }
    WEIRI_SYCL_INLINE std::size_t operator[](int d) const noexcept
    {
        return get_group_id(d);
    }
    WEIRI_SYCL_INLINE id<D> get_local_id() const noexcept
    {
        return weiri::collect<id, D>([&](int d) { return place_.local[d]; });
    }
    WEIRI_SYCL_INLINE std::size_t get_local_id(int d) const noexcept
    {
        return place_.local[d];
    }
    WEIRI_SYCL_INLINE range<D> get_local_range() const noexcept
    {
        return weiri::collect<range, D>([&](int d) { return place_.shape->local[d]; });
    }
    WEIRI_SYCL_INLINE std::size_t get_local_range(int d) const noexcept
    {
        return place_.shape->local[d];
    }
    WEIRI_SYCL_INLINE range<D> get_max_local_range() const noexcept
    {
        return get_local_range();
    }
    WEIRI_SYCL_INLINE range<D> get_group_range() const noexcept
    {
        return weiri::collect<range, D>([&](int d) { return place_.shape->groups[d]; });
    }
    WEIRI_SYCL_INLINE std::size_t get_group_range(int d) const noexcept
    {
        return place_.shape->groups[d];
    }
    WEIRI_SYCL_INLINE range<D> get_global_range() const noexcept
    {
        return weiri::collect<range, D>([&](int d) { return place_.shape->global[d]; });
    }
    WEIRI_SYCL_INLINE std::size_t get_global_range(int d) const noexcept
    {
        return place_.shape->global[d];
    }
    WEIRI_SYCL_INLINE std::size_t get_group_linear_id() const noexcept
    {
        return place_.shape->group_linear;
    }
    WEIRI_SYCL_INLINE std::size_t get_linear_id() const noexcept
    {
        return get_group_linear_id();
    }
    WEIRI_SYCL_INLINE std::size_t get_local_linear_id() const noexcept
    {
        return place_.linear;
    }
    WEIRI_SYCL_INLINE std::size_t get_group_linear_range() const noexcept
    {
        return get_group_range().size();
    }
    WEIRI_SYCL_INLINE std::size_t get_local_linear_range() const noexcept
    {
        return place_.shape->items;
    }
    WEIRI_SYCL_INLINE bool leader() const noexcept
    {
        return place_.linear == 0;
    }

    /* In parallel_for_work_group(): hierarchical.hpp. */
    template <class F> void parallel_for_work_item(const F &f) const;
    template <class F> void parallel_for_work_item(range<D> logical, const F &f) const;
    void mem_fence(access::fence_space = access::fence_space::global_and_local) const
    {
    }

    template <class T>
    device_event async_work_group_copy(T to, T from, std::size_t n) const;
};

class sub_group
{
    friend struct weiri::group_access;
    weiri::place<1> place_;

    WEIRI_SYCL_INLINE std::uint32_t size() const noexcept
    {
        const std::uint32_t whole = place_.shape->sub_group_size;
        const auto rest = static_cast<std::uint32_t>(place_.shape->items)
            - (static_cast<std::uint32_t>(place_.linear) & ~(whole - 1));
        return rest < whole ? rest : whole;
    }

  public:
    using id_type = id<1>;
    using range_type = range<1>;
    using linear_id_type = std::uint32_t;
    static constexpr int dimensions = 1;
    static constexpr memory_scope fence_scope = memory_scope::sub_group;

    template <int D>
    WEIRI_SYCL_INLINE explicit sub_group(const weiri::place<D> &place) noexcept
        : place_(place.shape, place.linear)
    {
    }
    WEIRI_SYCL_INLINE id<1> get_group_id() const noexcept
    {
        return place_.linear >> place_.shape->sub_group_shift;
    }
    WEIRI_SYCL_INLINE std::uint32_t get_group_linear_id() const noexcept
    {
        return static_cast<std::uint32_t>(get_group_id().get(0));
    }
    WEIRI_SYCL_INLINE id<1> get_local_id() const noexcept
    {
        return get_local_linear_id();
    }
    WEIRI_SYCL_INLINE std::uint32_t get_local_linear_id() const noexcept
    {
        return static_cast<std::uint32_t>(place_.linear)
            & (place_.shape->sub_group_size - 1);
    }
    WEIRI_SYCL_INLINE range<1> get_local_range() const noexcept
    {
        return size();
    }
    WEIRI_SYCL_INLINE std::uint32_t get_local_linear_range() const noexcept
    {
        return size();
    }
    WEIRI_SYCL_INLINE range<1> get_max_local_range() const noexcept
    {
        return place_.shape->sub_group_size;
    }
    WEIRI_SYCL_INLINE range<1> get_group_range() const noexcept
    {
        return get_group_linear_range();
    }
    WEIRI_SYCL_INLINE std::uint32_t get_group_linear_range() const noexcept
    {
        return (static_cast<std::uint32_t>(place_.shape->items)
                + place_.shape->sub_group_size - 1)
            >> place_.shape->sub_group_shift;
    }
    WEIRI_SYCL_INLINE bool leader() const noexcept
    {
        return get_local_linear_id() == 0;
    }

    /* Members of older versions are in algorithm.hpp, where they are defined. */
    template <class T> T shuffle(T value, id<1> source, weiri::here at = {}) const;
    template <class T> T shuffle_xor(T value, id<1> mask, weiri::here at = {}) const;
    template <class T>
    T shuffle_down(T value, std::uint32_t delta, weiri::here at = {}) const;
    template <class T>
    T shuffle_up(T value, std::uint32_t delta, weiri::here at = {}) const;
    template <class P> auto load(P source) const;
    template <int N, class P> auto load(P source) const;
    template <class P, class V> void store(P target, const V &value) const;
    template <int N, class P, class V> void store(P target, const V &value) const;
    void barrier(weiri::here at = {}) const;
    void barrier(access::fence_space space, weiri::here at = {}) const;
};

template <int D> class nd_item
{
    weiri::place<D> place_;
    id<D> offset_;

  public:
    static constexpr int dimensions = D;

    WEIRI_SYCL_INLINE nd_item(const weiri::weir_item &item,
                              id<D> offset = id<D>()) noexcept
        : place_(item), offset_(offset)
    {
    }

    WEIRI_SYCL_INLINE id<D> get_global_id() const noexcept
    {
        return weiri::collect<id, D>(
            [&](int d) { return place_.global(d) + offset_.get(d); });
    }
    WEIRI_SYCL_INLINE std::size_t get_global_id(int d) const noexcept
    {
        return place_.global(d) + offset_.get(d);
    }
    WEIRI_SYCL_INLINE std::size_t get_global_linear_id() const noexcept
    {
        return place_.global_linear();
    }
    WEIRI_SYCL_INLINE id<D> get_local_id() const noexcept
    {
        return get_group().get_local_id();
    }
    WEIRI_SYCL_INLINE std::size_t get_local_id(int d) const noexcept
    {
        return place_.local[d];
    }
    WEIRI_SYCL_INLINE std::size_t get_local_linear_id() const noexcept
    {
        return place_.linear;
    }
    WEIRI_SYCL_INLINE group<D> get_group() const noexcept
    {
        return group<D>(place_);
    }
    WEIRI_SYCL_INLINE std::size_t get_group(int d) const noexcept
    {
        return place_.shape->group[d];
    }
    WEIRI_SYCL_INLINE std::size_t get_group_linear_id() const noexcept
    {
        return place_.shape->group_linear;
    }
    WEIRI_SYCL_INLINE range<D> get_group_range() const noexcept
    {
        return get_group().get_group_range();
    }
    WEIRI_SYCL_INLINE std::size_t get_group_range(int d) const noexcept
    {
        return place_.shape->groups[d];
    }
    WEIRI_SYCL_INLINE sub_group get_sub_group() const noexcept
    {
        return sub_group(place_);
    }
    WEIRI_SYCL_INLINE range<D> get_global_range() const noexcept
    {
        return get_group().get_global_range();
    }
    WEIRI_SYCL_INLINE std::size_t get_global_range(int d) const noexcept
    {
        return place_.shape->global[d];
    }
    WEIRI_SYCL_INLINE range<D> get_local_range() const noexcept
    {
        return get_group().get_local_range();
    }
    WEIRI_SYCL_INLINE std::size_t get_local_range(int d) const noexcept
    {
        return place_.shape->local[d];
    }
    WEIRI_SYCL_INLINE id<D> get_offset() const noexcept
    {
        return offset_;
    }
    WEIRI_SYCL_INLINE nd_range<D> get_nd_range() const noexcept
    {
        return { get_global_range(), get_local_range(), offset_ };
    }

    void barrier(access::fence_space space = access::fence_space::global_and_local,
                 weiri::here at = {}) const;
    void mem_fence(access::fence_space space = access::fence_space::global_and_local,
                   weiri::here at = {}) const;
};

} // namespace sycl

#endif
