/* SPDX-License-Identifier: MIT
 *
 * algorithm.hpp: barriers and the algorithms of groups and sub-groups: [SYCL20] 4.17.3
 * and 4.17.4.
 *
 * The machine has sums, least and greatest values, votes and moves of the common types.
 * All others are made of two rendezvous: at the first, every item lays down a value, or
 * the address of one; each takes the values that it needs; after the second, the values
 * may go. */
#ifndef WEIR_SYCL_ALGORITHM_HPP
#define WEIR_SYCL_ALGORITHM_HPP

#include "atomic.hpp"
#include "functional.hpp"
#include "vec.hpp"

#include <iterator>
#include <optional>

namespace sycl
{

template <class G_> struct is_group : std::false_type {
};
template <int D_> struct is_group<group<D_>> : std::true_type {
};
template <> struct is_group<sub_group> : std::true_type {
};
template <class G_>
inline constexpr bool is_group_v = is_group<std::decay_t<G_>>::value;

} // namespace sycl

namespace weiri
{

template <class Op, class T_, template <class> class... F_>
inline constexpr bool is_any_op = (is_op<Op, T_, F_> || ...);

/* The value that changes nothing. */
template <class Op, class T_> constexpr bool has_identity() noexcept
{
    using namespace sycl;
    constexpr bool is_sum = is_any_op<Op, T_, plus, multiplies>;
    constexpr bool is_bits = is_any_op<Op, T_, bit_and, bit_or, bit_xor>;
    constexpr bool is_logic = is_any_op<Op, T_, logical_and, logical_or>;
    constexpr bool is_extreme = is_any_op<Op, T_, minimum, maximum>;
    return std::is_arithmetic_v<T_> && (is_sum || is_bits || is_logic || is_extreme);
}

template <class Op, class T_> constexpr T_ identity() noexcept
{
    using limits = std::numeric_limits<T_>;
    if constexpr (is_op<Op, T_, sycl::multiplies> || is_op<Op, T_, sycl::logical_and>) {
        return T_(1);
    } else if constexpr (is_op<Op, T_, sycl::bit_and>) {
        return static_cast<T_>(~T_(0));
    } else if constexpr (is_op<Op, T_, sycl::minimum>) {
        return limits::has_infinity ? limits::infinity() : limits::max();
    } else if constexpr (is_op<Op, T_, sycl::maximum>) {
        return limits::has_infinity ? static_cast<T_>(-limits::infinity())
                                    : limits::lowest();
    } else {
        return T_(0);
    }
}

} // namespace weiri

namespace sycl
{

template <class Op, class T_>
struct has_known_identity
    : std::bool_constant<weiri::has_identity<Op, std::remove_const_t<T_>>()> {
};
template <class Op, class T_>
inline constexpr bool has_known_identity_v = has_known_identity<Op, T_>::value;
template <class Op, class T_> struct known_identity {
    static constexpr T_ value = weiri::identity<Op, T_>();
};
template <class Op, class T_>
inline constexpr T_ known_identity_v = known_identity<Op, T_>::value;

} // namespace sycl

