/* SPDX-License-Identifier: MIT
 *
 * pointer.hpp: pointers that name their memory: [SYCL20] 4.7.7. The space is only a
 * part of the type: all memory has one kind of address here. */
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

template <class T_, access::address_space Space,
          access::decorated Decorated = access::decorated::legacy>
class multi_ptr
{
    T_ *p = nullptr;

    template <access::address_space From>
    static constexpr bool takes
        = From == Space || Space == access::address_space::generic_space
        || From == access::address_space::generic_space;

  public:
    static constexpr bool is_decorated = Decorated == access::decorated::yes;
    static constexpr access::address_space address_space = Space;
    using value_type = T_;
    using element_type = T_;
    using pointer = T_ *;
    using reference = T_ &;
    using pointer_t = T_ *;
    using reference_t = T_ &;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::random_access_iterator_tag;

    WEIRI_SYCL_INLINE multi_ptr() noexcept = default;
    WEIRI_SYCL_INLINE multi_ptr(std::nullptr_t) noexcept
    {
    }
    WEIRI_SYCL_INLINE multi_ptr(T_ *pointer) noexcept : p(pointer)
    {
    }
    template <class U_, access::address_space From, access::decorated D_,
              class = std::enable_if_t<std::is_convertible_v<U_ *, T_ *>>,
              class = std::enable_if_t<takes<From>>>
    WEIRI_SYCL_INLINE multi_ptr(const multi_ptr<U_, From, D_> &other) noexcept
        : p(other.get())
    {
    }
    /* from an accessor of that memory */
    template <
        class A_,
        class = decltype(static_cast<T_ *>(std::declval<const A_ &>().weiri_address()))>
    WEIRI_SYCL_INLINE multi_ptr(const A_ &accessor) noexcept
        : p(accessor.weiri_address())
    {
    }

    WEIRI_SYCL_INLINE multi_ptr &operator=(std::nullptr_t) noexcept
    {
        p = nullptr;
        return *this;
    }
    WEIRI_SYCL_INLINE T_ *get() const noexcept
    {
        return p;
    }
    WEIRI_SYCL_INLINE T_ *get_raw() const noexcept
    {
        return p;
    }
    WEIRI_SYCL_INLINE T_ *get_decorated() const noexcept
    {
        return p;
    }
    WEIRI_SYCL_INLINE operator T_ *() const noexcept
    {
        return p;
    }
    WEIRI_SYCL_INLINE T_ *operator->() const noexcept
    {
        return p;
    }
    template <class U_ = T_, class = std::enable_if_t<!std::is_void_v<U_>>>
    WEIRI_SYCL_INLINE U_ &operator*() const noexcept
    {
        return *p;
    }
    template <class I_, class U_ = T_,
              class = std::enable_if_t<!std::is_void_v<U_> && std::is_integral_v<I_>>>
    WEIRI_SYCL_INLINE U_ &operator[](I_ k) const noexcept
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
    template <class I_, class = std::enable_if_t<std::is_integral_v<I_>>>
    friend WEIRI_SYCL_INLINE multi_ptr operator+(const multi_ptr &a, I_ n) noexcept
    {
        return a.p + n;
    }
    template <class I_, class = std::enable_if_t<std::is_integral_v<I_>>>
    friend WEIRI_SYCL_INLINE multi_ptr operator-(const multi_ptr &a, I_ n) noexcept
    {
        return a.p - n;
    }
};

template <class T_, access::decorated D_ = access::decorated::legacy>
using global_ptr = multi_ptr<T_, access::address_space::global_space, D_>;
template <class T_, access::decorated D_ = access::decorated::legacy>
using local_ptr = multi_ptr<T_, access::address_space::local_space, D_>;
template <class T_, access::decorated D_ = access::decorated::legacy>
using private_ptr = multi_ptr<T_, access::address_space::private_space, D_>;
template <class T_, access::decorated D_ = access::decorated::legacy>
using generic_ptr = multi_ptr<T_, access::address_space::generic_space, D_>;
template <class T_>
using constant_ptr = multi_ptr<T_, access::address_space::constant_space>;
template <class T_> using raw_global_ptr = global_ptr<T_, access::decorated::no>;
template <class T_> using raw_local_ptr = local_ptr<T_, access::decorated::no>;
template <class T_> using raw_private_ptr = private_ptr<T_, access::decorated::no>;
template <class T_> using raw_generic_ptr = generic_ptr<T_, access::decorated::no>;
template <class T_> using decorated_global_ptr = global_ptr<T_, access::decorated::yes>;
template <class T_> using decorated_local_ptr = local_ptr<T_, access::decorated::yes>;

template <access::address_space Space, access::decorated D_ = access::decorated::legacy,
          class T_>
WEIRI_SYCL_INLINE multi_ptr<T_, Space, D_> address_space_cast(T_ *p) noexcept
{
    return p;
}
template <access::address_space Space, access::decorated D_, class T_>
WEIRI_SYCL_INLINE multi_ptr<T_, Space, D_> make_ptr(T_ *p) noexcept
{
    return p;
}

} // namespace sycl

#endif
