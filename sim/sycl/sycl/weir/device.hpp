/* SPDX-License-Identifier: MIT
 *
 * device.hpp: platforms, devices, contexts, selectors, and answers to questions about
 * them: [SYCL20] 4.6. There is one of each: Weir's device, under the profile of the
 * run. The file is long because of the tables of questions to a device. */
#ifndef WEIR_SYCL_DEVICE_HPP
#define WEIR_SYCL_DEVICE_HPP

#include "exception.hpp"
#include "index.hpp"
#include "property.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace weiri
{
/* Base of what Intel's devices are asked. */
struct no_info {
};
using uuid = std::array<unsigned char, 16>;
} // namespace weiri

namespace sycl
{

class device;
class platform;
class context;
class kernel_id;

/* The others are there to be compared with. */
enum class backend {
    weir,
    opencl,
    ext_oneapi_level_zero,
    ext_oneapi_cuda,
    ext_oneapi_hip,
    ext_oneapi_native_cpu,
    host,
    all,
    level_zero = ext_oneapi_level_zero, /* of older DPC++, as are the next two */
    cuda = ext_oneapi_cuda,
    hip = ext_oneapi_hip,
};

enum class aspect {
    cpu,
    gpu,
    accelerator,
    custom,
    emulated,
    host_debuggable,
    fp16,
    fp64,
    atomic64,
    image,
    online_compiler,
    online_linker,
    queue_profiling,
    usm_device_allocations,
    usm_host_allocations,
    usm_atomic_host_allocations,
    usm_shared_allocations,
    usm_atomic_shared_allocations,
    usm_system_allocations,
    host, /* from here on of SYCL 1.2.1 and DPC++ */
    usm_restricted_shared_allocations,
    usm_system_allocator,
    ext_intel_pci_address,
    ext_intel_gpu_eu_count,
    ext_intel_gpu_eu_simd_width,
    ext_intel_gpu_slices,
    ext_intel_gpu_subslices_per_slice,
    ext_intel_gpu_eu_count_per_subslice,
    ext_intel_gpu_hw_threads_per_eu,
    ext_intel_max_mem_bandwidth,
    ext_intel_mem_channel,
    ext_intel_device_info_uuid,
    ext_intel_device_id,
    ext_intel_memory_clock_rate,
    ext_intel_memory_bus_width,
    ext_intel_free_memory,
    ext_intel_matrix,
    ext_intel_esimd,
    ext_intel_legacy_image,
    ext_oneapi_srgb,
    ext_oneapi_native_assert,
    ext_oneapi_bfloat16_math_functions,
    ext_oneapi_cuda_async_barrier,
    ext_oneapi_cuda_cluster_group,
    ext_oneapi_limited_graph,
    ext_oneapi_graph,
    ext_oneapi_private_alloca,
    ext_oneapi_bindless_images,
    ext_oneapi_virtual_mem,
    ext_oneapi_tangle_group,
    ext_oneapi_ballot_group,
    ext_oneapi_fixed_size_group,
    ext_oneapi_opportunistic_group,
};

namespace info
{
}
namespace ext::oneapi
{
namespace info = sycl::info; /* see property.hpp */
namespace experimental
{
namespace info = sycl::info;
}
enum class peer_access { access_supported, atomics_supported };
} // namespace ext::oneapi

namespace info
{

enum class device_type { cpu, gpu, accelerator, custom, automatic, host, all };
enum class local_mem_type { none, local, global };
enum class global_mem_cache_type { none, read_only, read_write };
enum class fp_config {
    denorm,
    inf_nan,
    round_to_nearest,
    round_to_zero,
    round_to_inf,
    fma,
    correctly_rounded_divide_sqrt,
    soft_float,
};
enum class execution_capability { exec_kernel, exec_native_kernel };
enum class partition_property {
    no_partition,
    partition_equally,
    partition_by_counts,
    partition_by_affinity_domain
};
enum class partition_affinity_domain {
    not_applicable,
    numa,
    L4_cache,
    L3_cache,
    L2_cache,
    L1_cache,
    next_partitionable
};
enum class event_command_status { submitted, running, complete };

namespace device
{
#define WEIRI_SYCL_INFO(name, type)                                                    \
    struct name {                                                                      \
        using return_type = type;                                                      \
    };
#define WEIRI_SYCL_DEVICE_INFO(X_)                                                     \
    X_(device_type, info::device_type, info::device_type::gpu)                         \
    X_(vendor_id, std::uint32_t, 0)                                                    \
    X_(max_compute_units, std::uint32_t, number32(WEIRI_SYCL_COMPUTE_UNITS))           \
    X_(max_work_item_dimensions, std::uint32_t, 3)                                     \
    X_(max_work_group_size, std::size_t, number(WEIRI_SYCL_MAX_WORK_GROUP_SIZE))       \
    X_(max_num_sub_groups, std::uint32_t,                                              \
       number32(WEIRI_SYCL_MAX_WORK_GROUP_SIZE) / number32(WEIRI_SYCL_SUB_GROUP_SIZE)) \
    X_(sub_group_independent_forward_progress, bool, true)                             \
    X_(sub_group_sizes, std::vector<std::size_t>, sub_group_sizes_())                  \
    X_(preferred_vector_width_char, std::uint32_t, 16)                                 \
    X_(preferred_vector_width_short, std::uint32_t, 8)                                 \
    X_(preferred_vector_width_int, std::uint32_t, 4)                                   \
    X_(preferred_vector_width_long, std::uint32_t, 2)                                  \
    X_(preferred_vector_width_float, std::uint32_t, 4)                                 \
    X_(preferred_vector_width_double, std::uint32_t, 2)                                \
    X_(preferred_vector_width_half, std::uint32_t, 8)                                  \
    X_(native_vector_width_char, std::uint32_t, 16)                                    \
    X_(native_vector_width_short, std::uint32_t, 8)                                    \
    X_(native_vector_width_int, std::uint32_t, 4)                                      \
    X_(native_vector_width_long, std::uint32_t, 2)                                     \
    X_(native_vector_width_float, std::uint32_t, 4)                                    \
    X_(native_vector_width_double, std::uint32_t, 2)                                   \
    X_(native_vector_width_half, std::uint32_t, 8)                                     \
    X_(max_clock_frequency, std::uint32_t, 1000)                                       \
    X_(address_bits, std::uint32_t, 64)                                                \
    X_(max_mem_alloc_size, std::uint64_t, number(WEIRI_SYCL_GLOBAL_MEM_SIZE))          \
    X_(image_support, bool, false)                                                     \
    X_(max_parameter_size, std::size_t, 4096)                                          \
    X_(mem_base_addr_align, std::uint32_t, 4096 * 8)                                   \
    X_(global_mem_cache_type, info::global_mem_cache_type,                             \
       info::global_mem_cache_type::read_write)                                        \
    X_(global_mem_cache_line_size, std::uint32_t, 64)                                  \
    X_(global_mem_cache_size, std::uint64_t, 1 << 20)                                  \
    X_(global_mem_size, std::uint64_t, number(WEIRI_SYCL_GLOBAL_MEM_SIZE))             \
    X_(max_constant_buffer_size, std::uint64_t, 65536)                                 \
    X_(max_constant_args, std::uint32_t, 8)                                            \
    X_(local_mem_type, info::local_mem_type, info::local_mem_type::local)              \
    X_(local_mem_size, std::uint64_t, number(WEIRI_SYCL_LOCAL_MEM_SIZE))               \
    X_(error_correction_support, bool, false)                                          \
    X_(host_unified_memory, bool, true)                                                \
    X_(atomic_memory_order_capabilities, std::vector<memory_order>,                    \
       orders(WEIRI_SYCL_ATOMIC_MEMORY_ORDERS))                                        \
    X_(atomic_fence_order_capabilities, std::vector<memory_order>,                     \
       orders(WEIRI_SYCL_FENCE_MEMORY_ORDERS))                                         \
    X_(atomic_memory_scope_capabilities, std::vector<memory_scope>,                    \
       scopes(WEIRI_SYCL_ATOMIC_MEMORY_SCOPES))                                        \
    X_(atomic_fence_scope_capabilities, std::vector<memory_scope>,                     \
       scopes(WEIRI_SYCL_FENCE_MEMORY_SCOPES))                                         \
    X_(profiling_timer_resolution, std::size_t, 1)                                     \
    X_(is_endian_little, bool, true)                                                   \
    X_(is_available, bool, true)                                                       \
    X_(is_compiler_available, bool, false)                                             \
    X_(is_linker_available, bool, false)                                               \
    X_(queue_profiling, bool, true)                                                    \
    X_(name, std::string, std::string("Weir ") + weiri_sycl_device_name())             \
    X_(vendor, std::string, "Weir")                                                    \
    X_(driver_version, std::string, weiri_sycl_version())                              \
    X_(profile, std::string, "FULL_PROFILE")                                           \
    X_(version, std::string, std::string("SYCL 2020 Weir ") + weiri_sycl_version())    \
    X_(backend_version, std::string, weiri_sycl_version())                             \
    X_(opencl_c_version, std::string, "")                                              \
    X_(printf_buffer_size, std::size_t, 1 << 20)                                       \
    X_(partition_max_sub_devices, std::uint32_t, 0)                                    \
    X_(partition_properties, std::vector<info::partition_property>, {})                \
    X_(partition_affinity_domains, std::vector<info::partition_affinity_domain>, {})   \
    X_(partition_type_property, info::partition_property,                              \
       info::partition_property::no_partition)                                         \
    X_(partition_type_affinity_domain, info::partition_affinity_domain,                \
       info::partition_affinity_domain::not_applicable)                                \
    X_(execution_capabilities, std::vector<info::execution_capability>,                \
       { info::execution_capability::exec_kernel })                                    \
    X_(built_in_kernels, std::vector<std::string>, {})                                 \
    X_(usm_device_allocations, bool, true)                                             \
    X_(usm_host_allocations, bool, true)                                               \
    X_(usm_shared_allocations, bool, true)                                             \
    X_(usm_restricted_shared_allocations, bool, true)                                  \
    X_(usm_system_allocations, bool, false)                                            \
    X_(usm_system_allocator, bool, false)                                              \
    X_(atomic64, bool, number(WEIRI_SYCL_ATOMIC64) != 0)                               \
    X_(preferred_interop_user_sync, bool, true)                                        \
    X_(max_read_image_args, std::uint32_t, 0)                                          \
    X_(max_write_image_args, std::uint32_t, 0)                                         \
    X_(image2d_max_width, std::size_t, 0)                                              \
    X_(image2d_max_height, std::size_t, 0)                                             \
    X_(image3d_max_width, std::size_t, 0)                                              \
    X_(image3d_max_height, std::size_t, 0)                                             \
    X_(image3d_max_depth, std::size_t, 0)                                              \
    X_(image_max_buffer_size, std::size_t, 0)                                          \
    X_(image_max_array_size, std::size_t, 0)                                           \
    X_(max_samplers, std::uint32_t, 0)                                                 \
    X_(reference_count, std::uint32_t, 1)                                              \
    /* of DPC++ */                                                                     \
    X_(free_memory, std::uint64_t, number(WEIRI_SYCL_GLOBAL_MEM_SIZE))                 \
    X_(num_compute_units, std::size_t, number(WEIRI_SYCL_COMPUTE_UNITS))               \
    X_(max_global_work_groups, std::size_t, SIZE_MAX)                                  \
    X_(ext_oneapi_max_global_work_groups, std::size_t, SIZE_MAX)                       \
    X_(ext_oneapi_max_number_work_groups, std::size_t, SIZE_MAX)
/* of Intel's devices, under both names: asking for one throws */
#define WEIRI_SYCL_INTEL_INFO(X_)                                                      \
    X_(device_id, std::uint32_t)                                                       \
    X_(pci_address, std::string)                                                       \
    X_(uuid, weiri::uuid)                                                              \
    X_(gpu_eu_count, std::uint32_t)                                                    \
    X_(gpu_eu_simd_width, std::uint32_t)                                               \
    X_(gpu_slices, std::uint32_t)                                                      \
    X_(gpu_subslices_per_slice, std::uint32_t)                                         \
    X_(gpu_eu_count_per_subslice, std::uint32_t)                                       \
    X_(gpu_hw_threads_per_eu, std::uint32_t)                                           \
    X_(max_mem_bandwidth, std::uint64_t)                                               \
    X_(memory_clock_rate, std::uint32_t)                                               \
    X_(memory_bus_width, std::uint32_t)                                                \
    X_(max_compute_queue_indices, std::int32_t)
#define WEIRI_SYCL_X(name, type, value) WEIRI_SYCL_INFO(name, type)
WEIRI_SYCL_DEVICE_INFO(WEIRI_SYCL_X)
#undef WEIRI_SYCL_X
WEIRI_SYCL_INFO(aspects, std::vector<aspect>)
WEIRI_SYCL_INFO(platform, sycl::platform)
WEIRI_SYCL_INFO(extensions, std::vector<std::string>)
WEIRI_SYCL_INFO(single_fp_config, std::vector<fp_config>)
WEIRI_SYCL_INFO(half_fp_config, std::vector<fp_config>)
WEIRI_SYCL_INFO(double_fp_config, std::vector<fp_config>)
WEIRI_SYCL_INFO(parent_device, sycl::device)
WEIRI_SYCL_INFO(built_in_kernel_ids, std::vector<sycl::kernel_id>)
#define WEIRI_SYCL_X(name, type)                                                       \
    struct name : weiri::no_info {                                                     \
        using return_type = type;                                                      \
    };                                                                                 \
    using ext_intel_##name = name;
WEIRI_SYCL_INTEL_INFO(WEIRI_SYCL_X)
#undef WEIRI_SYCL_X
#undef WEIRI_SYCL_INTEL_INFO
using ext_intel_free_memory = free_memory;
using ext_intel_device_info_uuid = uuid;
template <int D_ = 3> struct max_work_item_sizes {
    using return_type = range<D_>;
};
template <int D_ = 3> struct max_work_groups {
    using return_type = id<D_>;
};
template <int D_> using ext_oneapi_max_work_groups = max_work_groups<D_>;
using ext_oneapi_max_work_groups_1d = max_work_groups<1>;
using ext_oneapi_max_work_groups_2d = max_work_groups<2>;
using ext_oneapi_max_work_groups_3d = max_work_groups<3>;
} // namespace device

namespace platform
{
WEIRI_SYCL_INFO(name, std::string)
WEIRI_SYCL_INFO(vendor, std::string)
WEIRI_SYCL_INFO(version, std::string)
WEIRI_SYCL_INFO(profile, std::string)
WEIRI_SYCL_INFO(extensions, std::vector<std::string>)
} // namespace platform

namespace context
{
WEIRI_SYCL_INFO(platform, sycl::platform)
WEIRI_SYCL_INFO(devices, std::vector<sycl::device>)
} // namespace context

namespace queue
{
WEIRI_SYCL_INFO(context, sycl::context)
WEIRI_SYCL_INFO(device, sycl::device)
WEIRI_SYCL_INFO(reference_count, std::uint32_t)
} // namespace queue

namespace event
{
WEIRI_SYCL_INFO(command_execution_status, info::event_command_status)
} // namespace event

namespace event_profiling
{
WEIRI_SYCL_INFO(command_submit, std::uint64_t)
WEIRI_SYCL_INFO(command_start, std::uint64_t)
WEIRI_SYCL_INFO(command_end, std::uint64_t)
} // namespace event_profiling

namespace kernel
{
WEIRI_SYCL_INFO(num_args, std::uint32_t)
WEIRI_SYCL_INFO(function_name, std::string)
WEIRI_SYCL_INFO(attributes, std::string)
} // namespace kernel

namespace kernel_device_specific
{
WEIRI_SYCL_INFO(work_group_size, std::size_t)
WEIRI_SYCL_INFO(preferred_work_group_size_multiple, std::size_t)
WEIRI_SYCL_INFO(private_mem_size, std::size_t)
WEIRI_SYCL_INFO(max_sub_group_size, std::uint32_t)
WEIRI_SYCL_INFO(max_num_sub_groups, std::uint32_t)
WEIRI_SYCL_INFO(compile_num_sub_groups, std::uint32_t)
WEIRI_SYCL_INFO(compile_sub_group_size, std::uint32_t)
WEIRI_SYCL_INFO(compile_work_group_size, range<3>)
WEIRI_SYCL_INFO(global_work_size, range<3>)
WEIRI_SYCL_INFO(ext_codeplay_num_regs, std::uint32_t)
} // namespace kernel_device_specific

/* of DPC++: see kernel::ext_oneapi_get_info() */
namespace kernel_queue_specific
{
WEIRI_SYCL_INFO(max_num_work_groups, std::size_t)
WEIRI_SYCL_INFO(max_work_group_size, std::size_t)
} // namespace kernel_queue_specific
namespace sub_group
{
WEIRI_SYCL_INFO(max_sub_group_size, std::size_t)
}
#undef WEIRI_SYCL_INFO

} // namespace info
} // namespace sycl

