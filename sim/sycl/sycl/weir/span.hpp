/* SPDX-License-Identifier: MIT
 *
 * span.hpp: elements that lie next to each other, seen through a pointer and their
 * number: [SYCL20] 4.4, which is std::span of C++20. */
#ifndef WEIR_SYCL_SPAN_HPP
#define WEIR_SYCL_SPAN_HPP

#include "machine.hpp"

#include <array>
#include <iterator>

namespace sycl
{

inline constexpr std::size_t dynamic_extent = static_cast<std::size_t>(-1);

template <class T_, std::size_t Extent = dynamic_extent> class span
{
    T_ *start = nullptr;
    std::size_t n = Extent == dynamic_extent ? 0 : Extent;

  public:
    using element_type = T_;
    using value_type = std::remove_cv_t<T_>;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using pointer = T_ *;
    using reference = T_ &;
    using iterator = T_ *;
    using reverse_iterator = std::reverse_iterator<T_ *>;
    static constexpr std::size_t extent = Extent;

    constexpr span() noexcept = default;
    constexpr span(T_ *first, std::size_t count) noexcept : start(first), n(count)
    {
    }
    constexpr span(T_ *first, T_ *last) noexcept
        : start(first), n(static_cast<std::size_t>(last - first))
    {
    }
    template <std::size_t N_>
    constexpr span(T_ (&array)[N_]) noexcept : start(array), n(N_)
    {
    }
    template <class C_, class P_ = decltype(std::data(std::declval<C_ &>())),
              class = std::enable_if_t<
                  std::is_convertible_v<std::remove_pointer_t<P_> (*)[], T_ (*)[]>>>
    constexpr span(C_ &&container) noexcept
        : start(std::data(container)), n(std::size(container))
    {
    }

    constexpr T_ *data() const noexcept
    {
        return start;
    }
    constexpr std::size_t size() const noexcept
    {
        return n;
    }
    constexpr std::size_t size_bytes() const noexcept
    {
        return n * sizeof(T_);
    }
    constexpr bool empty() const noexcept
    {
        return n == 0;
    }
    WEIRI_SYCL_INLINE constexpr T_ &operator[](std::size_t k) const noexcept
    {
        return start[k];
    }
    constexpr T_ &front() const noexcept
    {
        return start[0];
    }
    constexpr T_ &back() const noexcept
    {
        return start[n - 1];
    }
    constexpr T_ *begin() const noexcept
    {
        return start;
    }
    constexpr T_ *end() const noexcept
    {
        return start + n;
    }
    constexpr reverse_iterator rbegin() const noexcept
    {
        return reverse_iterator(end());
    }
    constexpr reverse_iterator rend() const noexcept
    {
        return reverse_iterator(begin());
    }
    constexpr span<T_> first(std::size_t count) const noexcept
    {
        return { start, count };
    }
    constexpr span<T_> last(std::size_t count) const noexcept
    {
        return { end() - count, count };
    }
    constexpr span<T_> subspan(std::size_t from,
                               std::size_t count = dynamic_extent) const noexcept
    {
        return { start + from, count == dynamic_extent ? n - from : count };
    }
};
template <class T_> span(T_ *, std::size_t) -> span<T_>;
template <class T_> span(T_ *, T_ *) -> span<T_>;
template <class T_, std::size_t N_> span(T_ (&)[N_]) -> span<T_, N_>;
template <class T_, std::size_t N_> span(std::array<T_, N_> &) -> span<T_, N_>;
template <class T_, std::size_t N_>
span(const std::array<T_, N_> &) -> span<const T_, N_>;
template <class C_, class P_ = decltype(std::data(std::declval<C_ &>()))>
span(C_ &&) -> span<std::remove_pointer_t<P_>>;

} // namespace sycl

#endif
