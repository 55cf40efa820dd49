/* SPDX-License-Identifier: MIT
 *
 * hierarchical.hpp: parallel_for_work_group: [SYCL20] 4.9.4.2.3. The function runs once
 * for each group, and the loops in it for each item, as in a WEIR_GROUP_KERNEL(). */
#ifndef WEIR_SYCL_HIERARCHICAL_HPP
#define WEIR_SYCL_HIERARCHICAL_HPP

#include "queue.hpp"

namespace weiri
{

template <class F_> struct group_entries {
    static WEIRI_UNINSTRUMENTED void kernel__fast(weir_group *group, std::size_t)
    {
        copy_of<F_> copy;
        copy.fill_once(group);
        group->checked = nullptr;
        copy.function()(group);
    }
    static void kernel__checked(weir_group *group, std::size_t)
#if WEIRI_FAT == 1
        ;
#else
    {
        copy_of<F_> copy;
        copy.fill_once(group);
        group->checked = group;
        copy.function()(group);
    }
#endif
    static auto checked_item()
    {
        return reinterpret_cast<void (*)()>(kernel__checked);
    }
    static constexpr const char *type()
    {
        return nullptr;
    }
    static void keep_split()
    {
    }
};

template <class F_, int D_> struct group_kernel {
    F_ f;
    WEIRI_SYCL_INLINE void operator()(weir_group *group) const
    {
        place<D_> first(&group->shape, 0);
        for (int d = 0; d < D_; d++) {
            first.local[d] = 0;
        }
        sycl::group<D_> g(first);
        f(g);
    }
};

} // namespace weiri

