/* SPDX-License-Identifier: MIT
 *
 * older.hpp: older spellings, and extensions that became SYCL 2020 under other names.
 * Each is an alias, or a function that calls the one of SYCL 2020. */
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
template <class T_> inline constexpr bool is_address = std::is_pointer_v<T_>;
template <class T_, sycl::access::address_space S_, sycl::access::decorated D_>
inline constexpr bool is_address<sycl::multi_ptr<T_, S_, D_>> = true;
} // namespace weiri

namespace sycl
{

/* Names of SYCL 1.2.1. */
#define WEIRI_SYCL_NUMBERS(X_)                                                         \
    X_(bool, bool)                                                                     \
    X_(char, std::int8_t)                                                              \
    X_(uchar, std::uint8_t)                                                            \
    X_(short, std::int16_t)                                                            \
    X_(ushort, std::uint16_t)                                                          \
    X_(int, std::int32_t)                                                              \
    X_(uint, std::uint32_t)                                                            \
    X_(long, std::int64_t)                                                             \
    X_(ulong, std::uint64_t) X_(half, half) X_(float, float) X_(double, double)
#define WEIRI_SYCL_X(name, type) using cl_##name = type;
WEIRI_SYCL_NUMBERS(WEIRI_SYCL_X)
namespace opencl
{
WEIRI_SYCL_NUMBERS(WEIRI_SYCL_X)
}
#undef WEIRI_SYCL_X
#undef WEIRI_SYCL_NUMBERS
template <class T_, class A_ = std::allocator<T_>>
using vector_class = std::vector<T_, A_>;
using string_class = std::string;
template <class F_> using function_class = std::function<F_>;
using mutex_class = std::mutex;
template <class T_, class D_ = std::default_delete<T_>>
using unique_ptr_class = std::unique_ptr<T_, D_>;
template <class T_> using shared_ptr_class = std::shared_ptr<T_>;
template <class T_> using weak_ptr_class = std::weak_ptr<T_>;
template <class T_> using hash_class = std::hash<T_>;
using exception_ptr_class = std::exception_ptr;

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

/* Group functions of a value of each item, and of elements, which have other names in
 * SYCL 2020. */
template <class G_> WEIRI_SYCL_INLINE bool leader(const G_ &g)
{
    return g.leader();
}
template <class G_, class T_>
WEIRI_SYCL_INLINE T_ broadcast(const G_ &g, T_ value, weiri::here at = {})
{
    return group_broadcast(g, value, at);
}
template <class G_, class T_>
WEIRI_SYCL_INLINE T_ broadcast(const G_ &g, T_ value, typename G_::id_type source,
                               weiri::here at = {})
{
    return group_broadcast(g, value, source, at);
}
#define WEIRI_SYCL_OLD(name)                                                           \
    template <class G_>                                                                \
    WEIRI_SYCL_INLINE bool name(const G_ &g, bool condition, weiri::here at = {})      \
    {                                                                                  \
        return name##_group(g, condition, at);                                         \
    }                                                                                  \
    template <class G_, class T_, class P_,                                            \
              class = decltype(std::declval<P_>()(std::declval<T_>()))>                \
    WEIRI_SYCL_INLINE bool name(const G_ &g, T_ value, P_ condition,                   \
                                weiri::here at = {})                                   \
    {                                                                                  \
        return name##_group(g, value, condition, at);                                  \
    }                                                                                  \
    template <class G_, class I_, class P_>                                            \
    bool name(const G_ &g, I_ first, I_ last, P_ condition, weiri::here at = {})       \
    {                                                                                  \
        return joint_##name(g, first, last, condition, at);                            \
    }
WEIRI_SYCL_OLD(any_of)
WEIRI_SYCL_OLD(all_of)
WEIRI_SYCL_OLD(none_of)
#undef WEIRI_SYCL_OLD
template <class G_, class T_, class Op>
WEIRI_SYCL_INLINE T_ reduce(const G_ &g, T_ value, Op op, weiri::here at = {})
{
    return reduce_over_group(g, value, op, at);
}
template <class G_, class X_, class Y_, class Op>
WEIRI_SYCL_INLINE auto reduce(const G_ &g, X_ x, Y_ y, Op op, weiri::here at = {})
{
    if constexpr (weiri::is_address<X_>) {
        return joint_reduce(g, x, y, op, at);
    } else {
        return reduce_over_group(g, x, y, op, at);
    }
}
template <class G_, class P_, class T_, class Op>
T_ reduce(const G_ &g, P_ first, P_ last, T_ init, Op op, weiri::here at = {})
{
    return joint_reduce(g, first, last, init, op, at);
}
/* @x and @y of an inclusive scan are the operation and what comes first, and of an
 * exclusive one what comes first and the operation */
#define WEIRI_SYCL_OLD(name)                                                           \
    template <class G_, class T_, class Op>                                            \
    WEIRI_SYCL_INLINE T_ name(const G_ &g, T_ value, Op op, weiri::here at = {})       \
    {                                                                                  \
        return name##_over_group(g, value, op, at);                                    \
    }                                                                                  \
    template <class G_, class T_, class X_, class Y_>                                  \
    WEIRI_SYCL_INLINE auto name(const G_ &g, T_ value, X_ x, Y_ y,                     \
                                weiri::here at = {})                                   \
    {                                                                                  \
        return name##_over_group(g, value, x, y, at);                                  \
    }                                                                                  \
    template <class G_, class P_, class Q_, class Op>                                  \
    Q_ name(const G_ &g, P_ first, P_ last, Q_ result, Op op, weiri::here at = {})     \
    {                                                                                  \
        return joint_##name(g, first, last, result, op, at);                           \
    }                                                                                  \
    template <class G_, class P_, class Q_, class X_, class Y_>                        \
    Q_ name(const G_ &g, P_ first, P_ last, Q_ result, X_ x, Y_ y,                     \
            weiri::here at = {})                                                       \
    {                                                                                  \
        return joint_##name(g, first, last, result, x, y, at);                         \
    }
WEIRI_SYCL_OLD(inclusive_scan)
WEIRI_SYCL_OLD(exclusive_scan)
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

} // namespace sycl

#endif