namespace weiri
{

/* ---- Rendezvous ------------------------------------------------------------------ */

/* Whether a group is a part of a sub-group, whose parts all meet at once, or an item
 * alone: chunk.hpp. */
template <class G_> inline constexpr bool is_part = false;
template <class G_> inline constexpr bool is_alone = false;
template <class G_>
inline constexpr bool is_sub
    = std::is_same_v<std::decay_t<G_>, sycl::sub_group> || is_part<std::decay_t<G_>>;

template <class G_>
constexpr uint64_t op_of(weiri_collective kind, weiri_type type, uint64_t argument = 0)
{
    return WEIRI_OP(kind, type, is_sub<G_> ? WEIRI_LEVEL_SUB_GROUP : WEIRI_LEVEL_GROUP,
                    is_sub<G_> ? sycl::memory_scope::sub_group
                               : sycl::memory_scope::work_group,
                    3, argument);
}

WEIRI_SYCL_INLINE void meet(uint64_t op, const here &at)
{
    weiri_barrier(op, site_of(at));
}

template <class G_>
WEIRI_SYCL_INLINE void barrier(const G_ &g, sycl::memory_scope scope, unsigned spaces,
                               const here &at)
{
    if constexpr (is_alone<G_>) {
        return;
    }
    const uint64_t op = WEIRI_OP(WEIRI_BARRIER, WEIRI_TYPE_none,
                                 is_sub<G_> ? WEIRI_LEVEL_SUB_GROUP : WEIRI_LEVEL_GROUP,
                                 scope, spaces, 0);
#if WEIRI_SPLIT
    weiri_split_pause(group_access::place_of(g).group, site_of(at), op);
#else
    (void)g;
    meet(op, at);
#endif
}

/* Exchanges values among the items of the group, as weiri_exchange(). */
template <class G_>
WEIRI_SYCL_INLINE weiri_value give_and_take(const G_ &g, uint64_t op, weiri_value value,
                                            const here &at)
{
#if WEIRI_SPLIT
    const auto &place = group_access::place_of(g);
    place.group->values[place.linear] = value;
    weiri_split_pause(place.group, site_of(at), op);
    return place.group->values[place.linear];
#else
    (void)g;
    return weiri_collect(op, value, site_of(at));
#endif
}

/* Whether the machine takes values of this type, for this group. */
template <class T_>
inline constexpr bool is_plain
    = std::is_arithmetic_v<T_> && !std::is_same_v<T_, long double>;
template <class T_, class G_>
inline constexpr bool is_plain_of = is_plain<T_> && !is_part<std::decay_t<G_>>;

/* The type in which it does. */
template <class T_>
using wide
    = std::conditional_t<std::is_floating_point_v<T_> || (sizeof(T_) >= 4), T_,
                         std::conditional_t<std::is_signed_v<T_>, int32_t, uint32_t>>;

template <class T_> WEIRI_SYCL_INLINE weiri_value value_of(T_ value) noexcept
{
    weiri_value result;
    result.bits = 0;
    __builtin_memcpy(&result, &value, sizeof(T_));
    return result;
}
template <class T_> WEIRI_SYCL_INLINE T_ value_as(const weiri_value &value) noexcept
{
    T_ result;
    __builtin_memcpy(&result, &value, sizeof(T_));
    return result;
}

template <class G_, class T_>
WEIRI_SYCL_INLINE T_ collect_value(const G_ &g, weiri_collective kind,
                                   uint64_t argument, T_ value, const here &at)
{
    using W_ = wide<T_>;
    return static_cast<T_>(
        value_as<W_>(give_and_take(g, op_of<G_>(kind, type_code<W_>(), argument),
                                   value_of(static_cast<W_>(value)), at)));
}

/* Members of a group, and the first of them in local linear ids. */
template <class G_> WEIRI_SYCL_INLINE std::size_t members(const G_ &g) noexcept
{
    return g.get_local_linear_range();
}
template <class G_> WEIRI_SYCL_INLINE std::size_t own(const G_ &g) noexcept
{
    return g.get_local_linear_id();
}

/* Copies the value of member @k out of sight of the hooks: it is another item's. */
template <class T_>
__attribute__((noinline)) WEIRI_UNINSTRUMENTED void fetch(T_ *to, weir_group *group,
                                                          std::size_t k)
{
    copy_unseen<T_>(to, reinterpret_cast<const void *>(group->values[k].bits));
}

/* Between the two rendezvous: the values of all members. */
template <class G_, class T_> class exchange
{
    const G_ &g;
    const here &at;
    weir_group *group;
    std::size_t first;

  public:
    WEIRI_SYCL_INLINE exchange(const G_ &g_, const T_ &value, const here &at_)
        : g(g_), at(at_), group(weiri_running_group()),
          first(group_access::place_of(g_).linear - own(g_))
    {
        weiri_value address;
        address.bits = reinterpret_cast<uint64_t>(&value);
        (void)weiri_collect(op_of<G_>(WEIRI_LOAD, WEIRI_TYPE_u64), address,
                            site_of(at));
    }
    WEIRI_SYCL_INLINE T_ of(std::size_t k) const
    {
        alignas(T_) unsigned char bytes[sizeof(T_)];
        fetch(reinterpret_cast<T_ *>(bytes), group, first + k);
        return *reinterpret_cast<T_ *>(bytes);
    }
    WEIRI_SYCL_INLINE void end() const
    {
        meet(op_of<G_>(WEIRI_LOAD, WEIRI_TYPE_none), at);
    }
};

/* @kind, @argument: as the machine has the operation, for a finding */
template <class G_, class T_>
WEIRI_SYCL_INLINE T_ take_from(const G_ &g, const T_ &value, weiri_collective kind,
                               std::size_t argument, std::size_t source, const here &at)
{
    exchange<G_, T_> all(g, value, at);
    if (WEIRI_UNLIKELY(source >= members(g))) {
        weiri_move_outside(
            op_of<G_>(kind, WEIRI_TYPE_none, least(argument, UINT32_MAX)), site_of(at),
            group_access::place_of(g).linear);
    }
    T_ result = source < members(g) ? all.of(source) : value;
    all.end();
    return result;
}

template <class G_, class T_, class Op>
WEIRI_SYCL_INLINE T_ reduce(const G_ &g, const T_ &value, Op op, const here &at)
{
    if constexpr (is_alone<G_>) {
        return value;
    } else if constexpr (is_plain_of<T_, G_> && is_op<Op, T_, sycl::plus>) {
        return collect_value(g, WEIRI_REDUCE_ADD, 0, value, at);
    } else if constexpr (is_plain_of<T_, G_> && is_op<Op, T_, sycl::minimum>) {
        return collect_value(g, WEIRI_REDUCE_MIN, 0, value, at);
    } else if constexpr (is_plain_of<T_, G_> && is_op<Op, T_, sycl::maximum>) {
        return collect_value(g, WEIRI_REDUCE_MAX, 0, value, at);
    } else {
        exchange<G_, T_> all(g, value, at);
        T_ result = all.of(0);
        for (std::size_t k = 1; k < members(g); k++) {
            result = op(result, all.of(k));
        }
        all.end();
        return result;
    }
}

/* @init: what comes before the first value */
template <class G_, class T_, class Op>
WEIRI_SYCL_INLINE T_ scan(const G_ &g, const T_ &value, Op op, bool inclusive,
                          const std::optional<T_> &init, const here &at)
{
    if constexpr (is_alone<G_>) {
        return !inclusive ? (init ? *init : value)
            : init        ? static_cast<T_>(op(*init, value))
                          : value;
    } else if constexpr (is_plain_of<T_, G_> && is_op<Op, T_, sycl::plus>) {
        const T_ sum = collect_value(
            g, inclusive ? WEIRI_INCLUSIVE_SCAN_ADD : WEIRI_EXCLUSIVE_SCAN_ADD, 0,
            value, at);
        return init ? static_cast<T_>(*init + sum) : sum;
    } else {
        exchange<G_, T_> all(g, value, at);
        std::optional<T_> result = init;
        const std::size_t end = own(g) + (inclusive ? 1 : 0);
        for (std::size_t k = 0; k < end; k++) {
            const T_ next = all.of(k);
            result = result ? op(*result, next) : next;
        }
        all.end();
        return result ? *result : value;
    }
}

template <class G_>
WEIRI_SYCL_INLINE bool vote(const G_ &g, weiri_collective kind, bool condition,
                            const here &at)
{
    if constexpr (is_alone<G_>) {
        return condition != (kind == WEIRI_NONE);
    } else if constexpr (is_part<G_>) {
        const unsigned mine = condition ? 1 : 0;
        exchange<G_, unsigned> all(g, mine, at);
        std::size_t n = 0;
        for (std::size_t k = 0; k < members(g); k++) {
            n += all.of(k);
        }
        all.end();
        return kind == WEIRI_ANY ? n > 0 : n == (kind == WEIRI_ALL ? members(g) : 0);
    } else {
        return collect_value<G_, int32_t>(g, kind, 0, condition ? 1 : 0, at) != 0;
    }
}

template <class G_, class T_>
WEIRI_SYCL_INLINE T_ broadcast(const G_ &g, const T_ &value, std::size_t source,
                               const here &at)
{
    if constexpr (is_alone<G_>) {
        return value;
    } else if constexpr (is_plain_of<T_, G_>) {
        return collect_value(g, WEIRI_BROADCAST, source, value, at);
    } else {
        return take_from(g, value, WEIRI_BROADCAST, source, source, at);
    }
}

/* A move in a sub-group; in a group the machine has none. */
template <class G_, class T_>
WEIRI_SYCL_INLINE T_ move(const G_ &g, const T_ &value, weiri_collective kind,
                          std::size_t argument, std::size_t source, const here &at)
{
    if constexpr (is_alone<G_>) {
        return value;
    } else if constexpr (is_plain_of<T_, G_> && is_sub<G_>) {
        (void)source;
        if (kind == WEIRI_SHUFFLE) {
#if WEIRI_SPLIT
            const auto &place = group_access::place_of(g);
            place.group->sources[place.linear] = argument;
#else
            weiri_shuffle_source(argument);
#endif
            return collect_value(g, kind, 0, value, at);
        }
        return collect_value(g, kind, argument, value, at);
    } else {
        return take_from(g, value, kind, argument, source, at);
    }
}

template <class T_> using enable_group = std::enable_if_t<sycl::is_group_v<T_>>;

} // namespace weiri

