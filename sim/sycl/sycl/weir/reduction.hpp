/* SPDX-License-Identifier: MIT
 *
 * reduction.hpp: reductions of a launch: [SYCL20] 4.9.2. Each item adds to the sum of
 * its group, and the host adds up the groups, one after another. */
#ifndef WEIR_SYCL_REDUCTION_HPP
#define WEIR_SYCL_REDUCTION_HPP

#include "algorithm.hpp"
#include "memory.hpp"

#include <optional>
#include <tuple>

namespace sycl
{

/* ---- Reductions ------------------------------------------------------------------ */

template <class T_, class Op, int D_ = 0> class reducer;

} // namespace sycl

namespace weiri
{

/* A reduction's variable: where the sum goes, and what an item begins with. */
template <class T_, class Op, bool Span> struct reduction_object {
    using value_type = T_;
    using op_type = Op;
    T_ *target;
    std::size_t n; /* elements */
    Op op;
    std::optional<T_> identity;
    bool keeps; /* what the variable held takes part */
    std::shared_ptr<buffer_memory> held;
    static constexpr bool is_span = Span;
};

/* A sum that may have no value yet. */
template <class T_> struct part_sum {
    T_ value;
    bool is;
};

/* Adds an item's value to its group's, whose items take turns. Out of sight of the
 * hooks; the operation, which may be the user's, sees copies. */
template <class T_, class Op>
__attribute__((noinline)) WEIRI_UNINSTRUMENTED void add_part(part_sum<T_> *of_group,
                                                             const T_ *value, Op op)
{
    alignas(T_) unsigned char sum[sizeof(T_)], before[sizeof(T_)];
    copy_unseen<T_>(sum, value);
    if (of_group->is) {
        copy_unseen<T_>(before, &of_group->value);
        const T_ both = op(*reinterpret_cast<const T_ *>(before), *value);
        copy_unseen<T_>(sum, &both);
    }
    copy_unseen<T_>(&of_group->value, sum);
    of_group->is = true;
}

} // namespace weiri

namespace sycl
{

template <class T_, class Op> class reducer<T_, Op, 0>
{
    weiri::part_sum<T_> mine;
    Op op;

  public:
    using value_type = T_;
    using binary_operation = Op;
    static constexpr int dimensions = 0;
    WEIRI_SYCL_INLINE reducer(const std::optional<T_> &identity, Op op_)
        : mine{ identity ? *identity : T_(), identity.has_value() }, op(op_)
    {
    }
    reducer(const reducer &) = delete;
    reducer &operator=(const reducer &) = delete;

    WEIRI_SYCL_INLINE reducer &combine(const T_ &value)
    {
        mine.value = mine.is ? op(mine.value, value) : value;
        mine.is = true;
        return *this;
    }
    WEIRI_SYCL_INLINE T_ identity() const
    {
        return weiri::identity<Op, T_>();
    }
    WEIRI_SYCL_INLINE const weiri::part_sum<T_> &weiri_value() const
    {
        return mine;
    }

#define WEIRI_SYCL_OP(op_, function)                                                   \
    template <class O_ = Op, class = std::enable_if_t<weiri::is_op<O_, T_, function>>> \
    friend WEIRI_SYCL_INLINE reducer &operator op_(reducer &r, const T_ &value)        \
    {                                                                                  \
        return r.combine(value);                                                       \
    }
    WEIRI_SYCL_OP(+=, plus)
    WEIRI_SYCL_OP(*=, multiplies)
    WEIRI_SYCL_OP(&=, bit_and)
    WEIRI_SYCL_OP(|=, bit_or)
    WEIRI_SYCL_OP(^=, bit_xor)
#undef WEIRI_SYCL_OP
    template <class O_ = Op, class = std::enable_if_t<weiri::is_op<O_, T_, plus>>>
    WEIRI_SYCL_INLINE reducer &operator++()
    {
        return combine(T_(1));
    }
    template <class O_ = Op, class = std::enable_if_t<weiri::is_op<O_, T_, plus>>>
    WEIRI_SYCL_INLINE void operator++(int)
    {
        combine(T_(1));
    }
};

/* The reducer of a span, with a reducer for each element. */
template <class T_, class Op> class reducer<T_, Op, 1>
{
    weiri::part_sum<T_> *of;
    Op op;

    class element
    {
        reducer &all;
        std::size_t k;

      public:
        WEIRI_SYCL_INLINE element(reducer &r, std::size_t k_) : all(r), k(k_)
        {
        }
        WEIRI_SYCL_INLINE element &combine(const T_ &value)
        {
            weiri::add_part(&all.of[k], &value, all.op);
            return *this;
        }
        template <class O_ = Op, class = std::enable_if_t<weiri::is_op<O_, T_, plus>>>
        WEIRI_SYCL_INLINE element &operator+=(const T_ &value)
        {
            return combine(value);
        }
        template <class O_ = Op,
                  class = std::enable_if_t<weiri::is_op<O_, T_, multiplies>>>
        WEIRI_SYCL_INLINE element &operator*=(const T_ &value)
        {
            return combine(value);
        }
        template <class O_ = Op, class = std::enable_if_t<weiri::is_op<O_, T_, bit_or>>>
        WEIRI_SYCL_INLINE element &operator|=(const T_ &value)
        {
            return combine(value);
        }
        template <class O_ = Op,
                  class = std::enable_if_t<weiri::is_op<O_, T_, bit_xor>>>
        WEIRI_SYCL_INLINE element &operator^=(const T_ &value)
        {
            return combine(value);
        }
        template <class O_ = Op, class = std::enable_if_t<weiri::is_op<O_, T_, plus>>>
        WEIRI_SYCL_INLINE element &operator++()
        {
            return combine(T_(1));
        }
        template <class O_ = Op, class = std::enable_if_t<weiri::is_op<O_, T_, plus>>>
        WEIRI_SYCL_INLINE void operator++(int)
        {
            combine(T_(1));
        }
    };

  public:
    using value_type = T_;
    using binary_operation = Op;
    static constexpr int dimensions = 1;
    reducer(weiri::part_sum<T_> *values, Op op_) : of(values), op(op_)
    {
    }
    reducer(const reducer &) = delete;
    reducer &operator=(const reducer &) = delete;
    WEIRI_SYCL_INLINE element operator[](std::size_t k)
    {
        return element(*this, k);
    }
};

} // namespace sycl

