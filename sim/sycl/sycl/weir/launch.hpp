/* SPDX-License-Identifier: MIT
 *
 * launch.hpp: kernels as the machine calls them, and how they are launched: groups for
 * ranges without, and the keys of local accessors in a function object. */
#ifndef WEIR_SYCL_LAUNCH_HPP
#define WEIR_SYCL_LAUNCH_HPP

#include "bundle.hpp"
#include "memory.hpp"

namespace sycl
{
/* The program's statement about its types; a kernel is copied byte by byte in any
 * case. */
template <class T_> struct is_device_copyable : std::is_trivially_copyable<T_> {
};
template <class T_>
inline constexpr bool is_device_copyable_v = is_device_copyable<T_>::value;
} // namespace sycl

namespace weiri
{

/* A kernel is copied byte by byte, and its copies are never destroyed. */
template <class F_> constexpr void may_be_kernel() noexcept
{
    static_assert(
        std::is_trivially_destructible_v<F_> || sycl::is_device_copyable_v<F_>,
        "the kernel captures an object that is not device copyable, as std::string and "
        "std::vector: capture a pointer or an accessor, or specialise "
        "sycl::is_device_copyable");
}

/* ---- Kernels as the machine calls them ------------------------------------------- */

/* A text that contains the name: "class a::b" ends in b. */
class unnamed;
template <class Name> const char *name_of() noexcept
{
    if constexpr (std::is_same_v<Name, unnamed>) {
        return nullptr;
    } else {
        return __PRETTY_FUNCTION__; /* weiri_sycl_run() takes the name out of it */
    }
}

template <class F_, int D_> struct nd_kernel {
    F_ f;
    sycl::id<D_> offset;
    WEIRI_SYCL_CALLER WEIRI_SYCL_INLINE void operator()(weir_item &item) const
    {
        sycl::nd_item<D_> it(item, offset);
        f(it);
    }
};

/* The groups of a launch without groups may hold more items than its range. In one
 * dimension the fast entry leaves those out: a loop without a condition in it can be
 * made vectors of. */
template <class F_, int D_> struct range_kernel {
    F_ f;
    sycl::range<D_> range;
    sycl::id<D_> offset;
    WEIRI_SYCL_INLINE std::size_t items_inside(const weiri_shape &shape) const
    {
        return range.get(0) - std::min(range.get(0), shape.group[0] * shape.local[0]);
    }
    WEIRI_SYCL_INLINE void inside(weir_item &item) const
    {
        const place<D_> at(item);
        run(collect<sycl::id, D_>([&](int d) { return at.global(d); }));
    }
    WEIRI_SYCL_INLINE void operator()(weir_item &item) const
    {
        const place<D_> at(item);
        sycl::id<D_> id;
        for (int d = 0; d < D_; d++) {
            id[d] = at.global(d);
            if (id[d] >= range.get(d)) {
                return;
            }
        }
        run(id);
    }

  private:
    WEIRI_SYCL_CALLER WEIRI_SYCL_INLINE void run(sycl::id<D_> id) const
    {
        for (int d = 0; d < D_; d++) {
            id[d] += offset.get(d);
        }
        sycl::item<D_> it(id, range, offset);
        f(it);
    }
};

template <class F_> struct task_kernel {
    F_ f;
    WEIRI_SYCL_INLINE void operator()(weir_item &) const
    {
        f();
    }
};

/* ---- Launches -------------------------------------------------------------------- */

[[noreturn]] inline void fail(const weiri_sycl_launch &launch, weiri_sycl_error error)
{
    const sycl::errc code = error == WEIRI_SYCL_BAD_RANGE ? sycl::errc::nd_range
        : error == WEIRI_SYCL_NO_MEMORY     ? sycl::errc::memory_allocation
        : error == WEIRI_SYCL_NOT_SUPPORTED ? sycl::errc::kernel_not_supported
                                            : sycl::errc::runtime;
    throw sycl::exception(code, launch.message);
}

/* Has F in it as the compiler spells it. */
template <class F_> const char *spelling_of() noexcept
{
    return __PRETTY_FUNCTION__;
}

/* An array of local memory that a command group has asked for. */
struct local_request {
    uint64_t key;
    std::size_t count, element_bytes;
    const weir_site *site;
};

/* Where the keys of local accessors stand in the function object. */
template <class F_>
std::vector<weiri_sycl_local> find_locals(const F_ &f,
                                          const std::vector<local_request> &requests)
{
    std::vector<weiri_sycl_local> found;
    const auto *bytes = reinterpret_cast<const unsigned char *>(&f);
    uint32_t k = 0;
    for (const local_request &request : requests) {
        bool is = false;
        for (std::size_t at = 0; at + sizeof(uint64_t) <= sizeof(F_);
             at += alignof(uint64_t)) {
            uint64_t word;
            std::memcpy(&word, bytes + at, sizeof(word));
            if (word == request.key) {
                found.push_back({ k, static_cast<uint32_t>(at), request.count,
                                  request.element_bytes, request.site });
                is = true;
            }
        }
        k += is ? 1 : 0;
    }
    return found;
}

/* Further requests to a launch, by properties: see extension.hpp. */
struct launch_choice {
    uint32_t sub_group = 0;        /* 0: any size */
    std::size_t scratch_bytes = 0; /* of local memory */
};

template <class Entries, class F_>
void launch(const F_ &f, const std::vector<local_request> &requests, const char *name,
            uint32_t dim, const std::size_t *global, const std::size_t *local,
            const here &at, bool hierarchical, const launch_choice &choice = {})
{
    const std::vector<weiri_sycl_local> found = find_locals(f, requests);
    const weiri_sycl_locals locals
        = { static_cast<uint32_t>(found.size()), found.data(), choice.scratch_bytes };
    alignas(arguments<F_>) unsigned char bytes[sizeof(arguments<F_>)];
    const weiri_sycl_locals *of = &locals;
    std::memcpy(bytes + offsetof(arguments<F_>, locals), &of, sizeof(of));
    std::memcpy(bytes + offsetof(arguments<F_>, function),
                static_cast<const void *>(&f), sizeof(F_));
    weiri_sycl_launch order = {};
    order.name = name;
    order.header = __FILE__;
    order.file = at.file;
    order.line = at.line;
    order.spelled = spelling_of<F_>();
#if WEIRI_FAT < 2
    order.fast = Entries::kernel__fast;
    order.type = Entries::type();
#elif WEIRI_SPLIT
    Entries::keep_split();
#endif
#if WEIRI_FAT == 1 || WEIRI_SYCL_HOOKS
    order.checked = Entries::kernel__checked;
    order.checked_item = Entries::checked_item();
#endif
    order.hierarchical = hierarchical;
    order.sub_group = choice.sub_group;
    order.dim = dim;
    for (uint32_t d = 0; d < 3; d++) {
        order.global[d] = d < dim ? global[d] : 1;
        order.local[d] = d < dim ? local[d] : 1;
    }
    order.args = bytes;
    order.args_bytes = sizeof(bytes);
    const weiri_sycl_error error = weiri_sycl_run(&order);
    if (error != WEIRI_SYCL_OK) {
        fail(order, error);
    }
}

template <class F_>
void launch(const F_ &f, const std::vector<local_request> &requests, const char *name,
            uint32_t dim, const std::size_t *global, const std::size_t *local,
            const here &at, const launch_choice &choice = {})
{
    launch<entries<F_>>(f, requests, name, dim, global, local, at, false, choice);
}

/* The items of a number of groups, in one dimension. */
inline std::size_t items_of(std::size_t groups, std::size_t local)
{
    const std::size_t items = times(groups, local);
    if (items == SIZE_MAX) {
        throw sycl::exception(sycl::errc::nd_range,
                              std::to_string(groups) + " groups of "
                                  + std::to_string(local)
                                  + " items: the range is too large");
    }
    return items;
}

/* A group's size for a range without one: whole rows as far as they fit. */
template <int D_>
void choose_groups(const sycl::range<D_> &range, std::size_t *global,
                   std::size_t *local)
{
    const std::size_t most
        = std::min<std::size_t>(number(WEIRI_SYCL_MAX_WORK_GROUP_SIZE), 256);
    std::size_t left = most;
    for (int d = D_ - 1; d >= 0; d--) {
        std::size_t n = range.get(d), size = std::min(n, left);
        while (size > 1 && n % size != 0 && size > left / 2) {
            size--;
        }
        if (size > 0 && n % size != 0) {
            size = std::min(n, left); /* no divisor: the last group is not full */
        }
        local[d] = std::max<std::size_t>(size, 1);
        global[d] = items_of(n / local[d] + (n % local[d] != 0 ? 1 : 0), local[d]);
        left = std::max<std::size_t>(left / local[d], 1);
    }
}

} // namespace weiri

#endif