namespace sycl
{

template <int D_ = 1> class h_item
{
    id<D_> physical, logical;
    range<D_> physical_range, logical_range;
    weiri::place<D_> place_;

  public:
    static constexpr int dimensions = D_;
    WEIRI_SYCL_INLINE h_item(id<D_> physical_, range<D_> size, id<D_> logical_,
                             range<D_> logical_size,
                             const weiri::place<D_> &place) noexcept
        : physical(physical_), logical(logical_), physical_range(size),
          logical_range(logical_size), place_(place)
    {
    }
    WEIRI_SYCL_INLINE id<D_> get_global_id() const noexcept
    {
        return weiri::collect<id, D_>([&](int d) {
            return place_.shape->group[d] * place_.shape->local[d] + physical.get(d);
        });
    }
    WEIRI_SYCL_INLINE std::size_t get_global_id(int d) const noexcept
    {
        return get_global_id().get(d);
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
    WEIRI_SYCL_INLINE item<D_, false> get_global() const noexcept
    {
        return { get_global_id(), get_global_range(), id<D_>() };
    }
#define WEIRI_SYCL_SIDE(side, ids, size)                                               \
    WEIRI_SYCL_INLINE item<D_, false> get_##side() const noexcept                      \
    {                                                                                  \
        return { ids, size, id<D_>() };                                                \
    }                                                                                  \
    WEIRI_SYCL_INLINE id<D_> get_##side##_id() const noexcept                          \
    {                                                                                  \
        return ids;                                                                    \
    }                                                                                  \
    WEIRI_SYCL_INLINE std::size_t get_##side##_id(int d) const noexcept                \
    {                                                                                  \
        return ids.get(d);                                                             \
    }                                                                                  \
    WEIRI_SYCL_INLINE range<D_> get_##side##_range() const noexcept                    \
    {                                                                                  \
        return size;                                                                   \
    }                                                                                  \
    WEIRI_SYCL_INLINE std::size_t get_##side##_range(int d) const noexcept             \
    {                                                                                  \
        return size.get(d);                                                            \
    }
    WEIRI_SYCL_SIDE(local, logical, logical_range)
    WEIRI_SYCL_SIDE(logical_local, logical, logical_range)
    WEIRI_SYCL_SIDE(physical_local, physical, physical_range)
#undef WEIRI_SYCL_SIDE
};

/* A variable of each item that lives as long as its group: an array of the group's
 * memory, of which an item sees its element. */
template <class T_, int D_ = 1> class private_memory
{
    T_ *of;
    range<D_> size;

  public:
    explicit private_memory(const group<D_> &g, weiri::here at = {})
        : of(static_cast<T_ *>(weiri::weiri_group_local_array(
            weiri::weiri_running_group(), g.get_local_range().size(), sizeof(T_),
            weiri::weiri_sycl_site(at.file, at.line, at.function)))),
          size(g.get_local_range())
    {
        if constexpr (!std::is_trivially_default_constructible_v<T_>) {
            for (std::size_t i = 0; i < size.size(); i++) {
                ::new (static_cast<void *>(of + i)) T_();
            }
        }
    }
    private_memory(const private_memory &) = delete;
    private_memory &operator=(const private_memory &) = delete;
    T_ &operator()(const h_item<D_> &item) const
    {
        std::size_t linear = 0;
        for (int d = 0; d < D_; d++) {
            linear = linear * size.get(d) + item.get_physical_local_id(d);
        }
        return of[linear];
    }
};

} // namespace sycl

namespace weiri
{

/* Calls @f for each of the group's items; where it is checked, the machine hears of
 * each. */
template <int D_, class F_>
WEIRI_SYCL_INLINE void for_each_item(const sycl::group<D_> &g,
                                     const sycl::range<D_> &logical, const F_ &f)
{
    weir_group *group = weiri_running_group();
    const place<D_> first = group_access::place_of(g);
    const sycl::range<D_> size = g.get_local_range();
    const bool checked = WEIRI_SYCL_HOOKS && group->checked != nullptr;
    if (checked) {
        weiri_loop_barrier(group);
    }
    std::size_t local[3] = {};
    for (std::size_t i = 0; i < group->shape.items; i++) {
        group->at = reinterpret_cast<void *>(i);
        if (checked) {
            weiri_item_begin(i);
        }
        sycl::id<D_> physical, at;
        for (int d = 0; d < D_; d++) {
            physical[d] = local[d];
        }
        /* logical ids are dealt out to the items */
        const std::size_t n = logical.size(), step = group->shape.items;
        for (std::size_t k = i; k < n; k += step) {
            std::size_t left = k;
            for (int d = D_ - 1; d >= 0; d--) {
                at[d] = left % logical.get(d);
                left /= logical.get(d);
            }
            sycl::h_item<D_> item(physical, size, at, logical, first);
            f(item);
        }
        if (D_ == 1) {
            local[0]++;
        } else {
            weiri_step(&group->shape, local);
        }
    }
    if (checked) {
        weiri_loop_barrier(group);
    }
    group->at = nullptr;
}

} // namespace weiri

namespace sycl
{

template <int D_>
template <class F_>
WEIRI_SYCL_INLINE void group<D_>::parallel_for_work_item(const F_ &f) const
{
    weiri::for_each_item(*this, get_local_range(), f);
}
template <int D_>
template <class F_>
WEIRI_SYCL_INLINE void group<D_>::parallel_for_work_item(range<D_> logical,
                                                         const F_ &f) const
{
    weiri::for_each_item(*this, logical, f);
}

template <class Name, int D_, class F_>
void handler::parallel_for_work_group(range<D_> groups, range<D_> size, const F_ &f,
                                      weiri::here place)
{
    weiri::may_be_kernel<F_>();
    set([this, groups, size, f, place] {
        check_buffers(f);
        std::size_t global[D_], local[D_];
        for (int d = 0; d < D_; d++) {
            local[d] = size.get(d);
            global[d] = weiri::items_of(groups.get(d), local[d]);
        }
        using kernel = weiri::group_kernel<F_, D_>;
        weiri::launch<weiri::group_entries<kernel>>(kernel{ f }, locals,
                                                    weiri::name_of<Name>(), D_, global,
                                                    local, place, true);
    });
}
template <class Name, int D_, class F_>
void handler::parallel_for_work_group(range<D_> groups, const F_ &f, weiri::here place)
{
    range<D_> one;
    for (int d = 0; d < D_; d++) {
        one[d] = 1;
    }
    parallel_for_work_group<Name>(groups, one, f, place);
}

} // namespace sycl

#endif