namespace sycl
{

/* ---- Barriers -------------------------------------------------------------------- */

template <class G_, class = weiri::enable_group<G_>>
WEIRI_SYCL_INLINE void group_barrier(const G_ &g, memory_scope scope = G_::fence_scope,
                                     weiri::here at = {})
{
    weiri::barrier(g, scope, 3, at);
}

template <int D_>
WEIRI_SYCL_INLINE void nd_item<D_>::barrier(access::fence_space space,
                                            weiri::here at) const
{
    weiri::barrier(get_group(), memory_scope::work_group, static_cast<unsigned>(space),
                   at);
}
WEIRI_SYCL_INLINE void sub_group::barrier(weiri::here at) const
{
    weiri::barrier(*this, memory_scope::sub_group, 3, at);
}
WEIRI_SYCL_INLINE void sub_group::barrier(access::fence_space space,
                                          weiri::here at) const
{
    weiri::barrier(*this, memory_scope::sub_group, static_cast<unsigned>(space), at);
}

/* ---- Votes, moves ---------------------------------------------------------------- */

template <class G_, class = weiri::enable_group<G_>>
WEIRI_SYCL_INLINE bool any_of_group(const G_ &g, bool condition, weiri::here at = {})
{
    return weiri::vote(g, weiri::WEIRI_ANY, condition, at);
}
template <class G_, class = weiri::enable_group<G_>>
WEIRI_SYCL_INLINE bool all_of_group(const G_ &g, bool condition, weiri::here at = {})
{
    return weiri::vote(g, weiri::WEIRI_ALL, condition, at);
}
template <class G_, class = weiri::enable_group<G_>>
WEIRI_SYCL_INLINE bool none_of_group(const G_ &g, bool condition, weiri::here at = {})
{
    return weiri::vote(g, weiri::WEIRI_NONE, condition, at);
}
#define WEIRI_SYCL_VOTE(name)                                                          \
    template <class G_, class T_, class P_, class = weiri::enable_group<G_>,           \
              class = decltype(std::declval<P_>()(std::declval<T_>()))>                \
    WEIRI_SYCL_INLINE bool name##_of_group(const G_ &g, T_ value, P_ condition,        \
                                           weiri::here at = {})                        \
    {                                                                                  \
        return name##_of_group(g, static_cast<bool>(condition(value)), at);            \
    }                                                                                  \
    template <class G_, class I_, class P_, class = weiri::enable_group<G_>>           \
    bool joint_##name##_of(const G_ &g, I_ first, I_ last, P_ condition,               \
                           weiri::here at = {})
