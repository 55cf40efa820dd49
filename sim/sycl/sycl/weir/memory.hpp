/* SPDX-License-Identifier: MIT
 *
 * memory.hpp: buffers, and the common part of their accessors: [SYCL20] 4.7.
 *
 * A buffer's elements are memory of the device from the start; the host's elements are
 * copied there, and back when the buffer ends. Commands run one after the other, so
 * that an accessor has nothing to wait for. */
#ifndef WEIR_SYCL_MEMORY_HPP
#define WEIR_SYCL_MEMORY_HPP

#include "atomic.hpp"
#include "device.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <memory>
#include <vector>

namespace sycl
{

enum class access_mode {
    read,
    write,
    read_write,
    discard_write, /* of SYCL 1.2.1, as are the next two */
    discard_read_write,
    atomic,
};

enum class target {
    device,
    host_task,
    local, /* of SYCL 1.2.1, as are the next two */
    host_buffer,
    constant_buffer,
    global_buffer = device,
};

namespace access
{
using mode = sycl::access_mode;
using target = sycl::target;
enum class placeholder { false_t, true_t };
} // namespace access

template <access_mode Mode> struct mode_tag_t {
    explicit mode_tag_t() = default;
};
template <access_mode Mode, target Target> struct mode_target_tag_t {
    explicit mode_target_tag_t() = default;
};
inline constexpr mode_tag_t<access_mode::read> read_only{};
inline constexpr mode_tag_t<access_mode::read_write> read_write{};
inline constexpr mode_tag_t<access_mode::write> write_only{};
inline constexpr mode_target_tag_t<access_mode::read, target::constant_buffer>
    read_constant{};
inline constexpr mode_target_tag_t<access_mode::read, target::host_task>
    read_only_host_task{};
inline constexpr mode_target_tag_t<access_mode::read_write, target::host_task>
    read_write_host_task{};
inline constexpr mode_target_tag_t<access_mode::write, target::host_task>
    write_only_host_task{};

class handler;
template <class T_, int D_ = 1,
          class Allocator = std::allocator<std::remove_const_t<T_>>>
class buffer;
template <class T_> using buffer_allocator = std::allocator<T_>;

} // namespace sycl

namespace weiri
{

/* Buffers whose elements are the host's while they live, as programs for DPC++ expect:
 * there, a device that shares the host's memory uses the host's array itself. Here, the
 * array has the buffer's elements when the host has waited. */
struct host_arrays {
    std::mutex mutex;
    std::vector<struct buffer_memory *> of;
    static host_arrays &all()
    {
        static host_arrays one;
        return one;
    }
};

/* The elements of a buffer, which all copies of it share. */
struct buffer_memory {
    void *memory;
    std::size_t bytes;
    std::function<void(const void *)> write_back; /* empty: not wanted */
    bool writes_back = true;
    bool written = false; /* an accessor may have */
    bool newer = false;   /* the same, since the host's array had the elements */
    bool listed = false;  /* in host_arrays */
    bool waits = false;   /* the host's data is used until the end, which waits */

    here at;