namespace weiri
{

template <class T_, class Op, bool Span = false>
reduction_object<T_, Op, Span> make_reduction(T_ *target, std::size_t n,
                                              std::optional<T_> identity, Op op,
                                              const sycl::property_list &properties,
                                              std::shared_ptr<buffer_memory> held)
{
    if (!identity && has_identity<Op, T_>()) {
        if constexpr (has_identity<Op, T_>()) {
            identity = weiri::identity<Op, T_>();
        }
    }
    return {
        target,         n, op, identity, !properties_access::to_identity(properties),
        std::move(held)
    };
}

/* Whether an accessor has what its memory held before. */
constexpr bool keeps(sycl::access_mode mode) noexcept
{
    return mode != sycl::access_mode::write && mode != sycl::access_mode::discard_write
        && mode != sycl::access_mode::discard_read_write;
}

} // namespace weiri

namespace sycl
{

template <class T_, class Op>
auto reduction(T_ *variable, Op op, const property_list &properties = {})
{
    return weiri::make_reduction<T_, Op>(variable, 1, std::nullopt, op, properties,
                                         nullptr);
}
template <class T_, class Op>
auto reduction(T_ *variable, const T_ &identity, Op op,
               const property_list &properties = {})
{
    return weiri::make_reduction<T_, Op>(variable, 1, identity, op, properties,
                                         nullptr);
}
template <class T_, class A_, class Op>
auto reduction(buffer<T_, 1, A_> variable, handler &h, Op op,
               const property_list &properties = {})
{
    weiri::buffer_access::of(variable)->will_be_written();
    weiri::add_use(h, weiri::buffer_access::start(variable), true);
    return weiri::make_reduction<T_, Op>(weiri::buffer_access::start(variable), 1,
                                         std::nullopt, op, properties,
                                         weiri::buffer_access::of(variable));
}
template <class T_, class A_, class Op>
auto reduction(buffer<T_, 1, A_> variable, handler &h, const T_ &identity, Op op,
               const property_list &properties = {})
{
    weiri::buffer_access::of(variable)->will_be_written();
    weiri::add_use(h, weiri::buffer_access::start(variable), true);
    return weiri::make_reduction<T_, Op>(weiri::buffer_access::start(variable), 1,
                                         identity, op, properties,
                                         weiri::buffer_access::of(variable));
}
/* of an accessor, as before SYCL 2020: what it may not read takes no part */
template <class T_, int D_, access_mode M_, target G_, access::placeholder P_, class Op>
auto reduction(const accessor<T_, D_, M_, G_, P_> &variable, Op op)
{
    return weiri::make_reduction<T_, Op>(
        variable.weiri_address(), 1, std::nullopt, op,
        weiri::keeps(M_) ? property_list()
                         : property_list(property::reduction::initialize_to_identity()),
        nullptr);
}
template <class T_, int D_, access_mode M_, target G_, access::placeholder P_, class Op>
auto reduction(const accessor<T_, D_, M_, G_, P_> &variable, const T_ &identity, Op op)
{
    return weiri::make_reduction<T_, Op>(
        variable.weiri_address(), 1, identity, op,
        weiri::keeps(M_) ? property_list()
                         : property_list(property::reduction::initialize_to_identity()),
        nullptr);
}
/* of a span, of which the header knows data() and size() */
template <class S_, class Op, class P_ = decltype(std::declval<S_ &>().data()),
          class = decltype(std::declval<S_ &>().size()),
          class T_ = std::remove_pointer_t<P_>>
auto reduction(S_ span, Op op, const property_list &properties = {})
{
    return weiri::make_reduction<T_, Op, true>(span.data(), span.size(), std::nullopt,
                                               op, properties, nullptr);
}
template <class S_, class Op, class P_ = decltype(std::declval<S_ &>().data()),
          class = decltype(std::declval<S_ &>().size()),
          class T_ = std::remove_pointer_t<P_>>
auto reduction(S_ span, const T_ &identity, Op op, const property_list &properties = {})
{
    return weiri::make_reduction<T_, Op, true>(span.data(), span.size(), identity, op,
                                               properties, nullptr);
}

} // namespace sycl

