/* SPDX-License-Identifier: MIT
 *
 * weir/atomic-objects.h: operations on memory that cuda::atomic and its like are made
 * of: of any type that can be copied by its bits and has 8 bytes at most, with an order
 * and a scope. The machine has words of 4 and 8 bytes: a smaller object is changed with
 * the word that holds it. On the host they are the compiler's atomics. */
#ifndef WEIR_CUDA_ATOMIC_OBJECTS_H
#define WEIR_CUDA_ATOMIC_OBJECTS_H

#include <atomic>
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
template <class T, bool wide = (sizeof(T) > 4)> struct word {
    typedef uint32_t type;
};
template <class T> struct word<T, true> {
    typedef uint64_t type;
};

template <class T> WEIRI_BOTH typename word<T>::type to_word(const T &value)
{
    typename word<T>::type bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    return bits;
}

template <class T> WEIRI_BOTH T of_word(typename word<T>::type bits)
{
    T value;
    __builtin_memcpy(&value, &bits, sizeof(T));
    return value;
}

#ifdef __CUDA_ARCH__

/* ---- Words --------------------------------------------------------------------
 * By overloads on the type. */

#define X(s, T)                                                                        \
    WEIRI_DEVICE T machine_load(const T *p, int order, int scope)                      \
    {                                                                                  \
        return weiri_cu_load_##s(p, order, scope);                                     \
    }                                                                                  \
    WEIRI_DEVICE void machine_store(T *p, T v, int order, int scope)                   \
    {                                                                                  \
        weiri_cu_store_##s(p, v, order, scope);                                        \
    }                                                                                  \
    WEIRI_DEVICE T machine_exchange(T *p, T v, int order, int scope)                   \
    {                                                                                  \
        return weiri_cu_exchange_##s(p, v, order, scope);                              \
    }                                                                                  \
    WEIRI_DEVICE T machine_cas(T *p, T expected, T desired, int success, int failure,  \
                               int scope, int weak)                                    \
    {                                                                                  \
        return weiri_cu_cas_##s(p, expected, desired, success, failure, scope, weak);  \
    }
X(u32, uint32_t)
X(u64, uint64_t)
#undef X

/* X(operation, suffix of the machine, type) */
#define WEIRI_MACHINE_RMW(name, s, T)                                                  \
    WEIRI_DEVICE T machine_##name(void *p, T v, int order, int scope)                  \
    {                                                                                  \
        return weiri_cu_##name##_##s(p, v, order, scope);                              \
    }
#define X(s, T)                                                                        \
    WEIRI_MACHINE_RMW(add, s, T)                                                       \
    WEIRI_MACHINE_RMW(min, s, T)                                                       \
    WEIRI_MACHINE_RMW(max, s, T)
WEIRI_ATOMIC_NUMBERS(X)
#undef X
#define X(s, T)                                                                        \
    WEIRI_MACHINE_RMW(and, s, T)                                                       \
    WEIRI_MACHINE_RMW(or, s, T)                                                        \
    WEIRI_MACHINE_RMW(xor, s, T)
WEIRI_ATOMIC_INTEGERS(X)
#undef X
#undef WEIRI_MACHINE_RMW

#endif

/* ---- Any type -------------------------------------------------------------- */

/* The type of the machine in which a number of type T is calculated. */
template <class T, class = void> struct number {
    static constexpr bool direct = false;
    typedef T type;
};
template <class T>
struct number<T,
              typename std::enable_if<std::is_integral<T>::value
                                      && (sizeof(T) == 4 || sizeof(T) == 8)>::type> {
    static constexpr bool direct = true;
    typedef typename std::conditional<
        sizeof(T) == 4,
        typename std::conditional<std::is_signed<T>::value, int32_t, uint32_t>::type,
        typename std::conditional<std::is_signed<T>::value, int64_t,
                                  uint64_t>::type>::type type;
};
template <class T>
struct number<T, typename std::enable_if<std::is_floating_point<T>::value>::type> {
    static constexpr bool direct = true;
    typedef T type;
};

