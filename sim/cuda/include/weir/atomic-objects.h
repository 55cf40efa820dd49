/* SPDX-License-Identifier: MIT
 *
 * weir/atomic-objects.h: operations on memory that cuda::atomic and its like are made
 * of: of any type that can be copied by its bits and has 8 bytes at most, with an order
 * and a scope. The machine has words of 4 and 8 bytes: a smaller object is changed with
 * the word that holds it. On the host they are the compiler's atomics. */
#ifndef WEIR_CUDA_ATOMIC_OBJECTS_H
#define WEIR_CUDA_ATOMIC_OBJECTS_H

#include <stdint.h>
#include <type_traits>

#include <weir/bits.h>
#include <weir/builtins.h>

namespace weiri
{

WEIRI_BOTH constexpr int load_half(int order)
{
    return order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE
        : order == __ATOMIC_RELEASE  ? __ATOMIC_RELAXED
                                     : order;
}

/* A word of the machine that has the bits of a T. */
template <class T_, bool wide = (sizeof(T_) > 4)> struct word {
    typedef uint32_t type;
};
template <class T_> struct word<T_, true> {
    typedef uint64_t type;
};

template <class T_> WEIRI_BOTH typename word<T_>::type to_word(const T_ &value)
{
    typename word<T_>::type bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T_));
    return bits;
}

template <class T_> WEIRI_BOTH T_ of_word(typename word<T_>::type bits)
{
    T_ value;
    __builtin_memcpy(&value, &bits, sizeof(T_));
    return value;
}

#ifdef WEIRI_DEVICE_PASS

/* ---- Words --------------------------------------------------------------------
 * By overloads on the type. */

#define X_(s, T_)                                                                      \
    WEIRI_DEVICE T_ machine_load(const T_ *p, int order, int scope)                    \
    {                                                                                  \
        return weiri_cu_load_##s(p, order, scope);                                     \
    }                                                                                  \
    WEIRI_DEVICE void machine_store(T_ *p, T_ v, int order, int scope)                 \
    {                                                                                  \
        weiri_cu_store_##s(p, v, order, scope);                                        \
    }                                                                                  \
    WEIRI_DEVICE T_ machine_exchange(T_ *p, T_ v, int order, int scope)                \
    {                                                                                  \
        return weiri_cu_exchange_##s(p, v, order, scope);                              \
    }                                                                                  \
    WEIRI_DEVICE T_ machine_cas(T_ *p, T_ expected, T_ desired, int success,           \
                                int failure, int scope, int weak)                      \
    {                                                                                  \
        return weiri_cu_cas_##s(p, expected, desired, success, failure, scope, weak);  \
    }
X_(u32, uint32_t)
X_(u64, uint64_t)
#undef X_

/* X(operation, suffix of the machine, type) */
#define WEIRI_MACHINE_RMW(name, s, T_)                                                 \
    WEIRI_DEVICE T_ machine_##name(void *p, T_ v, int order, int scope)                \
    {                                                                                  \
        return weiri_cu_##name##_##s(p, v, order, scope);                              \
    }
#define X_(s, T_)                                                                      \
    WEIRI_MACHINE_RMW(add, s, T_)                                                      \
    WEIRI_MACHINE_RMW(min, s, T_)                                                      \
    WEIRI_MACHINE_RMW(max, s, T_)
WEIRI_ATOMIC_NUMBERS(X_)
#undef X_
#define X_(s, T_)                                                                      \
    WEIRI_MACHINE_RMW(and, s, T_)                                                      \
    WEIRI_MACHINE_RMW(or, s, T_)                                                       \
    WEIRI_MACHINE_RMW(xor, s, T_)
WEIRI_ATOMIC_INTEGERS(X_)
#undef X_
#undef WEIRI_MACHINE_RMW

#endif

/* ---- Any type -------------------------------------------------------------- */