WEIRI_SYCL_VOTE(any)
{
    bool found = false;
    for (I_ i = first + static_cast<std::ptrdiff_t>(weiri::own(g)); i < last;
         i += static_cast<std::ptrdiff_t>(weiri::members(g))) {
        found |= static_cast<bool>(condition(*i));
    }
    return any_of_group(g, found, at);
}
WEIRI_SYCL_VOTE(all)
{
    return !joint_any_of(
        g, first, last, [&](const auto &x) { return !condition(x); }, at);
}
WEIRI_SYCL_VOTE(none)
{
    return !joint_any_of(g, first, last, condition, at);
}
#undef WEIRI_SYCL_VOTE

template <class G_, class T_, class = weiri::enable_group<G_>>
WEIRI_SYCL_INLINE T_ group_broadcast(const G_ &g, T_ value, weiri::here at = {})
{
    return weiri::broadcast(g, value, 0, at);
}
template <class G_, class T_, class = weiri::enable_group<G_>>
WEIRI_SYCL_INLINE T_ group_broadcast(const G_ &g, T_ value,
                                     typename G_::linear_id_type source,
                                     weiri::here at = {})
{
    return weiri::broadcast(g, value, source, at);
}
template <class G_, class T_,
          class = std::enable_if_t<is_group_v<G_> && (G_::dimensions > 0)>>
