/* SPDX-License-Identifier: MIT
 *
 * extension.hpp: extensions of DPC++ that programs use and this machine can serve:
 * docs/sycl.md has the list. They are small, and programs find them in
 * <sycl/sycl.hpp>. */
#ifndef WEIR_SYCL_EXTENSION_HPP
#define WEIR_SYCL_EXTENSION_HPP

#include "chunk.hpp"
#include "global.hpp"
#include "older.hpp"
#include "span.hpp"

namespace weiri
{

/* ---- The running item ------------------------------------------------------------ */

/* The item that the loop around the kernel runs, made from the group. */
template <int D_> WEIRI_SYCL_INLINE weir_item running_item() noexcept
{
    weir_group *group = weiri_running_group();
    weir_item item = { group,
                       &group->shape,
                       reinterpret_cast<std::size_t>(group->at),
                       { reinterpret_cast<std::size_t>(group->at), 0, 0 },
                       0,
                       nullptr };
    if (D_ > 1) {
        weiri_seek(&group->shape, item.local_linear, item.local);
    }
    return item;
}

/* The number of bytes for the running launch, out of sight of the hooks: it is not
 * memory of the kernel. */
__attribute__((noinline)) WEIRI_UNINSTRUMENTED inline std::size_t scratch_bytes()
{
    const auto *locals
        = *static_cast<const weiri_sycl_locals *const *>(weiri_running_group()->args);
    return locals->scratch_bytes;
}

} // namespace weiri

