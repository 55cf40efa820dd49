/* SPDX-License-Identifier: MIT
 *
 * accessor.hpp: accessors of buffers and of local memory: [SYCL20] 4.7.6. */
#ifndef WEIR_SYCL_ACCESSOR_HPP
#define WEIR_SYCL_ACCESSOR_HPP

#include "memory.hpp"

namespace sycl
{

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
    accessor(buffer<U, D, A> &buffer, X &&...rest)
    {
        this->open(buffer);
        (use(rest), ...);
    }
    template <class U, class A, class... X>
    accessor(buffer<U, D, A> &buffer, handler &h, range<D> range, X &&...rest)
    {
        this->open(buffer);
        use(h);
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
    template <class X> void use(X &x)
    {
        if constexpr (std::is_same_v<X, handler>) {
            weiri::add_use(x, this->v.start, !weiri::reads_only(Mode));
        }
    }
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
    template <class A> accessor(buffer<T, D, A> &buffer, handler &h)
    {
        this->open(buffer);
        weiri::add_use(h, this->v.start, true);
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
        weiri::weiri_sycl_wait_buffer(this->v.start, !weiri::reads_only(Mode));
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
template <class Tag, class... X, class>
auto buffer<T, D, A>::get_access(handler &h, range<D> range, Tag tag, X... rest)
{
    return accessor(*this, h, range, tag, rest...);
}
template <class T, int D, class A>
template <class Tag, class... X, class>
auto buffer<T, D, A>::get_access(handler &h, range<D> range, id<D> offset, Tag tag,
                                 X... rest)
{
    return accessor(*this, h, range, offset, tag, rest...);
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
/* One element, with no index. */
template <class T> class local_accessor<T, 0> : public local_accessor<T, 1>
{
  public:
    local_accessor() noexcept = default;
    local_accessor(handler &h, const property_list &properties = {},
                   weiri::here at = {})
        : local_accessor<T, 1>(range<1>(1), h, properties, at)
    {
    }
    WEIRI_SYCL_INLINE operator T &() const noexcept
    {
        return *this->v.start;
    }
    WEIRI_SYCL_INLINE const local_accessor &operator=(const T &value) const noexcept
    {
        *this->v.start = value;
        return *this;
    }
};

} // namespace sycl

#endif