    buffer_memory(std::size_t n, std::size_t element_bytes, const here &at_)
        : memory(
            weiri_sycl_new(n, element_bytes, WEIRI_SYCL_BUFFER, 0, at_.file, at_.line)),
          bytes(times(n, element_bytes)), at(at_)
    {
        if (memory == nullptr) {
            throw sycl::exception(sycl::errc::memory_allocation,
                                  "no memory for a buffer of " + std::to_string(n)
                                      + " elements of " + std::to_string(element_bytes)
                                      + " bytes");
        }
    }
    buffer_memory(const buffer_memory &) = delete;
    buffer_memory &operator=(const buffer_memory &) = delete;
    void will_be_written() noexcept
    {
        written = newer = true;
    }
    void list(bool is)
    {
        host_arrays &arrays = host_arrays::all();
        const std::lock_guard<std::mutex> lock(arrays.mutex);
        if (is && !listed) {
            arrays.of.push_back(this);
        } else if (!is && listed) {
            arrays.of.erase(std::find(arrays.of.begin(), arrays.of.end(), this));
        }
        listed = is;
    }
    ~buffer_memory()
    {
        if (listed) {
            list(false);
        }
        if (waits || write_back) {
            weiri_sycl_wait_buffer(memory, true);
        }
        if (writes_back && write_back && written) {
            write_back(memory);
        }
        weiri_sycl_free(memory, 0, at.file, at.line, at.function);
    }
};

/* Out of sight of the hooks: a wait is not an access of the program. */
__attribute__((noinline)) WEIRI_UNINSTRUMENTED inline void host_has_waited()
{
    host_arrays &arrays = host_arrays::all();
    const std::lock_guard<std::mutex> lock(arrays.mutex);
    for (buffer_memory *one : arrays.of) {
        if (one->newer && one->writes_back) {
            one->newer = false;
            one->write_back(one->memory);
        }
    }
}

/* Where an accessor begins, and the sizes with which it finds elements. */
template <class T_, int D_> struct view {
    T_ *start = nullptr;
    sycl::range<D_> whole; /* of the memory */
    sycl::range<D_> part;  /* that is accessed, */
    sycl::id<D_> offset;   /* from here on */

    WEIRI_SYCL_INLINE T_ &at(const sycl::id<D_> &index) const noexcept
    {
        if constexpr (D_ == 1) {
            return start[offset.get(0) + index.get(0)];
        } else {
            std::size_t linear = 0;
            for (int d = 0; d < D_; d++) {
                linear = linear * whole.get(d) + offset.get(d) + index.get(d);
            }
            return start[linear];
        }
    }
};

/* a[i] of two or three dimensions, which wants further indices. */
template <class A_, int D_, int Left> class partial_index
{
    const A_ &accessor;
    sycl::id<D_> index;

  public:
    WEIRI_SYCL_INLINE partial_index(const A_ &a, sycl::id<D_> i) noexcept
        : accessor(a), index(i)
    {
    }
    WEIRI_SYCL_INLINE decltype(auto) operator[](std::size_t i) const noexcept
    {
        sycl::id<D_> next = index;
        next[D_ - Left] = i;
        if constexpr (Left == 1) {
            return accessor[next];
        } else {
            return partial_index<A_, D_, Left - 1>(accessor, next);
        }
    }
};

constexpr bool reads_only(sycl::access_mode mode) noexcept
{
    return mode == sycl::access_mode::read;
}
constexpr bool writes_all(sycl::access_mode mode) noexcept
{
    return mode == sycl::access_mode::discard_write
        || mode == sycl::access_mode::discard_read_write;
}

/* The common part of accessors of all kinds. */
template <class T_, int D_, class Self> class accessor_base
{
  protected:
    view<T_, D_> v;

  public:
    using value_type = T_;
    using reference = T_ &;
    using const_reference = const T_ &;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using iterator = T_ *;
    using const_iterator = const T_ *;
    static constexpr int dimensions = D_;

    WEIRI_SYCL_INLINE T_ &operator[](const sycl::id<D_> &index) const noexcept
    {
        return v.at(index);
    }
    template <bool O_>
    WEIRI_SYCL_INLINE T_ &operator[](const sycl::item<D_, O_> &item) const noexcept
    {
        return v.at(item.get_id());
    }
    template <class I_,
              class = std::enable_if_t<std::is_integral_v<I_> || std::is_enum_v<I_>>>
    WEIRI_SYCL_INLINE decltype(auto) operator[](I_ index) const noexcept
    {
        if constexpr (D_ == 1) {
            return (v.start[v.offset.get(0) + static_cast<std::size_t>(index)]);
        } else {
            sycl::id<D_> first;
            first[0] = static_cast<std::size_t>(index);
            return partial_index<Self, D_, D_ - 1>(static_cast<const Self &>(*this),
                                                   first);
        }
    }
    std::size_t size() const noexcept
    {
        return v.part.size();
    }
    std::size_t get_count() const noexcept
    {
        return size();
    }
    std::size_t byte_size() const noexcept
    {
        return size() * sizeof(T_);
    }
    std::size_t get_size() const noexcept
    {
        return byte_size();
    }
    std::size_t max_size() const noexcept
    {
        return size();
    }
    bool empty() const noexcept
    {
        return size() == 0;
    }
    sycl::range<D_> get_range() const noexcept
    {
        return v.part;
    }
    sycl::id<D_> get_offset() const noexcept
    {
        return v.offset;
    }
    iterator begin() const noexcept
    {
        return v.start + v.offset.get(0);
    }
    iterator end() const noexcept
    {
        return begin() + size();
    }
    const_iterator cbegin() const noexcept
    {
        return begin();
    }
    const_iterator cend() const noexcept
    {
        return end();
    }

    WEIRI_SYCL_INLINE T_ *weiri_address() const noexcept
    {
        return v.start;
    }
    const view<T_, D_> &weiri_view() const noexcept
    {
        return v;
    }

    std::size_t weiri_hash() const noexcept
    {
        return std::hash<const void *>()(v.start);
    }
    friend bool operator==(const Self &a, const Self &b) noexcept
    {
        return a.v.start == b.v.start && a.v.part == b.v.part
            && a.v.offset == b.v.offset;
    }
    friend bool operator!=(const Self &a, const Self &b) noexcept
    {
        return !(a == b);
    }
};

struct buffer_access {
    template <class B_> static auto &of(B_ &buffer)
    {
        return buffer.shared;
    }
    template <class B_> static auto *start(B_ &buffer)
    {
        return buffer.start();
    }
    template <class B_> static std::size_t offset(B_ &buffer)
    {
        return buffer.first;
    }
};

template <class X_> struct is_tag : std::false_type {
};
template <sycl::access_mode M_> struct is_tag<sycl::mode_tag_t<M_>> : std::true_type {
    static constexpr auto mode = M_;
    static constexpr auto target = sycl::target::device;
};
template <sycl::access_mode M_, sycl::target G_>
struct is_tag<sycl::mode_target_tag_t<M_, G_>> : std::true_type {
    static constexpr auto mode = M_;
    static constexpr auto target = G_;
};

/* A key that a local accessor has in place of an address, until a group runs. */
uint64_t add_local(sycl::handler &handler, std::size_t count, std::size_t element_bytes,
                   const here &at);
/* The command uses the buffer in whose memory the address lies. */
void add_use(sycl::handler &handler, const void *address, bool writes);

} // namespace weiri