namespace weiri
{

inline std::size_t number(weiri_sycl_number which)
{
    return static_cast<std::size_t>(weiri_sycl_number_of(which));
}
inline std::uint32_t number32(weiri_sycl_number which)
{
    return static_cast<std::uint32_t>(weiri_sycl_number_of(which));
}
inline std::vector<std::size_t> sub_group_sizes_()
{
    std::vector<std::size_t> sizes;
    for (std::size_t size = 1; size <= 32; size *= 2) {
        if ((number(WEIRI_SYCL_SUB_GROUP_SIZES) >> size & 1) != 0) {
            sizes.push_back(size);
        }
    }
    return sizes;
}
inline std::vector<sycl::memory_order> orders(weiri_sycl_number which)
{
    std::vector<sycl::memory_order> list;
    for (auto order : { sycl::memory_order::relaxed, sycl::memory_order::acquire,
                        sycl::memory_order::release, sycl::memory_order::acq_rel,
                        sycl::memory_order::seq_cst }) {
        if ((number(which) >> static_cast<int>(order) & 1) != 0) {
            list.push_back(order);
        }
    }
    return list;
}
inline std::vector<sycl::memory_scope> scopes(weiri_sycl_number which)
{
    std::vector<sycl::memory_scope> list;
    for (int scope = 0; scope <= 4; scope++) {
        if ((number(which) >> scope & 1) != 0) {
            list.push_back(static_cast<sycl::memory_scope>(scope));
        }
    }
    return list;
}

/* The answer to a question. Templates, since few programs ask for much. */
template <class Question> struct answer;
#define WEIRI_SYCL_X(name_, type, value)                                               \
    template <> struct answer<sycl::info::device::name_> {                             \
        template <int = 0> static type get()                                           \
        {                                                                              \
            namespace info = sycl::info;                                               \
            return value;                                                              \
        }                                                                              \
    };
using sycl::memory_order;
using sycl::memory_scope;
namespace info = sycl::info;
WEIRI_SYCL_DEVICE_INFO(WEIRI_SYCL_X)
#undef WEIRI_SYCL_X
#undef WEIRI_SYCL_DEVICE_INFO

template <int D_> sycl::id<D_> most_groups(sycl::id<D_> each)
{
    for (int d = 0; d < D_; d++) {
        each[d] = SIZE_MAX;
    }
    return each;
}

template <class Self> struct one_of_a_kind {
    friend bool operator==(const Self &, const Self &) noexcept
    {
        return true;
    }
    friend bool operator!=(const Self &, const Self &) noexcept
    {
        return false;
    }
};

template <class T_> struct hash_of_one {
    std::size_t operator()(const T_ &) const noexcept
    {
        return 1;
    }
};

} // namespace weiri

