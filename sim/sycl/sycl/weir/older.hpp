/* SPDX-License-Identifier: MIT
 *
 * older.hpp: older spellings, and extensions that became SYCL 2020 under other
 * names. */
#ifndef WEIR_SYCL_OLDER_HPP
#define WEIR_SYCL_OLDER_HPP

#include "hierarchical.hpp"
#include "math.hpp"
#include "queue.hpp"

#include <cstdio>

namespace weiri
{
/* A group, and where it was asked. */
struct group_at {
    here at;
    const weir_site *site;
    bool first;
    sycl::group<1> local;
    template <int D_>
    WEIRI_SYCL_INLINE group_at(const sycl::group<D_> &g, here at_ = {}) noexcept
        : at(at_), site(weiri_sycl_site(at_.file, at_.line, at_.function)),
          first(g.leader()),
          local(place<1>(group_access::place_of(g).shape, g.get_local_linear_id()))
    {
    }
};
} // namespace weiri

namespace sycl
{

/* of the compiler whose extensions SYCL 2020 took up */
namespace ext
{
namespace oneapi
{
using sycl::atomic_fence;
using sycl::atomic_ref;
using sycl::bit_and;
using sycl::bit_or;
using sycl::bit_xor;
using sycl::group_barrier;
using sycl::maximum;
using sycl::memory_order;
using sycl::memory_order_acq_rel;
using sycl::memory_order_acquire;
using sycl::memory_order_relaxed;
using sycl::memory_order_release;
using sycl::memory_order_seq_cst;
using sycl::memory_scope;
using sycl::memory_scope_device;
using sycl::memory_scope_sub_group;
using sycl::memory_scope_system;
using sycl::memory_scope_work_group;
using sycl::memory_scope_work_item;
using sycl::minimum;
using sycl::multiplies;
using sycl::plus;
using sycl::reduction;
using sycl::sub_group;

#define WEIRI_SYCL_OLD(old, name)                                                      \
    template <class... A_>                                                             \
    WEIRI_SYCL_INLINE auto old(const A_ &...arguments)                                 \
        ->decltype(sycl::name(arguments...))                                           \
    {                                                                                  \
        return sycl::name(arguments...);                                               \
    }
WEIRI_SYCL_OLD(reduce, reduce_over_group)
WEIRI_SYCL_OLD(inclusive_scan, inclusive_scan_over_group)
WEIRI_SYCL_OLD(exclusive_scan, exclusive_scan_over_group)
WEIRI_SYCL_OLD(broadcast, group_broadcast)
WEIRI_SYCL_OLD(any_of, any_of_group)
WEIRI_SYCL_OLD(all_of, all_of_group)
WEIRI_SYCL_OLD(none_of, none_of_group)
#undef WEIRI_SYCL_OLD

/* Local memory of a group that a call asks for, told apart by its place. */
template <class T_>
WEIRI_SYCL_INLINE multi_ptr<T_, access::address_space::local_space>
group_local_memory_for_overwrite(const weiri::group_at &group)
{
    using element = std::remove_all_extents_t<T_>;
    return static_cast<T_ *>(weiri::weiri_local_array_at(sizeof(T_) / sizeof(element),
                                                         sizeof(element), group.site));
}
template <class T_, class... A_>
WEIRI_SYCL_INLINE multi_ptr<T_, access::address_space::local_space> group_local_memory(
    const weiri::group_at &group, A_ &&...arguments)
{
    auto memory = group_local_memory_for_overwrite<T_>(group);
    using element = std::remove_all_extents_t<T_>;
    if (group.first) {
        auto *first = reinterpret_cast<element *>(memory.get());
        const element values[] = { element(arguments)..., element() };
        for (std::size_t k = 0; k < sizeof(T_) / sizeof(element); k++) {
            first[k] = values[k < sizeof...(A_) ? k : sizeof...(A_)];
        }
    }
    weiri::barrier(group.local, memory_scope::work_group, 3, group.at);
    return memory;
}

/* Which items of a sub-group say yes: a bit for each. */
class sub_group_mask
{
    std::uint64_t bits;
    std::uint32_t n;

  public:
    WEIRI_SYCL_INLINE sub_group_mask(std::uint64_t bits_, std::uint32_t n_) noexcept
        : bits(bits_), n(n_)
    {
    }
    WEIRI_SYCL_INLINE bool operator[](id<1> k) const noexcept
    {
        return (bits >> k[0] & 1) != 0;
    }
    WEIRI_SYCL_INLINE bool test(id<1> k) const noexcept
    {
        return (*this)[k];
    }
    WEIRI_SYCL_INLINE std::uint32_t count() const noexcept
    {
        return static_cast<std::uint32_t>(__builtin_popcountll(bits));
    }
    WEIRI_SYCL_INLINE bool all() const noexcept
    {
        return count() == n;
    }
    WEIRI_SYCL_INLINE bool any() const noexcept
    {
        return bits != 0;
    }
    WEIRI_SYCL_INLINE bool none() const noexcept
    {
        return bits == 0;
    }
    WEIRI_SYCL_INLINE std::uint32_t size() const noexcept
    {
        return n;
    }
    WEIRI_SYCL_INLINE id<1> find_low() const noexcept
    {
        return bits != 0 ? static_cast<std::size_t>(__builtin_ctzll(bits)) : n;
    }
    WEIRI_SYCL_INLINE id<1> find_high() const noexcept
    {
        return bits != 0 ? 63 - static_cast<std::size_t>(__builtin_clzll(bits)) : n;
    }
    template <class T_>
    WEIRI_SYCL_INLINE void extract_bits(T_ &to, id<1> from = 0) const noexcept
    {
        to = static_cast<T_>(bits >> from[0]);
    }
    friend WEIRI_SYCL_INLINE bool operator==(const sub_group_mask &a,
                                             const sub_group_mask &b) noexcept
    {
        return a.bits == b.bits && a.n == b.n;
    }
    friend WEIRI_SYCL_INLINE bool operator!=(const sub_group_mask &a,
                                             const sub_group_mask &b) noexcept
    {
        return !(a == b);
    }
};

WEIRI_SYCL_INLINE sub_group_mask group_ballot(const sub_group &g, bool yes = true,
                                              weiri::here at = {})
{
    const std::uint64_t own = yes ? UINT64_C(1) << g.get_local_linear_id() : 0;
    return { reduce_over_group(g, own, sycl::plus<std::uint64_t>(), at),
             g.get_local_linear_range() };
}

namespace property
{
namespace queue
{
/* A queue's commands run at once, whatever its priority. */
class priority_low : public weiri::property
{
};
class priority_normal : public weiri::property
{
};
class priority_high : public weiri::property
{
};
class discard_events : public weiri::property
{
};
} // namespace queue
} // namespace property

namespace info
{
namespace device
{
struct free_memory {
    using return_type = std::uint64_t;
};
} // namespace device
} // namespace info

namespace experimental
{
template <class... A_> int printf(const char *format, A_... arguments)
{
    return std::printf(format, arguments...);
}
} // namespace experimental
} // namespace oneapi
namespace intel = oneapi;
} // namespace ext
namespace ONEAPI = ext::oneapi;
namespace intel = ext::oneapi;

namespace property
{
using in_order = queue::in_order;
}

} // namespace sycl

namespace weiri
{
template <> struct answer<sycl::ext::oneapi::info::device::free_memory> {
    static std::uint64_t get()
    {
        return weiri_sycl_number_of(WEIRI_SYCL_GLOBAL_MEM_SIZE);
    }
};
} // namespace weiri

#endif
