/* SPDX-License-Identifier: MIT
 *
 * missing.hpp: names of SYCL 2020, and of its extensions, that programs use and Weir
 * does not have. Each name is declared and refuses to compile, with a message that
 * states this. */
#ifndef WEIR_SYCL_MISSING_HPP
#define WEIR_SYCL_MISSING_HPP

#include "device.hpp"

namespace weiri
{
template <class...> inline constexpr bool is_there = false;
struct anything {
};
struct graph_header;
} // namespace weiri

#define WEIRI_SYCL_NO_CLASS(name, text)                                                \
    class name                                                                         \
    {                                                                                  \
      public:                                                                          \
        template <class... A_> explicit name(A_ &&...)                                 \
        {                                                                              \
            static_assert(weiri::is_there<A_...>, text);                               \
        }                                                                              \
    };
#define WEIRI_SYCL_NO_TEMPLATE(name, parameters, argument, text)                       \
    template <parameters> class name                                                   \
    {                                                                                  \
        static_assert(weiri::is_there<argument>, text);                                \
                                                                                       \
      public:                                                                          \
        template <class... A_> explicit name(A_ &&...)                                 \
        {                                                                              \
        }                                                                              \
    };
#define WEIRI_SYCL_NO_FUNCTION(name, text)                                             \
    template <auto Backend, class... A_> weiri::anything name(A_ &&...)                \
    {                                                                                  \
        static_assert(weiri::is_there<A_...>, text);                                   \
        return {};                                                                     \
    }

/* A function without a template argument that states a type or a back end. */
#define WEIRI_SYCL_NO_CALL(name, text)                                                 \
    template <int = 0, class... A_> weiri::anything name(A_ &&...)                     \
    {                                                                                  \
        static_assert(weiri::is_there<A_...>, text);                                   \
        return {};                                                                     \
    }

