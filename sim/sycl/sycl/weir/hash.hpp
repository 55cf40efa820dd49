/* SPDX-License-Identifier: MIT
 *
 * hash.hpp: std::hash of types that are compared by reference: [SYCL20] 4.5.2. Devices,
 * contexts and platforms, of which there is one each, are in device.hpp. */
#ifndef WEIR_SYCL_HASH_HPP
#define WEIR_SYCL_HASH_HPP

#include "accessor.hpp"
#include "bundle.hpp"
#include "queue.hpp"

namespace weiri
{
template <class T_> struct hash_of {
    std::size_t operator()(const T_ &value) const noexcept
    {
        return value.weiri_hash();
    }
};
} // namespace weiri

namespace std
{
#define WEIRI_SYCL_HASH(parameters, ...)                                               \
    template <parameters> struct hash<__VA_ARGS__> : weiri::hash_of<__VA_ARGS__> {     \
    };
#define WEIRI_SYCL_LIST(...) __VA_ARGS__
WEIRI_SYCL_HASH(, sycl::queue)
WEIRI_SYCL_HASH(, sycl::event)
WEIRI_SYCL_HASH(, sycl::kernel)
WEIRI_SYCL_HASH(, sycl::kernel_id)
WEIRI_SYCL_HASH(sycl::bundle_state S_, sycl::kernel_bundle<S_>)
WEIRI_SYCL_HASH(WEIRI_SYCL_LIST(class T_, int D_, class A_), sycl::buffer<T_, D_, A_>)
WEIRI_SYCL_HASH(WEIRI_SYCL_LIST(class T_, int D_, sycl::access_mode M_, sycl::target G_,
                                sycl::access::placeholder P_),
                sycl::accessor<T_, D_, M_, G_, P_>)
WEIRI_SYCL_HASH(WEIRI_SYCL_LIST(class T_, int D_, sycl::access_mode M_),
                sycl::host_accessor<T_, D_, M_>)
WEIRI_SYCL_HASH(WEIRI_SYCL_LIST(class T_, int D_), sycl::local_accessor<T_, D_>)
#undef WEIRI_SYCL_HASH
#undef WEIRI_SYCL_LIST
} // namespace std

#endif
