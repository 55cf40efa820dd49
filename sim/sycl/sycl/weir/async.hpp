/* SPDX-License-Identifier: MIT
 *
 * async.hpp: copies by the items of a group: [SYCL20] 4.9.1.7. The items copy their
 * elements at once, and the wait is a barrier: so elements that were written without a
 * barrier before, or are read without the wait, are a race. */
#ifndef WEIR_SYCL_ASYNC_HPP
#define WEIR_SYCL_ASYNC_HPP

#include "algorithm.hpp"
#include "pointer.hpp"

namespace sycl
{

class device_event
{
    group<1> group_;

  public:
    WEIRI_SYCL_INLINE explicit device_event(const group<1> &group) noexcept
        : group_(group)
    {
    }
    WEIRI_SYCL_INLINE void wait(weiri::here at = {}) const
    {
        weiri::barrier(group_, memory_scope::work_group, 3, at);
    }
};

} // namespace sycl

namespace weiri
{

/* An event, and where it is waited for. */
struct event_at {
    sycl::device_event event;
    here at;
    WEIRI_SYCL_INLINE event_at(const sycl::device_event &e, here at_ = {}) noexcept
        : event(e), at(at_)
    {
    }
};

template <class P_> struct is_local_pointer : std::false_type {
};
template <class T_, sycl::access::decorated D_>
struct is_local_pointer<sycl::local_ptr<T_, D_>> : std::true_type {
};

/* The elements of an item. Those of the device's memory are @stride apart. */
template <int D_, class To, class From>
WEIRI_SYCL_INLINE sycl::device_event copy_by_group(const sycl::group<D_> &g,
                                                   const To &to, const From &from,
                                                   std::size_t n, std::size_t stride)
{
    const std::size_t of_from = is_local_pointer<From>::value ? 1 : stride;
    const std::size_t of_to = is_local_pointer<From>::value ? stride : 1;
    for (std::size_t i = g.get_local_linear_id(); i < n;
         i += g.get_local_linear_range()) {
        to[i * of_to] = from[i * of_from];
    }
    return sycl::device_event(sycl::group<1>(place<1>(group_access::place_of(g))));
}

} // namespace weiri

namespace sycl
{

template <int D_>
template <class To, class From>
WEIRI_SYCL_INLINE device_event group<D_>::async_work_group_copy(
    To to, From from, std::size_t n, std::size_t stride) const
{
    return weiri::copy_by_group(*this, to, from, n, stride);
}
template <int D_>
template <class To, class From>
WEIRI_SYCL_INLINE device_event nd_item<D_>::async_work_group_copy(
    To to, From from, std::size_t n, std::size_t stride) const
{
    return weiri::copy_by_group(get_group(), to, from, n, stride);
}

/* One barrier for all of the events, at the place of the first. */
#define WEIRI_SYCL_WAIT(kind)                                                          \
    template <int D_>                                                                  \
    template <class... Events>                                                         \
    WEIRI_SYCL_INLINE void kind<D_>::wait_for(const weiri::event_at &first,            \
                                              const Events &...) const                 \
    {                                                                                  \
        first.event.wait(first.at);                                                    \
    }
WEIRI_SYCL_WAIT(group)
WEIRI_SYCL_WAIT(nd_item)
#undef WEIRI_SYCL_WAIT

} // namespace sycl

#endif
