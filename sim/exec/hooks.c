/* SPDX-License-Identifier: MIT
 *
 * hooks.c: the interface that gcc 12 and clang 14 call under -fsanitize=thread,
 * implemented by Weir itself; ThreadSanitizer's runtime is never linked.
 * Nothing outside this file knows these names.
 *
 * A hook of a plain access runs before the access and, outside a watched
 * launch, costs a predicted branch. The hooks of C11 atomics replace the
 * operation: they are atomics of system scope, and a load that may be one turn
 * of a spin gives way as weir_atomic_load() does.
 *
 * This file is compiled without sanitizers: under -fsanitize=address gcc checks
 * prototypes of its own for these names. Follows the compilers' own lists:
 * gcc/sanitizer.def and llvm/lib/Transforms/Instrumentation/ThreadSanitizer.cpp. */
#include "config.h"

#include "exec/event.h"
#include "exec/hooks.h"
#include "weir-kernel.h"

#include <string.h>

#define PC __builtin_return_address(0)

static inline void tell(const volatile void *address, size_t bytes, unsigned access,
                        const void *pc)
{
    if (WEIRI_UNLIKELY(weiri_self.watch != NULL)) {
        weiri_access(address, bytes, access, pc);
    }
}

/* ---- Plain accesses ------------------------------------------------------ */

#define HOOK(name, bytes, access)                                                      \
    void __tsan_##name(void *address);                                                 \
    void __tsan_##name(void *address)                                                  \
    {                                                                                  \
        tell(address, (bytes), (access), PC);                                          \
    }

#define SIZED(bytes, prefix)                                                           \
    HOOK(prefix##read##bytes, bytes, WEIRI_ACCESS_READ)                                \
    HOOK(prefix##write##bytes, bytes, WEIRI_ACCESS_WRITE)                              \
    HOOK(prefix##read_write##bytes, bytes, WEIRI_ACCESS_READ | WEIRI_ACCESS_WRITE)     \
    HOOK(prefix##volatile_read##bytes, bytes,                                          \
         WEIRI_ACCESS_READ | WEIRI_ACCESS_VOLATILE)                                    \
    HOOK(prefix##volatile_write##bytes, bytes,                                         \
         WEIRI_ACCESS_WRITE | WEIRI_ACCESS_VOLATILE)

SIZED(1, )
SIZED(2, )
SIZED(4, )
SIZED(8, )
SIZED(16, )
SIZED(2, unaligned_)
SIZED(4, unaligned_)
SIZED(8, unaligned_)
SIZED(16, unaligned_)
HOOK(vptr_read, sizeof(void *), WEIRI_ACCESS_READ)

void __tsan_vptr_update(void **address, void *value);
void __tsan_vptr_update(void **address, void *value)
{
    (void)value;
    tell(address, sizeof(*address), WEIRI_ACCESS_WRITE, PC);
}

void __tsan_read_range(void *address, size_t bytes);
void __tsan_read_range(void *address, size_t bytes)
{
    tell(address, bytes, WEIRI_ACCESS_READ, PC);
}

void __tsan_write_range(void *address, size_t bytes);
void __tsan_write_range(void *address, size_t bytes)
{
    tell(address, bytes, WEIRI_ACCESS_WRITE, PC);
}

void *__tsan_memcpy(void *to, const void *from, size_t bytes);
void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
    tell(from, bytes, WEIRI_ACCESS_READ, PC);
    tell(to, bytes, WEIRI_ACCESS_WRITE, PC);
    return memcpy(to, from, bytes);
}

void *__tsan_memmove(void *to, const void *from, size_t bytes);
void *__tsan_memmove(void *to, const void *from, size_t bytes)
{
    tell(from, bytes, WEIRI_ACCESS_READ, PC);
    tell(to, bytes, WEIRI_ACCESS_WRITE, PC);
    return memmove(to, from, bytes);
}

void *__tsan_memset(void *to, int value, size_t bytes);
void *__tsan_memset(void *to, int value, size_t bytes)
{
    tell(to, bytes, WEIRI_ACCESS_WRITE, PC);
    return memset(to, value, bytes);
}

/* ---- Functions ----------------------------------------------------------- */

#define IGNORED(name, parameters)                                                      \
    void __tsan_##name parameters;                                                     \
    void __tsan_##name parameters                                                      \
    {                                                                                  \
    }

/* -fsanitize-coverage=trace-pc: the code comes to another block. */
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    if (WEIRI_UNLIKELY(weiri_self.watch != NULL)) {
        weiri_block(PC);
    }
}

IGNORED(init, (void))
IGNORED(func_entry, (void *pc __attribute__((unused))))
IGNORED(func_exit, (void))
IGNORED(ignore_thread_begin, (void))
IGNORED(ignore_thread_end, (void))

/* ---- C11 atomics ---------------------------------------------------------
 * The compilers pass orders as the values of __ATOMIC_*, which are those of
 * memory_order. An operation is done at seq_cst, which no order is stronger
 * than; loads and stores that ask for less get less. */

static inline __attribute__((always_inline)) void begin(enum weiri_atomic kind,
                                                        const volatile void *address,
                                                        uint32_t bytes, int order,
                                                        int failure)
{
    if (WEIRI_UNLIKELY(weiri_self.watch != NULL)) {
        weiri_atomic_begin(&(struct weiri_atomic_op){ .address = address,
                                                      .pc = PC,
                                                      .kind = kind,
                                                      .bytes = bytes,
                                                      .order = (memory_order)order,
                                                      .failure = (memory_order)failure,
                                                      .scope = memory_scope_system,
                                                      .legal = true });
    }
}

#define FETCH(T, bits, op, KIND)                                                       \
    T __tsan_atomic##bits##_##op(volatile T *p, T value, int order);                   \
    T __tsan_atomic##bits##_##op(volatile T *p, T value, int order)                    \
    {                                                                                  \
        begin(WEIRI_ATOMIC_##KIND, p, sizeof(T), order, order);                        \
        return __atomic_##op(p, value, __ATOMIC_SEQ_CST);                              \
    }

#define COMPARE_EXCHANGE(T, bits, strength)                                            \
    int __tsan_atomic##bits##_compare_exchange_##strength(                             \
        volatile T *p, T *expected, T desired, int order, int failure);                \
    int __tsan_atomic##bits##_compare_exchange_##strength(                             \
        volatile T *p, T *expected, T desired, int order, int failure)                 \
    {                                                                                  \
        begin(WEIRI_ATOMIC_COMPARE_EXCHANGE, p, sizeof(T), order, failure);            \
        int done = __atomic_compare_exchange_n(p, expected, desired, 0,                \
                                               __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);    \
        if (!done) {                                                                   \
            weiri_fruitless();                                                         \
        }                                                                              \
        return done;                                                                   \
    }