WEIRI_SYCL_INLINE T_ group_broadcast(const G_ &g, T_ value, typename G_::id_type source,
                                     weiri::here at = {})
{
    std::size_t linear = 0;
    for (int d = 0; d < G_::dimensions; d++) {
        linear = linear * g.get_local_range()[d] + source[d];
    }
    return weiri::broadcast(g, value, linear, at);
}
template <class G_, class T_, class = weiri::enable_group<G_>>
WEIRI_SYCL_INLINE T_ shift_group_left(const G_ &g, T_ value,
                                      typename G_::linear_id_type delta = 1,
                                      weiri::here at = {})
{
    return weiri::move(g, value, weiri::WEIRI_SHIFT_LEFT, delta, weiri::own(g) + delta,
                       at);
}
template <class G_, class T_, class = weiri::enable_group<G_>>
WEIRI_SYCL_INLINE T_ shift_group_right(const G_ &g, T_ value,
                                       typename G_::linear_id_type delta = 1,
                                       weiri::here at = {})
{
    return weiri::move(g, value, weiri::WEIRI_SHIFT_RIGHT, delta, weiri::own(g) - delta,
                       at);
}
template <class G_, class T_, class = weiri::enable_group<G_>>
WEIRI_SYCL_INLINE T_ permute_group_by_xor(const G_ &g, T_ value,
                                          typename G_::linear_id_type mask,
                                          weiri::here at = {})
{
    return weiri::move(g, value, weiri::WEIRI_SHUFFLE_XOR, mask, weiri::own(g) ^ mask,
                       at);
}
template <class G_, class T_, class = weiri::enable_group<G_>>
WEIRI_SYCL_INLINE T_ select_from_group(const G_ &g, T_ value,
                                       typename G_::id_type source, weiri::here at = {})
{
    std::size_t linear = 0;
    for (int d = 0; d < G_::dimensions; d++) {
        linear = linear * g.get_local_range()[d] + source[d];
    }
    return weiri::move(g, value, weiri::WEIRI_SHUFFLE, linear, linear, at);
}

/* ---- Reductions and scans -------------------------------------------------------- */

template <class G_, class T_, class Op, class = weiri::enable_group<G_>,
          class = decltype(std::declval<Op>()(std::declval<T_>(), std::declval<T_>()))>
WEIRI_SYCL_INLINE T_ reduce_over_group(const G_ &g, T_ value, Op op,
                                       weiri::here at = {})
{
    return weiri::reduce(g, value, op, at);
}
template <class G_, class V_, class T_, class Op, class = weiri::enable_group<G_>,
          class = decltype(std::declval<Op>()(std::declval<T_>(), std::declval<V_>()))>
WEIRI_SYCL_INLINE T_ reduce_over_group(const G_ &g, V_ value, T_ init, Op op,
                                       weiri::here at = {})
{
    return op(init, static_cast<T_>(weiri::reduce(g, value, op, at)));
}
template <class G_, class T_, class Op, class = weiri::enable_group<G_>,
          class = decltype(std::declval<Op>()(std::declval<T_>(), std::declval<T_>()))>
WEIRI_SYCL_INLINE T_ inclusive_scan_over_group(const G_ &g, T_ value, Op op,
                                               weiri::here at = {})
{
    return weiri::scan<G_, T_>(g, value, op, true, std::nullopt, at);
}
template <class G_, class V_, class Op, class T_, class = weiri::enable_group<G_>,
          class = decltype(std::declval<Op>()(std::declval<T_>(), std::declval<V_>()))>
