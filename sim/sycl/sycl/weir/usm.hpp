/* SPDX-License-Identifier: MIT
 *
 * usm.hpp: unified shared memory: [SYCL20] 4.8. All kinds are memory of Weir's device,
 * which the host can address as well; the kind and the context are only kept for
 * questions and findings. */
#ifndef WEIR_SYCL_USM_HPP
#define WEIR_SYCL_USM_HPP

#include "device.hpp"

namespace sycl
{

/* ---- Unified shared memory ------------------------------------------------------- */

namespace usm
{
enum class alloc { host, device, shared, unknown };
}

class queue;

} // namespace sycl

namespace weiri
{

constexpr weiri_sycl_kind kind_of(sycl::usm::alloc kind) noexcept
{
    return kind == sycl::usm::alloc::host  ? WEIRI_SYCL_HOST
        : kind == sycl::usm::alloc::device ? WEIRI_SYCL_DEVICE
                                           : WEIRI_SYCL_SHARED;
}

/* The number of the context that memory is allocated in; queue.hpp has the one of a
 * queue. */
inline std::uint32_t context_of(const sycl::context &of) noexcept
{
    return of.weiri_number();
}
std::uint32_t context_of(const sycl::queue &of) noexcept;

template <class T_>
T_ *allocate(std::size_t n, sycl::usm::alloc kind, std::uint32_t context,
             const here &at)
{
    if (n > SIZE_MAX / sizeof(T_)) {
        return nullptr;
    }
    return static_cast<T_ *>(
        weiri_sycl_new(n, sizeof(T_), kind_of(kind), context, at.file, at.line));
}

} // namespace weiri

namespace sycl
{

#define WEIRI_SYCL_MALLOC(name, kind, ...)                                             \
    template <class T_>                                                                \
    T_ *malloc_##name(std::size_t n, __VA_ARGS__, const property_list & = {},          \
                      weiri::here at = {})                                             \
    {                                                                                  \
        return weiri::allocate<T_>(n, usm::alloc::kind, weiri::context_of(of), at);    \
    }                                                                                  \
    inline void *malloc_##name(std::size_t bytes, __VA_ARGS__,                         \
                               const property_list & = {}, weiri::here at = {})        \
    {                                                                                  \
        return weiri::allocate<char>(bytes, usm::alloc::kind, weiri::context_of(of),   \
                                     at);                                              \
    }                                                                                  \
    template <class T_>                                                                \
    T_ *aligned_alloc_##name(std::size_t, std::size_t n, __VA_ARGS__,                  \
                             const property_list & = {}, weiri::here at = {})          \
    {                                                                                  \
        return weiri::allocate<T_>(n, usm::alloc::kind, weiri::context_of(of), at);    \
    }                                                                                  \
    inline void *aligned_alloc_##name(std::size_t, std::size_t bytes, __VA_ARGS__,     \
                                      const property_list & = {}, weiri::here at = {}) \
    {                                                                                  \
        return weiri::allocate<char>(bytes, usm::alloc::kind, weiri::context_of(of),   \
                                     at);                                              \
    }
WEIRI_SYCL_MALLOC(device, device, const queue &of)
WEIRI_SYCL_MALLOC(device, device, const device &, const context &of)
WEIRI_SYCL_MALLOC(shared, shared, const queue &of)
WEIRI_SYCL_MALLOC(shared, shared, const device &, const context &of)
WEIRI_SYCL_MALLOC(host, host, const queue &of)
WEIRI_SYCL_MALLOC(host, host, const context &of)
#undef WEIRI_SYCL_MALLOC

