/* SPDX-License-Identifier: MIT
 *
 * hierarchical.hpp: parallel_for_work_group: [SYCL20] 4.9.4.2.3. The function runs once
 * for each group, and the loops in it for each item, as in a WEIR_GROUP_KERNEL(). */
#ifndef WEIR_SYCL_HIERARCHICAL_HPP
#define WEIR_SYCL_HIERARCHICAL_HPP

#include "queue.hpp"

namespace weiri
{

template <class F> struct group_entries {
    static WEIRI_UNINSTRUMENTED void kernel__fast(weir_group *group, std::size_t)
    {
        copy_of<F> copy;
        copy.fill_once(group);
        group->checked = nullptr;
        copy.function()(group);
    }
    static void kernel__checked(weir_group *group, std::size_t)
#if WEIRI_FAT == 1
        ;
#else
    {
        copy_of<F> copy;
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

template <class F, int D> struct group_kernel {
    F f;
    WEIRI_SYCL_INLINE void operator()(weir_group *group) const
    {
        place<D> first(&group->shape, 0);
        for (int d = 0; d < D; d++) {
            first.local[d] = 0;
        }
        sycl::group<D> g(first);
        f(g);
    }
};

} // namespace weiri

namespace sycl
{

template <int D = 1> class h_item
{
    id<D> physical, logical;
    range<D> physical_range, logical_range;
    weiri::place<D> place_;

  public:
    static constexpr int dimensions = D;
    WEIRI_SYCL_INLINE h_item(id<D> physical_, range<D> size, id<D> logical_,
                             range<D> logical_size,
                             const weiri::place<D> &place) noexcept
        : physical(physical_), logical(logical_), physical_range(size),
          logical_range(logical_size), place_(place)
    {
    }
    WEIRI_SYCL_INLINE id<D> get_global_id() const noexcept
    {
        return weiri::collect<id, D>([&](int d) {
            return place_.shape->group[d] * place_.shape->local[d] + physical.get(d);
        });
    }
    WEIRI_SYCL_INLINE std::size_t get_global_id(int d) const noexcept
    {
        return get_global_id().get(d);
    }
    WEIRI_SYCL_INLINE range<D> get_global_range() const noexcept
    {
        return weiri::collect<range, D>([&](int d) { return place_.shape->global[d]; });
    }
    WEIRI_SYCL_INLINE std::size_t get_global_range(int d) const noexcept
    {
        return place_.shape->global[d];
    }
    WEIRI_SYCL_INLINE item<D, false> get_global() const noexcept
    {
        return { get_global_id(), get_global_range(), id<D>() };
    }
#define WEIRI_SYCL_SIDE(side, ids, size)                                               \
    WEIRI_SYCL_INLINE item<D, false> get_##side() const noexcept                       \
    {                                                                                  \
        return { ids, size, id<D>() };                                                 \
    }                                                                                  \
    WEIRI_SYCL_INLINE id<D> get_##side##_id() const noexcept                           \
    {                                                                                  \
        return ids;                                                                    \
    }                                                                                  \
    WEIRI_SYCL_INLINE std::size_t get_##side##_id(int d) const noexcept                \
    {                                                                                  \
        return ids.get(d);                                                             \
    }                                                                                  \
    WEIRI_SYCL_INLINE range<D> get_##side##_range() const noexcept                     \
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

/* A variable of each item that lives as long as its group. */
template <class T, int D = 1> class private_memory
{
    mutable std::vector<T> of;
    range<D> size;

  public:
    explicit private_memory(const group<D> &g)
        : of(g.get_local_range().size()), size(g.get_local_range())
    {
    }
    T &operator()(const h_item<D> &item) const
    {
        std::size_t linear = 0;
        for (int d = 0; d < D; d++) {
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
template <int D, class F>
WEIRI_SYCL_INLINE void for_each_item(const sycl::group<D> &g,
                                     const sycl::range<D> &logical, const F &f)
{
    weir_group *group = weiri_running_group();
    const place<D> first = group_access::place_of(g);
    const sycl::range<D> size = g.get_local_range();
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
        sycl::id<D> physical, at;
        for (int d = 0; d < D; d++) {
            physical[d] = local[d];
        }
        /* logical ids are dealt out to the items */
        const std::size_t n = logical.size(), step = group->shape.items;
        for (std::size_t k = i; k < n; k += step) {
            std::size_t left = k;
            for (int d = D - 1; d >= 0; d--) {
                at[d] = left % logical.get(d);
                left /= logical.get(d);
            }
            sycl::h_item<D> item(physical, size, at, logical, first);
            f(item);
        }
        if (D == 1) {
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

template <int D>
template <class F>
WEIRI_SYCL_INLINE void group<D>::parallel_for_work_item(const F &f) const
{
    weiri::for_each_item(*this, get_local_range(), f);
}
template <int D>
template <class F>
WEIRI_SYCL_INLINE void group<D>::parallel_for_work_item(range<D> logical,
                                                        const F &f) const
{
    weiri::for_each_item(*this, logical, f);
}

template <class Name, int D, class F>
void handler::parallel_for_work_group(range<D> groups, range<D> size, const F &f,
                                      weiri::here place)
{
    set([this, groups, size, f, place] {
        std::size_t global[D], local[D];
        for (int d = 0; d < D; d++) {
            local[d] = size.get(d);
            global[d] = groups.get(d) * local[d];
        }
        using kernel = weiri::group_kernel<F, D>;
        weiri::launch<weiri::group_entries<kernel>>(
            kernel{ f }, locals, weiri::name_of<Name>(), D, global, local, place, true);
    });
}
template <class Name, int D, class F>
void handler::parallel_for_work_group(range<D> groups, const F &f, weiri::here place)
{
    range<D> one;
    for (int d = 0; d < D; d++) {
        one[d] = 1;
    }
    parallel_for_work_group<Name>(groups, one, f, place);
}

} // namespace sycl

#endif