WEIRI_SYCL_INLINE T_ inclusive_scan_over_group(const G_ &g, V_ value, Op op, T_ init,
                                               weiri::here at = {})
{
    return weiri::scan<G_, T_>(g, static_cast<T_>(value), op, true, init, at);
}
template <class G_, class T_, class Op, class = weiri::enable_group<G_>,
          class = decltype(std::declval<Op>()(std::declval<T_>(), std::declval<T_>()))>
WEIRI_SYCL_INLINE T_ exclusive_scan_over_group(const G_ &g, T_ value, Op op,
                                               weiri::here at = {})
{
    return weiri::scan<G_, T_>(g, value, op, false, weiri::identity<Op, T_>(), at);
}
template <class G_, class V_, class T_, class Op, class = weiri::enable_group<G_>,
          class = decltype(std::declval<Op>()(std::declval<T_>(), std::declval<V_>()))>
WEIRI_SYCL_INLINE T_ exclusive_scan_over_group(const G_ &g, V_ value, T_ init, Op op,
                                               weiri::here at = {})
{
    return weiri::scan<G_, T_>(g, static_cast<T_>(value), op, false, init, at);
}

template <class G_, class P_, class T_, class Op, class = weiri::enable_group<G_>>
T_ joint_reduce(const G_ &g, P_ first, P_ last, T_ init, Op op, weiri::here at = {})
{
    std::optional<T_> mine;
    for (P_ i = first + static_cast<std::ptrdiff_t>(weiri::own(g)); i < last;
         i += static_cast<std::ptrdiff_t>(weiri::members(g))) {
        mine = mine ? op(*mine, static_cast<T_>(*i)) : static_cast<T_>(*i);
    }
    struct part {
        T_ value;
        bool is;
    };
    const part own{ mine ? *mine : init, mine.has_value() };
    const part all = weiri::reduce(
        g, own,
        [op](const part &a, const part &b) {
            return !a.is ? b : !b.is ? a : part{ op(a.value, b.value), true };
        },
        at);
    return all.is ? op(init, all.value) : init;
}
template <class G_, class P_, class Op, class = weiri::enable_group<G_>>
auto joint_reduce(const G_ &g, P_ first, P_ last, Op op, weiri::here at = {})
{
    using T_ = typename std::iterator_traits<P_>::value_type;
    return joint_reduce(g, first, last, weiri::identity<Op, T_>(), op, at);
}

} // namespace sycl

namespace weiri
{

/* Scans piece after piece, as many elements as there are members. */
template <class G_, class P_, class Q_, class T_, class Op>
Q_ joint_scan(const G_ &g, P_ first, P_ last, Q_ result, Op op,
              std::optional<T_> before, bool inclusive, const here &at)
{
    const auto n = static_cast<std::size_t>(last - first);
    const std::size_t k = own(g), step = members(g);
    for (std::size_t from = 0; from < n; from += step) {
        const bool mine = from + k < n;
        struct part {
            T_ value;
            bool is;
        };
        auto join = [op](const part &a, const part &b) {
            return !a.is ? b : !b.is ? a : part{ op(a.value, b.value), true };
        };
        const part own_{
            mine ? static_cast<T_>(first[static_cast<std::ptrdiff_t>(from + k)]) : T_(),
            mine
        };
        const part start{ before ? *before : T_(), before.has_value() };
        const part through = scan<G_, part>(g, own_, join, true, start, at);
        const part until = scan<G_, part>(g, own_, join, false, start, at);
        if (mine) {
            const part &put = inclusive ? through : until;
            result[static_cast<std::ptrdiff_t>(from + k)] = put.value;
        }
        before = broadcast(g, through, step - 1, at).value;
    }
    return result + static_cast<std::ptrdiff_t>(n);
}

} // namespace weiri

