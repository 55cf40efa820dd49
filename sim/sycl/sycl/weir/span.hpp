/* SPDX-License-Identifier: MIT
 *
 * span.hpp: elements that lie one behind the other, seen through a pointer and their
 * number: [SYCL20] 4.4, which is std::span of C++20. */
#ifndef WEIR_SYCL_SPAN_HPP
#define WEIR_SYCL_SPAN_HPP

#include "machine.hpp"

#include <array>
#include <iterator>

namespace sycl
{

inline constexpr std::size_t dynamic_extent = static_cast<std::size_t>(-1);

template <class T, std::size_t Extent = dynamic_extent> class span
{
    T *start = nullptr;
    std::size_t n = Extent == dynamic_extent ? 0 : Extent;

  public:
    using element_type = T;
    using value_type = std::remove_cv_t<T>;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using pointer = T *;
    using reference = T &;
    using iterator = T *;
    using reverse_iterator = std::reverse_iterator<T *>;
    static constexpr std::size_t extent = Extent;

    constexpr span() noexcept = default;
    constexpr span(T *first, std::size_t count) noexcept : start(first), n(count)
    {
    }
    constexpr span(T *first, T *last) noexcept
        : start(first), n(static_cast<std::size_t>(last - first))
    {
    }
    template <std::size_t N> constexpr span(T (&array)[N]) noexcept : start(array), n(N)
    {
    }
    template <class C, class P = decltype(std::data(std::declval<C &>())),
              class = std::enable_if_t<
                  std::is_convertible_v<std::remove_pointer_t<P> (*)[], T (*)[]>>>
    constexpr span(C &&container) noexcept
        : start(std::data(container)), n(std::size(container))
    {
    }

    constexpr T *data() const noexcept
    {
        return start;
    }
    constexpr std::size_t size() const noexcept
    {
        return n;
    }
    constexpr std::size_t size_bytes() const noexcept
    {
        return n * sizeof(T);
    }
    constexpr bool empty() const noexcept
    {
        return n == 0;
    }
    WEIRI_SYCL_INLINE constexpr T &operator[](std::size_t k) const noexcept
    {
        return start[k];
    }
    constexpr T &front() const noexcept
    {
        return start[0];
    }
    constexpr T &back() const noexcept
    {
        return start[n - 1];
    }
    constexpr T *begin() const noexcept
    {
        return start;
    }
    constexpr T *end() const noexcept
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
    constexpr span<T> first(std::size_t count) const noexcept
    {
        return { start, count };
    }
    constexpr span<T> last(std::size_t count) const noexcept
    {
        return { end() - count, count };
    }
    constexpr span<T> subspan(std::size_t from,
                              std::size_t count = dynamic_extent) const noexcept
    {
        return { start + from, count == dynamic_extent ? n - from : count };
    }
};
template <class T> span(T *, std::size_t) -> span<T>;
template <class T> span(T *, T *) -> span<T>;
template <class T, std::size_t N> span(T (&)[N]) -> span<T, N>;
template <class T, std::size_t N> span(std::array<T, N> &) -> span<T, N>;
template <class T, std::size_t N> span(const std::array<T, N> &) -> span<const T, N>;
template <class C, class P = decltype(std::data(std::declval<C &>()))>
span(C &&) -> span<std::remove_pointer_t<P>>;

} // namespace sycl

#endif