namespace sycl
{

using device_selector_function = std::function<int(const device &)>;

class device_selector
{
  public:
    virtual ~device_selector() = default;
    virtual int operator()(const device &) const = 0;
    device select_device() const;
};

#define WEIRI_SYCL_SELECTOR(name)                                                      \
    class name : public device_selector                                                \
    {                                                                                  \
      public:                                                                          \
        int operator()(const device &) const override                                  \
        {                                                                              \
            return 1;                                                                  \
        }                                                                              \
    };                                                                                 \
    inline int name##_v(const device &)                                                \
    {                                                                                  \
        return 1;                                                                      \
    }
WEIRI_SYCL_SELECTOR(default_selector)
WEIRI_SYCL_SELECTOR(gpu_selector)
WEIRI_SYCL_SELECTOR(cpu_selector)
WEIRI_SYCL_SELECTOR(accelerator_selector)
WEIRI_SYCL_SELECTOR(host_selector)
#undef WEIRI_SYCL_SELECTOR

class platform : public weiri::one_of_a_kind<platform>
{
  public:
    platform() = default;
    template <class S_,
              class = decltype(std::declval<std::decay_t<S_> &>()(
                  std::declval<const device &>()))>
    explicit platform(const S_ &)
    {
    }
    static std::vector<platform> get_platforms()
    {
        return { platform() };
    }
    std::vector<device> get_devices(info::device_type = info::device_type::all) const;
    template <class Q_> typename Q_::return_type get_info() const
    {
        if constexpr (std::is_same_v<Q_, info::platform::extensions>) {
            return {};
        } else if constexpr (std::is_same_v<Q_, info::platform::profile>) {
            return "FULL_PROFILE";
        } else if constexpr (std::is_same_v<Q_, info::platform::version>) {
            return weiri::weiri_sycl_version();
        } else {
            return "Weir";
        }
    }
    bool has(aspect which) const;
    bool has_extension(const std::string &) const
    {
        return false;
    }
    bool is_host() const
    {
        return false;
    }
    backend get_backend() const noexcept
    {
        return backend::weir;
    }
};

class device : public weiri::one_of_a_kind<device>
{
    template <class Q_> struct is_max_groups : std::false_type {
    };
    template <int D_>
    struct is_max_groups<info::device::max_work_groups<D_>> : std::true_type {
    };

