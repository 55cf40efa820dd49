/* SPDX-License-Identifier: MIT
 *
 * memory.hpp: buffers, accessors and unified shared memory: [SYCL20] 4.7 and 4.8.
 *
 * A buffer's elements are memory of the device from the start; what the host gave is
 * copied there, and back when the buffer ends. Commands run one after the other, so
 * that an accessor has nothing to wait for. */
#ifndef WEIR_SYCL_MEMORY_HPP
#define WEIR_SYCL_MEMORY_HPP

#include "atomic.hpp"
#include "device.hpp"

#include <algorithm>
#include <array>
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
template <class T, int D = 1, class Allocator = std::allocator<std::remove_const_t<T>>>
class buffer;
template <class T> using buffer_allocator = std::allocator<T>;

} // namespace sycl

namespace weiri
{

/* The elements of a buffer, which all copies of it share. */
struct buffer_memory {
    void *memory;
    std::size_t bytes;
    std::function<void(const void *)> write_back; /* empty: nobody wants them */
    bool writes_back = true;
    bool written = false; /* an accessor may have */

    buffer_memory(std::size_t bytes_, const here &at)
        : memory(weiri_sycl_new(bytes_, WEIRI_SYCL_BUFFER, at.file, at.line)),
          bytes(bytes_)
    {
        if (memory == nullptr) {
            throw sycl::exception(sycl::errc::memory_allocation,
                                  "no memory for a buffer of " + std::to_string(bytes)
                                      + " bytes");
        }
    }
    buffer_memory(const buffer_memory &) = delete;
    buffer_memory &operator=(const buffer_memory &) = delete;
    ~buffer_memory()
    {
        if (writes_back && write_back && written) {
            write_back(memory);
        }
        weiri_sycl_free(memory);
    }
};

/* Where an accessor begins, and the sizes with which it finds elements. */
template <class T, int D> struct view {
    T *start = nullptr;
    sycl::range<D> whole; /* of the memory */
    sycl::range<D> part;  /* that is accessed, */
    sycl::id<D> offset;   /* from here on */

    WEIRI_SYCL_INLINE T &at(const sycl::id<D> &index) const noexcept
    {
        if constexpr (D == 1) {
            return start[offset.get(0) + index.get(0)];
        } else {
            std::size_t linear = 0;
            for (int d = 0; d < D; d++) {
                linear = linear * whole.get(d) + offset.get(d) + index.get(d);
            }
            return start[linear];
        }
    }
};

/* a[i] of two or three dimensions, which wants further indices. */
template <class A, int D, int Left> class partial_index
{
    const A &accessor;
    sycl::id<D> index;

  public:
    WEIRI_SYCL_INLINE partial_index(const A &a, sycl::id<D> i) noexcept
        : accessor(a), index(i)
    {
    }
    WEIRI_SYCL_INLINE decltype(auto) operator[](std::size_t i) const noexcept
    {
        sycl::id<D> next = index;
        next[D - Left] = i;
        if constexpr (Left == 1) {
            return accessor[next];
        } else {
            return partial_index<A, D, Left - 1>(accessor, next);
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

/* What accessors of all kinds have. */
template <class T, int D, class Self> class accessor_base
{
  protected:
    view<T, D> v;

  public:
    using value_type = T;
    using reference = T &;
    using const_reference = const T &;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using iterator = T *;
    using const_iterator = const T *;
    static constexpr int dimensions = D;

    WEIRI_SYCL_INLINE T &operator[](const sycl::id<D> &index) const noexcept
    {
        return v.at(index);
    }
    template <bool O>
    WEIRI_SYCL_INLINE T &operator[](const sycl::item<D, O> &item) const noexcept
    {
        return v.at(item.get_id());
    }
    template <class I,
              class = std::enable_if_t<std::is_integral_v<I> || std::is_enum_v<I>>>
    WEIRI_SYCL_INLINE decltype(auto) operator[](I index) const noexcept
    {
        if constexpr (D == 1) {
            return (v.start[v.offset.get(0) + static_cast<std::size_t>(index)]);
        } else {
            sycl::id<D> first;
            first[0] = static_cast<std::size_t>(index);
            return partial_index<Self, D, D - 1>(static_cast<const Self &>(*this),
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
        return size() * sizeof(T);
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
    sycl::range<D> get_range() const noexcept
    {
        return v.part;
    }
    sycl::id<D> get_offset() const noexcept
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

    WEIRI_SYCL_INLINE T *weiri_address() const noexcept
    {
        return v.start;
    }
    const view<T, D> &weiri_view() const noexcept
    {
        return v;
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
    template <class B> static auto &of(B &buffer)
    {
        return buffer.shared;
    }
    template <class B> static auto *start(B &buffer)
    {
        return buffer.start();
    }
    template <class B> static std::size_t offset(B &buffer)
    {
        return buffer.first;
    }
};

template <class X> struct is_tag : std::false_type {
};
template <sycl::access_mode M> struct is_tag<sycl::mode_tag_t<M>> : std::true_type {
    static constexpr auto mode = M;
    static constexpr auto target = sycl::target::device;
};
template <sycl::access_mode M, sycl::target G>
struct is_tag<sycl::mode_target_tag_t<M, G>> : std::true_type {
    static constexpr auto mode = M;
    static constexpr auto target = G;
};

/* A key that a local accessor has in place of an address, until a group runs. */
uint64_t add_local(sycl::handler &handler, std::size_t count, std::size_t element_bytes,
                   const here &at);

} // namespace weiri

namespace sycl
{

/* ---- Buffers --------------------------------------------------------------------- */

template <class T, int D = 1, access_mode Mode = access_mode::read_write,
          target Target = target::device,
          access::placeholder = access::placeholder::false_t>
class accessor;
template <class T, int D = 1, access_mode Mode = access_mode::read_write>
class host_accessor;

template <class T, int D, class Allocator> class buffer
{
    friend struct weiri::buffer_access;
    template <class U, int E, class B> friend class buffer;
    using element = std::remove_const_t<T>;

    std::shared_ptr<weiri::buffer_memory> shared;
    range<D> range_;
    std::size_t first = 0; /* element, of a buffer that is a part of another */
    bool part = false;

    element *start() const
    {
        return static_cast<element *>(shared->memory) + first;
    }

    void copy_in(const element *from)
    {
        if (from != nullptr) {
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
    buffer(std::shared_ptr<weiri::buffer_memory> memory, range<D> range,
           std::size_t first_)
        : shared(std::move(memory)), range_(range), first(first_), part(true)
    {
    }

  public:
    using value_type = T;
    using reference = T &;
    using const_reference = const T &;
    using allocator_type = Allocator;
    static constexpr int dimensions = D;

    buffer(const range<D> &range, const property_list & = {}, weiri::here at = {})
        : shared(std::make_shared<weiri::buffer_memory>(range.size() * sizeof(T), at)),
          range_(range)
    {
    }
    buffer(const range<D> &range, Allocator, const property_list & = {},
           weiri::here at = {})
        : buffer(range, property_list(), at)
    {
    }
    buffer(T *data, const range<D> &range, const property_list & = {},
           weiri::here at = {})
        : buffer(range, property_list(), at)
    {
        copy_in(data);
        if constexpr (!std::is_const_v<T>) {
            if (data != nullptr) {
                copy_back_to(data);
            }
        }
    }
    buffer(T *data, const range<D> &range, Allocator, const property_list & = {},
           weiri::here at = {})
        : buffer(data, range, property_list(), at)
    {
    }
    template <class U,
              class = std::enable_if_t<std::is_same_v<U, T> && !std::is_const_v<U>>>
    buffer(const U *data, const range<D> &range, const property_list & = {},
           weiri::here at = {})
        : buffer(range, property_list(), at)
    {
        copy_in(data);
    }
    template <class U,
              class = std::enable_if_t<std::is_same_v<std::remove_const_t<U>, element>>>
    buffer(const std::shared_ptr<U> &data, const range<D> &range,
           const property_list & = {}, weiri::here at = {})
        : buffer(range, property_list(), at)
    {
        copy_in(data.get());
        if constexpr (!std::is_const_v<U>) {
            const std::size_t n = range_.size();
            shared->write_back = [data, n](const void *memory) {
                const auto *from = static_cast<const element *>(memory);
                std::copy(from, from + n, data.get());
            };
        }
    }
    template <class U>
    buffer(const std::shared_ptr<U[]> &data, const range<D> &range,
           const property_list & = {}, weiri::here at = {})
        : buffer(range, property_list(), at)
    {
        copy_in(data.get());
        const std::size_t n = range_.size();
        shared->write_back = [data, n](const void *memory) {
            const auto *from = static_cast<const element *>(memory);
            std::copy(from, from + n, data.get());
        };
    }
    /* from iterators: nothing is copied back */
    template <class I, class = typename std::iterator_traits<I>::iterator_category,
              class = std::enable_if_t<D == 1 && !std::is_integral_v<I>>>
    buffer(I begin, I end, const property_list & = {}, weiri::here at = {})
        : buffer(range<D>(static_cast<std::size_t>(std::distance(begin, end))),
                 property_list(), at)
    {
        std::copy(begin, end, start());
    }
    /* from a container of contiguous elements */
    template <
        class C, class P = decltype(std::data(std::declval<C &>())),
        class = std::enable_if_t<
            D == 1
            && std::is_same_v<std::remove_const_t<std::remove_pointer_t<P>>, element>>>
    buffer(C &container, const property_list & = {}, weiri::here at = {})
        : buffer(range<D>(std::size(container)), property_list(), at)
    {
        copy_in(std::data(container));
        if constexpr (!std::is_const_v<
                          std::remove_pointer_t<P>> && !std::is_const_v<T>) {
            copy_back_to(std::data(container));
        }
    }
    buffer(buffer<T, D, Allocator> &whole, const id<D> &base, const range<D> &range)
        : buffer(whole.shared, range, whole.first + linear_of(base, whole.range_))
    {
        for (int d = 0; d < D; d++) {
            if (base.get(d) + range.get(d) > whole.range_.get(d)
                || (d > 0 && range.get(d) != whole.range_.get(d))) {
                throw exception(errc::invalid,
                                "a sub-buffer lies in the buffer, and its "
                                "elements lie one behind the other");
            }
        }
    }

    range<D> get_range() const noexcept
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
        return size() * sizeof(T);
    }
    std::size_t get_size() const noexcept
    {
        return byte_size();
    }
    Allocator get_allocator() const
    {
        return {};
    }
    bool is_sub_buffer() const noexcept
    {
        return part;
    }

    template <class To> void set_final_data(To to)
    {
        if constexpr (std::is_same_v<To, std::nullptr_t>) {
            shared->write_back = nullptr;
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
    template <class U> void set_final_data(std::weak_ptr<U> to)
    {
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
    auto get_access(handler &h, range<D> range, id<D> offset = {});
    template <class Tag, class... X,
              class = std::enable_if_t<weiri::is_tag<Tag>::value>>
    auto get_access(handler &h, Tag tag, X... rest);
    template <access_mode Mode> auto get_access();
    template <class... X> auto get_host_access(X... arguments);

    template <class U, int E> buffer<U, E> reinterpret(range<E> range) const
    {
        if (range.size() * sizeof(U) != byte_size()) {
            throw exception(errc::invalid, "reinterpret() keeps the number of bytes");
        }
        return buffer<U, E>(shared, range, first * sizeof(T) / sizeof(U));
    }
    template <class U, int E = D> buffer<U, E> reinterpret() const
    {
        static_assert(E == 1 || (E == D && sizeof(U) == sizeof(T)),
                      "reinterpret() without a range makes one dimension");
        if constexpr (E == 1) {
            return reinterpret<U, 1>(range<1>(byte_size() / sizeof(U)));
        } else {
            return reinterpret<U, E>(range_);
        }
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
    static std::size_t linear_of(const id<D> &index, const range<D> &range)
    {
        std::size_t linear = 0;
        for (int d = 0; d < D; d++) {
            linear = linear * range.get(d) + index.get(d);
        }
        return linear;
    }
};

template <class T, int D, class... X>
buffer(T *, const range<D> &, X...) -> buffer<T, D>;
template <class T, int D, class... X>
buffer(const T *, const range<D> &, X...) -> buffer<T, D>;
template <class T, class N, class = std::enable_if_t<std::is_integral_v<N>>, class... X>
buffer(T *, N, X...) -> buffer<std::remove_const_t<T>, 1>;
template <class T, int D, class... X>
buffer(std::shared_ptr<T>, const range<D> &, X...)
    -> buffer<std::remove_extent_t<T>, D>;
template <class I, class = typename std::iterator_traits<I>::iterator_category,
          class = std::enable_if_t<!std::is_pointer_v<I>>, class... X>
buffer(I, I, X...) -> buffer<typename std::iterator_traits<I>::value_type, 1>;
template <class T, class... X>
buffer(T *, T *, X...) -> buffer<std::remove_const_t<T>, 1>;
template <class C, class P = decltype(std::data(std::declval<C &>())), class... X>
buffer(C &, X...) -> buffer<std::remove_const_t<std::remove_pointer_t<P>>, 1>;
template <class T, int D, class A>
buffer(buffer<T, D, A> &, const id<D> &, const range<D> &) -> buffer<T, D, A>;
template <class T, int D, class A> buffer(buffer<T, D, A>) -> buffer<T, D, A>;

/* ---- Accessors ------------------------------------------------------------------- */

} // namespace sycl

namespace weiri
{

template <class T, sycl::access_mode Mode>
using accessed = std::conditional_t<reads_only(Mode), const T, T>;

template <class T, int D, sycl::access_mode Mode, class Self>
class buffer_accessor : public accessor_base<accessed<T, Mode>, D, Self>
{
  protected:
    buffer_accessor() = default;
    template <class B> void open(B &buffer)
    {
        auto *memory = buffer_access::start(buffer);
        this->v = { reinterpret_cast<accessed<T, Mode> *>(memory),
                    buffer.get_range(),
                    buffer.get_range(),
                    {} };
        if (!reads_only(Mode)) {
            buffer_access::of(buffer)->written = true;
        }
    }
    void narrow(const sycl::range<D> &range, const sycl::id<D> &offset)
    {
        for (int d = 0; d < D; d++) {
            if (offset.get(d) + range.get(d) > this->v.whole.get(d)) {
                throw sycl::exception(sycl::errc::invalid,
                                      "the range of an accessor lies in its buffer");
            }
        }
        this->v.part = range;
        this->v.offset = offset;
    }
    /* tags and properties say no more than the type does */
    template <class X> void take(const X &)
    {
    }

  public:
    using value_type = accessed<T, Mode>;
    bool is_placeholder() const noexcept
    {
        return false;
    }
    value_type *get_pointer() const noexcept
    {
        return this->v.start;
    }
    template <sycl::access::decorated C>
    sycl::multi_ptr<value_type, sycl::access::address_space::global_space, C>
    get_multi_ptr() const noexcept
    {
        return this->v.start;
    }
};

} // namespace weiri

namespace sycl
{

template <class T, int D, access_mode Mode, target Target,
          access::placeholder Placeholder>
class accessor
    : public weiri::buffer_accessor<T, D, Mode,
                                    accessor<T, D, Mode, Target, Placeholder>>
{
    using base = weiri::buffer_accessor<T, D, Mode, accessor>;
    template <class X>
    static constexpr bool is_place
        = std::is_same_v<X, handler> || weiri::is_tag<X>::value
        || std::is_convertible_v<X, property_list>;

  public:
    accessor() noexcept = default;
    template <class U, class A, class... X,
              class = std::enable_if_t<
                  std::is_same_v<
                      std::remove_const_t<U>,
                      std::remove_const_t<T>> && (is_place<std::decay_t<X>> && ...)>>
    accessor(buffer<U, D, A> &buffer, X &&...)
    {
        this->open(buffer);
    }
    template <class U, class A, class... X>
    accessor(buffer<U, D, A> &buffer, handler &, range<D> range, X &&...rest)
    {
        this->open(buffer);
        if constexpr (sizeof...(X) > 0) {
            place(range, rest...);
        } else {
            this->narrow(range, id<D>());
        }
    }
    template <class U, class A, class... X>
    accessor(buffer<U, D, A> &buffer, range<D> range, X &&...rest)
    {
        this->open(buffer);
        if constexpr (sizeof...(X) > 0) {
            place(range, rest...);
        } else {
            this->narrow(range, id<D>());
        }
    }
    /* a read accessor of one that may write */
    template <access_mode M,
              class = std::enable_if_t<weiri::reads_only(Mode) && M != Mode>>
    accessor(const accessor<T, D, M, Target, Placeholder> &other)
    {
        const auto &view = other.weiri_view();
        this->v = { view.start, view.whole, view.part, view.offset };
    }

  private:
    template <class X, class... Y>
    void place(const range<D> &range, const X &first, const Y &...)
    {
        if constexpr (std::is_convertible_v<X, id<D>>) {
            this->narrow(range, first);
        } else {
            this->narrow(range, id<D>());
        }
    }
};

/* One element, with no index. */
template <class T, int D, target Target, access::placeholder Placeholder>
class accessor<T, D, access_mode::atomic, Target, Placeholder>
    : public weiri::buffer_accessor<
          T, D, access_mode::atomic,
          accessor<T, D, access_mode::atomic, Target, Placeholder>>
{
    using base = weiri::buffer_accessor<T, D, access_mode::atomic, accessor>;

  public:
    template <class A> accessor(buffer<T, D, A> &buffer, handler &)
    {
        this->open(buffer);
    }
    template <class I>
    WEIRI_SYCL_INLINE atomic<T> operator[](const I &index) const noexcept
    {
        return atomic<T>(base::operator[](index));
    }
};

template <class T, class A> accessor(buffer<T, 1, A> &) -> accessor<T, 1>;
template <class T, int D, class A>
accessor(buffer<T, D, A> &, handler &) -> accessor<T, D>;
template <class T, int D, class A>
accessor(buffer<T, D, A> &, handler &, const property_list &) -> accessor<T, D>;
template <class T, int D, class A, class Tag, class... X,
          class = std::enable_if_t<weiri::is_tag<Tag>::value>>
accessor(buffer<T, D, A> &, handler &, Tag, X...)
    -> accessor<T, D, weiri::is_tag<Tag>::mode, weiri::is_tag<Tag>::target>;
template <class T, int D, class A, class Tag, class... X,
          class = std::enable_if_t<weiri::is_tag<Tag>::value>>
accessor(buffer<T, D, A> &, Tag, X...)
    -> accessor<T, D, weiri::is_tag<Tag>::mode, weiri::is_tag<Tag>::target>;
template <class T, int D, class A>
accessor(buffer<T, D, A> &, handler &, range<D>) -> accessor<T, D>;
template <class T, int D, class A, class Tag, class... X,
          class = std::enable_if_t<weiri::is_tag<Tag>::value>>
accessor(buffer<T, D, A> &, handler &, range<D>, Tag, X...)
    -> accessor<T, D, weiri::is_tag<Tag>::mode, weiri::is_tag<Tag>::target>;
template <class T, int D, class A>
accessor(buffer<T, D, A> &, handler &, range<D>, id<D>) -> accessor<T, D>;
template <class T, int D, class A, class Tag, class... X,
          class = std::enable_if_t<weiri::is_tag<Tag>::value>>
accessor(buffer<T, D, A> &, handler &, range<D>, id<D>, Tag, X...)
    -> accessor<T, D, weiri::is_tag<Tag>::mode, weiri::is_tag<Tag>::target>;

template <class T, int D, access_mode Mode>
class host_accessor
    : public weiri::buffer_accessor<T, D, Mode, host_accessor<T, D, Mode>>
{
  public:
    host_accessor() noexcept = default;
    template <class U, class A, class... X>
    host_accessor(buffer<U, D, A> &buffer, X &&...rest)
    {
        this->open(buffer);
        take_all(rest...);
    }

  private:
    template <class... X> void take_all(const X &...rest)
    {
        if constexpr (sizeof...(X) > 0) {
            place(rest...);
        }
    }
    template <class First, class... X> void place(const First &first, const X &...rest)
    {
        if constexpr (std::is_same_v<First, range<D>>) {
            if constexpr (sizeof...(X) > 0) {
                place_at(first, rest...);
            } else {
                this->narrow(first, id<D>());
            }
        } else {
            (void)first;
            take_all(rest...);
        }
    }
    template <class First, class... X>
    void place_at(const range<D> &range, const First &first, const X &...)
    {
        if constexpr (std::is_convertible_v<First, id<D>>) {
            this->narrow(range, first);
        } else {
            this->narrow(range, id<D>());
        }
    }
};

template <class T, int D, class A>
host_accessor(buffer<T, D, A> &) -> host_accessor<T, D>;
template <class T, int D, class A, class Tag, class... X,
          class = std::enable_if_t<weiri::is_tag<Tag>::value>>
host_accessor(buffer<T, D, A> &, Tag, X...)
    -> host_accessor<T, D, weiri::is_tag<Tag>::mode>;
template <class T, int D, class A>
host_accessor(buffer<T, D, A> &, range<D>) -> host_accessor<T, D>;
template <class T, int D, class A, class Tag, class... X,
          class = std::enable_if_t<weiri::is_tag<Tag>::value>>
host_accessor(buffer<T, D, A> &, range<D>, Tag, X...)
    -> host_accessor<T, D, weiri::is_tag<Tag>::mode>;
template <class T, int D, class A>
host_accessor(buffer<T, D, A> &, range<D>, id<D>) -> host_accessor<T, D>;
template <class T, int D, class A, class Tag, class... X,
          class = std::enable_if_t<weiri::is_tag<Tag>::value>>
host_accessor(buffer<T, D, A> &, range<D>, id<D>, Tag, X...)
    -> host_accessor<T, D, weiri::is_tag<Tag>::mode>;

template <class T, int D, class A>
template <access_mode Mode, target Target>
auto buffer<T, D, A>::get_access(handler &h)
{
    return accessor<T, D, Mode, Target>(*this, h);
}
template <class T, int D, class A>
template <access_mode Mode, target Target>
auto buffer<T, D, A>::get_access(handler &h, range<D> range, id<D> offset)
{
    return accessor<T, D, Mode, Target>(*this, h, range, offset);
}
template <class T, int D, class A>
template <class Tag, class... X, class>
auto buffer<T, D, A>::get_access(handler &h, Tag tag, X... rest)
{
    return accessor(*this, h, tag, rest...);
}
template <class T, int D, class A>
template <access_mode Mode>
auto buffer<T, D, A>::get_access()
{
    return host_accessor<T, D, Mode>(*this);
}
template <class T, int D, class A>
template <class... X>
auto buffer<T, D, A>::get_host_access(X... arguments)
{
    return host_accessor(*this, arguments...);
}

/* ---- Local accessors ------------------------------------------------------------- */

template <class T, int D = 1>
class local_accessor : public weiri::accessor_base<T, D, local_accessor<T, D>>
{
    using base = weiri::accessor_base<T, D, local_accessor<T, D>>;

  public:
    local_accessor() noexcept = default;
    template <int E = D, class = std::enable_if_t<E == 1>>
    local_accessor(std::size_t n, handler &h, const property_list & = {},
                   weiri::here at = {})
        : local_accessor(range<D>(n), h, property_list(), at)
    {
    }
    local_accessor(range<D> size, handler &h, const property_list & = {},
                   weiri::here at = {})
    {
        const std::uint64_t key = weiri::add_local(h, size.size(), sizeof(T), at);
        std::memcpy(static_cast<void *>(&this->v.start), &key, sizeof(key));
        this->v.whole = this->v.part = size;
    }
    WEIRI_SYCL_INLINE local_ptr<T> get_pointer() const noexcept
    {
        return this->v.start;
    }
    template <access::decorated C>
    WEIRI_SYCL_INLINE multi_ptr<T, access::address_space::local_space, C>
    get_multi_ptr() const noexcept
    {
        return this->v.start;
    }
};

template <class T, int D, access_mode Mode, access::placeholder Placeholder>
class accessor<T, D, Mode, target::local, Placeholder> : public local_accessor<T, D>
{
  public:
    using local_accessor<T, D>::local_accessor;
};
template <class T, access_mode Mode, access::placeholder Placeholder>
class accessor<T, 0, Mode, target::local, Placeholder> : public local_accessor<T, 1>
{
  public:
    accessor(handler &h, const property_list &properties = {}, weiri::here at = {})
        : local_accessor<T, 1>(range<1>(1), h, properties, at)
    {
    }
    WEIRI_SYCL_INLINE operator T &() const noexcept
    {
        return *this->v.start;
    }
};
template <class T> class local_accessor<T, 0>;

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

template <class T> T *allocate(std::size_t n, sycl::usm::alloc kind, const here &at)
{
    if (n > SIZE_MAX / sizeof(T)) {
        return nullptr;
    }
    return static_cast<T *>(
        weiri_sycl_new(n * sizeof(T), kind_of(kind), at.file, at.line));
}

} // namespace weiri

namespace sycl
{

#define WEIRI_SYCL_MALLOC(name, kind, ...)                                             \
    template <class T>                                                                 \
    T *malloc_##name(std::size_t n, __VA_ARGS__, const property_list & = {},           \
                     weiri::here at = {})                                              \
    {                                                                                  \
        return weiri::allocate<T>(n, usm::alloc::kind, at);                            \
    }                                                                                  \
    inline void *malloc_##name(std::size_t bytes, __VA_ARGS__,                         \
                               const property_list & = {}, weiri::here at = {})        \
    {                                                                                  \
        return weiri::allocate<char>(bytes, usm::alloc::kind, at);                     \
    }                                                                                  \
    template <class T>                                                                 \
    T *aligned_alloc_##name(std::size_t, std::size_t n, __VA_ARGS__,                   \
                            const property_list & = {}, weiri::here at = {})           \
    {                                                                                  \
        return weiri::allocate<T>(n, usm::alloc::kind, at);                            \
    }                                                                                  \
    inline void *aligned_alloc_##name(std::size_t, std::size_t bytes, __VA_ARGS__,     \
                                      const property_list & = {}, weiri::here at = {}) \
    {                                                                                  \
        return weiri::allocate<char>(bytes, usm::alloc::kind, at);                     \
    }
WEIRI_SYCL_MALLOC(device, device, const queue &)
WEIRI_SYCL_MALLOC(device, device, const device &, const context &)
WEIRI_SYCL_MALLOC(shared, shared, const queue &)
WEIRI_SYCL_MALLOC(shared, shared, const device &, const context &)
WEIRI_SYCL_MALLOC(host, host, const queue &)
WEIRI_SYCL_MALLOC(host, host, const context &)
#undef WEIRI_SYCL_MALLOC

#define WEIRI_SYCL_MALLOC(...)                                                         \
    template <class T>                                                                 \
    T *malloc(std::size_t n, __VA_ARGS__, usm::alloc kind, const property_list & = {}, \
              weiri::here at = {})                                                     \
    {                                                                                  \
        return weiri::allocate<T>(n, kind, at);                                        \
    }                                                                                  \
    inline void *malloc(std::size_t bytes, __VA_ARGS__, usm::alloc kind,               \
                        const property_list & = {}, weiri::here at = {})               \
    {                                                                                  \
        return weiri::allocate<char>(bytes, kind, at);                                 \
    }                                                                                  \
    template <class T>                                                                 \
    T *aligned_alloc(std::size_t, std::size_t n, __VA_ARGS__, usm::alloc kind,         \
                     const property_list & = {}, weiri::here at = {})                  \
    {                                                                                  \
        return weiri::allocate<T>(n, kind, at);                                        \
    }                                                                                  \
    inline void *aligned_alloc(std::size_t, std::size_t bytes, __VA_ARGS__,            \
                               usm::alloc kind, const property_list & = {},            \
                               weiri::here at = {})                                    \
    {                                                                                  \
        return weiri::allocate<char>(bytes, kind, at);                                 \
    }
WEIRI_SYCL_MALLOC(const queue &)
WEIRI_SYCL_MALLOC(const device &, const context &)
#undef WEIRI_SYCL_MALLOC

inline void free(void *memory, const queue &)
{
    weiri::weiri_sycl_free(memory);
}
inline void free(void *memory, const context &)
{
    weiri::weiri_sycl_free(memory);
}

inline usm::alloc get_pointer_type(const void *pointer, const context &)
{
    switch (weiri::weiri_sycl_kind_of(pointer)) {
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

template <class T, usm::alloc Kind, std::size_t Alignment = 0> class usm_allocator
{
  public:
    using value_type = T;
    template <class U> struct rebind {
        using other = usm_allocator<U, Kind, Alignment>;
    };
    usm_allocator() = default;
    explicit usm_allocator(const queue &, const property_list & = {})
    {
    }
    usm_allocator(const context &, const device &, const property_list & = {})
    {
    }
    template <class U> usm_allocator(const usm_allocator<U, Kind, Alignment> &)
    {
    }
    T *allocate(std::size_t n)
    {
        T *memory = weiri::allocate<T>(n, Kind, weiri::here());
        if (memory == nullptr) {
            throw exception(errc::memory_allocation, "no memory for usm_allocator");
        }
        return memory;
    }
    void deallocate(T *memory, std::size_t)
    {
        weiri::weiri_sycl_free(memory);
    }
    template <class U>
    friend bool operator==(const usm_allocator &,
                           const usm_allocator<U, Kind, Alignment> &)
    {
        return true;
    }
    template <class U>
    friend bool operator!=(const usm_allocator &,
                           const usm_allocator<U, Kind, Alignment> &)
    {
        return false;
    }
};

} // namespace sycl

#endif