/* What a new value is made of, where the machine has no such operation. */
#define WEIRI_FUNCTION(name, ...)                                                      \
    struct name {                                                                      \
        template <class T, class V> static WEIRI_BOTH T of(const T &a, const V &b)     \
        {                                                                              \
            return (T)(__VA_ARGS__);                                                   \
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

template <class T, int scope> struct atomic_memory {
    static_assert(sizeof(T) <= 8, "an atomic object has 8 bytes at most here");
    static_assert(std::is_trivially_copyable<T>::value,
                  "an atomic object is copied by its bits");
    typedef typename word<T>::type W;
    static constexpr bool whole = sizeof(T) == sizeof(W);

#ifdef __CUDA_ARCH__
    /* The word that holds the object, and the object's place there. */
    static WEIRI_BOTH W *word_of(const T *p)
    {
        return (W *)((uintptr_t)p & ~(uintptr_t)(sizeof(W) - 1));
    }
    static WEIRI_BOTH int shift_of(const T *p)
    {
        return whole ? 0 : 8 * (int)((uintptr_t)p & (sizeof(W) - 1));
    }
    static WEIRI_BOTH W mask()
    {
        return whole ? (W)-1 : (W)(((W)1 << (8 * sizeof(T)) % (8 * sizeof(W))) - 1);
    }
    static WEIRI_BOTH W merged(const T *p, W old, T value)
    {
        int shift = shift_of(p);
        return (old & (W) ~(mask() << shift)) | (W)(to_word(value) << shift);
    }
    static WEIRI_BOTH T part(const T *p, W bits)
    {
        return of_word<T>((W)((bits >> shift_of(p)) & mask()));
    }

    static WEIRI_BOTH T load(const T *p, int order)
    {
        return part(p, machine_load(word_of(p), order, scope));
    }

    static WEIRI_BOTH void store(T *p, T value, int order)
    {
        if (whole) {
            machine_store(word_of(p), to_word(value), order, scope);
        } else {
            change<op_exchange>(p, value, order);
        }
    }

    static WEIRI_BOTH T exchange(T *p, T value, int order)
    {
        return whole
            ? of_word<T>(machine_exchange(word_of(p), to_word(value), order, scope))
            : change<op_exchange>(p, value, order);
    }

    static WEIRI_BOTH bool compare_exchange(T *p, T &expected, T desired, int success,
                                            int failure, bool weak)
    {
        W *word = word_of(p);
        W before = to_word(expected);
        if (!whole) {
            before = merged(p, machine_load(word, failure, scope), expected);
        }
        for (;;) {
            W desired_word = merged(p, before, desired);
            W old = machine_cas(word, before, desired_word, success, failure, scope,
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
    template <class Op, class V> static WEIRI_BOTH T change(T *p, V value, int order)
    {
        W *word = word_of(p);
        W old = machine_load(word, __ATOMIC_RELAXED, scope);
        for (;;) {
            W next = merged(p, old, Op::template of<T, V>(part(p, old), value));
            W seen = machine_cas(word, old, next, order, __ATOMIC_RELAXED, scope, 0);
            if (seen == old) {
                return part(p, old);
            }
            old = seen;
        }
    }

#define WEIRI_CHANGE(name)                                                             \
    template <class U = T>                                                             \
    static WEIRI_BOTH                                                                  \
        typename std::enable_if<number<U>::direct, T>::type fetch_##name(              \
            T *p, T value, int order)                                                  \
    {                                                                                  \
        return (T)machine_##name(p, (typename number<U>::type)value, order, scope);    \
    }                                                                                  \
    template <class U = T>                                                             \
    static WEIRI_BOTH                                                                  \
        typename std::enable_if<!number<U>::direct, T>::type fetch_##name(             \
            T *p, T value, int order)                                                  \
    {                                                                                  \
        return change<op_##name>(p, value, order);                                     \
    }
#else
    static WEIRI_BOTH T load(const T *p, int order)
    {
        T value;
        __atomic_load((T *)p, &value, order);
        return value;
    }

    static WEIRI_BOTH void store(T *p, T value, int order)
    {
        __atomic_store(p, &value, order);
    }

    static WEIRI_BOTH T exchange(T *p, T value, int order)
    {
        T old;
        __atomic_exchange(p, &value, &old, order);
        return old;
    }

    static WEIRI_BOTH bool compare_exchange(T *p, T &expected, T desired, int success,
                                            int failure, bool weak)
    {
        return __atomic_compare_exchange(p, &expected, &desired, weak, success,
                                         failure);
    }

    template <class Op, class V> static WEIRI_BOTH T change(T *p, V value, int order)
    {
        T old = load(p, __ATOMIC_RELAXED);
        for (;;) {
            T next = Op::template of<T, V>(old, value);
            if (compare_exchange(p, old, next, order, __ATOMIC_RELAXED, false)) {
                return old;
            }
        }
    }
#define WEIRI_CHANGE(name)                                                             \
    static WEIRI_BOTH T fetch_##name(T *p, T value, int order)                         \
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

    static WEIRI_BOTH T fetch_sub(T *p, T value, int order)
    {
        return subtract(p, value, order, std::is_arithmetic<T>());
    }
    static WEIRI_BOTH T subtract(T *p, T value, int order, std::true_type)
    {
        return fetch_add(p, (T)(0 - value), order);
    }
    static WEIRI_BOTH T subtract(T *p, T value, int order, std::false_type)
    {
        return change<op_sub>(p, value, order);
    }
};

/* A turn of a loop that waits. */
WEIRI_BOTH void pause()
{
#ifdef __CUDA_ARCH__
    weiri_cu_sleep(0);
#else
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
#endif
}

WEIRI_BOTH void fence(int order, int scope)
{
#ifdef __CUDA_ARCH__
    weiri_cu_fence(order, scope);
#else
    (void)scope;
    __atomic_thread_fence(order);
#endif
}

} // namespace weiri

#endif