namespace weiri
{

template <class R_> struct is_reduction : std::false_type {
};
template <class T_, class Op, bool Span>
struct is_reduction<reduction_object<T_, Op, Span>> : std::true_type {
};

/* The sums of one reduction: for each group, and in it for each element. */
template <class T_, class Op> struct parts {
    part_sum<T_> *of;
    std::size_t n;
    std::optional<T_> identity;
    Op op;
};

/* Makes a reducer for an item, and adds what it has to its group's sums. */
template <class T_, class Op, bool Span> class part_reducer
{
    const parts<T_, Op> &all;
    part_sum<T_> *of_group;

  public:
    sycl::reducer<T_, Op, 0> reducer;
    WEIRI_SYCL_INLINE part_reducer(const parts<T_, Op> &p, std::size_t group)
        : all(p), of_group(p.of + group), reducer(p.identity, p.op)
    {
    }
    WEIRI_SYCL_INLINE void end()
    {
        const part_sum<T_> &mine = reducer.weiri_value();
        if (mine.is) {
            add_part(of_group, &mine.value, all.op);
        }
    }
};
template <class T_, class Op> class part_reducer<T_, Op, true>
{
  public:
    sycl::reducer<T_, Op, 1> reducer;
    WEIRI_SYCL_INLINE part_reducer(const parts<T_, Op> &p, std::size_t group)
        : reducer(p.of + group * p.n, p.op)
    {
    }
    WEIRI_SYCL_INLINE void end()
    {
    }
};

/* A function that takes reducers after its item. */
template <class F_, class Parts, class Spans> struct reducing;
template <class F_, class... P_, bool... Span>
struct reducing<F_, std::tuple<P_...>, std::integer_sequence<bool, Span...>> {
    F_ f;
    std::tuple<P_...> parts_;

    template <class Item>
    WEIRI_SYCL_INLINE void run(Item &item, std::size_t group) const
    {
        run_with(item, group, std::index_sequence_for<P_...>());
    }

  private:
    template <class Part, bool S_> struct reducer_of;
    template <class T_, class Op, bool S_> struct reducer_of<parts<T_, Op>, S_> {
        using type = part_reducer<T_, Op, S_>;
    };
    template <class Item, std::size_t... I_>
    WEIRI_SYCL_INLINE void run_with(Item &item, std::size_t group,
                                    std::index_sequence<I_...>) const
    {
        run_reducers(
            item, typename reducer_of<P_, Span>::type(std::get<I_>(parts_), group)...);
    }
    template <class Item, class... R_>
    WEIRI_SYCL_INLINE void run_reducers(Item &item, R_ &&...reducers) const
    {
        f(item, reducers.reducer...);
        (reducers.end(), ...);
    }
};

template <class F_, int D_> struct nd_reducing_kernel {
    F_ f;
    sycl::id<D_> offset;
    WEIRI_SYCL_INLINE void operator()(weir_item &item) const
    {
        sycl::nd_item<D_> it(item, offset);
        f.run(it, item.shape->group_linear);
    }
};

template <class F_, int D_> struct range_reducing_kernel {
    F_ f;
    sycl::range<D_> range;
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
        sycl::item<D_> it(id, range, sycl::id<D_>());
        f.run(it, item.shape->group_linear);
    }
};

} // namespace weiri

#endif
