/* SPDX-License-Identifier: MIT
 *
 * algorithm.hpp: barriers and the algorithms of groups and sub-groups: [SYCL20] 4.17.3
 * and 4.17.4.
 *
 * The machine has sums, least and greatest values, votes and moves of the common types.
 * All others are made of two rendezvous: at the first, every item lays down a value, or
 * the address of one; each takes what it needs; after the second, the values may go. */
#ifndef WEIR_SYCL_ALGORITHM_HPP
#define WEIR_SYCL_ALGORITHM_HPP

#include "atomic.hpp"
#include "vec.hpp"

#include <iterator>
#include <optional>

namespace sycl
{

/* ---- Function objects ------------------------------------------------------------ */

#define WEIRI_SYCL_FUNCTION(name, code)                                                \
    template <class T = void> struct name {                                            \
        WEIRI_SYCL_INLINE constexpr T operator()(const T &a, const T &b) const         \
        {                                                                              \
            return code;                                                               \
        }                                                                              \
    };                                                                                 \
    template <> struct name<void> {                                                    \
        template <class T, class U>                                                    \
        WEIRI_SYCL_INLINE constexpr auto operator()(const T &a, const U &b) const      \
        {                                                                              \
            return code;                                                               \
        }                                                                              \
    };
WEIRI_SYCL_FUNCTION(plus, a + b)
WEIRI_SYCL_FUNCTION(multiplies, a *b)
WEIRI_SYCL_FUNCTION(bit_and, a &b)
WEIRI_SYCL_FUNCTION(bit_or, a | b)
WEIRI_SYCL_FUNCTION(bit_xor, a ^ b)
WEIRI_SYCL_FUNCTION(logical_and, a &&b)
WEIRI_SYCL_FUNCTION(logical_or, a || b)
WEIRI_SYCL_FUNCTION(minimum, b < a ? b : a)
WEIRI_SYCL_FUNCTION(maximum, a < b ? b : a)
#undef WEIRI_SYCL_FUNCTION

template <class G> struct is_group : std::false_type {
};
template <int D> struct is_group<group<D>> : std::true_type {
};
template <> struct is_group<sub_group> : std::true_type {
};
template <class G> inline constexpr bool is_group_v = is_group<std::decay_t<G>>::value;

} // namespace sycl

namespace weiri
{

template <class Op, class T, template <class> class F>
inline constexpr bool is_op = std::is_same_v<Op, F<T>> || std::is_same_v<Op, F<void>>;

template <class Op, class T, template <class> class... F>
inline constexpr bool is_any_op = (is_op<Op, T, F> || ...);

/* The value that changes nothing. */
template <class Op, class T> constexpr bool has_identity() noexcept
{
    using namespace sycl;
    constexpr bool is_sum = is_any_op<Op, T, plus, multiplies>;
    constexpr bool is_bits = is_any_op<Op, T, bit_and, bit_or, bit_xor>;
    constexpr bool is_logic = is_any_op<Op, T, logical_and, logical_or>;
    constexpr bool is_extreme = is_any_op<Op, T, minimum, maximum>;
    return std::is_arithmetic_v<T> && (is_sum || is_bits || is_logic || is_extreme);
}

template <class Op, class T> constexpr T identity() noexcept
{
    using limits = std::numeric_limits<T>;
    if constexpr (is_op<Op, T, sycl::multiplies> || is_op<Op, T, sycl::logical_and>) {
        return T(1);
    } else if constexpr (is_op<Op, T, sycl::bit_and>) {
        return static_cast<T>(~T(0));
    } else if constexpr (is_op<Op, T, sycl::minimum>) {
        return limits::has_infinity ? limits::infinity() : limits::max();
    } else if constexpr (is_op<Op, T, sycl::maximum>) {
        return limits::has_infinity ? static_cast<T>(-limits::infinity())
                                    : limits::lowest();
    } else {
        return T(0);
    }
}

} // namespace weiri

