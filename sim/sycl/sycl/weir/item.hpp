/* SPDX-License-Identifier: MIT
 *
 * item.hpp: items and groups, and their place in the range: [SYCL20] 4.9.1. All classes
 * hold a place, which the loop around the kernel makes: the shape of the launch and the
 * item's local ids. Every other id is computed from it. */
#ifndef WEIR_SYCL_ITEM_HPP
#define WEIR_SYCL_ITEM_HPP

#include "index.hpp"

/* ---- Items ----------------------------------------------------------------------- */

namespace weiri
{

/* An item's place, as the loop around the kernel has it. */
template <int D_> struct place {
    const weiri_shape *shape;
    std::size_t linear; /* in the group */
    std::size_t local[D_];
#if WEIRI_SPLIT
    weir_group *group = nullptr; /* for stops */
#endif

    WEIRI_SYCL_INLINE explicit place(const weir_item &item) noexcept
        : shape(item.shape), linear(item.local_linear)
    {
        for (int d = 0; d < D_; d++) {
            local[d] = item.local[d];
        }
#if WEIRI_SPLIT
        group = item.group;
#endif
    }
    WEIRI_SYCL_INLINE place(const weiri_shape *shape_, std::size_t linear_) noexcept
        : shape(shape_), linear(linear_), local{ linear_ }
    {
    }
    /* The same item by its linear id. */
    template <int E_>
    WEIRI_SYCL_INLINE explicit place(const place<E_> &of) noexcept
        : place(of.shape, of.linear)
    {
#if WEIRI_SPLIT
        group = of.group;
#endif
    }
    WEIRI_SYCL_INLINE std::size_t global(int d) const noexcept
    {
        return shape->group[d] * shape->local[d] + local[d];
    }
    WEIRI_SYCL_INLINE std::size_t global_linear() const noexcept
    {
        std::size_t linear_ = global(0);
        for (int d = 1; d < D_; d++) {
            linear_ = linear_ * shape->global[d] + global(d);
        }
        return linear_;
    }
};

template <template <int> class C_, int D_, class Get>
WEIRI_SYCL_INLINE C_<D_> collect(Get get) noexcept
{
    C_<D_> result;
    for (int d = 0; d < D_; d++) {
        result[d] = get(d);
    }
    return result;
}

} // namespace weiri

namespace sycl
{

/* An item of a launch without groups. The range may be smaller than what runs: see
 * queue.hpp. */
template <int D_, bool Offset>
class item : public weiri::as_number<D_, item<D_, Offset>>
{
    id<D_> id_;
    range<D_> range_;
    id<D_> offset_;

  public:
    static constexpr int dimensions = D_;
    WEIRI_SYCL_INLINE item(id<D_> id, range<D_> range, sycl::id<D_> offset) noexcept
        : id_(id), range_(range), offset_(offset)
    {
    }
    WEIRI_SYCL_INLINE sycl::id<D_> get_id() const noexcept
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
    WEIRI_SYCL_INLINE sycl::range<D_> get_range() const noexcept
    {
        return range_;
    }
    WEIRI_SYCL_INLINE std::size_t get_range(int d) const noexcept
    {
        return range_.get(d);
    }
    WEIRI_SYCL_INLINE sycl::id<D_> get_offset() const noexcept
    {
        return offset_;
    }
    WEIRI_SYCL_INLINE std::size_t get_linear_id() const noexcept
    {
        std::size_t linear = id_.get(0) - offset_.get(0);
        for (int d = 1; d < D_; d++) {
            linear = linear * range_.get(d) + (id_.get(d) - offset_.get(d));
        }
        return linear;
    }
    WEIRI_SYCL_INLINE operator item<D_, !Offset>() const noexcept
    {
        return { id_, range_, offset_ };
    }
};

template <int D_>
template <bool Offset>
constexpr id<D_>::id(const item<D_, Offset> &item) noexcept : id(item.get_id())
{
}

template <int D_ = 1> class group;
class device_event;
template <int D_ = 1> class nd_item;
class sub_group;

} // namespace sycl

namespace weiri
{
struct event_at;
/* Access to the parts of a group that its operations need. */
struct group_access {
    template <class G_> static WEIRI_SYCL_INLINE auto &place_of(const G_ &g) noexcept
    {
        return g.place_;
    }
};
} // namespace weiri