namespace sycl
{

class queue;

/* ---- Images ---------------------------------------------------------------------- */

#define WEIRI_SYCL_NO_IMAGES "Weir has no images and samplers: use a buffer"
enum class image_channel_order {
    a,
    r,
    rx,
    rg,
    rgx,
    ra,
    rgb,
    rgbx,
    rgba,
    argb,
    bgra,
    intensity,
    luminance,
    abgr,
};
enum class image_channel_type {
    snorm_int8,
    snorm_int16,
    unorm_int8,
    unorm_int16,
    unorm_short_565,
    unorm_short_555,
    unorm_int_101010,
    signed_int8,
    signed_int16,
    signed_int32,
    unsigned_int8,
    unsigned_int16,
    unsigned_int32,
    fp16,
    fp32,
};
enum class image_format { r8g8b8a8_unorm, r32g32b32a32_sfloat };
enum class addressing_mode { mirrored_repeat, repeat, clamp_to_edge, clamp, none };
enum class filtering_mode { nearest, linear };
enum class coordinate_normalization_mode { normalized, unnormalized };
using image_allocator = std::allocator<std::byte>;
template <int D_> struct image_dimensions;
WEIRI_SYCL_NO_TEMPLATE(image, int D_ = 1, image_dimensions<D_>, WEIRI_SYCL_NO_IMAGES)
WEIRI_SYCL_NO_TEMPLATE(sampled_image, int D_ = 1, image_dimensions<D_>,
                       WEIRI_SYCL_NO_IMAGES)
WEIRI_SYCL_NO_TEMPLATE(unsampled_image, int D_ = 1, image_dimensions<D_>,
                       WEIRI_SYCL_NO_IMAGES)
WEIRI_SYCL_NO_CLASS(sampler, WEIRI_SYCL_NO_IMAGES)
WEIRI_SYCL_NO_CLASS(image_sampler, WEIRI_SYCL_NO_IMAGES)

/* ---- Other back ends ------------------------------------------------------------- */

class interop_handle
{
  public:
    backend get_backend() const noexcept
    {
        return backend::weir;
    }
#define WEIRI_SYCL_NO_NATIVE(name)                                                     \
    template <auto Backend, class... A_> weiri::anything name(const A_ &...) const     \
    {                                                                                  \
        static_assert(weiri::is_there<A_...>,                                          \
                      "Weir is the only back end, and has no native objects");         \
        return {};                                                                     \
    }
    WEIRI_SYCL_NO_NATIVE(get_native_mem)
    WEIRI_SYCL_NO_NATIVE(get_native_queue)
    WEIRI_SYCL_NO_NATIVE(get_native_device)
    WEIRI_SYCL_NO_NATIVE(get_native_context)
#undef WEIRI_SYCL_NO_NATIVE
};

#define WEIRI_SYCL_NO_BACKENDS "Weir is the only back end, and has no native objects"
WEIRI_SYCL_NO_FUNCTION(get_native, WEIRI_SYCL_NO_BACKENDS)
WEIRI_SYCL_NO_FUNCTION(make_platform, WEIRI_SYCL_NO_BACKENDS)
WEIRI_SYCL_NO_FUNCTION(make_device, WEIRI_SYCL_NO_BACKENDS)
WEIRI_SYCL_NO_FUNCTION(make_context, WEIRI_SYCL_NO_BACKENDS)
WEIRI_SYCL_NO_FUNCTION(make_queue, WEIRI_SYCL_NO_BACKENDS)
WEIRI_SYCL_NO_FUNCTION(make_event, WEIRI_SYCL_NO_BACKENDS)
WEIRI_SYCL_NO_FUNCTION(make_buffer, WEIRI_SYCL_NO_BACKENDS)
WEIRI_SYCL_NO_FUNCTION(make_kernel, WEIRI_SYCL_NO_BACKENDS)

/* ---- Extensions ------------------------------------------------------------------ */

namespace ext
{
namespace oneapi
{
namespace experimental
{
/* graph.hpp has the class, for programs that include it by its name in DPC++. */
enum class graph_state { modifiable, executable };
template <graph_state State = graph_state::modifiable,
          class Header = weiri::graph_header>
class command_graph
{
  public:
    template <class... A_> explicit command_graph(A_ &&...)
    {
        static_assert(weiri::is_there<A_...>,
                      "Weir has command graphs in "
                      "<sycl/ext/oneapi/experimental/graph.hpp>: include it");
    }
};
command_graph(const context &, const device &, const property_list & = {})
    ->command_graph<graph_state::modifiable>;
command_graph(const queue &, const property_list & = {})
    ->command_graph<graph_state::modifiable>;
#define WEIRI_SYCL_NO_GROUPS                                                           \
    "Weir has no groups of the items that take the same branch: use the sub_group, "   \
    "or get_fixed_size_group()"
WEIRI_SYCL_NO_CALL(get_ballot_group, WEIRI_SYCL_NO_GROUPS)
WEIRI_SYCL_NO_CALL(get_tangle_group, WEIRI_SYCL_NO_GROUPS)
WEIRI_SYCL_NO_CALL(entangle, WEIRI_SYCL_NO_GROUPS)
WEIRI_SYCL_NO_CALL(binary_partition, WEIRI_SYCL_NO_GROUPS)
#define WEIRI_SYCL_NO_ITEM                                                             \
    "Weir's free functions for the running item are this_id(), this_nd_item(), "       \
    "this_group() and this_sub_group(): this one has no range without them"
WEIRI_SYCL_NO_CALL(this_item, WEIRI_SYCL_NO_ITEM)
#define WEIRI_SYCL_NO_SORT                                                             \
    "Weir has no sorts of a group: write the sort, or sort on the host"
WEIRI_SYCL_NO_CALL(joint_sort, WEIRI_SYCL_NO_SORT)
WEIRI_SYCL_NO_CALL(sort_over_group, WEIRI_SYCL_NO_SORT)
WEIRI_SYCL_NO_CALL(sort_key_value_over_group, WEIRI_SYCL_NO_SORT)
#define WEIRI_SYCL_NO_ANNOTATION                                                       \
    "Weir has no annotated pointers: pass the pointer itself"
WEIRI_SYCL_NO_TEMPLATE(annotated_ptr, class... X_, X_..., WEIRI_SYCL_NO_ANNOTATION)
WEIRI_SYCL_NO_TEMPLATE(annotated_arg, class... X_, X_..., WEIRI_SYCL_NO_ANNOTATION)
WEIRI_SYCL_NO_CLASS(raw_kernel_arg,
                    "Weir has no raw arguments of kernels: capture them")
WEIRI_SYCL_NO_CLASS(physical_mem,
                    "Weir has no virtual memory: use sycl::malloc_device()")
namespace this_kernel
{
WEIRI_SYCL_NO_CALL(get_root_group,
                   "Weir has no root groups: end the kernel where all groups meet, and "
                   "launch another one")
} // namespace this_kernel
namespace matrix
{
WEIRI_SYCL_NO_TEMPLATE(joint_matrix, class... X_, X_..., "Weir has no joint_matrix")
} // namespace matrix
} // namespace experimental
#define WEIRI_SYCL_NO_FPGA                                                             \
    "Weir has no pipes and no FPGA selectors: it simulates no FPGA"
template <class Id, class T_, std::size_t... Capacity> class pipe
{
    static_assert(weiri::is_there<Id, T_>, WEIRI_SYCL_NO_FPGA);
};
WEIRI_SYCL_NO_CLASS(fpga_selector, WEIRI_SYCL_NO_FPGA)
WEIRI_SYCL_NO_CLASS(fpga_emulator_selector, WEIRI_SYCL_NO_FPGA)
} // namespace oneapi
} // namespace ext
} // namespace sycl

#undef WEIRI_SYCL_NO_CLASS
#undef WEIRI_SYCL_NO_TEMPLATE
#undef WEIRI_SYCL_NO_FUNCTION
#undef WEIRI_SYCL_NO_CALL
#undef WEIRI_SYCL_NO_IMAGES
#undef WEIRI_SYCL_NO_BACKENDS
#undef WEIRI_SYCL_NO_FPGA
#undef WEIRI_SYCL_NO_ITEM
#undef WEIRI_SYCL_NO_SORT
#undef WEIRI_SYCL_NO_ANNOTATION
#undef WEIRI_SYCL_NO_GROUPS

#endif