/* The type of the machine in which a number of type T is calculated. */
template <class T_, class = void> struct number {
    static constexpr bool direct = false;
    typedef T_ type;
};
template <class T_>
struct number<T_,
              typename std::enable_if<std::is_integral<T_>::value
                                      && (sizeof(T_) == 4 || sizeof(T_) == 8)>::type> {
    static constexpr bool direct = true;
    typedef typename std::conditional<
        sizeof(T_) == 4,
        typename std::conditional<std::is_signed<T_>::value, int32_t, uint32_t>::type,
        typename std::conditional<std::is_signed<T_>::value, int64_t,
                                  uint64_t>::type>::type type;
};
template <class T_>
struct number<T_, typename std::enable_if<std::is_floating_point<T_>::value>::type> {
    static constexpr bool direct = true;
    typedef T_ type;
};

/* What a new value is made of, where the machine has no such operation. */
#define WEIRI_FUNCTION(name, ...)                                                      \
    struct name {                                                                      \
        template <class T_, class V_>                                                  \
        static WEIRI_BOTH T_ of(const T_ &a, const V_ &b)                              \
        {                                                                              \
            return (T_)(__VA_ARGS__);                                                  \
        }                                                                              \
    };
WEIRI_FUNCTION(op_exchange, ((void)a, b))
WEIRI_FUNCTION(op_add, a + b)
WEIRI_FUNCTION(op_sub, a - b)
WEIRI_FUNCTION(op_and, a &b)
WEIRI_FUNCTION(op_or, a | b)
WEIRI_FUNCTION(op_xor, a ^ b)
WEIRI_FUNCTION(op_min, b < a ? b : a)
WEIRI_FUNCTION(op_max, a < b ? b : a)
#undef WEIRI_FUNCTION

template <class T_, int scope> struct atomic_memory {
    static_assert(sizeof(T_) <= 8, "an atomic object has 8 bytes at most here");
    static_assert(std::is_trivially_copyable<T_>::value,
                  "an atomic object is copied by its bits");
    typedef typename word<T_>::type W_;
    static constexpr bool whole = sizeof(T_) == sizeof(W_);

#ifdef WEIRI_DEVICE_PASS
    /* The word that holds the object, and the object's place there. */
    static WEIRI_BOTH W_ *word_of(const T_ *p)
    {
        return (W_ *)((uintptr_t)p & ~(uintptr_t)(sizeof(W_) - 1));
    }
    static WEIRI_BOTH int shift_of(const T_ *p)
    {
        return whole ? 0 : 8 * (int)((uintptr_t)p & (sizeof(W_) - 1));
    }
    static WEIRI_BOTH W_ mask()
    {
        return whole ? (W_)-1
                     : (W_)(((W_)1 << (8 * sizeof(T_)) % (8 * sizeof(W_))) - 1);
    }
    static WEIRI_BOTH W_ merged(const T_ *p, W_ old, T_ value)
    {
        int shift = shift_of(p);
        return (old & (W_) ~(mask() << shift)) | (W_)(to_word(value) << shift);
    }
    static WEIRI_BOTH T_ part(const T_ *p, W_ bits)
    {
        return of_word<T_>((W_)((bits >> shift_of(p)) & mask()));
    }

    static WEIRI_BOTH T_ load(const T_ *p, int order)
    {
        return part(p, machine_load(word_of(p), order, scope));
    }

    static WEIRI_BOTH void store(T_ *p, T_ value, int order)
    {
        if (whole) {
            machine_store(word_of(p), to_word(value), order, scope);
        } else {
            change<op_exchange>(p, value, order);
        }
    }

    static WEIRI_BOTH T_ exchange(T_ *p, T_ value, int order)
    {
        return whole
            ? of_word<T_>(machine_exchange(word_of(p), to_word(value), order, scope))
            : change<op_exchange>(p, value, order);
    }

    static WEIRI_BOTH bool compare_exchange(T_ *p, T_ &expected, T_ desired,
                                            int success, int failure, bool weak)
    {
        W_ *word = word_of(p);
        W_ before = to_word(expected);
        if (!whole) {
            before = merged(p, machine_load(word, failure, scope), expected);
        }
        for (;;) {
            W_ desired_word = merged(p, before, desired);
            W_ old = machine_cas(word, before, desired_word, success, failure, scope,
                                 weak);
            if (old == before) {
                return true;
            }
            if (whole || to_word(part(p, old)) != to_word(part(p, before))) {
                expected = part(p, old);
                return false;
            }
            before = old; /* a neighbour has changed */
        }
    }

    /* By a loop of compare-exchanges. */
    template <class Op, class V_>
    static WEIRI_BOTH T_ change(T_ *p, V_ value, int order)
    {
        W_ *word = word_of(p);
        W_ old = machine_load(word, __ATOMIC_RELAXED, scope);
        for (;;) {
            W_ next = merged(p, old, Op::template of<T_, V_>(part(p, old), value));
            W_ seen = machine_cas(word, old, next, order, __ATOMIC_RELAXED, scope, 0);
            if (seen == old) {
                return part(p, old);
            }
            old = seen;
        }
    }

#define WEIRI_CHANGE(name)                                                             \
    template <class U_ = T_>                                                           \
    static WEIRI_BOTH                                                                  \
        typename std::enable_if<number<U_>::direct, T_>::type fetch_##name(            \
            T_ *p, T_ value, int order)                                                \
    {                                                                                  \
        return (T_)machine_##name(p, (typename number<U_>::type)value, order, scope);  \
    }                                                                                  \
    template <class U_ = T_>                                                           \
    static WEIRI_BOTH                                                                  \
        typename std::enable_if<!number<U_>::direct, T_>::type fetch_##name(           \
            T_ *p, T_ value, int order)                                                \
    {                                                                                  \
        return change<op_##name>(p, value, order);                                     \
    }
