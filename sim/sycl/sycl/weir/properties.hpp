/* SPDX-License-Identifier: MIT
 *
 * properties.hpp: DPC++'s properties of kernels and launches, as types in a list
 * (sycl_ext_oneapi_properties). Properties without a meaning here are taken and do
 * nothing; a sub-group size, a group size and local memory apply to the launch. */
#ifndef WEIR_SYCL_PROPERTIES_HPP
#define WEIR_SYCL_PROPERTIES_HPP

#include "exception.hpp"
#include "index.hpp"

namespace weiri
{
struct extension_property {
};
} // namespace weiri

namespace sycl::ext::oneapi::experimental
{

/* A list of them; a property is found by its type. */
template <class... P_> class properties : P_...
{
  public:
    constexpr properties() noexcept = default;
    template <std::size_t N_ = sizeof...(P_), class = std::enable_if_t<(N_ > 0)>>
    constexpr explicit properties(P_... given) noexcept : P_(given)...
    {
    }
    template <class K_> static constexpr bool has_property() noexcept
    {
        return (std::is_same_v<typename P_::key_t, typename K_::key_t> || ... || false);
    }
    template <class K_> constexpr auto get_property() const noexcept
    {
        return find<K_>(static_cast<const P_ &>(*this)...);
    }

  private:
    template <class K_, class First, class... Rest>
    static constexpr auto find(const First &first, const Rest &...rest) noexcept
    {
        if constexpr (std::is_same_v<typename First::key_t, typename K_::key_t>) {
            return first;
        } else {
            return find<K_>(rest...);
        }
    }
};
template <class... P_> properties(P_...) -> properties<P_...>;
using empty_properties_t = properties<>;
struct properties_tag {
};
template <class X_> struct is_property_list : std::false_type {
};
template <class... P_> struct is_property_list<properties<P_...>> : std::true_type {
};
template <class X_>
inline constexpr bool is_property_list_v = is_property_list<X_>::value;

#define WEIRI_SYCL_PROPERTY(name)                                                      \
    struct name##_key : weiri::extension_property {                                    \
        using key_t = name##_key;                                                      \
        using value_t = name##_key;                                                    \
    };                                                                                 \
    inline constexpr name##_key name;
#define WEIRI_SYCL_NUMBERS(name)                                                       \
    struct name##_key {                                                                \
        using key_t = name##_key;                                                      \
        template <std::size_t... N_> struct of : weiri::extension_property {           \
            using key_t = name##_key;                                                  \
            using value_t = of;                                                        \
            static constexpr std::size_t values[sizeof...(N_) + 1] = { N_... };        \
            static constexpr std::size_t value = values[0];                            \
            static constexpr std::size_t dimensions = sizeof...(N_);                   \
            constexpr std::size_t operator[](int d) const noexcept                     \
            {                                                                          \
                return values[d];                                                      \
            }                                                                          \
        };                                                                             \
    };                                                                                 \
    template <std::size_t... N_>                                                       \
    inline constexpr typename name##_key::template of<N_...> name;
#define WEIRI_SYCL_CHOICE(name)                                                        \
    struct name##_key {                                                                \
        using key_t = name##_key;                                                      \
        template <auto... V_> struct of : weiri::extension_property {                  \
            using key_t = name##_key;                                                  \
            using value_t = of;                                                        \
        };                                                                             \
    };                                                                                 \
    template <auto... V_> inline constexpr typename name##_key::template of<V_...> name;

WEIRI_SYCL_NUMBERS(sub_group_size)
WEIRI_SYCL_NUMBERS(work_group_size)
WEIRI_SYCL_NUMBERS(work_group_size_hint)
WEIRI_SYCL_NUMBERS(max_work_group_size)
WEIRI_SYCL_NUMBERS(max_linear_work_group_size)
WEIRI_SYCL_NUMBERS(nd_range_kernel)
WEIRI_SYCL_PROPERTY(single_task_kernel)
WEIRI_SYCL_PROPERTY(device_image_scope)
WEIRI_SYCL_PROPERTY(contiguous_memory)
WEIRI_SYCL_PROPERTY(full_group)
WEIRI_SYCL_NUMBERS(alignment)
WEIRI_SYCL_CHOICE(device_has)
WEIRI_SYCL_CHOICE(work_group_progress)
WEIRI_SYCL_CHOICE(sub_group_progress)
WEIRI_SYCL_CHOICE(work_item_progress)
WEIRI_SYCL_CHOICE(host_access)
WEIRI_SYCL_CHOICE(init_mode)
WEIRI_SYCL_CHOICE(implement_in_csr)
WEIRI_SYCL_CHOICE(data_placement)
#undef WEIRI_SYCL_PROPERTY
#undef WEIRI_SYCL_NUMBERS
#undef WEIRI_SYCL_CHOICE

enum class host_access_enum { read, write, read_write, none };
inline constexpr auto host_access_read = host_access<host_access_enum::read>;
inline constexpr auto host_access_write = host_access<host_access_enum::write>;
inline constexpr auto host_access_read_write
    = host_access<host_access_enum::read_write>;
inline constexpr auto host_access_none = host_access<host_access_enum::none>;
enum class data_placement_enum { blocked, striped };
inline constexpr auto data_placement_blocked
    = data_placement<data_placement_enum::blocked>;
inline constexpr auto data_placement_striped
    = data_placement<data_placement_enum::striped>;
enum class forward_progress_guarantee { concurrent, parallel, weakly_parallel };
enum class execution_scope { work_item, sub_group, work_group, root_group };

/* Bytes of local memory of a launch. */
struct work_group_scratch_size : weiri::extension_property {
    using key_t = work_group_scratch_size;
    using value_t = work_group_scratch_size;
    std::size_t value;
    constexpr explicit work_group_scratch_size(std::size_t bytes) noexcept
        : value(bytes)
    {
    }
};

} // namespace sycl::ext::oneapi::experimental

namespace weiri
{

/* Those that a launch looks at. */
struct launch_properties {
    using sub_group_size = sycl::ext::oneapi::experimental::sub_group_size_key;
    using work_group_size = sycl::ext::oneapi::experimental::work_group_size_key;
    using scratch = sycl::ext::oneapi::experimental::work_group_scratch_size;

    template <class P_, class Range>
    static void check_size(const P_ &asked, const Range &local)
    {
        bool same = P_::dimensions == Range::dimensions;
        for (int d = 0; same && d < Range::dimensions; d++) {
            same = asked[d] == local.get(d);
        }
        if (!same) {
            throw sycl::exception(sycl::errc::nd_range,
                                  "the size of the groups differs from the property "
                                  "work_group_size");
        }
    }
};

template <class P_>
using enable_properties
    = std::enable_if_t<sycl::ext::oneapi::experimental::is_property_list_v<P_>>;

/* Which element of the memory is the @k-th of @n of this item: the elements of an item
 * follow each other, or, if striped, the k-th ones of all items do. */
template <class... P_, class G_>
constexpr std::size_t place_of_element(const G_ &g, std::size_t k, std::size_t n,
                                       const P_ &...)
{
    namespace x = sycl::ext::oneapi::experimental;
    using striped = std::decay_t<decltype(x::data_placement_striped)>;
    constexpr bool is_striped = (std::is_base_of_v<striped, P_> || ... || false);
    return is_striped ? k * g.get_local_linear_range() + g.get_local_linear_id()
                      : g.get_local_linear_id() * n + k;
}

/* A queue is passed by a constant reference, and has members that are not constant. */
template <class Q_> auto *not_const(Q_ &q)
{
    return const_cast<std::remove_const_t<Q_> *>(&q);
}

} // namespace weiri

#endif
