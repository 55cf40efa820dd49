/* SPDX-License-Identifier: MIT
 *
 * missing.hpp: what programs ask of SYCL 2020, and of its extensions, and Weir does not
 * have: each name is there and refuses to compile, with a message that says so. */
#ifndef WEIR_SYCL_MISSING_HPP
#define WEIR_SYCL_MISSING_HPP

#include "device.hpp"

namespace weiri
{
template <class...> inline constexpr bool is_there = false;
struct anything {
};
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

/* ---- Images ---------------------------------------------------------------------- */

#define WEIRI_SYCL_NO_IMAGES "Weir has no images and samplers: use a buffer"
enum class image_channel_order { a, r, rx, rg, rgx, ra, rgb, rgbx, rgba, argb, bgra };
enum class image_channel_type {
    snorm_int8,
    snorm_int16,
    unorm_int8,
    unorm_int16,
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
                      "Weir is the only back end: there are no native objects");       \
        return {};                                                                     \
    }
    WEIRI_SYCL_NO_NATIVE(get_native_mem)
    WEIRI_SYCL_NO_NATIVE(get_native_queue)
    WEIRI_SYCL_NO_NATIVE(get_native_device)
    WEIRI_SYCL_NO_NATIVE(get_native_context)
#undef WEIRI_SYCL_NO_NATIVE
};

#define WEIRI_SYCL_NO_BACKENDS "Weir is the only back end: there are no native objects"
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
WEIRI_SYCL_NO_TEMPLATE(
    device_global, class T_, T_,
    "Weir has no device_global: allocate the memory with sycl::malloc_device()")
enum class graph_state { modifiable, executable };
template <graph_state State = graph_state::modifiable> class command_graph
{
  public:
    template <class... A_> explicit command_graph(A_ &&...)
    {
        static_assert(weiri::is_there<A_...>,
                      "Weir has no command graphs: submit the commands themselves");
    }
};
#define WEIRI_SYCL_NO_GROUPS                                                           \
    "Weir has no groups of the items that arrive together: use a sub_group"
WEIRI_SYCL_NO_CALL(get_ballot_group, WEIRI_SYCL_NO_GROUPS)
WEIRI_SYCL_NO_CALL(get_tangle_group, WEIRI_SYCL_NO_GROUPS)
WEIRI_SYCL_NO_CALL(get_fixed_size_group, WEIRI_SYCL_NO_GROUPS)
#define WEIRI_SYCL_NO_QUERIES                                                          \
    "Weir has no free functions for the running item: use the argument of the kernel"
WEIRI_SYCL_NO_CALL(this_item, WEIRI_SYCL_NO_QUERIES)
WEIRI_SYCL_NO_CALL(this_nd_item, WEIRI_SYCL_NO_QUERIES)
WEIRI_SYCL_NO_CALL(this_id, WEIRI_SYCL_NO_QUERIES)
WEIRI_SYCL_NO_CALL(this_group, WEIRI_SYCL_NO_QUERIES)
WEIRI_SYCL_NO_CALL(this_sub_group, WEIRI_SYCL_NO_QUERIES)
#define WEIRI_SYCL_NO_BLOCKS                                                           \
    "Weir has no group_load and group_store: index the memory by the item"
WEIRI_SYCL_NO_CALL(group_load, WEIRI_SYCL_NO_BLOCKS)
WEIRI_SYCL_NO_CALL(group_store, WEIRI_SYCL_NO_BLOCKS)
#define WEIRI_SYCL_NO_ENQUEUE                                                          \
    "Weir has no free functions that submit commands: use those of queue and handler"
WEIRI_SYCL_NO_CALL(submit, WEIRI_SYCL_NO_ENQUEUE)
WEIRI_SYCL_NO_CALL(submit_with_event, WEIRI_SYCL_NO_ENQUEUE)
WEIRI_SYCL_NO_CALL(nd_launch, WEIRI_SYCL_NO_ENQUEUE)
#define WEIRI_SYCL_NO_PROPERTIES "Weir has no kernel properties: use attributes"
template <class... P_> class properties
{
  public:
    template <class... A_> explicit properties(A_ &&...)
    {
        static_assert(weiri::is_there<A_...>, WEIRI_SYCL_NO_PROPERTIES);
    }
};
template <class... A_> properties(A_ &&...) -> properties<>;
template <unsigned N_> inline constexpr weiri::anything sub_group_size{};
template <std::size_t... N_> inline constexpr weiri::anything work_group_size{};
namespace this_kernel
{
WEIRI_SYCL_NO_CALL(get_opportunistic_group, WEIRI_SYCL_NO_GROUPS)
WEIRI_SYCL_NO_CALL(get_root_group, "Weir has no root groups")
} // namespace this_kernel
namespace matrix
{
WEIRI_SYCL_NO_TEMPLATE(joint_matrix, class... X_, X_..., "Weir has no joint_matrix")
} // namespace matrix
} // namespace experimental
#define WEIRI_SYCL_NO_FPGA "Weir is no FPGA: it has no pipes and no FPGA selectors"
template <class Id, class T_, std::size_t... Capacity> class pipe
{
    static_assert(weiri::is_there<Id, T_>, WEIRI_SYCL_NO_FPGA);
};
WEIRI_SYCL_NO_CLASS(fpga_selector, WEIRI_SYCL_NO_FPGA)
WEIRI_SYCL_NO_CLASS(fpga_emulator_selector, WEIRI_SYCL_NO_FPGA)
#define WEIRI_SYCL_NO_DOTS "Weir has no dot products of packed integers: write the sum"
WEIRI_SYCL_NO_CALL(dot_acc, WEIRI_SYCL_NO_DOTS)
namespace this_work_item
{
WEIRI_SYCL_NO_CALL(get_nd_item, WEIRI_SYCL_NO_QUERIES)
WEIRI_SYCL_NO_CALL(get_work_group, WEIRI_SYCL_NO_QUERIES)
WEIRI_SYCL_NO_CALL(get_sub_group, WEIRI_SYCL_NO_QUERIES)
} // namespace this_work_item
namespace info
{
namespace device
{
#define WEIRI_SYCL_NO_INFO(name)                                                       \
    struct name : weiri::no_info {                                                     \
        using return_type = int;                                                       \
    };
WEIRI_SYCL_NO_INFO(device_id)
WEIRI_SYCL_NO_INFO(pci_address)
WEIRI_SYCL_NO_INFO(uuid)
WEIRI_SYCL_NO_INFO(gpu_eu_count)
WEIRI_SYCL_NO_INFO(gpu_eu_simd_width)
WEIRI_SYCL_NO_INFO(gpu_slices)
WEIRI_SYCL_NO_INFO(gpu_subslices_per_slice)
WEIRI_SYCL_NO_INFO(gpu_eu_count_per_subslice)
WEIRI_SYCL_NO_INFO(gpu_hw_threads_per_eu)
WEIRI_SYCL_NO_INFO(max_mem_bandwidth)
WEIRI_SYCL_NO_INFO(memory_clock_rate)
WEIRI_SYCL_NO_INFO(memory_bus_width)
WEIRI_SYCL_NO_INFO(max_compute_queue_indices)
#undef WEIRI_SYCL_NO_INFO
} // namespace device
} // namespace info
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
#undef WEIRI_SYCL_NO_DOTS
#undef WEIRI_SYCL_NO_PROPERTIES
#undef WEIRI_SYCL_NO_ENQUEUE
#undef WEIRI_SYCL_NO_BLOCKS
#undef WEIRI_SYCL_NO_QUERIES
#undef WEIRI_SYCL_NO_GROUPS

#endif