#define WEIRI_SYCL_MALLOC(...)                                                         \
    template <class T_>                                                                \
    T_ *malloc(std::size_t n, __VA_ARGS__, usm::alloc kind,                            \
               const property_list & = {}, weiri::here at = {})                        \
    {                                                                                  \
        return weiri::allocate<T_>(n, kind, weiri::context_of(of), at);                \
    }                                                                                  \
    inline void *malloc(std::size_t bytes, __VA_ARGS__, usm::alloc kind,               \
                        const property_list & = {}, weiri::here at = {})               \
    {                                                                                  \
        return weiri::allocate<char>(bytes, kind, weiri::context_of(of), at);          \
    }                                                                                  \
    template <class T_>                                                                \
    T_ *aligned_alloc(std::size_t, std::size_t n, __VA_ARGS__, usm::alloc kind,        \
                      const property_list & = {}, weiri::here at = {})                 \
    {                                                                                  \
        return weiri::allocate<T_>(n, kind, weiri::context_of(of), at);                \
    }                                                                                  \
    inline void *aligned_alloc(std::size_t, std::size_t bytes, __VA_ARGS__,            \
                               usm::alloc kind, const property_list & = {},            \
                               weiri::here at = {})                                    \
    {                                                                                  \
        return weiri::allocate<char>(bytes, kind, weiri::context_of(of), at);          \
    }
WEIRI_SYCL_MALLOC(const queue &of)
WEIRI_SYCL_MALLOC(const device &, const context &of)
#undef WEIRI_SYCL_MALLOC

inline void free(void *memory, const queue &of, weiri::here at = {})
{
    weiri::weiri_sycl_free(memory, weiri::context_of(of), at.file, at.line,
                           at.function);
}
inline void free(void *memory, const context &of, weiri::here at = {})
{
    weiri::weiri_sycl_free(memory, weiri::context_of(of), at.file, at.line,
                           at.function);
}

inline usm::alloc get_pointer_type(const void *pointer, const context &of)
{
    switch (weiri::weiri_sycl_kind_of(pointer, weiri::context_of(of))) {
    case weiri::WEIRI_SYCL_HOST:
        return usm::alloc::host;
    case weiri::WEIRI_SYCL_DEVICE:
        return usm::alloc::device;
    case weiri::WEIRI_SYCL_SHARED:
        return usm::alloc::shared;
    default:
        return usm::alloc::unknown;
    }
}
inline device get_pointer_device(const void *, const context &)
{
    return {};
}

template <class T_, usm::alloc Kind, std::size_t Alignment = 0> class usm_allocator
{
    template <class U_, usm::alloc K_, std::size_t A_> friend class usm_allocator;
    weiri::here at; /* where it is made, which names its memory */
    std::uint32_t context_number = 0;

  public:
    using value_type = T_;
    template <class U_> struct rebind {
        using other = usm_allocator<U_, Kind, Alignment>;
    };
    usm_allocator(weiri::here at_ = {}) noexcept : at(at_)
    {
    }
    explicit usm_allocator(const queue &of, const property_list & = {},
                           weiri::here at_ = {})
        : at(at_), context_number(weiri::context_of(of))
    {
    }
    usm_allocator(const context &of, const device &, const property_list & = {},
                  weiri::here at_ = {})
        : at(at_), context_number(weiri::context_of(of))
    {
    }
    template <class U_>
    usm_allocator(const usm_allocator<U_, Kind, Alignment> &other)
        : at(other.at), context_number(other.context_number)
    {
    }
    T_ *allocate(std::size_t n)
    {
        T_ *memory = weiri::allocate<T_>(n, Kind, context_number, at);
        if (memory == nullptr) {
            throw exception(errc::memory_allocation, "no memory for usm_allocator");
        }
        return memory;
    }
    void deallocate(T_ *memory, std::size_t)
    {
        weiri::weiri_sycl_free(memory, context_number, at.file, at.line, at.function);
    }
    template <class U_>
    friend bool operator==(const usm_allocator &,
                           const usm_allocator<U_, Kind, Alignment> &)
    {
        return true;
    }
    template <class U_>
    friend bool operator!=(const usm_allocator &,
                           const usm_allocator<U_, Kind, Alignment> &)
    {
        return false;
    }
};

} // namespace sycl

#endif