#define ATOMICS(T, bits)                                                               \
    T __tsan_atomic##bits##_load(const volatile T *p, int order);                      \
    T __tsan_atomic##bits##_load(const volatile T *p, int order)                       \
    {                                                                                  \
        begin(WEIRI_ATOMIC_LOAD, p, sizeof(T), order, order);                          \
        weiri_fruitless();                                                             \
        return order == __ATOMIC_RELAXED ? __atomic_load_n(p, __ATOMIC_RELAXED)        \
                                         : __atomic_load_n(p, __ATOMIC_SEQ_CST);       \
    }                                                                                  \
    void __tsan_atomic##bits##_store(volatile T *p, T value, int order);               \
    void __tsan_atomic##bits##_store(volatile T *p, T value, int order)                \
    {                                                                                  \
        begin(WEIRI_ATOMIC_STORE, p, sizeof(T), order, order);                         \
        if (order == __ATOMIC_RELAXED) {                                               \
            __atomic_store_n(p, value, __ATOMIC_RELAXED);                              \
        } else if (order == __ATOMIC_RELEASE) {                                        \
            __atomic_store_n(p, value, __ATOMIC_RELEASE);                              \
        } else {                                                                       \
            __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                              \
        }                                                                              \
    }                                                                                  \
    T __tsan_atomic##bits##_exchange(volatile T *p, T value, int order);               \
    T __tsan_atomic##bits##_exchange(volatile T *p, T value, int order)                \
    {                                                                                  \
        begin(WEIRI_ATOMIC_EXCHANGE, p, sizeof(T), order, order);                      \
        T old = __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                       \
        if (old == value) {                                                            \
            weiri_fruitless();                                                         \
        }                                                                              \
        return old;                                                                    \
    }                                                                                  \
    FETCH(T, bits, fetch_add, FETCH_ADD)                                               \
    FETCH(T, bits, fetch_sub, FETCH_SUB)                                               \
    FETCH(T, bits, fetch_and, FETCH_AND)                                               \
    FETCH(T, bits, fetch_or, FETCH_OR)                                                 \
    FETCH(T, bits, fetch_xor, FETCH_XOR)                                               \
    FETCH(T, bits, fetch_nand, FETCH_AND)                                              \
    COMPARE_EXCHANGE(T, bits, strong)                                                  \
    COMPARE_EXCHANGE(T, bits, weak)                                                    \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *p, T expected, T desired, \
                                                 int order, int failure);              \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *p, T expected, T desired, \
                                                 int order, int failure)               \
    {                                                                                  \
        __tsan_atomic##bits##_compare_exchange_strong(p, &expected, desired, order,    \
                                                      failure);                        \
        return expected;                                                               \
    }