#else
    static WEIRI_BOTH T_ load(const T_ *p, int order)
    {
        T_ value;
        __atomic_load((T_ *)p, &value, order);
        return value;
    }

    static WEIRI_BOTH void store(T_ *p, T_ value, int order)
    {
        __atomic_store(p, &value, order);
    }

    static WEIRI_BOTH T_ exchange(T_ *p, T_ value, int order)
    {
        T_ old;
        __atomic_exchange(p, &value, &old, order);
        return old;
    }

    static WEIRI_BOTH bool compare_exchange(T_ *p, T_ &expected, T_ desired,
                                            int success, int failure, bool weak)
    {
        return __atomic_compare_exchange(p, &expected, &desired, weak, success,
                                         failure);
    }

    template <class Op, class V_>
    static WEIRI_BOTH T_ change(T_ *p, V_ value, int order)
    {
        T_ old = load(p, __ATOMIC_RELAXED);
        for (;;) {
            T_ next = Op::template of<T_, V_>(old, value);
            if (compare_exchange(p, old, next, order, __ATOMIC_RELAXED, false)) {
                return old;
            }
        }
    }
#define WEIRI_CHANGE(name)                                                             \
    static WEIRI_BOTH T_ fetch_##name(T_ *p, T_ value, int order)                      \
    {                                                                                  \
        return change<op_##name>(p, value, order);                                     \
    }
#endif
    WEIRI_CHANGE(add)
    WEIRI_CHANGE(and)
    WEIRI_CHANGE(or)
    WEIRI_CHANGE(xor)
    WEIRI_CHANGE(min)
    WEIRI_CHANGE(max)
#undef WEIRI_CHANGE

    static WEIRI_BOTH T_ fetch_sub(T_ *p, T_ value, int order)
    {
        return subtract(p, value, order, std::is_arithmetic<T_>());
    }
    static WEIRI_BOTH T_ subtract(T_ *p, T_ value, int order, std::true_type)
    {
        return fetch_add(p, (T_)(0 - value), order);
    }
    static WEIRI_BOTH T_ subtract(T_ *p, T_ value, int order, std::false_type)
    {
        return change<op_sub>(p, value, order);
    }
};

/* A turn of a loop that waits. */
WEIRI_BOTH void pause()
{
#ifdef WEIRI_DEVICE_PASS
    weiri_cu_sleep(0);
#else
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
#endif
}

WEIRI_BOTH void fence(int order, int scope)
{
#ifdef WEIRI_DEVICE_PASS
    weiri_cu_fence(order, scope);
#else
    (void)scope;
    __atomic_thread_fence(order);
#endif
}

} // namespace weiri

#endif