namespace sycl
{

namespace ext
{
namespace oneapi
{

namespace this_work_item
{
template <int D_> WEIRI_SYCL_INLINE nd_item<D_> get_nd_item() noexcept
{
    return nd_item<D_>(weiri::running_item<D_>());
}
template <int D_> WEIRI_SYCL_INLINE group<D_> get_work_group() noexcept
{
    return get_nd_item<D_>().get_group();
}
WEIRI_SYCL_INLINE sub_group get_sub_group() noexcept
{
    return get_nd_item<1>().get_sub_group();
}
} // namespace this_work_item

/* The sum of the products of four bytes each. */
template <class A_, class B_>
WEIRI_SYCL_INLINE int dot_acc(vec<A_, 4> a, vec<B_, 4> b, int sum) noexcept
{
    for (int k = 0; k < 4; k++) {
        sum += static_cast<int>(a[k]) * static_cast<int>(b[k]);
    }
    return sum;
}
#define WEIRI_SYCL_DOT(A_, B_, byte_a, byte_b)                                         \
    WEIRI_SYCL_INLINE int dot_acc(A_ a, B_ b, int sum) noexcept                        \
    {                                                                                  \
        for (int k = 0; k < 32; k += 8) {                                              \
            sum += static_cast<byte_a>(static_cast<unsigned>(a) >> k)                  \
                * static_cast<byte_b>(static_cast<unsigned>(b) >> k);                  \
        }                                                                              \
        return sum;                                                                    \
    }
WEIRI_SYCL_DOT(int, int, std::int8_t, std::int8_t)
WEIRI_SYCL_DOT(unsigned, unsigned, std::uint8_t, std::uint8_t)
WEIRI_SYCL_DOT(int, unsigned, std::int8_t, std::uint8_t)
WEIRI_SYCL_DOT(unsigned, int, std::uint8_t, std::int8_t)
#undef WEIRI_SYCL_DOT

namespace experimental
{

template <int D_> WEIRI_SYCL_INLINE nd_item<D_> this_nd_item() noexcept
{
    return this_work_item::get_nd_item<D_>();
}
template <int D_> WEIRI_SYCL_INLINE id<D_> this_id() noexcept
{
    return this_work_item::get_nd_item<D_>().get_global_id();
}
template <int D_> WEIRI_SYCL_INLINE group<D_> this_group() noexcept
{
    return this_work_item::get_work_group<D_>();
}
WEIRI_SYCL_INLINE sub_group this_sub_group() noexcept
{
    return this_work_item::get_sub_group();
}

/* ---- Time, local memory that a launch states ------------------------------------- */

enum class clock_scope { sub_group, work_group, device };
/* Nanoseconds, which only grow: all items of all groups see one clock. */
template <clock_scope = clock_scope::device> std::uint64_t clock() noexcept
{
    return weiri::weiri_sycl_now();
}

/* The memory of the launch's work_group_scratch_size. */
WEIRI_SYCL_INLINE void *get_work_group_scratch_memory(weiri::here at = {})
{
    return weiri::weiri_local_array_at(
        weiri::scratch_bytes(), 1,
        weiri::weiri_sycl_site(at.file, at.line, at.function));
}

/* Local memory that a kernel takes as an argument. T may be an array, whose first bound
 * may be left out. */
template <class T_, class Properties = weiri::anything> class work_group_memory
{
    using element = std::remove_extent_t<T_>;
    static constexpr std::size_t n
        = std::is_array_v<T_> && std::extent_v<T_> > 0 ? std::extent_v<T_> : 1;
    local_accessor<element, 1> memory;

  public:
    using value_type = element;
    work_group_memory() noexcept = default;
    template <class U_ = T_,
              class = std::enable_if_t<!std::is_array_v<U_> || (std::extent_v<U_> > 0)>>
    explicit work_group_memory(handler &h, const weiri::anything & = {},
                               weiri::here at = {})
        : memory(range<1>(n), h, property_list(), at)
    {
    }
    template <class U_ = T_,
              class = std::enable_if_t<std::is_array_v<U_> && std::extent_v<U_> == 0>>
    work_group_memory(std::size_t count, handler &h, const weiri::anything & = {},
                      weiri::here at = {})
        : memory(range<1>(count), h, property_list(), at)
    {
    }
    template <access::decorated C_ = access::decorated::no>
    WEIRI_SYCL_INLINE multi_ptr<element, access::address_space::local_space, C_>
    get_multi_ptr() const noexcept
    {
        return memory.weiri_address();
    }
    WEIRI_SYCL_INLINE operator T_ &() const noexcept
    {
        return *reinterpret_cast<T_ *>(memory.weiri_address());
    }
    WEIRI_SYCL_INLINE element *operator&() const noexcept
    {
        return memory.weiri_address();
    }
    template <class I_, class U_ = T_, class = std::enable_if_t<std::is_array_v<U_>>>
    WEIRI_SYCL_INLINE element &operator[](I_ k) const noexcept
    {
        return memory.weiri_address()[k];
    }
    WEIRI_SYCL_INLINE const work_group_memory &operator=(const element &value) const
    {
        *memory.weiri_address() = value;
        return *this;
    }
};

/* ---- Loads and stores of a group ------------------------------------------------- */

template <class G_, class I_, class T_, std::size_t N_, class... P_>
WEIRI_SYCL_INLINE void group_load(const G_ &g, I_ from, span<T_, N_> to,
                                  const P_ &...ways)
{
    for (std::size_t k = 0; k < to.size(); k++) {
        to[k] = from[weiri::place_of_element<P_...>(g, k, to.size(), ways...)];
    }
}
template <class G_, class I_, class T_, std::size_t N_, class... P_>
WEIRI_SYCL_INLINE void group_store(const G_ &g, const span<T_, N_> &from, I_ to,
                                   const P_ &...ways)
{
    for (std::size_t k = 0; k < from.size(); k++) {
        to[weiri::place_of_element<P_...>(g, k, from.size(), ways...)] = from[k];
    }
}
template <class G_, class I_, class T_, int N_, class... P_>
WEIRI_SYCL_INLINE void group_load(const G_ &g, I_ from, vec<T_, N_> &to,
                                  const P_ &...ways)
{
    for (std::size_t k = 0; k < N_; k++) {
        to[static_cast<int>(k)]
            = from[weiri::place_of_element<P_...>(g, k, N_, ways...)];
    }
}
template <class G_, class I_, class T_, int N_, class... P_>
WEIRI_SYCL_INLINE void group_store(const G_ &g, const vec<T_, N_> &from, I_ to,
                                   const P_ &...ways)
{
    for (std::size_t k = 0; k < N_; k++) {
        to[weiri::place_of_element<P_...>(g, k, N_, ways...)]
            = from[static_cast<int>(k)];
    }
}
template <class G_, class I_, class T_, class... P_,
          class = std::enable_if_t<std::is_arithmetic_v<T_>>>
WEIRI_SYCL_INLINE void group_load(const G_ &g, I_ from, T_ &to, const P_ &...)
{
    to = from[weiri::own(g)];
}
template <class G_, class I_, class T_, class... P_,
          class = std::enable_if_t<std::is_arithmetic_v<T_>>>
WEIRI_SYCL_INLINE void group_store(const G_ &g, const T_ &from, I_ to, const P_ &...)
{
    to[weiri::own(g)] = from;
}

/* ---- Commands by functions ------------------------------------------------------- */

/* A range, and properties of the launch. */
template <class Range, class Properties = properties<>> class launch_config
{
    Range range;
    Properties chosen;

  public:
    launch_config(Range r, Properties p = {}) : range(r), chosen(p)
    {
    }
    const Range &weiri_range() const noexcept
    {
        return range;
    }
    const Properties &weiri_properties() const noexcept
    {
        return chosen;
    }
};

template <class F_> void submit(const queue &q, F_ &&f, weiri::here at = {})
{
    queue(q).submit(f, at);
}
template <class F_> event submit_with_event(const queue &q, F_ &&f, weiri::here at = {})
{
    return queue(q).submit(f, at);
}
/* of a queue, or of a command group */
template <class Name = weiri::unnamed, class Q_, class F_>
void single_task(Q_ &&q, const F_ &f, weiri::here at = {})
{
    std::decay_t<Q_> *to = weiri::not_const(q);
    to->template single_task<Name>(f, at);
}
template <class Name = weiri::unnamed, class Q_, int D_, class F_>
void parallel_for(Q_ &&q, range<D_> r, const F_ &f, weiri::here at = {})
{
    weiri::not_const(q)->template parallel_for<Name>(r, f, at);
}
template <class Name = weiri::unnamed, class Q_, int D_, class F_>
void nd_launch(Q_ &&q, nd_range<D_> r, const F_ &f, weiri::here at = {})
{
    weiri::not_const(q)->template parallel_for<Name>(r, f, at);
}
template <class Name = weiri::unnamed, class Q_, int D_, class R_, class F_,
          class = std::enable_if_t<weiri::is_reduction<R_>::value>>
void parallel_for(Q_ &&q, range<D_> r, R_ sum, const F_ &f)
{
    weiri::not_const(q)->template parallel_for<Name>(r, sum, f);
}
template <class Name = weiri::unnamed, class Q_, int D_, class R_, class F_,
          class = std::enable_if_t<weiri::is_reduction<R_>::value>>
void nd_launch(Q_ &&q, nd_range<D_> r, R_ sum, const F_ &f)
{
    weiri::not_const(q)->template parallel_for<Name>(r, sum, f);
}
template <class Name = weiri::unnamed, class Q_, class R_, class P_, class F_>
void parallel_for(Q_ &&q, const launch_config<R_, P_> &of, const F_ &f,
                  weiri::here at = {})
{
    weiri::not_const(q)->template parallel_for<Name>(of.weiri_range(),
                                                     of.weiri_properties(), f, at);
}
template <class Name = weiri::unnamed, class Q_, class R_, class P_, class F_>
void nd_launch(Q_ &&q, const launch_config<R_, P_> &of, const F_ &f,
               weiri::here at = {})
{
    weiri::not_const(q)->template parallel_for<Name>(of.weiri_range(),
                                                     of.weiri_properties(), f, at);
}
#define WEIRI_SYCL_COMMAND(name)                                                       \
    template <class Q_, class... X_> void name(Q_ &&q, X_ &&...arguments)              \
    {                                                                                  \
        weiri::not_const(q)->name(arguments...);                                       \
    }
WEIRI_SYCL_COMMAND(memcpy)
WEIRI_SYCL_COMMAND(memset)
WEIRI_SYCL_COMMAND(copy)
WEIRI_SYCL_COMMAND(fill)
WEIRI_SYCL_COMMAND(prefetch)
WEIRI_SYCL_COMMAND(mem_advise)
#undef WEIRI_SYCL_COMMAND
inline void barrier(const queue &q)
{
    queue(q).ext_oneapi_submit_barrier();
}
inline void partial_barrier(const queue &q, const std::vector<event> &earlier)
{
    queue(q).ext_oneapi_submit_barrier(earlier);
}
inline event submit_barrier_with_event(const queue &q)
{
    return queue(q).ext_oneapi_submit_barrier();
}

} // namespace experimental
} // namespace oneapi
} // namespace ext

} // namespace sycl

#endif
