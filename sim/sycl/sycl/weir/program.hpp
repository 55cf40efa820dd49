/* SPDX-License-Identifier: MIT
 *
 * program.hpp: programs of SYCL 1.2.1, and DPC++'s additions to them: constants of a
 * program, and accessors of atomics. <CL/sycl.hpp> has them, <sycl/sycl.hpp> does not.
 * The compiler has built all kernels, so to build a program changes nothing. */
#ifndef WEIR_SYCL_PROGRAM_HPP
#define WEIR_SYCL_PROGRAM_HPP

#include "handler.hpp"
#include "older.hpp"

namespace sycl
{

enum class program_state { none, compiled, linked };

namespace ext::oneapi
{
namespace experimental
{
/* A constant that the program was given before it was built: its value. */
template <class T_, class Id> class spec_constant
{
    T_ value{};

  public:
    spec_constant() = default;
    explicit spec_constant(const T_ &v) : value(v)
    {
    }
    WEIRI_SYCL_INLINE T_ get() const
    {
        return value;
    }
    WEIRI_SYCL_INLINE operator T_() const
    {
        return value;
    }
};
class spec_const_error : public exception
{
    using exception::exception;
};
} // namespace experimental

/* An accessor whose elements are atomic_refs. */
template <class T_, int D_, memory_order Order, memory_scope Scope,
          target Target = target::device,
          access::placeholder P_ = access::placeholder::false_t>
class atomic_accessor : public accessor<T_, D_, access_mode::read_write, Target, P_>
{
    using base = accessor<T_, D_, access_mode::read_write, Target, P_>;
    static constexpr auto space = Target == target::local
        ? access::address_space::local_space
        : access::address_space::global_space;

  public:
    template <class A_, class... Tags>
    atomic_accessor(buffer<T_, D_, A_> &of, handler &h, const Tags &...) : base(of, h)
    {
    }
    /* of local memory */
    atomic_accessor(range<D_> size, handler &h, const property_list & = {},
                    weiri::here at = {})
        : base(size, h, property_list(), at)
    {
    }
    template <class I_> WEIRI_SYCL_INLINE auto operator[](const I_ &index) const
    {
        return atomic_ref<T_, Order, Scope, space>(base::operator[](index));
    }
};
template <memory_order O_> struct order_tag_t {
};
template <memory_scope S_> struct scope_tag_t {
};
inline constexpr order_tag_t<memory_order::relaxed> relaxed_order{};
inline constexpr order_tag_t<memory_order::acq_rel> acq_rel_order{};
inline constexpr order_tag_t<memory_order::seq_cst> seq_cst_order{};
inline constexpr scope_tag_t<memory_scope::sub_group> sub_group_scope{};
inline constexpr scope_tag_t<memory_scope::work_group> work_group_scope{};
inline constexpr scope_tag_t<memory_scope::device> device_scope{};
inline constexpr scope_tag_t<memory_scope::system> system_scope{};
template <class T_, int D_, class A_, memory_order O_, memory_scope S_>
atomic_accessor(buffer<T_, D_, A_> &, handler &, order_tag_t<O_>, scope_tag_t<S_>)
    -> atomic_accessor<T_, D_, O_, S_>;
template <class T_, int D_, class A_, memory_order O_, memory_scope S_>
atomic_accessor(buffer<T_, D_, A_> &, handler &, order_tag_t<O_>, scope_tag_t<S_>,
                const property_list &) -> atomic_accessor<T_, D_, O_, S_>;
} // namespace ext::oneapi

class program
{
    context in;
    program_state state = program_state::none;
    std::string options;

    void become(program_state next, const std::string &with)
    {
        if (state != program_state::none) {
            throw exception(errc::invalid, "the program was compiled already");
        }
        state = next;
        options = with;
    }

  public:
    explicit program(const context &of, const property_list & = {}) : in(of)
    {
    }
    program(const context &of, const std::vector<device> &, const property_list & = {})
        : in(of)
    {
    }
    program(const std::vector<program> &list, const std::string &link_options = {})
        : in(list.at(0).in), state(program_state::linked), options(link_options)
    {
    }
    template <class Name> void build_with_kernel_type(const std::string &with = {})
    {
        become(program_state::linked, with);
    }
    template <class Name> void compile_with_kernel_type(const std::string &with = {})
    {
        become(program_state::compiled, with);
    }
    void link(const std::string & = {})
    {
        if (state != program_state::compiled) {
            throw exception(errc::invalid, "a program is compiled before it is linked");
        }
        state = program_state::linked;
    }
    template <class... X_> void build_with_source(const X_ &...)
    {
        static_assert(sizeof...(X_) == SIZE_MAX,
                      "Weir does not compile source text at run time: write the kernel "
                      "in the program");
    }
    template <class... X_> void compile_with_source(const X_ &...)
    {
        static_assert(sizeof...(X_) == SIZE_MAX,
                      "Weir does not compile source text at run time: write the kernel "
                      "in the program");
    }
    /* The constant gets its value where it is used, which is before a launch. */
    template <class Id, class T_>
    ext::oneapi::experimental::spec_constant<T_, Id> set_spec_constant(T_ value)
    {
        if (state != program_state::none) {
            throw ext::oneapi::experimental::spec_const_error(
                errc::invalid, "a constant is set before the program is built");
        }
        return ext::oneapi::experimental::spec_constant<T_, Id>(value);
    }
    template <class Name> kernel get_kernel() const
    {
        return kernel(get_kernel_id<Name>(), in);
    }
    template <class Name> bool has_kernel() const noexcept
    {
        return state != program_state::none;
    }
    context get_context() const
    {
        return in;
    }
    std::vector<device> get_devices() const
    {
        return in.get_devices();
    }
    program_state get_state() const noexcept
    {
        return state;
    }
    bool is_host() const noexcept
    {
        return false;
    }
    backend get_backend() const noexcept
    {
        return backend::weir;
    }
    std::string get_build_options() const
    {
        return options;
    }
    std::string get_compile_options() const
    {
        return options;
    }
    std::string get_link_options() const
    {
        return options;
    }
};

} // namespace sycl

#endif