  public:
    device() = default;
    /* A selector need not be constant: a copy is asked, where it can be copied. */
    template <class S_,
              class = decltype(std::declval<std::decay_t<S_> &>()(
                  std::declval<const device &>()))>
    explicit device(const S_ &selector)
    {
        std::conditional_t<std::is_abstract_v<S_>, const S_ &, std::decay_t<S_>> asked
            = selector;
        if (asked(*this) < 0) {
            throw exception(errc::runtime,
                            "no device: the selector refuses Weir's device, the only "
                            "one");
        }
    }
    static std::vector<device> get_devices(info::device_type = info::device_type::all)
    {
        return { device() };
    }
    bool is_cpu() const
    {
        return true;
    }
    bool is_gpu() const
    {
        return true;
    }
    bool is_accelerator() const
    {
        return false;
    }
    bool is_host() const
    {
        return false;
    }
    sycl::platform get_platform() const
    {
        return {};
    }
    backend get_backend() const noexcept
    {
        return backend::weir;
    }
    template <info::partition_property Way, class... X_>
    std::vector<device> create_sub_devices(const X_ &...) const
    {
        throw exception(errc::feature_not_supported,
                        "Weir's device has no sub-devices: use the device itself");
    }
    bool ext_oneapi_can_access_peer(const device &,
                                    ext::oneapi::peer_access
                                    = ext::oneapi::peer_access::access_supported) const
    {
        return false; /* Weir has one device */
    }
    void ext_oneapi_enable_peer_access(const device &) const
    {
        throw exception(errc::invalid,
                        "Weir has one device, which cannot be its own peer");
    }
    void ext_oneapi_disable_peer_access(const device &) const
    {
        throw exception(errc::invalid,
                        "Weir has one device, which cannot be its own peer");
    }
    bool has_extension(const std::string &name) const
    {
        return name == "cl_khr_fp64" || name == "cl_khr_int64_base_atomics";
    }
    bool has(aspect which) const
    {
        switch (which) {
        case aspect::cpu:
        case aspect::gpu:
        case aspect::host_debuggable:
        case aspect::fp16:
        case aspect::fp64:
        case aspect::queue_profiling:
        case aspect::usm_device_allocations:
        case aspect::usm_host_allocations:
        case aspect::usm_shared_allocations:
        case aspect::usm_restricted_shared_allocations:
        case aspect::ext_intel_free_memory:
            return true;
        case aspect::atomic64:
            return weiri::number(weiri::WEIRI_SYCL_ATOMIC64) != 0;
        default:
            return false;
        }
    }
    template <class Q_> typename Q_::return_type get_info() const
    {
        if constexpr (std::is_base_of_v<weiri::no_info, Q_>) {
            throw exception(errc::feature_not_supported,
                            "Weir's device does not have this property of Intel's "
                            "devices: ask device::has() first");
        } else if constexpr (std::is_same_v<Q_, info::device::platform>) {
            return platform();
        } else if constexpr (std::is_same_v<Q_, info::device::extensions>) {
            return { "cl_khr_fp64", "cl_khr_int64_base_atomics" };
        } else if constexpr (std::is_same_v<Q_, info::device::aspects>) {
            std::vector<aspect> list;
            for (int which = 0;
                 which <= static_cast<int>(aspect::ext_oneapi_opportunistic_group);
                 which++) {
                if (has(static_cast<aspect>(which))) {
                    list.push_back(static_cast<aspect>(which));
                }
            }
            return list;
        } else if constexpr (std::is_same_v<Q_, info::device::built_in_kernel_ids>) {
            return {};
        } else if constexpr (std::is_same_v<Q_, info::device::parent_device>) {
            throw exception(errc::invalid, "the device is not a part of another one");
        } else if constexpr (is_max_groups<Q_>::value) {
            return weiri::most_groups(typename Q_::return_type());
        } else if constexpr (std::is_same_v<typename Q_::return_type,
                                            std::vector<info::fp_config>>) {
            return { info::fp_config::denorm, info::fp_config::inf_nan,
                     info::fp_config::round_to_nearest };
        } else if constexpr (std::is_same_v<Q_, info::device::max_work_item_sizes<1>>) {
            return { weiri::number(weiri::WEIRI_SYCL_MAX_WORK_GROUP_SIZE) };
        } else if constexpr (std::is_same_v<Q_, info::device::max_work_item_sizes<2>>) {
            const auto n = weiri::number(weiri::WEIRI_SYCL_MAX_WORK_GROUP_SIZE);
            return { n, n };
        } else if constexpr (std::is_same_v<Q_, info::device::max_work_item_sizes<3>>) {
            const auto n = weiri::number(weiri::WEIRI_SYCL_MAX_WORK_GROUP_SIZE);
            return { n, n, n };
        } else {
            return weiri::answer<Q_>::get();
        }
    }
};

inline device device_selector::select_device() const
{
    return device(*this);
}
inline std::vector<device> platform::get_devices(info::device_type) const
{
    return { device() };
}
inline bool platform::has(aspect which) const
{
    return device().has(which);
}

inline auto aspect_selector(const std::vector<aspect> &wanted,
                            const std::vector<aspect> &denied = {})
{
    return [=](const device &d) {
        const auto has = [&](aspect which) { return d.has(which); };
        return std::all_of(wanted.begin(), wanted.end(), has)
                && std::none_of(denied.begin(), denied.end(), has)
            ? 1
            : -1;
    };
}
template <class... A_, class = std::enable_if_t<(std::is_same_v<A_, aspect> && ...)>>
auto aspect_selector(A_... wanted)
{
    return aspect_selector(std::vector<aspect>{ wanted... });
}
template <aspect... Wanted> auto aspect_selector()
{
    return aspect_selector(std::vector<aspect>{ Wanted... });
}

} // namespace sycl