namespace sycl
{

template <int D_> class group
{
    friend struct weiri::group_access;
    weiri::place<D_> place_;

  public:
    using id_type = id<D_>;
    using range_type = range<D_>;
    using linear_id_type = std::size_t;
    static constexpr int dimensions = D_;
    static constexpr memory_scope fence_scope = memory_scope::work_group;

    WEIRI_SYCL_INLINE explicit group(const weiri::place<D_> &place) noexcept
        : place_(place)
    {
    }

    WEIRI_SYCL_INLINE id<D_> get_group_id() const noexcept
    {
        return weiri::collect<id, D_>([&](int d) { return place_.shape->group[d]; });
    }
    WEIRI_SYCL_INLINE std::size_t get_group_id(int d) const noexcept
    {
        return place_.shape->group[d];
    }
    WEIRI_SYCL_INLINE id<D_> get_id() const noexcept
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
    WEIRI_SYCL_INLINE id<D_> get_local_id() const noexcept
    {
        return weiri::collect<id, D_>([&](int d) { return place_.local[d]; });
    }
    WEIRI_SYCL_INLINE std::size_t get_local_id(int d) const noexcept
    {
        return place_.local[d];
    }
    WEIRI_SYCL_INLINE range<D_> get_local_range() const noexcept
    {
        return weiri::collect<range, D_>([&](int d) { return place_.shape->local[d]; });
    }
    WEIRI_SYCL_INLINE std::size_t get_local_range(int d) const noexcept
    {
        return place_.shape->local[d];
    }
    WEIRI_SYCL_INLINE range<D_> get_max_local_range() const noexcept
    {
        return get_local_range();
    }
    WEIRI_SYCL_INLINE range<D_> get_group_range() const noexcept
    {
        return weiri::collect<range, D_>(
            [&](int d) { return place_.shape->groups[d]; });
    }
    WEIRI_SYCL_INLINE std::size_t get_group_range(int d) const noexcept
    {
        return place_.shape->groups[d];
    }
    WEIRI_SYCL_INLINE range<D_> get_global_range() const noexcept
    {
        return weiri::collect<range, D_>(
            [&](int d) { return place_.shape->global[d]; });
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
    template <class F_> void parallel_for_work_item(const F_ &f) const;
    template <class F_>
    void parallel_for_work_item(range<D_> logical, const F_ &f) const;
    void mem_fence(access::fence_space = access::fence_space::global_and_local) const
    {
    }

    /* async.hpp */
    template <class To, class From>
    device_event async_work_group_copy(To to, From from, std::size_t n,
                                       std::size_t stride = 1) const;
    template <class... Events>
    void wait_for(const weiri::event_at &first, const Events &...) const;
};

namespace access
{

enum class address_space : int;
enum class decorated : int;

} // namespace access

template <class T_, access::address_space Space, access::decorated Decorated>
class multi_ptr;

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

    template <int D_>
    WEIRI_SYCL_INLINE explicit sub_group(const weiri::place<D_> &place) noexcept
        : place_(place)
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
    template <class T_> T_ shuffle(T_ value, id<1> source, weiri::here at = {}) const;
    template <class T_> T_ shuffle_xor(T_ value, id<1> mask, weiri::here at = {}) const;
    template <class T_>
    T_ shuffle_down(T_ value, std::uint32_t delta, weiri::here at = {}) const;
    template <class T_>
    T_ shuffle_up(T_ value, std::uint32_t delta, weiri::here at = {}) const;
    template <class T_ = void, class P_> auto load(P_ source) const;
    template <int N_, class T_ = void, class P_> auto load(P_ source) const;
    template <class T_ = void, class P_, class V_>
    void store(P_ target, const V_ &value) const;
    template <int N_, class T_ = void, class P_, class V_>
    void store(P_ target, const V_ &value) const;
    /* With a stated space: load<T, space>(p), with or without the decoration. */
    template <class T_, access::address_space S_, access::decorated D_>
    auto load(multi_ptr<T_, S_, D_> source) const;
    template <int N_, class T_, access::address_space S_, access::decorated D_>
    auto load(multi_ptr<T_, S_, D_> source) const;
    template <class T_, access::address_space S_, access::decorated D_, class V_>
    void store(multi_ptr<T_, S_, D_> target, const V_ &value) const;
    template <int N_, class T_, access::address_space S_, access::decorated D_,
              class V_>
    void store(multi_ptr<T_, S_, D_> target, const V_ &value) const;
    void barrier(weiri::here at = {}) const;
    void barrier(access::fence_space space, weiri::here at = {}) const;
};

template <int D_> class nd_item
{
    weiri::place<D_> place_;
    id<D_> offset_;

  public:
    static constexpr int dimensions = D_;

    WEIRI_SYCL_INLINE nd_item(const weiri::weir_item &item,
                              id<D_> offset = id<D_>()) noexcept
        : place_(item), offset_(offset)
    {
    }

    WEIRI_SYCL_INLINE id<D_> get_global_id() const noexcept
    {
        return weiri::collect<id, D_>(
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
    WEIRI_SYCL_INLINE id<D_> get_local_id() const noexcept
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
    WEIRI_SYCL_INLINE group<D_> get_group() const noexcept
    {
        return group<D_>(place_);
    }
    WEIRI_SYCL_INLINE std::size_t get_group(int d) const noexcept
    {
        return place_.shape->group[d];
    }
    WEIRI_SYCL_INLINE std::size_t get_group_linear_id() const noexcept
    {
        return place_.shape->group_linear;
    }
    WEIRI_SYCL_INLINE range<D_> get_group_range() const noexcept
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
    WEIRI_SYCL_INLINE range<D_> get_global_range() const noexcept
    {
        return get_group().get_global_range();
    }
    WEIRI_SYCL_INLINE std::size_t get_global_range(int d) const noexcept
    {
        return place_.shape->global[d];
    }
    WEIRI_SYCL_INLINE range<D_> get_local_range() const noexcept
    {
        return get_group().get_local_range();
    }
    WEIRI_SYCL_INLINE std::size_t get_local_range(int d) const noexcept
    {
        return place_.shape->local[d];
    }
    template <int E_ = D_> auto ext_oneapi_get_root_group() const
    {
        static_assert(E_ == 0,
                      "Weir has no root groups: end the kernel where all groups "
                      "meet, and launch another one");
        return *this;
    }
    WEIRI_SYCL_INLINE id<D_> get_offset() const noexcept
    {
        return offset_;
    }
    WEIRI_SYCL_INLINE nd_range<D_> get_nd_range() const noexcept
    {
        return { get_global_range(), get_local_range(), offset_ };
    }

    void barrier(access::fence_space space = access::fence_space::global_and_local,
                 weiri::here at = {}) const;
    void mem_fence(access::fence_space space = access::fence_space::global_and_local,
                   weiri::here at = {}) const;
    template <class To, class From>
    device_event async_work_group_copy(To to, From from, std::size_t n,
                                       std::size_t stride = 1) const;
    template <class... Events>
    void wait_for(const weiri::event_at &first, const Events &...) const;
};

} // namespace sycl

#endif