ATOMICS(uint8_t, 8)
ATOMICS(uint16_t, 16)
ATOMICS(uint32_t, 32)
ATOMICS(uint64_t, 64)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    begin(WEIRI_ATOMIC_FENCE, NULL, 0, order, order);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* ---- 128 bits: by compare-exchange, the one operation that processors have --- */

typedef unsigned __int128 u128;

#if defined(__x86_64__)
/* By hand: clang calls a library for the builtin unless told that there is
 * cmpxchg16b, which every x86-64 since 2006 has. */
static u128 swap_if(volatile u128 *p, u128 expected, u128 desired)
{
    uint64_t low = (uint64_t)expected, high = (uint64_t)(expected >> 64);
    __asm__ volatile("lock cmpxchg16b %0"
                     : "+m"(*p), "+a"(low), "+d"(high)
                     : "b"((uint64_t)desired), "c"((uint64_t)(desired >> 64))
                     : "memory", "cc");
    return (u128)high << 64 | low;
}
#else
static u128 swap_if(volatile u128 *p, u128 expected, u128 desired)
{
    return __sync_val_compare_and_swap(p, expected, desired);
}
#endif

#define UPDATE_128(op, KIND, NEW)                                                      \
    u128 __tsan_atomic128_##op(volatile u128 *p, u128 value, int order);               \
    u128 __tsan_atomic128_##op(volatile u128 *p, u128 value, int order)                \
    {                                                                                  \
        begin(WEIRI_ATOMIC_##KIND, p, sizeof(u128), order, order);                     \
        u128 old = swap_if(p, 0, 0), seen;                                             \
        while ((seen = swap_if(p, old, (NEW))) != old) {                               \
            old = seen;                                                                \
        }                                                                              \
        return old;                                                                    \
    }

UPDATE_128(exchange, EXCHANGE, value)
UPDATE_128(fetch_add, FETCH_ADD, old + value)
UPDATE_128(fetch_sub, FETCH_SUB, old - value)
UPDATE_128(fetch_and, FETCH_AND, old &value)
UPDATE_128(fetch_or, FETCH_OR, old | value)
UPDATE_128(fetch_xor, FETCH_XOR, old ^ value)
UPDATE_128(fetch_nand, FETCH_AND, ~(old &value))

u128 __tsan_atomic128_load(const volatile u128 *p, int order);
u128 __tsan_atomic128_load(const volatile u128 *p, int order)
{
    begin(WEIRI_ATOMIC_LOAD, p, sizeof(u128), order, order);
    weiri_fruitless();
    return swap_if((volatile u128 *)p, 0, 0);
}

void __tsan_atomic128_store(volatile u128 *p, u128 value, int order);
void __tsan_atomic128_store(volatile u128 *p, u128 value, int order)
{
    __tsan_atomic128_exchange(p, value, order);
}

u128 __tsan_atomic128_compare_exchange_val(volatile u128 *p, u128 expected,
                                           u128 desired, int order, int failure);
u128 __tsan_atomic128_compare_exchange_val(volatile u128 *p, u128 expected,
                                           u128 desired, int order, int failure)
{
    begin(WEIRI_ATOMIC_COMPARE_EXCHANGE, p, sizeof(u128), order, failure);
    u128 seen = swap_if(p, expected, desired);
    if (seen != expected) {
        weiri_fruitless();
    }
    return seen;
}

#define COMPARE_EXCHANGE_128(strength)                                                 \
    int __tsan_atomic128_compare_exchange_##strength(                                  \
        volatile u128 *p, u128 *expected, u128 desired, int order, int failure);       \
    int __tsan_atomic128_compare_exchange_##strength(                                  \
        volatile u128 *p, u128 *expected, u128 desired, int order, int failure)        \
    {                                                                                  \
        u128 seen = __tsan_atomic128_compare_exchange_val(p, *expected, desired,       \
                                                          order, failure);             \
        int done = seen == *expected;                                                  \
        *expected = seen;                                                              \
        return done;                                                                   \
    }
COMPARE_EXCHANGE_128(strong)
COMPARE_EXCHANGE_128(weak)
