/* SPDX-License-Identifier: MIT
 *
 * pointer.hpp: pointers that name their memory: [SYCL20] 4.7.7. */
#ifndef WEIR_SYCL_POINTER_HPP
#define WEIR_SYCL_POINTER_HPP

#include "item.hpp"

#include <iterator>

namespace sycl
{

namespace access
{

enum class address_space : int {
    global_space,
    local_space,
    constant_space,
    private_space,
    generic_space,
};
enum class decorated : int { no, yes, legacy };

} // namespace access

template <class T, access::address_space Space,
          access::decorated Decorated = access::decorated::legacy>
class multi_ptr
{
    T *p = nullptr;

    template <access::address_space From>
    static constexpr bool takes
        = From == Space || Space == access::address_space::generic_space
        || From == access::address_space::generic_space;

  public:
    static constexpr bool is_decorated = Decorated == access::decorated::yes;
    static constexpr access::address_space address_space = Space;
    using value_type = T;
    using element_type = T;
    using pointer = T *;
    using reference = T &;
    using pointer_t = T *;
    using reference_t = T &;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::random_access_iterator_tag;

    WEIRI_SYCL_INLINE multi_ptr() noexcept = default;
    WEIRI_SYCL_INLINE multi_ptr(std::nullptr_t) noexcept
    {
    }
    WEIRI_SYCL_INLINE multi_ptr(T *pointer) noexcept : p(pointer)
    {
    }
    template <class U, access::address_space From, access::decorated D,
              class = std::enable_if_t<std::is_convertible_v<U *, T *>>,
              class = std::enable_if_t<takes<From>>>
    WEIRI_SYCL_INLINE multi_ptr(const multi_ptr<U, From, D> &other) noexcept
        : p(other.get())
    {
    }
    /* from an accessor of that memory */
    template <
        class A,
        class = decltype(static_cast<T *>(std::declval<const A &>().weiri_address()))>
    WEIRI_SYCL_INLINE multi_ptr(const A &accessor) noexcept
        : p(accessor.weiri_address())
    {
    }

    WEIRI_SYCL_INLINE multi_ptr &operator=(std::nullptr_t) noexcept
    {
        p = nullptr;
        return *this;
    }
    WEIRI_SYCL_INLINE T *get() const noexcept
    {
        return p;
    }
    WEIRI_SYCL_INLINE T *get_raw() const noexcept
    {
        return p;
    }
    WEIRI_SYCL_INLINE T *get_decorated() const noexcept
    {
        return p;
    }
    WEIRI_SYCL_INLINE operator T *() const noexcept
    {
        return p;
    }
    WEIRI_SYCL_INLINE T *operator->() const noexcept
    {
        return p;
    }
    template <class U = T, class = std::enable_if_t<!std::is_void_v<U>>>
    WEIRI_SYCL_INLINE U &operator*() const noexcept
    {
        return *p;
    }
    template <class I, class U = T,
              class = std::enable_if_t<!std::is_void_v<U> && std::is_integral_v<I>>>
    WEIRI_SYCL_INLINE U &operator[](I k) const noexcept
    {
        return p[k];
    }
    void prefetch(std::size_t) const noexcept
    {
    }

    WEIRI_SYCL_INLINE multi_ptr &operator++() noexcept
    {
        ++p;
        return *this;
    }
    WEIRI_SYCL_INLINE multi_ptr operator++(int) noexcept
    {
        return p++;
    }
    WEIRI_SYCL_INLINE multi_ptr &operator--() noexcept
    {
        --p;
        return *this;
    }
    WEIRI_SYCL_INLINE multi_ptr operator--(int) noexcept
    {
        return p--;
    }
    WEIRI_SYCL_INLINE multi_ptr &operator+=(std::ptrdiff_t n) noexcept
    {
        p += n;
        return *this;
    }
    WEIRI_SYCL_INLINE multi_ptr &operator-=(std::ptrdiff_t n) noexcept
    {
        p -= n;
        return *this;
    }
    template <class I, class = std::enable_if_t<std::is_integral_v<I>>>
    friend WEIRI_SYCL_INLINE multi_ptr operator+(const multi_ptr &a, I n) noexcept
    {
        return a.p + n;
    }
    template <class I, class = std::enable_if_t<std::is_integral_v<I>>>
    friend WEIRI_SYCL_INLINE multi_ptr operator-(const multi_ptr &a, I n) noexcept
    {
        return a.p - n;
    }
};

template <class T, access::decorated D = access::decorated::legacy>
using global_ptr = multi_ptr<T, access::address_space::global_space, D>;
template <class T, access::decorated D = access::decorated::legacy>
using local_ptr = multi_ptr<T, access::address_space::local_space, D>;
template <class T, access::decorated D = access::decorated::legacy>
using private_ptr = multi_ptr<T, access::address_space::private_space, D>;
template <class T, access::decorated D = access::decorated::legacy>
using generic_ptr = multi_ptr<T, access::address_space::generic_space, D>;
template <class T>
using constant_ptr = multi_ptr<T, access::address_space::constant_space>;
template <class T> using raw_global_ptr = global_ptr<T, access::decorated::no>;
template <class T> using raw_local_ptr = local_ptr<T, access::decorated::no>;
template <class T> using raw_private_ptr = private_ptr<T, access::decorated::no>;
template <class T> using raw_generic_ptr = generic_ptr<T, access::decorated::no>;
template <class T> using decorated_global_ptr = global_ptr<T, access::decorated::yes>;
template <class T> using decorated_local_ptr = local_ptr<T, access::decorated::yes>;

template <access::address_space Space, access::decorated D = access::decorated::legacy,
          class T>
WEIRI_SYCL_INLINE multi_ptr<T, Space, D> address_space_cast(T *p) noexcept
{
    return p;
}
template <access::address_space Space, access::decorated D, class T>
WEIRI_SYCL_INLINE multi_ptr<T, Space, D> make_ptr(T *p) noexcept
{
    return p;
}

} // namespace sycl

#endif
