/* SPDX-License-Identifier: MIT
 *
 * chunk.hpp: DPC++'s groups of some items of a sub-group
 * (sycl_ext_oneapi_non_uniform_groups): pieces of equal size, and the items that arrive
 * together. All pieces of a sub-group meet at once: each item of the sub-group calls
 * the same operation of its piece. The implementation chooses which items arrive
 * together, and here it is each item alone. */
#ifndef WEIR_SYCL_CHUNK_HPP
#define WEIR_SYCL_CHUNK_HPP

#include "algorithm.hpp"

namespace sycl::ext::oneapi::experimental
{

template <std::size_t Size, class Parent> class fixed_size_group
{
    static_assert(Size > 0 && (Size & (Size - 1)) == 0,
                  "the pieces of a sub-group have a power of two of items");
    friend struct weiri::group_access;
    weiri::place<1> place_;

  public:
    using id_type = id<1>;
    using range_type = range<1>;
    using linear_id_type = std::uint32_t;
    static constexpr int dimensions = 1;
    static constexpr memory_scope fence_scope = memory_scope::sub_group;

    WEIRI_SYCL_INLINE explicit fixed_size_group(const weiri::place<1> &place) noexcept
        : place_(place)
    {
    }
    WEIRI_SYCL_INLINE id<1> get_group_id() const noexcept
    {
        return get_group_linear_id();
    }
    WEIRI_SYCL_INLINE std::uint32_t get_group_linear_id() const noexcept
    {
        return in_parent() / static_cast<std::uint32_t>(Size);
    }
    WEIRI_SYCL_INLINE id<1> get_local_id() const noexcept
    {
        return get_local_linear_id();
    }
    WEIRI_SYCL_INLINE std::uint32_t get_local_linear_id() const noexcept
    {
        return in_parent() & static_cast<std::uint32_t>(Size - 1);
    }
    WEIRI_SYCL_INLINE range<1> get_group_range() const noexcept
    {
        return get_group_linear_range();
    }
    WEIRI_SYCL_INLINE std::uint32_t get_group_linear_range() const noexcept
    {
        return Parent(place_).get_local_linear_range()
            / static_cast<std::uint32_t>(Size);
    }
    WEIRI_SYCL_INLINE range<1> get_local_range() const noexcept
    {
        return Size;
    }
    WEIRI_SYCL_INLINE std::uint32_t get_local_linear_range() const noexcept
    {
        return static_cast<std::uint32_t>(Size);
    }
    WEIRI_SYCL_INLINE bool leader() const noexcept
    {
        return get_local_linear_id() == 0;
    }

  private:
    WEIRI_SYCL_INLINE std::uint32_t in_parent() const noexcept
    {
        return Parent(place_).get_local_linear_id();
    }
};
template <std::size_t Size, class Parent> using chunk = fixed_size_group<Size, Parent>;

class opportunistic_group
{
    friend struct weiri::group_access;
    weiri::place<1> place_;

  public:
    using id_type = id<1>;
    using range_type = range<1>;
    using linear_id_type = std::uint32_t;
    static constexpr int dimensions = 1;
    static constexpr memory_scope fence_scope = memory_scope::sub_group;

    WEIRI_SYCL_INLINE explicit opportunistic_group(
        const weiri::place<1> &place) noexcept
        : place_(place)
    {
    }
    WEIRI_SYCL_INLINE id<1> get_group_id() const noexcept
    {
        return 0;
    }
    WEIRI_SYCL_INLINE std::uint32_t get_group_linear_id() const noexcept
    {
        return 0;
    }
    WEIRI_SYCL_INLINE id<1> get_local_id() const noexcept
    {
        return 0;
    }
    WEIRI_SYCL_INLINE std::uint32_t get_local_linear_id() const noexcept
    {
        return 0;
    }
    WEIRI_SYCL_INLINE range<1> get_group_range() const noexcept
    {
        return 1;
    }
    WEIRI_SYCL_INLINE std::uint32_t get_group_linear_range() const noexcept
    {
        return 1;
    }
    WEIRI_SYCL_INLINE range<1> get_local_range() const noexcept
    {
        return 1;
    }
    WEIRI_SYCL_INLINE std::uint32_t get_local_linear_range() const noexcept
    {
        return 1;
    }
    WEIRI_SYCL_INLINE bool leader() const noexcept
    {
        return true;
    }
};

} // namespace sycl::ext::oneapi::experimental

namespace weiri
{
template <std::size_t N_, class G_>
inline constexpr bool
    is_part<sycl::ext::oneapi::experimental::fixed_size_group<N_, G_>> = true;
template <>
inline constexpr bool
    is_alone<sycl::ext::oneapi::experimental::opportunistic_group> = true;
} // namespace weiri

namespace sycl
{
template <std::size_t N_, class G_>
struct is_group<ext::oneapi::experimental::fixed_size_group<N_, G_>> : std::true_type {
};
template <>
struct is_group<ext::oneapi::experimental::opportunistic_group> : std::true_type {
};

namespace ext::oneapi::experimental
{
template <class G_> struct is_fixed_topology_group : sycl::is_group<G_> {
};
template <class G_>
inline constexpr bool is_fixed_topology_group_v = is_fixed_topology_group<G_>::value;
template <class G_> struct is_user_constructed_group : std::false_type {
};
template <std::size_t N_, class G_>
struct is_user_constructed_group<fixed_size_group<N_, G_>> : std::true_type {
};
template <> struct is_user_constructed_group<opportunistic_group> : std::true_type {
};
template <class G_>
inline constexpr bool is_user_constructed_group_v
    = is_user_constructed_group<G_>::value;

/* Where the sub-group is not a multiple of the size, as at the end of a group, that is
 * undefined in DPC++. */
template <std::size_t Size, class G_>
WEIRI_SYCL_INLINE fixed_size_group<Size, G_> get_fixed_size_group(const G_ &g)
{
    return fixed_size_group<Size, G_>(weiri::group_access::place_of(g));
}
template <std::size_t Size, class G_>
WEIRI_SYCL_INLINE fixed_size_group<Size, G_> chunked_partition(const G_ &g)
{
    return get_fixed_size_group<Size>(g);
}
namespace this_kernel
{
WEIRI_SYCL_INLINE opportunistic_group get_opportunistic_group()
{
    return opportunistic_group(weiri::place<1>(
        &weiri::weiri_running_group()->shape,
        reinterpret_cast<std::size_t>(weiri::weiri_running_group()->at)));
}
} // namespace this_kernel
} // namespace ext::oneapi::experimental
} // namespace sycl

#endif
