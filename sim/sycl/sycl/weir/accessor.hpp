/* SPDX-License-Identifier: MIT
 *
 * accessor.hpp: accessors of buffers and of local memory: [SYCL20] 4.7.6. An accessor
 * of a buffer is a pointer into the buffer's memory with its range; the host's
 * accessors also hold the buffer while they live. A local accessor holds a key, which a
 * launch replaces by the address of the group's array (machine.hpp). */
#ifndef WEIR_SYCL_ACCESSOR_HPP
#define WEIR_SYCL_ACCESSOR_HPP

#include "memory.hpp"

namespace sycl
{

/* ---- Accessors ------------------------------------------------------------------- */

} // namespace sycl

namespace weiri
{

template <class T_, sycl::access_mode Mode>
using accessed = std::conditional_t<reads_only(Mode), const T_, T_>;

template <class T_, int D_, sycl::access_mode Mode, class Self>
class buffer_accessor : public accessor_base<accessed<T_, Mode>, D_, Self>
{
  protected:
    buffer_accessor() = default;
    template <class B_> void open(B_ &buffer)
    {
        auto *memory = buffer_access::start(buffer);
        this->v = { reinterpret_cast<accessed<T_, Mode> *>(memory),
                    buffer.get_range(),
                    buffer.get_range(),
                    {} };
        if (!reads_only(Mode)) {
            buffer_access::of(buffer)->will_be_written();
        }
    }
    void narrow(const sycl::range<D_> &range, const sycl::id<D_> &offset)
    {
        for (int d = 0; d < D_; d++) {
            if (offset.get(d) + range.get(d) > this->v.whole.get(d)) {
                throw sycl::exception(sycl::errc::invalid,
                                      "the range of an accessor lies in its buffer");
            }
        }
        this->v.part = range;
        this->v.offset = offset;
    }
    /* tags and properties say no more than the type does */
    template <class X_> void take(const X_ &)
    {
    }

  public:
    using value_type = accessed<T_, Mode>;
    bool is_placeholder() const noexcept
    {
        return false;
    }
    /* as in SYCL 1.2.1: a program may name the pointer's type without const */
    T_ *get_pointer() const noexcept
    {
        return const_cast<T_ *>(this->v.start);
    }
    template <sycl::access::decorated C_>
    sycl::multi_ptr<value_type, sycl::access::address_space::global_space, C_>
    get_multi_ptr() const noexcept
    {
        return this->v.start;
    }
};

/* That a host accessor lives, where that is observed. */
struct buffer_hold {
    const uint32_t number;
    explicit buffer_hold(uint32_t number_) : number(number_)
    {
    }
    buffer_hold(const buffer_hold &) = delete;
    buffer_hold &operator=(const buffer_hold &) = delete;
    ~buffer_hold()
    {
        weiri_sycl_let_go(number);
    }
    static std::shared_ptr<buffer_hold> of(uint32_t number)
    {
        return number != 0 ? std::make_shared<buffer_hold>(number) : nullptr;
    }
};

/* An accessor that stands for one element. */
template <class Base> class element_of : public Base
{
  public:
    using reference = typename Base::reference;
    static constexpr int dimensions = 0;

    element_of() noexcept = default;
    template <class T_, class A_, class... X_>
    element_of(sycl::buffer<T_, 1, A_> &buffer, X_ &&...rest) : Base(buffer, rest...)
    {
        this->v.part = sycl::range<1>(1);
    }
    WEIRI_SYCL_INLINE operator reference() const noexcept
    {
        return *this->v.start;
    }
    WEIRI_SYCL_INLINE const element_of &operator=(
        const typename Base::value_type &value) const noexcept
    {
        *this->v.start = value;
        return *this;
    }
};

} // namespace weiri

