/* SPDX-License-Identifier: MIT
 *
 * atomic.hpp: atomic references and fences: [SYCL20] 4.15. Every operation has the
 * shape of those in weir-machinery-atomic.h: report to the machine where it watches,
 * else do it as weakly as is correct. */
#ifndef WEIR_SYCL_ATOMIC_HPP
#define WEIR_SYCL_ATOMIC_HPP

#include "pointer.hpp"

#include <atomic>

namespace weiri
{

template <class T_> constexpr weiri_type type_code() noexcept
{
    if constexpr (std::is_same_v<T_, float>) {
        return WEIRI_TYPE_f32;
    } else if constexpr (std::is_same_v<T_, double>) {
        return WEIRI_TYPE_f64;
    } else if constexpr (sizeof(T_) == 4) {
        return std::is_signed_v<T_> ? WEIRI_TYPE_i32 : WEIRI_TYPE_u32;
    } else {
        return std::is_signed_v<T_> ? WEIRI_TYPE_i64 : WEIRI_TYPE_u64;
    }
}

template <class T_>
using bits_of = std::conditional_t<sizeof(T_) == 4, uint32_t, uint64_t>;

template <class T_> WEIRI_SYCL_INLINE bits_of<T_> to_bits(T_ value) noexcept
{
    bits_of<T_> bits;
    __builtin_memcpy(&bits, &value, sizeof(T_));
    return bits;
}

template <class T_> WEIRI_SYCL_INLINE T_ from_bits(uint64_t word) noexcept
{
    const auto bits = static_cast<bits_of<T_>>(word);
    T_ value;
    __builtin_memcpy(&value, &bits, sizeof(T_));
    return value;
}

/* memory_space of the machine: local, global, or both where it is not stated */
constexpr unsigned space_code(sycl::access::address_space space) noexcept
{
    return space == sycl::access::address_space::local_space ? 1
        : space == sycl::access::address_space::global_space ? 2
                                                             : 0;
}

WEIRI_SYCL_INLINE bool in_turns(sycl::memory_scope scope) noexcept
{
    return scope <= sycl::memory_scope::work_group
        || (scope == sycl::memory_scope::device && weiri_self.solo != nullptr);
}

WEIRI_SYCL_INLINE bool watched() noexcept
{
    return !WEIRI_SPLIT && WEIRI_UNLIKELY(weiri_self.asks != nullptr);
}

WEIRI_SYCL_INLINE void fruitless() noexcept
{
    if (WEIRI_UNLIKELY(--weiri_self.patience <= 0)) {
        weiri_give_way();
    }
}

WEIRI_SYCL_INLINE void tire(sycl::memory_scope scope) noexcept
{
    if (scope > sycl::memory_scope::work_group
        && WEIRI_UNLIKELY(--weiri_self.stamina <= 0)) {
        weiri_give_way();
    }
}

constexpr int builtin_order(sycl::memory_order order) noexcept
{
    return static_cast<int>(order); /* the compilers' values, too */
}

constexpr bool load_order_ok(sycl::memory_order o) noexcept
{
    return o == sycl::memory_order::relaxed || o == sycl::memory_order::acquire
        || o == sycl::memory_order::seq_cst;
}

constexpr bool store_order_ok(sycl::memory_order o) noexcept
{
    return o == sycl::memory_order::relaxed || o == sycl::memory_order::release
        || o == sycl::memory_order::seq_cst;
}

/* An operation on the T at @p. @kind says what to the machine, @plain what the value
 * becomes. @builtin does it with a lock. */
template <class T_> class atomic_word
{
  protected:
    T_ *p;
    unsigned space;
    using bits_type = bits_of<T_>;

    WEIRI_SYCL_INLINE atomic_word(T_ *address, unsigned space_) noexcept
        : p(address), space(space_)
    {
    }

    WEIRI_SYCL_INLINE uint64_t what(weiri_atomic kind, sycl::memory_order order,
                                    sycl::memory_order failure,
                                    sycl::memory_scope scope, bool legal) const noexcept
    {
        return WEIRI_ATOMIC_WHAT(kind, type_code<T_>(), sizeof(T_), order, failure,
                                 scope, space, legal);
    }
    WEIRI_SYCL_INLINE T_ machine(weiri_atomic kind, T_ operand,
                                 sycl::memory_order order, sycl::memory_scope scope,
                                 bool legal) const noexcept
    {
        return from_bits<T_>(weiri_atomic_do(p, what(kind, order, order, scope, legal),
                                             to_bits(operand), 0, nullptr));
    }

    /* Returns: the value before. A locked one fails until nothing came between. */
    template <class Plain>
    WEIRI_SYCL_INLINE T_ update(weiri_atomic kind, T_ operand, sycl::memory_order order,
                                sycl::memory_scope scope, Plain plain) const noexcept
    {
        if (watched()) {
            return machine(kind, operand, order, scope, true);
        }
        T_ old, after;
        if (in_turns(scope)) {
            WEIRI_TAKE(p, &old);
            after = plain(old, operand);
            WEIRI_PUT(p, &after);
        } else {
            auto *word = reinterpret_cast<bits_word *>(p);
            bits_type seen = __atomic_load_n(word, __ATOMIC_RELAXED);
            do {
                old = from_bits<T_>(seen);
                after = plain(old, operand);
            } while (!__atomic_compare_exchange_n(word, &seen, to_bits(after), true,
                                                  builtin_order(order),
                                                  __ATOMIC_RELAXED));
        }
        turn(old, after, scope);
        return old;
    }

    /* The same where the processor has an instruction. */
    template <class Plain, class Locked>
    WEIRI_SYCL_INLINE T_ update(weiri_atomic kind, T_ operand, sycl::memory_order order,
                                sycl::memory_scope scope, Plain plain,
                                Locked locked) const noexcept
    {
        if (watched()) {
            return machine(kind, operand, order, scope, true);
        }
        T_ old, after;
        if (in_turns(scope)) {
            WEIRI_TAKE(p, &old);
            after = plain(old, operand);
            WEIRI_PUT(p, &after);
        } else {
            old = locked(p, operand);
            after = plain(old, operand);
        }
        turn(old, after, scope);
        return old;
    }

    /* Whether an addition may be put off: exec/combine.h has the rules. The kernels of
     * SYCL have no atomics but these. */
    WEIRI_SYCL_INLINE bool may_wait(sycl::memory_order order,
                                    sycl::memory_scope scope) const noexcept
    {
        return !WEIRI_SPLIT
            && std::is_integral_v<T_> && order == sycl::memory_order::relaxed
            && scope == sycl::memory_scope::device && space != 1
            && weiri_self.sums != nullptr;
    }
    WEIRI_SYCL_INLINE T_ fetch_add_later(T_ value) const noexcept
    {
        if (weiri_put_off(p, to_bits(value), sizeof(T_))) {
            return from_bits<T_>(weiri_combine_old(p, to_bits(value), sizeof(T_)));
        }
        auto *word = reinterpret_cast<bits_word *>(p);
        T_ old
            = from_bits<T_>(__atomic_fetch_add(word, to_bits(value), __ATOMIC_RELAXED));
        turn(T_{}, value, sycl::memory_scope::device);
        return old;
    }

    static WEIRI_SYCL_INLINE void turn(T_ old, T_ after,
                                       sycl::memory_scope scope) noexcept
    {
        if (to_bits(old) == to_bits(after)) {
            fruitless();
        } else {
            tire(scope);
        }
    }

    typedef bits_type __attribute__((may_alias)) bits_word;

  public:
    WEIRI_SYCL_INLINE T_ load_(sycl::memory_order order,
                               sycl::memory_scope scope) const noexcept
    {
        if (watched() || !load_order_ok(order)) {
            return machine(WEIRI_ATOMIC_LOAD, T_{}, order, scope, load_order_ok(order));
        }
        fruitless();
        const auto *word = reinterpret_cast<const bits_word *>(p);
        if (in_turns(scope) || order == sycl::memory_order::relaxed) {
            return from_bits<T_>(__atomic_load_n(word, __ATOMIC_RELAXED));
        }
        return from_bits<T_>(order == sycl::memory_order::acquire
                                 ? __atomic_load_n(word, __ATOMIC_ACQUIRE)
                                 : __atomic_load_n(word, __ATOMIC_SEQ_CST));
    }

    WEIRI_SYCL_INLINE void store_(T_ value, sycl::memory_order order,
                                  sycl::memory_scope scope) const noexcept
    {
        if (watched() || !store_order_ok(order)) {
            machine(WEIRI_ATOMIC_STORE, value, order, scope, store_order_ok(order));
            return;
        }
        auto *word = reinterpret_cast<bits_word *>(p);
        if (in_turns(scope) || order == sycl::memory_order::relaxed) {
            __atomic_store_n(word, to_bits(value), __ATOMIC_RELAXED);
        } else if (order == sycl::memory_order::release) {
            __atomic_store_n(word, to_bits(value), __ATOMIC_RELEASE);
        } else {
            __atomic_store_n(word, to_bits(value), __ATOMIC_SEQ_CST);
        }
    }

    WEIRI_SYCL_INLINE T_ exchange_(T_ value, sycl::memory_order order,
                                   sycl::memory_scope scope) const noexcept
    {
        return update(
            WEIRI_ATOMIC_EXCHANGE, value, order, scope, [](T_, T_ b) { return b; },
            [order](T_ *at, T_ b) {
                auto *word = reinterpret_cast<bits_word *>(at);
                return from_bits<T_>(
                    __atomic_exchange_n(word, to_bits(b), builtin_order(order)));
            });
    }

    WEIRI_SYCL_INLINE bool compare_exchange_(T_ &expected, T_ desired,
                                             sycl::memory_order success,
                                             sycl::memory_order failure,
                                             sycl::memory_scope scope,
                                             bool weak) const noexcept
    {
        bits_type want = to_bits(expected);
        const bool legal = load_order_ok(failure);
        if (watched() || !legal) {
            const auto seen = static_cast<bits_type>(weiri_atomic_do(
                p,
                what(WEIRI_ATOMIC_COMPARE_EXCHANGE, success, failure, scope, legal)
                    | (weak ? WEIRI_ATOMIC_WEAK : 0),
                to_bits(desired), want, nullptr));
            if (seen != want) {
                expected = from_bits<T_>(seen);
            }
            return seen == want && !(weak && weiri_atomic_fails());
        }
        auto *word = reinterpret_cast<bits_word *>(p);
        const bits_type wanted = want;
        bool done;
        if (in_turns(scope)) {
            WEIRI_TAKE(word, &want);
            done = want == wanted;
            if (done) {
                bits_type bits = to_bits(desired);
                WEIRI_PUT(word, &bits);
            }
        } else {
            done = __atomic_compare_exchange_n(word, &want, to_bits(desired), weak,
                                               __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        }
        if (!done) {
            expected = from_bits<T_>(want);
        }
        if (!done || want == to_bits(desired)) {
            fruitless();
        } else {
            tire(scope);
        }
        return done;
    }

#define WEIRI_SYCL_UPDATE(name, KIND, PLAIN, LOCKED)                                   \
    WEIRI_SYCL_INLINE T_ name(T_ value, sycl::memory_order order,                      \
                              sycl::memory_scope scope) const noexcept                 \
    {                                                                                  \
        auto plain = [](T_ a, T_ b) { return static_cast<T_>(PLAIN); };                \
        if constexpr (std::is_integral_v<T_>) {                                        \
            return update(WEIRI_ATOMIC_##KIND, value, order, scope, plain,             \
                          [order](T_ *at, T_ b) {                                      \
                              return LOCKED(at, b, builtin_order(order));              \
                          });                                                          \
        } else {                                                                       \
            return update(WEIRI_ATOMIC_##KIND, value, order, scope, plain);            \
        }                                                                              \
    }
    /* Sums of integers wrap. */
    static WEIRI_SYCL_INLINE T_ sum(T_ a, T_ b) noexcept
    {
        if constexpr (std::is_integral_v<T_>) {
            using U_ = std::make_unsigned_t<T_>;
            return static_cast<T_>(static_cast<U_>(a) + static_cast<U_>(b));
        } else {
            return a + b;
        }
    }
    static WEIRI_SYCL_INLINE T_ difference(T_ a, T_ b) noexcept
    {
        if constexpr (std::is_integral_v<T_>) {
            using U_ = std::make_unsigned_t<T_>;
            return static_cast<T_>(static_cast<U_>(a) - static_cast<U_>(b));
        } else {
            return a - b;
        }
    }
    WEIRI_SYCL_UPDATE(add_at_once, FETCH_ADD, sum(a, b), __atomic_fetch_add)
    WEIRI_SYCL_UPDATE(subtract_at_once, FETCH_SUB, difference(a, b), __atomic_fetch_sub)
    WEIRI_SYCL_UPDATE(fetch_and_, FETCH_AND, a &b, __atomic_fetch_and)
    WEIRI_SYCL_UPDATE(fetch_or_, FETCH_OR, a | b, __atomic_fetch_or)
    WEIRI_SYCL_UPDATE(fetch_xor_, FETCH_XOR, a ^ b, __atomic_fetch_xor)
#undef WEIRI_SYCL_UPDATE
    WEIRI_SYCL_INLINE T_ fetch_add_(T_ value, sycl::memory_order order,
                                    sycl::memory_scope scope) const noexcept
    {
        return may_wait(order, scope) ? fetch_add_later(value)
                                      : add_at_once(value, order, scope);
    }
    WEIRI_SYCL_INLINE T_ fetch_sub_(T_ value, sycl::memory_order order,
                                    sycl::memory_scope scope) const noexcept
    {
        return may_wait(order, scope) ? fetch_add_later(difference(T_{}, value))
                                      : subtract_at_once(value, order, scope);
    }
    WEIRI_SYCL_INLINE T_ fetch_min_(T_ value, sycl::memory_order order,
                                    sycl::memory_scope scope) const noexcept
    {
        return update(WEIRI_ATOMIC_FETCH_MIN, value, order, scope,
                      [](T_ a, T_ b) { return b < a ? b : a; });
    }
    WEIRI_SYCL_INLINE T_ fetch_max_(T_ value, sycl::memory_order order,
                                    sycl::memory_scope scope) const noexcept
    {
        return update(WEIRI_ATOMIC_FETCH_MAX, value, order, scope,
                      [](T_ a, T_ b) { return b > a ? b : a; });
    }
};

} // namespace weiri

namespace sycl
{

template <class T_, memory_order DefaultOrder, memory_scope DefaultScope,
          access::address_space Space = access::address_space::generic_space>
class atomic_ref
    : weiri::atomic_word<std::conditional_t<std::is_pointer_v<T_>, std::intptr_t, T_>>
{
    static constexpr bool of_pointer = std::is_pointer_v<T_>;
    using word = std::conditional_t<of_pointer, std::intptr_t, T_>;
    using base = weiri::atomic_word<word>;
    static_assert(sizeof(T_) == 4 || sizeof(T_) == 8,
                  "atomic_ref takes int, unsigned, long, long long, float, double and "
                  "pointers");
    static_assert(std::is_arithmetic_v<T_> || of_pointer,
                  "atomic_ref takes numbers and pointers");
    static_assert(DefaultOrder == memory_order::relaxed
                      || DefaultOrder == memory_order::acq_rel
                      || DefaultOrder == memory_order::seq_cst,
                  "the default order of an atomic_ref is relaxed, acq_rel or seq_cst");
    static_assert(Space == access::address_space::global_space
                      || Space == access::address_space::local_space
                      || Space == access::address_space::generic_space,
                  "an atomic_ref refers to global, local or generic memory");

    static WEIRI_SYCL_INLINE word in(T_ value) noexcept
    {
        if constexpr (of_pointer) {
            return reinterpret_cast<word>(value);
        } else {
            return value;
        }
    }
    static WEIRI_SYCL_INLINE T_ out(word value) noexcept
    {
        if constexpr (of_pointer) {
            return reinterpret_cast<T_>(value);
        } else {
            return value;
        }
    }
    static constexpr memory_order weaker(memory_order order) noexcept
    {
        return order == memory_order::acq_rel ? memory_order::acquire
            : order == memory_order::release  ? memory_order::relaxed
                                              : order;
    }

  public:
    using value_type = T_;
    using difference_type = std::conditional_t<of_pointer, std::ptrdiff_t, T_>;
    static constexpr std::size_t required_alignment = sizeof(T_);
    static constexpr bool is_always_lock_free = true;
    static constexpr memory_order default_read_modify_write_order = DefaultOrder;
    static constexpr memory_order default_read_order = weaker(DefaultOrder);
    static constexpr memory_order default_write_order
        = DefaultOrder == memory_order::acq_rel ? memory_order::release : DefaultOrder;
    static constexpr memory_scope default_scope = DefaultScope;

    WEIRI_SYCL_INLINE explicit atomic_ref(T_ &object) noexcept
        : base(reinterpret_cast<word *>(&object), weiri::space_code(Space))
    {
    }
    atomic_ref(const atomic_ref &) noexcept = default;
    atomic_ref &operator=(const atomic_ref &) = delete;

    bool is_lock_free() const noexcept
    {
        return true;
    }

    WEIRI_SYCL_INLINE T_ load(memory_order order = default_read_order,
                              memory_scope scope = DefaultScope) const noexcept
    {
        return out(base::load_(order, scope));
    }
    WEIRI_SYCL_INLINE operator T_() const noexcept
    {
        return load();
    }
    WEIRI_SYCL_INLINE void store(T_ value, memory_order order = default_write_order,
                                 memory_scope scope = DefaultScope) const noexcept
    {
        base::store_(in(value), order, scope);
    }
    WEIRI_SYCL_INLINE T_ operator=(T_ value) const noexcept
    {
        store(value);
        return value;
    }
    WEIRI_SYCL_INLINE T_ exchange(T_ value, memory_order order = DefaultOrder,
                                  memory_scope scope = DefaultScope) const noexcept
    {
        return out(base::exchange_(in(value), order, scope));
    }

#define WEIRI_SYCL_CAS(name, weak)                                                     \
    WEIRI_SYCL_INLINE bool name(T_ &expected, T_ desired, memory_order success,        \
                                memory_order failure,                                  \
                                memory_scope scope = DefaultScope) const noexcept      \
    {                                                                                  \
        word wanted = in(expected);                                                    \
        const bool done = base::compare_exchange_(wanted, in(desired), success,        \
                                                  failure, scope, weak);               \
        if (!done) {                                                                   \
            expected = out(wanted);                                                    \
        }                                                                              \
        return done;                                                                   \
    }                                                                                  \
    WEIRI_SYCL_INLINE bool name(T_ &expected, T_ desired,                              \
                                memory_order order = DefaultOrder,                     \
                                memory_scope scope = DefaultScope) const noexcept      \
    {                                                                                  \
        return name(expected, desired, order, weaker(order), scope);                   \
    }
    WEIRI_SYCL_CAS(compare_exchange_strong, false)
    WEIRI_SYCL_CAS(compare_exchange_weak, true)
#undef WEIRI_SYCL_CAS

#define WEIRI_SYCL_FETCH(name, condition)                                              \
    template <class U_ = T_,                                                           \
              class = std::enable_if_t<std::is_same_v<U_, T_> && (condition)>>         \
    WEIRI_SYCL_INLINE T_ name(difference_type value,                                   \
                              memory_order order = DefaultOrder,                       \
                              memory_scope scope = DefaultScope) const noexcept        \
    {                                                                                  \
        return out(base::name##_(steps(value), order, scope));                         \
    }
    static WEIRI_SYCL_INLINE word steps(difference_type value) noexcept
    {
        if constexpr (of_pointer) {
            return static_cast<word>(value)
                * static_cast<word>(sizeof(std::remove_pointer_t<T_>));
        } else {
            return value;
        }
    }
    WEIRI_SYCL_FETCH(fetch_add, true)
    WEIRI_SYCL_FETCH(fetch_sub, true)
    WEIRI_SYCL_FETCH(fetch_and, std::is_integral_v<U_>)
    WEIRI_SYCL_FETCH(fetch_or, std::is_integral_v<U_>)
    WEIRI_SYCL_FETCH(fetch_xor, std::is_integral_v<U_>)
    WEIRI_SYCL_FETCH(fetch_min, std::is_arithmetic_v<U_>)
    WEIRI_SYCL_FETCH(fetch_max, std::is_arithmetic_v<U_>)
#undef WEIRI_SYCL_FETCH

    WEIRI_SYCL_INLINE T_ operator+=(difference_type value) const noexcept
    {
        return out(static_cast<word>(in(fetch_add(value)) + steps(value)));
    }
    WEIRI_SYCL_INLINE T_ operator-=(difference_type value) const noexcept
    {
        return out(static_cast<word>(in(fetch_sub(value)) - steps(value)));
    }
    WEIRI_SYCL_INLINE T_ operator++() const noexcept
    {
        return *this += difference_type(1);
    }
    WEIRI_SYCL_INLINE T_ operator++(int) const noexcept
    {
        return fetch_add(difference_type(1));
    }
    WEIRI_SYCL_INLINE T_ operator--() const noexcept
    {
        return *this -= difference_type(1);
    }
    WEIRI_SYCL_INLINE T_ operator--(int) const noexcept
    {
        return fetch_sub(difference_type(1));
    }
    template <class U_ = T_, class = std::enable_if_t<std::is_integral_v<U_>>>
    WEIRI_SYCL_INLINE T_ operator&=(T_ value) const noexcept
    {
        return fetch_and(value) & value;
    }
    template <class U_ = T_, class = std::enable_if_t<std::is_integral_v<U_>>>
    WEIRI_SYCL_INLINE T_ operator|=(T_ value) const noexcept
    {
        return fetch_or(value) | value;
    }
    template <class U_ = T_, class = std::enable_if_t<std::is_integral_v<U_>>>
    WEIRI_SYCL_INLINE T_ operator^=(T_ value) const noexcept
    {
        return fetch_xor(value) ^ value;
    }
};

/* ---- Fences ---------------------------------------------------------------------- */

} // namespace sycl

namespace weiri
{

WEIRI_SYCL_INLINE void fence(unsigned spaces, sycl::memory_order order,
                             sycl::memory_scope scope, const here &at) noexcept
{
    if (watched()) {
        weiri_fence_begin(WEIRI_ATOMIC_WHAT(WEIRI_ATOMIC_FENCE, WEIRI_TYPE_none, 0,
                                            order, order, scope, spaces, true),
                          site_of(at));
    }
    if (order == sycl::memory_order::relaxed || in_turns(scope)) {
        __asm__ volatile("" ::: "memory");
    } else {
        __atomic_thread_fence(builtin_order(order));
    }
}

} // namespace weiri

namespace sycl
{

WEIRI_SYCL_INLINE void atomic_fence(memory_order order, memory_scope scope,
                                    weiri::here at = {}) noexcept
{
    weiri::fence(3, order, scope, at);
}

template <int D_>
WEIRI_SYCL_INLINE void nd_item<D_>::mem_fence(access::fence_space space,
                                              weiri::here at) const
{
    weiri::fence(static_cast<unsigned>(space), memory_order::acq_rel,
                 memory_scope::work_group, at);
}

/* ---- Of SYCL 1.2.1 --------------------------------------------------------------- */

template <class T_, access::address_space Space = access::address_space::global_space>
class atomic : weiri::atomic_word<T_>
{
    using base = weiri::atomic_word<T_>;

  public:
    template <access::decorated D_>
    WEIRI_SYCL_INLINE explicit atomic(multi_ptr<T_, Space, D_> pointer) noexcept
        : base(pointer.get(), weiri::space_code(Space))
    {
    }
    WEIRI_SYCL_INLINE explicit atomic(T_ &object) noexcept
        : base(&object, weiri::space_code(Space))
    {
    }
    WEIRI_SYCL_INLINE void store(T_ value, memory_order = memory_order::relaxed) const
    {
        base::store_(value, memory_order::relaxed, memory_scope::device);
    }
    WEIRI_SYCL_INLINE T_ load(memory_order = memory_order::relaxed) const
    {
        return base::load_(memory_order::relaxed, memory_scope::device);
    }
    WEIRI_SYCL_INLINE bool compare_exchange_strong(T_ &expected, T_ desired,
                                                   memory_order = memory_order::relaxed,
                                                   memory_order
                                                   = memory_order::relaxed) const
    {
        return base::compare_exchange_(expected, desired, memory_order::relaxed,
                                       memory_order::relaxed, memory_scope::device,
                                       false);
    }
#define WEIRI_SYCL_OLD(name)                                                           \
    WEIRI_SYCL_INLINE T_ name(T_ value, memory_order = memory_order::relaxed) const    \
    {                                                                                  \
        return base::name##_(value, memory_order::relaxed, memory_scope::device);      \
    }
    WEIRI_SYCL_OLD(exchange)
    WEIRI_SYCL_OLD(fetch_add)
    WEIRI_SYCL_OLD(fetch_sub)
    WEIRI_SYCL_OLD(fetch_and)
    WEIRI_SYCL_OLD(fetch_or)
    WEIRI_SYCL_OLD(fetch_xor)
    WEIRI_SYCL_OLD(fetch_min)
    WEIRI_SYCL_OLD(fetch_max)
#undef WEIRI_SYCL_OLD
};

#define WEIRI_SYCL_OLD(name)                                                           \
    template <class T_, access::address_space S_>                                      \
    WEIRI_SYCL_INLINE T_ atomic_##name(atomic<T_, S_> object, T_ value,                \
                                       memory_order = memory_order::relaxed)           \
    {                                                                                  \
        return object.name(value);                                                     \
    }
WEIRI_SYCL_OLD(exchange)
WEIRI_SYCL_OLD(fetch_add)
WEIRI_SYCL_OLD(fetch_sub)
WEIRI_SYCL_OLD(fetch_and)
WEIRI_SYCL_OLD(fetch_or)
WEIRI_SYCL_OLD(fetch_xor)
WEIRI_SYCL_OLD(fetch_min)
WEIRI_SYCL_OLD(fetch_max)
#undef WEIRI_SYCL_OLD
template <class T_, access::address_space S_>
WEIRI_SYCL_INLINE T_ atomic_load(atomic<T_, S_> object,
                                 memory_order = memory_order::relaxed)
{
    return object.load();
}
template <class T_, access::address_space S_>
WEIRI_SYCL_INLINE void atomic_store(atomic<T_, S_> object, T_ value,
                                    memory_order = memory_order::relaxed)
{
    object.store(value);
}

} // namespace sycl

#endif