namespace sycl
{

template <class G_, class P_, class Q_, class Op, class = weiri::enable_group<G_>>
Q_ joint_inclusive_scan(const G_ &g, P_ first, P_ last, Q_ result, Op op,
                        weiri::here at = {})
{
    using T_ = typename std::iterator_traits<Q_>::value_type;
    return weiri::joint_scan<G_, P_, Q_, T_>(g, first, last, result, op, std::nullopt,
                                             true, at);
}
template <class G_, class P_, class Q_, class Op, class T_,
          class = weiri::enable_group<G_>>
Q_ joint_inclusive_scan(const G_ &g, P_ first, P_ last, Q_ result, Op op, T_ init,
                        weiri::here at = {})
{
    return weiri::joint_scan<G_, P_, Q_, T_>(g, first, last, result, op, init, true,
                                             at);
}
template <class G_, class P_, class Q_, class Op, class = weiri::enable_group<G_>>
Q_ joint_exclusive_scan(const G_ &g, P_ first, P_ last, Q_ result, Op op,
                        weiri::here at = {})
{
    using T_ = typename std::iterator_traits<Q_>::value_type;
    return weiri::joint_scan<G_, P_, Q_, T_>(g, first, last, result, op,
                                             weiri::identity<Op, T_>(), false, at);
}
template <class G_, class P_, class Q_, class T_, class Op,
          class = weiri::enable_group<G_>,
          class = decltype(std::declval<Op>()(std::declval<T_>(), std::declval<T_>()))>
Q_ joint_exclusive_scan(const G_ &g, P_ first, P_ last, Q_ result, T_ init, Op op,
                        weiri::here at = {})
{
    return weiri::joint_scan<G_, P_, Q_, T_>(g, first, last, result, op, init, false,
                                             at);
}

/* ---- Members of sub-groups in older versions ------------------------------------- */

template <class T_>
WEIRI_SYCL_INLINE T_ sub_group::shuffle(T_ value, id<1> source, weiri::here at) const
{
    return select_from_group(*this, value, source, at);
}
template <class T_>
WEIRI_SYCL_INLINE T_ sub_group::shuffle_xor(T_ value, id<1> mask, weiri::here at) const
{
    return permute_group_by_xor(*this, value, static_cast<std::uint32_t>(mask[0]), at);
}
template <class T_>
WEIRI_SYCL_INLINE T_ sub_group::shuffle_down(T_ value, std::uint32_t delta,
                                             weiri::here at) const
{
    return shift_group_left(*this, value, delta, at);
}
template <class T_>
WEIRI_SYCL_INLINE T_ sub_group::shuffle_up(T_ value, std::uint32_t delta,
                                           weiri::here at) const
{
    return shift_group_right(*this, value, delta, at);
}
template <class T_, class P_> WEIRI_SYCL_INLINE auto sub_group::load(P_ source) const
{
    return source[static_cast<std::ptrdiff_t>(get_local_linear_id())];
}
template <int N_, class T_, class P_>
WEIRI_SYCL_INLINE auto sub_group::load(P_ source) const
{
    vec<std::remove_cv_t<std::remove_reference_t<decltype(source[0])>>, N_> result;
    for (int k = 0; k < N_; k++) {
        result[k] = source[static_cast<std::ptrdiff_t>(
            get_local_linear_id() + static_cast<std::uint32_t>(k) * size())];
    }
    return result;
}
template <class T_, class P_, class V_>
WEIRI_SYCL_INLINE void sub_group::store(P_ target, const V_ &value) const
{
    target[static_cast<std::ptrdiff_t>(get_local_linear_id())] = value;
}
template <int N_, class T_, class P_, class V_>
WEIRI_SYCL_INLINE void sub_group::store(P_ target, const V_ &value) const
{
    for (int k = 0; k < N_; k++) {
        target[static_cast<std::ptrdiff_t>(get_local_linear_id()
                                           + static_cast<std::uint32_t>(k) * size())]
            = value[k];
    }
}
template <class T_, access::address_space S_, access::decorated D_>
WEIRI_SYCL_INLINE auto sub_group::load(multi_ptr<T_, S_, D_> source) const
{
    return load<void>(source);
}
template <int N_, class T_, access::address_space S_, access::decorated D_>
WEIRI_SYCL_INLINE auto sub_group::load(multi_ptr<T_, S_, D_> source) const
{
    return load<N_, void>(source);
}
template <class T_, access::address_space S_, access::decorated D_, class V_>
WEIRI_SYCL_INLINE void sub_group::store(multi_ptr<T_, S_, D_> target,
                                        const V_ &value) const
{
    store<void>(target, value);
}
template <int N_, class T_, access::address_space S_, access::decorated D_, class V_>
WEIRI_SYCL_INLINE void sub_group::store(multi_ptr<T_, S_, D_> target,
                                        const V_ &value) const
{
    store<N_, void>(target, value);
}

} // namespace sycl

#endif