namespace sycl
{

template <class T_, int D_, access_mode Mode, target Target,
          access::placeholder Placeholder>
class accessor
    : public weiri::buffer_accessor<T_, D_, Mode,
                                    accessor<T_, D_, Mode, Target, Placeholder>>
{
    using base = weiri::buffer_accessor<T_, D_, Mode, accessor>;
    template <class X_>
    static constexpr bool is_place
        = std::is_same_v<X_, handler> || weiri::is_tag<X_>::value
        || std::is_convertible_v<X_, property_list>;

  public:
    accessor() noexcept = default;
    template <class U_, class A_, class... X_,
              class = std::enable_if_t<
                  std::is_same_v<
                      std::remove_const_t<U_>,
                      std::remove_const_t<T_>> && (is_place<std::decay_t<X_>> && ...)>>
    accessor(buffer<U_, D_, A_> &buffer, X_ &&...rest)
    {
        this->open(buffer);
        (use(rest), ...);
    }
    template <class U_, class A_, class... X_>
    accessor(buffer<U_, D_, A_> &buffer, handler &h, range<D_> range, X_ &&...rest)
    {
        this->open(buffer);
        use(h);
        if constexpr (sizeof...(X_) > 0) {
            place(range, rest...);
        } else {
            this->narrow(range, id<D_>());
        }
    }
    template <class U_, class A_, class... X_>
    accessor(buffer<U_, D_, A_> &buffer, range<D_> range, X_ &&...rest)
    {
        this->open(buffer);
        if constexpr (sizeof...(X_) > 0) {
            place(range, rest...);
        } else {
            this->narrow(range, id<D_>());
        }
    }
    /* a read accessor of one that may write */
    template <access_mode M_,
              class = std::enable_if_t<weiri::reads_only(Mode) && M_ != Mode>>
    accessor(const accessor<T_, D_, M_, Target, Placeholder> &other)
    {
        const auto &view = other.weiri_view();
        this->v = { view.start, view.whole, view.part, view.offset };
    }

  private:
    template <class X_> void use(X_ &x)
    {
        if constexpr (std::is_same_v<X_, handler>) {
            weiri::add_use(x, this->v.start, !weiri::reads_only(Mode));
        }
    }
    template <class X_, class... Y_>
    void place(const range<D_> &range, const X_ &first, const Y_ &...)
    {
        if constexpr (std::is_convertible_v<X_, id<D_>>) {
            this->narrow(range, first);
        } else {
            this->narrow(range, id<D_>());
        }
    }
};

/* One element, with no index. */
template <class T_, int D_, target Target, access::placeholder Placeholder>
class accessor<T_, D_, access_mode::atomic, Target, Placeholder>
    : public weiri::buffer_accessor<
          T_, D_, access_mode::atomic,
          accessor<T_, D_, access_mode::atomic, Target, Placeholder>>
{
    using base = weiri::buffer_accessor<T_, D_, access_mode::atomic, accessor>;

  public:
    template <class A_> accessor(buffer<T_, D_, A_> &buffer, handler &h)
    {
        this->open(buffer);
        weiri::add_use(h, this->v.start, true);
    }
    template <class I_>
    WEIRI_SYCL_INLINE atomic<T_> operator[](const I_ &index) const noexcept
    {
        return atomic<T_>(base::operator[](index));
    }
};

/* The first element, with no index. */
template <class T_, access_mode Mode, target Target, access::placeholder Placeholder>
class accessor<T_, 0, Mode, Target, Placeholder>
    : public weiri::element_of<accessor<T_, 1, Mode, Target, Placeholder>>
{
    using base = weiri::element_of<accessor<T_, 1, Mode, Target, Placeholder>>;

  public:
    using base::base;
    using base::operator=;
};

template <class T_, class A_> accessor(buffer<T_, 1, A_> &) -> accessor<T_, 1>;
template <class T_, int D_, class A_>
accessor(buffer<T_, D_, A_> &, handler &) -> accessor<T_, D_>;
template <class T_, int D_, class A_>
accessor(buffer<T_, D_, A_> &, handler &, const property_list &) -> accessor<T_, D_>;
template <class T_, int D_, class A_, class Tag, class... X_,
          class = std::enable_if_t<weiri::is_tag<Tag>::value>>
accessor(buffer<T_, D_, A_> &, handler &, Tag, X_...)
    -> accessor<T_, D_, weiri::is_tag<Tag>::mode, weiri::is_tag<Tag>::target>;
template <class T_, int D_, class A_, class Tag, class... X_,
          class = std::enable_if_t<weiri::is_tag<Tag>::value>>
accessor(buffer<T_, D_, A_> &, Tag, X_...)
    -> accessor<T_, D_, weiri::is_tag<Tag>::mode, weiri::is_tag<Tag>::target>;
template <class T_, int D_, class A_>
accessor(buffer<T_, D_, A_> &, handler &, range<D_>) -> accessor<T_, D_>;
template <class T_, int D_, class A_, class Tag, class... X_,
          class = std::enable_if_t<weiri::is_tag<Tag>::value>>
accessor(buffer<T_, D_, A_> &, handler &, range<D_>, Tag, X_...)
    -> accessor<T_, D_, weiri::is_tag<Tag>::mode, weiri::is_tag<Tag>::target>;
template <class T_, int D_, class A_>
accessor(buffer<T_, D_, A_> &, handler &, range<D_>, id<D_>) -> accessor<T_, D_>;
template <class T_, int D_, class A_, class Tag, class... X_,
          class = std::enable_if_t<weiri::is_tag<Tag>::value>>
accessor(buffer<T_, D_, A_> &, handler &, range<D_>, id<D_>, Tag, X_...)
    -> accessor<T_, D_, weiri::is_tag<Tag>::mode, weiri::is_tag<Tag>::target>;

template <class T_, int D_, access_mode Mode>
class host_accessor
    : public weiri::buffer_accessor<T_, D_, Mode, host_accessor<T_, D_, Mode>>
{
    std::shared_ptr<weiri::buffer_hold> hold; /* of all copies */

  public:
    host_accessor() noexcept = default;
    template <class U_, class A_, class... X_>
    host_accessor(buffer<U_, D_, A_> &buffer, X_ &&...rest)
    {
        this->open(buffer);
        weiri::weiri_sycl_wait_buffer(this->v.start, !weiri::reads_only(Mode));
        take_all(rest...);
        if (!buffer.is_sub_buffer()) { /* commands may use other parts */
            hold = weiri::buffer_hold::of(weiri::weiri_sycl_hold(
                this->v.start, !weiri::reads_only(Mode), __FILE__));
        }
    }

  private:
    template <class... X_> void take_all(const X_ &...rest)
    {
        if constexpr (sizeof...(X_) > 0) {
            place(rest...);
        }
    }
    template <class First, class... X_>
    void place(const First &first, const X_ &...rest)
    {
        if constexpr (std::is_same_v<First, range<D_>>) {
            if constexpr (sizeof...(X_) > 0) {
                place_at(first, rest...);
            } else {
                this->narrow(first, id<D_>());
            }
        } else {
            (void)first;
            take_all(rest...);
        }
    }
    template <class First, class... X_>
    void place_at(const range<D_> &range, const First &first, const X_ &...)
    {
        if constexpr (std::is_convertible_v<First, id<D_>>) {
            this->narrow(range, first);
        } else {
            this->narrow(range, id<D_>());
        }
    }
};

template <class T_, access_mode Mode>
class host_accessor<T_, 0, Mode> : public weiri::element_of<host_accessor<T_, 1, Mode>>
{
    using base = weiri::element_of<host_accessor<T_, 1, Mode>>;