namespace sycl
{

template <class Op, class T>
struct has_known_identity
    : std::bool_constant<weiri::has_identity<Op, std::remove_const_t<T>>()> {
};
template <class Op, class T>
inline constexpr bool has_known_identity_v = has_known_identity<Op, T>::value;
template <class Op, class T> struct known_identity {
    static constexpr T value = weiri::identity<Op, T>();
};
template <class Op, class T>
inline constexpr T known_identity_v = known_identity<Op, T>::value;

} // namespace sycl

namespace weiri
{

/* ---- Rendezvous ------------------------------------------------------------------ */

template <class G>
inline constexpr bool is_sub = std::is_same_v<std::decay_t<G>, sycl::sub_group>;

template <class G>
constexpr uint64_t op_of(weiri_collective kind, weiri_type type, uint64_t argument = 0)
{
    return WEIRI_OP(kind, type, is_sub<G> ? WEIRI_LEVEL_SUB_GROUP : WEIRI_LEVEL_GROUP,
                    is_sub<G> ? sycl::memory_scope::sub_group
                              : sycl::memory_scope::work_group,
                    3, argument);
}

WEIRI_SYCL_INLINE void meet(uint64_t op, const here &at)
{
    weiri_barrier(op, site_of(at));
}

template <class G>
WEIRI_SYCL_INLINE void barrier(const G &g, sycl::memory_scope scope, unsigned spaces,
                               const here &at)
{
    const uint64_t op = WEIRI_OP(WEIRI_BARRIER, WEIRI_TYPE_none,
                                 is_sub<G> ? WEIRI_LEVEL_SUB_GROUP : WEIRI_LEVEL_GROUP,
                                 scope, spaces, 0);
#if WEIRI_SPLIT
    weiri_split_pause(group_access::place_of(g).group, site_of(at), op);
#else
    (void)g;
    meet(op, at);
#endif
}

/* Exchanges values among the items of the group, as weiri_exchange(). */
template <class G>
WEIRI_SYCL_INLINE weiri_value give_and_take(const G &g, uint64_t op, weiri_value value,
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

/* Whether the machine takes values of this type. */
template <class T>
inline constexpr bool is_plain
    = std::is_arithmetic_v<T> && !std::is_same_v<T, long double>;

/* The type in which it does. */
template <class T>
using wide
    = std::conditional_t<std::is_floating_point_v<T> || (sizeof(T) >= 4), T,
                         std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>>;

template <class T> WEIRI_SYCL_INLINE weiri_value value_of(T value) noexcept
{
    weiri_value result;
    result.bits = 0;
    __builtin_memcpy(&result, &value, sizeof(T));
    return result;
}
template <class T> WEIRI_SYCL_INLINE T value_as(const weiri_value &value) noexcept
{
    T result;
    __builtin_memcpy(&result, &value, sizeof(T));
    return result;
}

template <class G, class T>
WEIRI_SYCL_INLINE T collect_value(const G &g, weiri_collective kind, uint64_t argument,
                                  T value, const here &at)
{
    using W = wide<T>;
    return static_cast<T>(
        value_as<W>(give_and_take(g, op_of<G>(kind, type_code<W>(), argument),
                                  value_of(static_cast<W>(value)), at)));
}

/* Members of a group, and the first of them in local linear ids. */
template <class G> WEIRI_SYCL_INLINE std::size_t members(const G &g) noexcept
{
    return g.get_local_linear_range();
}
template <class G> WEIRI_SYCL_INLINE std::size_t own(const G &g) noexcept
{
    return g.get_local_linear_id();
}

/* Copies the value of member @k out of sight of the hooks: it is another item's. */
template <class T>
__attribute__((noinline)) WEIRI_UNINSTRUMENTED void fetch(T *to, weir_group *group,
                                                          std::size_t k)
{
    copy_unseen<T>(to, reinterpret_cast<const void *>(group->values[k].bits));
}

/* Between the two rendezvous: the values of all members. */
template <class G, class T> class exchange
{
    const G &g;
    const here &at;
    weir_group *group;
    std::size_t first;

  public:
    WEIRI_SYCL_INLINE exchange(const G &g_, const T &value, const here &at_)
        : g(g_), at(at_), group(weiri_running_group()),
          first(group_access::place_of(g_).linear - own(g_))
    {
        weiri_value address;
        address.bits = reinterpret_cast<uint64_t>(&value);
        (void)weiri_collect(op_of<G>(WEIRI_LOAD, WEIRI_TYPE_u64), address, site_of(at));
    }
    WEIRI_SYCL_INLINE T of(std::size_t k) const
    {
        alignas(T) unsigned char bytes[sizeof(T)];
        fetch(reinterpret_cast<T *>(bytes), group, first + k);
        return *reinterpret_cast<T *>(bytes);
    }
    WEIRI_SYCL_INLINE void end() const
    {
        meet(op_of<G>(WEIRI_LOAD, WEIRI_TYPE_none), at);
    }
};

template <class G, class T>
WEIRI_SYCL_INLINE T take_from(const G &g, const T &value, std::size_t source,
                              const here &at)
{
    exchange<G, T> all(g, value, at);
    T result = source < members(g) ? all.of(source) : value;
    all.end();
    return result;
}

template <class G, class T, class Op>
WEIRI_SYCL_INLINE T reduce(const G &g, const T &value, Op op, const here &at)
{
    if constexpr (is_plain<T> && is_op<Op, T, sycl::plus>) {
        return collect_value(g, WEIRI_REDUCE_ADD, 0, value, at);
    } else if constexpr (is_plain<T> && is_op<Op, T, sycl::minimum>) {
        return collect_value(g, WEIRI_REDUCE_MIN, 0, value, at);
    } else if constexpr (is_plain<T> && is_op<Op, T, sycl::maximum>) {
        return collect_value(g, WEIRI_REDUCE_MAX, 0, value, at);
    } else {
        exchange<G, T> all(g, value, at);
        T result = all.of(0);
        for (std::size_t k = 1; k < members(g); k++) {
            result = op(result, all.of(k));
        }
        all.end();
        return result;
    }
}

/* @init: what comes before the first value */
template <class G, class T, class Op>
WEIRI_SYCL_INLINE T scan(const G &g, const T &value, Op op, bool inclusive,
                         const std::optional<T> &init, const here &at)
{
    if constexpr (is_plain<T> && is_op<Op, T, sycl::plus>) {
        const T sum = collect_value(
            g, inclusive ? WEIRI_INCLUSIVE_SCAN_ADD : WEIRI_EXCLUSIVE_SCAN_ADD, 0,
            value, at);
        return init ? static_cast<T>(*init + sum) : sum;
    } else {
        exchange<G, T> all(g, value, at);
        std::optional<T> result = init;
        const std::size_t end = own(g) + (inclusive ? 1 : 0);
        for (std::size_t k = 0; k < end; k++) {
            const T next = all.of(k);
            result = result ? op(*result, next) : next;
        }
        all.end();
        return result ? *result : value;
    }
}

template <class G>
WEIRI_SYCL_INLINE bool vote(const G &g, weiri_collective kind, bool condition,
                            const here &at)
{
    return collect_value<G, int32_t>(g, kind, 0, condition ? 1 : 0, at) != 0;
}

template <class G, class T>
WEIRI_SYCL_INLINE T broadcast(const G &g, const T &value, std::size_t source,
                              const here &at)
{
    if constexpr (is_plain<T>) {
        return collect_value(g, WEIRI_BROADCAST, source, value, at);
    } else {
        return take_from(g, value, source, at);
    }
}

/* A move in a sub-group; in a group the machine has none. */
template <class G, class T>
WEIRI_SYCL_INLINE T move(const G &g, const T &value, weiri_collective kind,
                         std::size_t argument, std::size_t source, const here &at)
{
    if constexpr (is_plain<T> && is_sub<G>) {
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
        return take_from(g, value, source, at);
    }
}

template <class T> using enable_group = std::enable_if_t<sycl::is_group_v<T>>;

} // namespace weiri

namespace sycl
{

/* ---- Barriers -------------------------------------------------------------------- */

template <class G, class = weiri::enable_group<G>>
WEIRI_SYCL_INLINE void group_barrier(const G &g, memory_scope scope = G::fence_scope,
                                     weiri::here at = {})
{
    weiri::barrier(g, scope, 3, at);
}

template <int D>
WEIRI_SYCL_INLINE void nd_item<D>::barrier(access::fence_space space,
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

template <class G, class = weiri::enable_group<G>>
WEIRI_SYCL_INLINE bool any_of_group(const G &g, bool condition, weiri::here at = {})
{
    return weiri::vote(g, weiri::WEIRI_ANY, condition, at);
}
template <class G, class = weiri::enable_group<G>>
WEIRI_SYCL_INLINE bool all_of_group(const G &g, bool condition, weiri::here at = {})
{
    return weiri::vote(g, weiri::WEIRI_ALL, condition, at);
}
template <class G, class = weiri::enable_group<G>>
WEIRI_SYCL_INLINE bool none_of_group(const G &g, bool condition, weiri::here at = {})
{
    return weiri::vote(g, weiri::WEIRI_NONE, condition, at);
}
#define WEIRI_SYCL_VOTE(name)                                                          \
    template <class G, class T, class P, class = weiri::enable_group<G>,               \
              class = decltype(std::declval<P>()(std::declval<T>()))>                  \
    WEIRI_SYCL_INLINE bool name##_of_group(const G &g, T value, P condition,           \
                                           weiri::here at = {})                        \
    {                                                                                  \
        return name##_of_group(g, static_cast<bool>(condition(value)), at);            \
    }                                                                                  \
    template <class G, class I, class P, class = weiri::enable_group<G>>               \
    bool joint_##name##_of(const G &g, I first, I last, P condition,                   \
                           weiri::here at = {})
WEIRI_SYCL_VOTE(any)
{
    bool found = false;
    for (I i = first + static_cast<std::ptrdiff_t>(weiri::own(g)); i < last;
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

template <class G, class T, class = weiri::enable_group<G>>
WEIRI_SYCL_INLINE T group_broadcast(const G &g, T value, weiri::here at = {})
{
    return weiri::broadcast(g, value, 0, at);
}
template <class G, class T, class = weiri::enable_group<G>>
WEIRI_SYCL_INLINE T group_broadcast(const G &g, T value,
                                    typename G::linear_id_type source,
                                    weiri::here at = {})
{
    return weiri::broadcast(g, value, source, at);
}
template <class G, class T,
          class = std::enable_if_t<is_group_v<G> && (G::dimensions > 0)>>
WEIRI_SYCL_INLINE T group_broadcast(const G &g, T value, typename G::id_type source,
                                    weiri::here at = {})
{
    std::size_t linear = 0;
    for (int d = 0; d < G::dimensions; d++) {
        linear = linear * g.get_local_range()[d] + source[d];
    }
    return weiri::broadcast(g, value, linear, at);
}
template <class G, class T, class = weiri::enable_group<G>>
WEIRI_SYCL_INLINE T shift_group_left(const G &g, T value,
                                     typename G::linear_id_type delta = 1,
                                     weiri::here at = {})
{
    return weiri::move(g, value, weiri::WEIRI_SHIFT_LEFT, delta, weiri::own(g) + delta,
                       at);
}
template <class G, class T, class = weiri::enable_group<G>>
WEIRI_SYCL_INLINE T shift_group_right(const G &g, T value,
                                      typename G::linear_id_type delta = 1,
                                      weiri::here at = {})
{
    return weiri::move(g, value, weiri::WEIRI_SHIFT_RIGHT, delta, weiri::own(g) - delta,
                       at);
}
template <class G, class T, class = weiri::enable_group<G>>
WEIRI_SYCL_INLINE T permute_group_by_xor(const G &g, T value,
                                         typename G::linear_id_type mask,
                                         weiri::here at = {})
{
    return weiri::move(g, value, weiri::WEIRI_SHUFFLE_XOR, mask, weiri::own(g) ^ mask,
                       at);
}
template <class G, class T, class = weiri::enable_group<G>>
WEIRI_SYCL_INLINE T select_from_group(const G &g, T value, typename G::id_type source,
                                      weiri::here at = {})
{
    std::size_t linear = 0;
    for (int d = 0; d < G::dimensions; d++) {
        linear = linear * g.get_local_range()[d] + source[d];
    }
    return weiri::move(g, value, weiri::WEIRI_SHUFFLE, linear, linear, at);
}

/* ---- Reductions and scans -------------------------------------------------------- */

template <class G, class T, class Op, class = weiri::enable_group<G>,
          class = decltype(std::declval<Op>()(std::declval<T>(), std::declval<T>()))>
WEIRI_SYCL_INLINE T reduce_over_group(const G &g, T value, Op op, weiri::here at = {})
{
    return weiri::reduce(g, value, op, at);
}
template <class G, class V, class T, class Op, class = weiri::enable_group<G>,
          class = decltype(std::declval<Op>()(std::declval<T>(), std::declval<V>()))>
WEIRI_SYCL_INLINE T reduce_over_group(const G &g, V value, T init, Op op,
                                      weiri::here at = {})
{
    return op(init, static_cast<T>(weiri::reduce(g, value, op, at)));
}
template <class G, class T, class Op, class = weiri::enable_group<G>,
          class = decltype(std::declval<Op>()(std::declval<T>(), std::declval<T>()))>
WEIRI_SYCL_INLINE T inclusive_scan_over_group(const G &g, T value, Op op,
                                              weiri::here at = {})
{
    return weiri::scan<G, T>(g, value, op, true, std::nullopt, at);
}
template <class G, class V, class Op, class T, class = weiri::enable_group<G>,
          class = decltype(std::declval<Op>()(std::declval<T>(), std::declval<V>()))>
WEIRI_SYCL_INLINE T inclusive_scan_over_group(const G &g, V value, Op op, T init,
                                              weiri::here at = {})
{
    return weiri::scan<G, T>(g, static_cast<T>(value), op, true, init, at);
}
template <class G, class T, class Op, class = weiri::enable_group<G>,
          class = decltype(std::declval<Op>()(std::declval<T>(), std::declval<T>()))>
WEIRI_SYCL_INLINE T exclusive_scan_over_group(const G &g, T value, Op op,
                                              weiri::here at = {})
{
    return weiri::scan<G, T>(g, value, op, false, weiri::identity<Op, T>(), at);
}
template <class G, class V, class T, class Op, class = weiri::enable_group<G>,
          class = decltype(std::declval<Op>()(std::declval<T>(), std::declval<V>()))>
WEIRI_SYCL_INLINE T exclusive_scan_over_group(const G &g, V value, T init, Op op,
                                              weiri::here at = {})
{
    return weiri::scan<G, T>(g, static_cast<T>(value), op, false, init, at);
}

template <class G, class P, class T, class Op, class = weiri::enable_group<G>>
T joint_reduce(const G &g, P first, P last, T init, Op op, weiri::here at = {})
{
    std::optional<T> mine;
    for (P i = first + static_cast<std::ptrdiff_t>(weiri::own(g)); i < last;
         i += static_cast<std::ptrdiff_t>(weiri::members(g))) {
        mine = mine ? op(*mine, static_cast<T>(*i)) : static_cast<T>(*i);
    }
    struct part {
        T value;
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
template <class G, class P, class Op, class = weiri::enable_group<G>>
auto joint_reduce(const G &g, P first, P last, Op op, weiri::here at = {})
{
    using T = typename std::iterator_traits<P>::value_type;
    return joint_reduce(g, first, last, weiri::identity<Op, T>(), op, at);
}

} // namespace sycl

namespace weiri
{

/* Scans piece after piece, as many elements as there are members. */
template <class G, class P, class Q, class T, class Op>
Q joint_scan(const G &g, P first, P last, Q result, Op op, std::optional<T> before,
             bool inclusive, const here &at)
{
    const auto n = static_cast<std::size_t>(last - first);
    const std::size_t k = own(g), step = members(g);
    for (std::size_t from = 0; from < n; from += step) {
        const bool mine = from + k < n;
        struct part {
            T value;
            bool is;
        };
        auto join = [op](const part &a, const part &b) {
            return !a.is ? b : !b.is ? a : part{ op(a.value, b.value), true };
        };
        const part own_{
            mine ? static_cast<T>(first[static_cast<std::ptrdiff_t>(from + k)]) : T(),
            mine
        };
        const part start{ before ? *before : T(), before.has_value() };
        const part through = scan<G, part>(g, own_, join, true, start, at);
        const part until = scan<G, part>(g, own_, join, false, start, at);
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

template <class G, class P, class Q, class Op, class = weiri::enable_group<G>>
Q joint_inclusive_scan(const G &g, P first, P last, Q result, Op op,
                       weiri::here at = {})
{
    using T = typename std::iterator_traits<Q>::value_type;
    return weiri::joint_scan<G, P, Q, T>(g, first, last, result, op, std::nullopt, true,
                                         at);
}
template <class G, class P, class Q, class Op, class T, class = weiri::enable_group<G>>
Q joint_inclusive_scan(const G &g, P first, P last, Q result, Op op, T init,
                       weiri::here at = {})
{
    return weiri::joint_scan<G, P, Q, T>(g, first, last, result, op, init, true, at);
}
template <class G, class P, class Q, class Op, class = weiri::enable_group<G>>
Q joint_exclusive_scan(const G &g, P first, P last, Q result, Op op,
                       weiri::here at = {})
{
    using T = typename std::iterator_traits<Q>::value_type;
    return weiri::joint_scan<G, P, Q, T>(g, first, last, result, op,
                                         weiri::identity<Op, T>(), false, at);
}
template <class G, class P, class Q, class T, class Op, class = weiri::enable_group<G>,
          class = decltype(std::declval<Op>()(std::declval<T>(), std::declval<T>()))>
Q joint_exclusive_scan(const G &g, P first, P last, Q result, T init, Op op,
                       weiri::here at = {})
{
    return weiri::joint_scan<G, P, Q, T>(g, first, last, result, op, init, false, at);
}

/* ---- Members of sub-groups in older versions ------------------------------------- */

template <class T>
WEIRI_SYCL_INLINE T sub_group::shuffle(T value, id<1> source, weiri::here at) const
{
    return select_from_group(*this, value, source, at);
}
template <class T>
WEIRI_SYCL_INLINE T sub_group::shuffle_xor(T value, id<1> mask, weiri::here at) const
{
    return permute_group_by_xor(*this, value, static_cast<std::uint32_t>(mask[0]), at);
}
template <class T>
WEIRI_SYCL_INLINE T sub_group::shuffle_down(T value, std::uint32_t delta,
                                            weiri::here at) const
{
    return shift_group_left(*this, value, delta, at);
}
template <class T>
WEIRI_SYCL_INLINE T sub_group::shuffle_up(T value, std::uint32_t delta,
                                          weiri::here at) const
{
    return shift_group_right(*this, value, delta, at);
}
template <class P> WEIRI_SYCL_INLINE auto sub_group::load(P source) const
{
    return source[static_cast<std::ptrdiff_t>(get_local_linear_id())];
}
template <int N, class P> WEIRI_SYCL_INLINE auto sub_group::load(P source) const
{
    using T = std::remove_cv_t<std::remove_reference_t<decltype(source[0])>>;
    vec<T, N> result;
    for (int k = 0; k < N; k++) {
        result[k] = source[static_cast<std::ptrdiff_t>(
            get_local_linear_id() + static_cast<std::uint32_t>(k) * size())];
    }
    return result;
}
template <class P, class V>
WEIRI_SYCL_INLINE void sub_group::store(P target, const V &value) const
{
    target[static_cast<std::ptrdiff_t>(get_local_linear_id())] = value;
}
template <int N, class P, class V>
WEIRI_SYCL_INLINE void sub_group::store(P target, const V &value) const
{
    for (int k = 0; k < N; k++) {
        target[static_cast<std::ptrdiff_t>(get_local_linear_id()
                                           + static_cast<std::uint32_t>(k) * size())]
            = value[k];
    }
}

} // namespace sycl

#endif