namespace weiri
{
inline std::uint32_t next_context() noexcept
{
    static std::atomic<std::uint32_t> latest{ 0 };
    return ++latest;
}
} // namespace weiri

namespace sycl
{

/* Each one that a program makes is another one; queues that are given none share that
 * with number 0. */
class context
{
    std::uint32_t number = weiri::next_context();
    async_handler hears; /* for queues that have none of their own */

  public:
    context() = default;
    static context weiri_of(std::uint32_t number)
    {
        context found;
        found.number = number;
        return found;
    }
    std::uint32_t weiri_number() const noexcept
    {
        return number;
    }
    friend bool operator==(const context &a, const context &b) noexcept
    {
        return a.number == b.number;
    }
    friend bool operator!=(const context &a, const context &b) noexcept
    {
        return a.number != b.number;
    }
    explicit context(const property_list &)
    {
    }
    context(const device &, const property_list & = {})
    {
    }
    context(const device &, async_handler handler, const property_list & = {})
        : hears(std::move(handler))
    {
    }
    context(const platform &, const property_list & = {})
    {
    }
    context(const std::vector<device> &, const property_list & = {})
    {
    }
    context(const std::vector<device> &, async_handler handler,
            const property_list & = {})
        : hears(std::move(handler))
    {
    }
    explicit context(async_handler handler, const property_list & = {})
        : hears(std::move(handler))
    {
    }
    const async_handler &weiri_handler() const noexcept
    {
        return hears;
    }
    sycl::platform get_platform() const
    {
        return {};
    }
    std::vector<device> get_devices() const
    {
        return { device() };
    }
    bool is_host() const
    {
        return false;
    }
    backend get_backend() const noexcept
    {
        return backend::weir;
    }
    template <class Q_> typename Q_::return_type get_info() const
    {
        if constexpr (std::is_same_v<Q_, info::context::devices>) {
            return { device() };
        } else {
            return platform();
        }
    }
};

inline property::buffer::context_bound::context_bound(const sycl::context &of)
    : number(of.weiri_number())
{
}
inline context property::buffer::context_bound::get_context() const
{
    return context::weiri_of(number);
}

} // namespace sycl

namespace std
{
template <> struct hash<sycl::device> : weiri::hash_of_one<sycl::device> {
};
template <> struct hash<sycl::platform> : weiri::hash_of_one<sycl::platform> {
};
template <> struct hash<sycl::context> {
    std::size_t operator()(const sycl::context &of) const noexcept
    {
        return of.weiri_number();
    }
};
} // namespace std

#endif