  public:
    using base::base;
    using base::operator=;
};

template <class T_, int D_, class A_>
host_accessor(buffer<T_, D_, A_> &) -> host_accessor<T_, D_>;
template <class T_, int D_, class A_, class Tag, class... X_,
          class = std::enable_if_t<weiri::is_tag<Tag>::value>>
host_accessor(buffer<T_, D_, A_> &, Tag, X_...)
    -> host_accessor<T_, D_, weiri::is_tag<Tag>::mode>;
template <class T_, int D_, class A_>
host_accessor(buffer<T_, D_, A_> &, range<D_>) -> host_accessor<T_, D_>;
template <class T_, int D_, class A_, class Tag, class... X_,
          class = std::enable_if_t<weiri::is_tag<Tag>::value>>
host_accessor(buffer<T_, D_, A_> &, range<D_>, Tag, X_...)
    -> host_accessor<T_, D_, weiri::is_tag<Tag>::mode>;
template <class T_, int D_, class A_>
host_accessor(buffer<T_, D_, A_> &, range<D_>, id<D_>) -> host_accessor<T_, D_>;
template <class T_, int D_, class A_, class Tag, class... X_,
          class = std::enable_if_t<weiri::is_tag<Tag>::value>>
host_accessor(buffer<T_, D_, A_> &, range<D_>, id<D_>, Tag, X_...)
    -> host_accessor<T_, D_, weiri::is_tag<Tag>::mode>;

template <class T_, int D_, class A_>
template <access_mode Mode, target Target>
auto buffer<T_, D_, A_>::get_access(handler &h)
{
    return accessor<T_, D_, Mode, Target>(*this, h);
}
template <class T_, int D_, class A_>
template <access_mode Mode, target Target>
auto buffer<T_, D_, A_>::get_access(handler &h, range<D_> range, id<D_> offset)
{
    return accessor<T_, D_, Mode, Target>(*this, h, range, offset);
}
template <class T_, int D_, class A_>
template <class Tag, class... X_, class>
auto buffer<T_, D_, A_>::get_access(handler &h, Tag tag, X_... rest)
{
    return accessor(*this, h, tag, rest...);
}
template <class T_, int D_, class A_>
template <class Tag, class... X_, class>
auto buffer<T_, D_, A_>::get_access(handler &h, range<D_> range, Tag tag, X_... rest)
{
    return accessor(*this, h, range, tag, rest...);
}
template <class T_, int D_, class A_>
template <class Tag, class... X_, class>
auto buffer<T_, D_, A_>::get_access(handler &h, range<D_> range, id<D_> offset, Tag tag,
                                    X_... rest)
{
    return accessor(*this, h, range, offset, tag, rest...);
}
template <class T_, int D_, class A_>
template <access_mode Mode>
auto buffer<T_, D_, A_>::get_access()
{
    return host_accessor<T_, D_, Mode>(*this);
}
template <class T_, int D_, class A_>
template <access_mode Mode>
auto buffer<T_, D_, A_>::get_access(range<D_> range, id<D_> offset)
{
    return host_accessor<T_, D_, Mode>(*this, range, offset);
}
template <class T_, int D_, class A_>
template <class... X_>
auto buffer<T_, D_, A_>::get_host_access(X_... arguments)
{
    return host_accessor(*this, arguments...);
}

/* ---- Local accessors ------------------------------------------------------------- */

template <class T_, int D_ = 1>
class local_accessor : public weiri::accessor_base<T_, D_, local_accessor<T_, D_>>
{
    using base = weiri::accessor_base<T_, D_, local_accessor<T_, D_>>;

