/* SPDX-License-Identifier: MIT
 *
 * property.hpp: properties of queues, buffers, reductions and accessors: [SYCL20]
 * 4.5.4. A list keeps copies of all for questions, and flags for the ones that the
 * library itself tests. */
#ifndef WEIR_SYCL_PROPERTY_HPP
#define WEIR_SYCL_PROPERTY_HPP

#include "exception.hpp"

#include <algorithm>
#include <any>
#include <mutex>

namespace weiri
{
struct properties_access;
struct property {
};
} // namespace weiri

namespace sycl
{

class property_list
{
    friend class queue;
    friend struct weiri::properties_access;
    bool to_identity = false;
    bool in_order = false;
    bool profiling = false;
    std::vector<std::any> all;

  public:
    property_list() = default;
    template <
        class... P_,
        class = std::enable_if_t<(sizeof...(P_) > 0)
                                 && (std::is_base_of_v<weiri::property, P_> && ...)>>
    property_list(P_... properties);
    template <class P_> bool has_property() const noexcept
    {
        return std::any_of(all.begin(), all.end(), [](const std::any &p) {
            return std::any_cast<P_>(&p) != nullptr;
        });
    }
    template <class P_> P_ get_property() const
    {
        for (const std::any &p : all) {
            if (const P_ *found = std::any_cast<P_>(&p)) {
                return *found;
            }
        }
        throw exception(errc::invalid, "it was not given this property");
    }
};

namespace property
{
namespace queue
{
class in_order : public weiri::property
{
};
class enable_profiling : public weiri::property
{
};
/* of DPC++: a queue's commands run at once, however they are to be passed on */
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
class no_immediate_command_list : public weiri::property
{
};
class immediate_command_list : public weiri::property
{
};
class compute_index : public weiri::property
{
  public:
    compute_index(int)
    {
    }
};
} // namespace queue
using in_order = queue::in_order; /* of the first DPC++ */
namespace buffer
{
class use_host_ptr : public weiri::property
{
};
class use_mutex : public weiri::property
{
    std::mutex *mutex;

  public:
    use_mutex(std::mutex &m) : mutex(&m)
    {
    }
    std::mutex *get_mutex_ptr() const
    {
        return mutex;
    }
};
class context_bound : public weiri::property
{
    std::uint32_t number; /* of the context */

  public:
    context_bound(const sycl::context &);
    sycl::context get_context() const;
};
} // namespace buffer
namespace reduction
{
class initialize_to_identity : public weiri::property
{
};
} // namespace reduction
class no_init : public weiri::property
{
};
class noinit : public no_init
{
};
} // namespace property

/* The extensions have the namespaces of questions and properties that SYCL has, so that
 * a program that uses both has no ambiguous names. */
namespace ext::oneapi
{
namespace property = sycl::property;
}

template <class... P_, class>
property_list::property_list(P_... properties) : all{ properties... }
{
    to_identity
        |= (std::is_same_v<P_, property::reduction::initialize_to_identity> || ...
            || false);
    in_order |= (std::is_same_v<P_, property::queue::in_order> || ... || false);
    profiling
        |= (std::is_same_v<P_, property::queue::enable_profiling> || ... || false);
}

} // namespace sycl

namespace weiri
{
struct properties_access {
    static bool to_identity(const sycl::property_list &list)
    {
        return list.to_identity;
    }
};
} // namespace weiri

namespace sycl
{

inline constexpr property::no_init no_init;
inline constexpr property::noinit noinit;

} // namespace sycl

#endif
