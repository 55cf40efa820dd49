/* SPDX-License-Identifier: MIT
 *
 * global.hpp: DPC++'s device_global (sycl_ext_oneapi_device_global): a variable of the
 * program that kernels share. It is a static variable here, of which races are found as
 * of others. */
#ifndef WEIR_SYCL_GLOBAL_HPP
#define WEIR_SYCL_GLOBAL_HPP

#include "pointer.hpp"
#include "properties.hpp"

namespace sycl::ext::oneapi::experimental
{

template <class T_, class Properties = properties<>> class device_global
{
    static_assert(std::is_trivially_destructible_v<T_>,
                  "a device_global is of a type without a destructor");
    /* may change in a constant object, too: the host copies to it */
    mutable std::remove_const_t<std::remove_all_extents_t<T_>>
        of[sizeof(T_) / sizeof(std::remove_all_extents_t<T_>)];

    template <class... A_> static constexpr auto make(const A_ &...arguments)
    {
        if constexpr (std::is_constructible_v<T_, A_...>) {
            return static_cast<std::remove_const_t<T_>>(T_(arguments...));
        } else {
            return T_{ arguments... };
        }
    }

  public:
    using element_type = T_;

    constexpr device_global() noexcept : of{}
    {
    }
    template <class First, class... Rest, class U_ = T_,
              class = std::enable_if_t<std::is_array_v<U_>>>
    constexpr explicit device_global(const First &first, const Rest &...rest)
        : of{ static_cast<std::remove_all_extents_t<T_>>(first),
              static_cast<std::remove_all_extents_t<T_>>(rest)... }
    {
    }
    template <class... A_, class U_ = T_,
              class = std::enable_if_t<sizeof...(A_) >= 1 && !std::is_array_v<U_>>,
              class = void>
    constexpr explicit device_global(const A_ &...arguments) : of{ make(arguments...) }
    {
    }
    device_global(const device_global &) = delete;
    device_global &operator=(const device_global &) = delete;

    WEIRI_SYCL_INLINE T_ &get() const noexcept
    {
        return *reinterpret_cast<T_ *>(of);
    }
    WEIRI_SYCL_INLINE operator T_ &() const noexcept
    {
        return get();
    }
    template <class U_ = T_, class = std::enable_if_t<!std::is_array_v<U_>>>
    WEIRI_SYCL_INLINE const device_global &operator=(const U_ &value) const
    {
        get() = value;
        return *this;
    }
    template <class U_ = T_>
    WEIRI_SYCL_INLINE auto operator[](std::ptrdiff_t k) const noexcept
        -> decltype(std::declval<U_ &>()[k])
    {
        return get()[k];
    }
    WEIRI_SYCL_INLINE auto operator->() const noexcept
    {
        return get();
    }
    template <access::decorated C_ = access::decorated::no>
    WEIRI_SYCL_INLINE multi_ptr<T_, access::address_space::global_space, C_>
    get_multi_ptr() const noexcept
    {
        return &get();
    }
    template <class P_> static constexpr bool has_property() noexcept
    {
        return Properties::template has_property<P_>();
    }
    template <class P_> static constexpr auto get_property() noexcept
    {
        return Properties().template get_property<P_>();
    }
    void *weiri_memory() const noexcept
    {
        return of;
    }
};

} // namespace sycl::ext::oneapi::experimental

namespace weiri
{
template <class T_, class P_>
using device_global = sycl::ext::oneapi::experimental::device_global<T_, P_>;
}

#endif