  public:
    local_accessor() noexcept = default;
    template <int E_ = D_, class = std::enable_if_t<E_ == 1>>
    local_accessor(std::size_t n, handler &h, const property_list & = {},
                   weiri::here at = {})
        : local_accessor(range<D_>(n), h, property_list(), at)
    {
    }
    local_accessor(range<D_> size, handler &h, const property_list & = {},
                   weiri::here at = {})
    {
        const std::uint64_t key = weiri::add_local(h, size.size(), sizeof(T_), at);
        std::memcpy(static_cast<void *>(&this->v.start), &key, sizeof(key));
        this->v.whole = this->v.part = size;
    }
    WEIRI_SYCL_INLINE local_ptr<T_> get_pointer() const noexcept
    {
        return this->v.start;
    }
    template <access::decorated C_>
    WEIRI_SYCL_INLINE multi_ptr<T_, access::address_space::local_space, C_>
    get_multi_ptr() const noexcept
    {
        return this->v.start;
    }
};

template <class T_, int D_, access_mode Mode, access::placeholder Placeholder>
class accessor<T_, D_, Mode, target::local, Placeholder> : public local_accessor<T_, D_>
{
  public:
    using local_accessor<T_, D_>::local_accessor;
};
/* One element, with no index. */
template <class T_> class local_accessor<T_, 0> : public local_accessor<T_, 1>
{
  public:
    static constexpr int dimensions = 0;
    local_accessor() noexcept = default;
    local_accessor(handler &h, const property_list &properties = {},
                   weiri::here at = {})
        : local_accessor<T_, 1>(range<1>(1), h, properties, at)
    {
    }
    WEIRI_SYCL_INLINE operator T_ &() const noexcept
    {
        return *this->v.start;
    }
    WEIRI_SYCL_INLINE const local_accessor &operator=(const T_ &value) const noexcept
    {
        *this->v.start = value;
        return *this;
    }
};

/* whose elements are atomics */
template <class T_, int D_, access::placeholder Placeholder>
class accessor<T_, D_, access_mode::atomic, target::local, Placeholder>
    : public local_accessor<T_, D_>
{
    using base = local_accessor<T_, D_>;

  public:
    using base::base;
    template <class I_>
    WEIRI_SYCL_INLINE atomic<T_, access::address_space::local_space> operator[](
        const I_ &index) const noexcept
    {
        return atomic<T_, access::address_space::local_space>(base::operator[](index));
    }
};

template <class T_, access_mode Mode, access::placeholder Placeholder>
class accessor<T_, 0, Mode, target::local, Placeholder> : public local_accessor<T_, 0>
{
  public:
    using local_accessor<T_, 0>::local_accessor;
    using local_accessor<T_, 0>::operator=;
};

} // namespace sycl

#endif