namespace sycl
{

/* ---- Buffers --------------------------------------------------------------------- */

template <class T_, int D_ = 1, access_mode Mode = access_mode::read_write,
          target Target = target::device,
          access::placeholder = access::placeholder::false_t>
class accessor;
template <class T_, int D_ = 1, access_mode Mode = access_mode::read_write>
class host_accessor;

template <class T_, int D_, class Allocator> class buffer
{
    friend struct weiri::buffer_access;
    template <class U_, int E_, class B_> friend class buffer;
    using element = std::remove_const_t<T_>;

    std::shared_ptr<weiri::buffer_memory> shared;
    range<D_> range_;
    std::size_t first = 0; /* element, of a buffer that is a part of another */
    bool part = false;
    property_list properties;

    element *start() const
    {
        return static_cast<element *>(shared->memory) + first;
    }

    void copy_in(const element *from)
    {
        if (from != nullptr) {
            shared->waits = true;
            std::copy(from, from + range_.size(), start());
        }
    }
    template <class To> void copy_back_to(To to)
    {
        const std::size_t n = range_.size();
        shared->write_back = [to, n](const void *memory) {
            const auto *from = static_cast<const element *>(memory);
            std::copy(from, from + n, to);
        };
    }
    buffer(std::shared_ptr<weiri::buffer_memory> memory, range<D_> range,
           std::size_t first_, bool part_)
        : shared(std::move(memory)), range_(range), first(first_), part(part_)
    {
    }

  public:
    using value_type = T_;
    using reference = T_ &;
    using const_reference = const T_ &;
    using allocator_type = Allocator;
    static constexpr int dimensions = D_;

    buffer(const range<D_> &range, const property_list &list = {}, weiri::here at = {})
        : shared(std::make_shared<weiri::buffer_memory>(range.size(), sizeof(T_), at)),
          range_(range), properties(list)
    {
    }
    buffer(const range<D_> &range, Allocator, const property_list &list = {},
           weiri::here at = {})
        : buffer(range, list, at)
    {
    }
    buffer(T_ *data, const range<D_> &range, const property_list &list = {},
           weiri::here at = {})
        : buffer(range, list, at)
    {
        copy_in(data);
        if constexpr (!std::is_const_v<T_>) {
            if (data != nullptr) {
                copy_back_to(data);
                shared->list(true);
            }
        }
    }
    buffer(T_ *data, const range<D_> &range, Allocator, const property_list &list = {},
           weiri::here at = {})
        : buffer(data, range, list, at)
    {
    }
    template <class U_,
              class = std::enable_if_t<std::is_same_v<U_, T_> && !std::is_const_v<U_>>>
    buffer(const U_ *data, const range<D_> &range, const property_list &list = {},
           weiri::here at = {})
        : buffer(range, list, at)
    {
        copy_in(data);
    }
    template <
        class U_,
        class = std::enable_if_t<std::is_same_v<std::remove_const_t<U_>, element>>>
    buffer(const std::shared_ptr<U_> &data, const range<D_> &range,
           const property_list &list = {}, weiri::here at = {})
        : buffer(range, list, at)
    {
        copy_in(data.get());
        if constexpr (!std::is_const_v<U_>) {
            const std::size_t n = range_.size();
            shared->write_back = [data, n](const void *memory) {
                const auto *from = static_cast<const element *>(memory);
                std::copy(from, from + n, data.get());
            };
        }
    }
    template <
        class U_,
        class = std::enable_if_t<std::is_same_v<std::remove_const_t<U_>, element>>>
    buffer(const std::shared_ptr<U_> &data, const range<D_> &range, Allocator,
           const property_list &list = {}, weiri::here at = {})
        : buffer(data, range, list, at)
    {
    }
    template <class U_>
    buffer(const std::shared_ptr<U_[]> &data, const range<D_> &range,
           const property_list &list = {}, weiri::here at = {})
        : buffer(range, list, at)
    {
        copy_in(data.get());
        const std::size_t n = range_.size();
        shared->write_back = [data, n](const void *memory) {
            const auto *from = static_cast<const element *>(memory);
            std::copy(from, from + n, data.get());
        };
    }
    /* from iterators: nothing is copied back */
    template <class I_, class = typename std::iterator_traits<I_>::iterator_category,
              class = std::enable_if_t<D_ == 1 && !std::is_integral_v<I_>>>
    buffer(I_ begin, I_ end, const property_list &list = {}, weiri::here at = {})
        : buffer(range<D_>(static_cast<std::size_t>(std::distance(begin, end))), list,
                 at)
    {
        std::copy(begin, end, start());
    }
    /* from a container of contiguous elements */
    template <
        class C_, class P_ = decltype(std::data(std::declval<C_ &>())),
        class = std::enable_if_t<
            D_ == 1
            && std::is_same_v<std::remove_const_t<std::remove_pointer_t<P_>>, element>>>
    buffer(C_ &container, const property_list &list = {}, weiri::here at = {})
        : buffer(range<D_>(std::size(container)), list, at)
    {
        copy_in(std::data(container));
        if constexpr (!std::is_const_v<
                          std::remove_pointer_t<P_>> && !std::is_const_v<T_>) {
            copy_back_to(std::data(container));
            shared->list(true);
        }
    }
    buffer(buffer<T_, D_, Allocator> &whole, const id<D_> &base, const range<D_> &range)
        : buffer(whole.shared, range, whole.first + linear_of(base, whole.range_), true)
    {
        if (whole.part) {
            throw exception(errc::invalid, "a sub-buffer has no sub-buffers");
        }
        for (int d = 0; d < D_; d++) {
            if (base.get(d) + range.get(d) > whole.range_.get(d)
                || (d > 0 && range.get(d) != whole.range_.get(d))) {
                throw exception(errc::invalid,
                                "a sub-buffer lies in the buffer, and its elements are "
                                "contiguous");
            }
        }
    }

    range<D_> get_range() const noexcept
    {
        return range_;
    }
    std::size_t size() const noexcept
    {
        return range_.size();
    }
    std::size_t get_count() const noexcept
    {
        return size();
    }
    std::size_t byte_size() const noexcept
    {
        return size() * sizeof(T_);
    }
    std::size_t get_size() const noexcept
    {
        return byte_size();
    }
    Allocator get_allocator() const
    {
        return {};
    }
    template <class P_> bool has_property() const noexcept
    {
        return properties.has_property<P_>();
    }
    template <class P_> P_ get_property() const
    {
        return properties.get_property<P_>();
    }
    bool is_sub_buffer() const noexcept
    {
        return part;
    }

    template <class To> void set_final_data(To to)
    {
        shared->list(false);
        if constexpr (std::is_same_v<To, std::nullptr_t>) {
            shared->write_back = nullptr;
        } else if constexpr (std::is_same_v<To, void *>) {
            set_final_data(static_cast<element *>(to));
        } else if constexpr (std::is_pointer_v<To>) {
            if (to == nullptr) {
                shared->write_back = nullptr;
            } else {
                copy_back_to(to);
            }
        } else {
            copy_back_to(to);
        }
    }
    template <class U_> void set_final_data(std::shared_ptr<U_> to)
    {
        set_final_data(std::weak_ptr<U_>(to));
    }
    template <class U_> void set_final_data(std::weak_ptr<U_> to)
    {
        shared->list(false);
        const std::size_t n = range_.size();
        shared->write_back = [to, n](const void *memory) {
            if (auto held = to.lock()) {
                const auto *from = static_cast<const element *>(memory);
                std::copy(from, from + n, held.get());
            }
        };
    }
    void set_write_back(bool writes = true)
    {
        shared->writes_back = writes;
    }

    template <access_mode Mode = access_mode::read_write,
              target Target = target::device>
    auto get_access(handler &h);
    template <access_mode Mode, target Target = target::device>
    auto get_access(handler &h, range<D_> range, id<D_> offset = {});
    template <class Tag, class... X_,
              class = std::enable_if_t<weiri::is_tag<Tag>::value>>
    auto get_access(handler &h, Tag tag, X_... rest);
    template <class Tag, class... X_,
              class = std::enable_if_t<weiri::is_tag<Tag>::value>>
    auto get_access(handler &h, range<D_> range, Tag tag, X_... rest);
    template <class Tag, class... X_,
              class = std::enable_if_t<weiri::is_tag<Tag>::value>>
    auto get_access(handler &h, range<D_> range, id<D_> offset, Tag tag, X_... rest);
    template <access_mode Mode> auto get_access();
    template <access_mode Mode> auto get_access(range<D_> range, id<D_> offset = {});
    template <class... X_> auto get_host_access(X_... arguments);

    template <class U_, int E_> buffer<U_, E_> reinterpret(range<E_> range) const
    {
        if (range.size() * sizeof(U_) != byte_size()) {
            throw exception(errc::invalid, "reinterpret() keeps the number of bytes");
        }
        return buffer<U_, E_>(shared, range, first * sizeof(T_) / sizeof(U_), part);
    }
    template <class U_, int E_ = D_> buffer<U_, E_> reinterpret() const
    {
        static_assert(E_ == 1 || (E_ == D_ && sizeof(U_) == sizeof(T_)),
                      "reinterpret() without a range makes one dimension");
        if constexpr (E_ == 1) {
            return reinterpret<U_, 1>(range<1>(byte_size() / sizeof(U_)));
        } else {
            return reinterpret<U_, E_>(range_);
        }
    }

    std::size_t weiri_hash() const noexcept
    {
        return std::hash<const void *>()(start());
    }
    friend bool operator==(const buffer &a, const buffer &b)
    {
        return a.shared == b.shared && a.first == b.first && a.range_ == b.range_;
    }
    friend bool operator!=(const buffer &a, const buffer &b)
    {
        return !(a == b);
    }

  private:
    static std::size_t linear_of(const id<D_> &index, const range<D_> &range)
    {
        std::size_t linear = 0;
        for (int d = 0; d < D_; d++) {
            linear = linear * range.get(d) + index.get(d);
        }
        return linear;
    }
};

template <class T_, int D_, class... X_>
buffer(T_ *, const range<D_> &, X_...) -> buffer<T_, D_>;
template <class T_, int D_, class... X_>
buffer(const T_ *, const range<D_> &, X_...) -> buffer<T_, D_>;
template <class T_, class N_, class = std::enable_if_t<std::is_integral_v<N_>>,
          class... X_>
buffer(T_ *, N_, X_...) -> buffer<std::remove_const_t<T_>, 1>;
template <class T_, int D_, class... X_>
buffer(std::shared_ptr<T_>, const range<D_> &, X_...)
    -> buffer<std::remove_extent_t<T_>, D_>;
template <class I_, class = typename std::iterator_traits<I_>::iterator_category,
          class = std::enable_if_t<!std::is_pointer_v<I_>>, class... X_>
buffer(I_, I_, X_...) -> buffer<typename std::iterator_traits<I_>::value_type, 1>;
template <class T_, class... X_>
buffer(T_ *, T_ *, X_...) -> buffer<std::remove_const_t<T_>, 1>;
template <class C_, class P_ = decltype(std::data(std::declval<C_ &>())), class... X_>
buffer(C_ &, X_...) -> buffer<std::remove_const_t<std::remove_pointer_t<P_>>, 1>;
template <class T_, int D_, class A_>
buffer(buffer<T_, D_, A_> &, const id<D_> &, const range<D_> &) -> buffer<T_, D_, A_>;
template <class T_, int D_, class A_> buffer(buffer<T_, D_, A_>) -> buffer<T_, D_, A_>;

} // namespace sycl

#endif
