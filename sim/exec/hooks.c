/* SPDX-License-Identifier: MIT
 *
 * hooks.c: the interface that gcc 12 and clang 14 call under -fsanitize=thread,
 * implemented by Weir itself; ThreadSanitizer's runtime is never linked.
 * Nothing outside this file knows these names.
 *
 * A hook of a plain access runs before the access and, outside a watched
 * launch, costs a predicted branch. In a watched launch it calls weiri_access()
 * (access.c), which makes a stop and an event of it; the host's accesses go to an
 * observer of their own, while there is one. The hooks of C11 atomics replace
 * the operation: they are atomics of system scope, and a load that may be one turn
 * of a spin gives way as weir_atomic_load() does.
 *
 * This file is compiled without sanitizers: under -fsanitize=address gcc checks
 * prototypes of its own for these names. Follows the compilers' own lists:
 * gcc/sanitizer.def and llvm/lib/Transforms/Instrumentation/ThreadSanitizer.cpp. */
#include "config.h"

#include "exec/atomic.h"
#include "exec/event.h"
#include "exec/hook-names.h"
#include "exec/hooks.h"
#include "weir-kernel.h"

#include <string.h>

#define PC __builtin_return_address(0)

/* Puts a hook of an access into the table of hook-names.h. */
#define NAMED(name)                                                                    \
    static const struct weiri_hook_name name_of_##name                                 \
        __attribute__((section("weiri_hook_names"), used))                             \
        = { (const void *)(uintptr_t)__tsan_##name, "__tsan_" #name };

static inline void report(const volatile void *address, size_t bytes, unsigned access,
                          const void *pc)
{
    if (WEIRI_UNLIKELY(weiri_self.sees != NULL)) {
        weiri_access_seen(address, weiri_access_what(bytes, access), pc);
    }
}

/* ---- Plain accesses ------------------------------------------------------ */

#define HOOK(name, bytes, access)                                                      \
    void __tsan_##name(void *address);                                                 \
    void __tsan_##name(void *address)                                                  \
    {                                                                                  \
        report(address, (bytes), (access), PC);                                        \
    }                                                                                  \
    NAMED(name)

#define SIZED(bytes, prefix, bits)                                                     \
    HOOK(prefix##read##bytes, bytes, WEIRI_ACCESS_BIT_READ | (bits))                   \
    HOOK(prefix##write##bytes, bytes, WEIRI_ACCESS_BIT_WRITE | (bits))                 \
    HOOK(prefix##volatile_read##bytes, bytes,                                          \
         WEIRI_ACCESS_BIT_READ | WEIRI_ACCESS_BIT_VOLATILE | (bits))                   \
    HOOK(prefix##volatile_write##bytes, bytes,                                         \
         WEIRI_ACCESS_BIT_WRITE | WEIRI_ACCESS_BIT_VOLATILE | (bits))

SIZED(1, , 0)
SIZED(2, , 0)
SIZED(4, , 0)
SIZED(8, , 0)
SIZED(16, , 0)
SIZED(2, unaligned_, WEIRI_ACCESS_BIT_UNALIGNED)
SIZED(4, unaligned_, WEIRI_ACCESS_BIT_UNALIGNED)
SIZED(8, unaligned_, WEIRI_ACCESS_BIT_UNALIGNED)
SIZED(16, unaligned_, WEIRI_ACCESS_BIT_UNALIGNED)
HOOK(vptr_read, sizeof(void *), WEIRI_ACCESS_BIT_READ)

void __tsan_vptr_update(void **address, void *value);
void __tsan_vptr_update(void **address, void *value)
{
    (void)value;
    report(address, sizeof(*address), WEIRI_ACCESS_BIT_WRITE, PC);
}
NAMED(vptr_update)

void __tsan_read_range(void *address, size_t bytes);
void __tsan_read_range(void *address, size_t bytes)
{
    report(address, bytes, WEIRI_ACCESS_BIT_READ | WEIRI_ACCESS_BIT_RANGE, PC);
}
NAMED(read_range)

void __tsan_write_range(void *address, size_t bytes);
void __tsan_write_range(void *address, size_t bytes)
{
    report(address, bytes, WEIRI_ACCESS_BIT_WRITE | WEIRI_ACCESS_BIT_RANGE, PC);
}
NAMED(write_range)

void *__tsan_memcpy(void *to, const void *from, size_t bytes);
void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
    report(from, bytes, WEIRI_ACCESS_BIT_READ | WEIRI_ACCESS_BIT_RANGE, PC);
    report(to, bytes, WEIRI_ACCESS_BIT_WRITE | WEIRI_ACCESS_BIT_RANGE, PC);
    return memcpy(to, from, bytes);
}
NAMED(memcpy)

void *__tsan_memmove(void *to, const void *from, size_t bytes);
void *__tsan_memmove(void *to, const void *from, size_t bytes)
{
    report(from, bytes, WEIRI_ACCESS_BIT_READ | WEIRI_ACCESS_BIT_RANGE, PC);
    report(to, bytes, WEIRI_ACCESS_BIT_WRITE | WEIRI_ACCESS_BIT_RANGE, PC);
    return memmove(to, from, bytes);
}
NAMED(memmove)

void *__tsan_memset(void *to, int value, size_t bytes);
void *__tsan_memset(void *to, int value, size_t bytes)
{
    report(to, bytes, WEIRI_ACCESS_BIT_WRITE | WEIRI_ACCESS_BIT_RANGE, PC);
    return memset(to, value, bytes);
}
NAMED(memset)

/* ---- Alignment -----------------------------------------------------------
 * -fsanitize=alignment: an address is not a multiple of the alignment of its type. The
 * other hooks know sizes, not types. Weak: a program may have an
 * UndefinedBehaviorSanitizer of its own. */

/* The layout of the compilers' argument, as in compiler-rt's ubsan_handlers.h. */
struct type_name {
    uint16_t kind, info;
    char name[]; /* in quotes */
};

struct type_mismatch {
    const char *file;
    uint32_t line, column;
    const struct type_name *type;
    uint8_t log_alignment;
    uint8_t check;
};

/* Values of @check; the other values are about a member, or not about an access. */
enum { CHECK_LOAD, CHECK_STORE };

void __ubsan_handle_type_mismatch_v1(const struct type_mismatch *what, void *address);
__attribute__((weak)) void __ubsan_handle_type_mismatch_v1(
    const struct type_mismatch *what, void *address)
{
    if (WEIRI_UNLIKELY(weiri_self.watch != NULL)) {
        unsigned access = what->check == CHECK_LOAD ? WEIRI_ACCESS_BIT_READ
            : what->check == CHECK_STORE            ? WEIRI_ACCESS_BIT_WRITE
                                                    : 0;
        weiri_access_alignment(address, (size_t)1 << what->log_alignment, 0, access,
                               what->type->name, PC);
    }
}

/* A function has returned memory that is not aligned as its declaration promises, as
 * aligned_alloc() does. Accesses are looked at where they are made. */
struct alignment_assumption;

void __ubsan_handle_alignment_assumption(const struct alignment_assumption *what,
                                         uintptr_t address, uintptr_t alignment,
                                         uintptr_t offset);
__attribute__((weak)) void __ubsan_handle_alignment_assumption(
    const struct alignment_assumption *what, uintptr_t address, uintptr_t alignment,
    uintptr_t offset)
{
    (void)what, (void)address, (void)alignment, (void)offset;
}

/* -fsanitize=array-bounds, for kernels of OpenCL: an index outside of an array whose
 * size is known. The bytes there may be those of another member. */
struct out_of_bounds {
    const char *file;
    uint32_t line, column;
    const struct type_name *array, *index;
};

void __ubsan_handle_out_of_bounds(const struct out_of_bounds *what, uintptr_t index);
__attribute__((weak)) void __ubsan_handle_out_of_bounds(
    const struct out_of_bounds *what, uintptr_t index)
{
    if (WEIRI_UNLIKELY(weiri_self.watch != NULL)) {
        weiri_access_index(what->array->name, (intptr_t)index, PC);
    }
}

void weiri_hook_copy(const void *address, size_t alignment, size_t bytes,
                     const char *type, int writes);
/** weir-cc, with clang, which has no check of a structure that is copied whole.
 *  @type: in quotes */
void weiri_hook_copy(const void *address, size_t alignment, size_t bytes,
                     const char *type, int writes)
{
    if (WEIRI_UNLIKELY(((uintptr_t)address & (alignment - 1)) != 0)
        && weiri_self.watch != NULL) {
        weiri_access_alignment(
            address, alignment, bytes,
            writes != 0 ? WEIRI_ACCESS_BIT_WRITE : WEIRI_ACCESS_BIT_READ, type, PC);
    }
}

/* ---- Functions and blocks ------------------------------------------------ */

#define IGNORED(name, parameters)                                                      \
    void __tsan_##name parameters;                                                     \
    void __tsan_##name parameters                                                      \
    {                                                                                  \
    }
IGNORED(init, (void))
IGNORED(ignore_thread_begin, (void))
IGNORED(ignore_thread_end, (void))

void __tsan_func_entry(void *pc);
void __tsan_func_entry(void *pc)
{
    if (WEIRI_UNLIKELY(weiri_self.watch != NULL)) {
        weiri_access_enter(pc);
    }
}
NAMED(func_entry)

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
    if (WEIRI_UNLIKELY(weiri_self.watch != NULL)) {
        weiri_access_leave();
    }
}
NAMED(func_exit)

/* -fsanitize-coverage=trace-pc: the code enters another block. */
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    if (WEIRI_UNLIKELY(weiri_self.watch != NULL)) {
        weiri_access_block(PC);
    }
}

/* ---- Comparisons ---------------------------------------------------------
 * -fsanitize-coverage=trace-cmp: before a comparison, its operands. */

#define COMPARE(name, T)                                                               \
    void __sanitizer_cov_trace_##name(T a, T b);                                       \
    void __sanitizer_cov_trace_##name(T a, T b)                                        \
    {                                                                                  \
        if (WEIRI_UNLIKELY(weiri_self.watch != NULL)) {                                \
            weiri_access_compare(a, b, PC);                                            \
        }                                                                              \
    }
COMPARE(cmp1, uint8_t)
COMPARE(cmp2, uint16_t)
COMPARE(cmp4, uint32_t)
COMPARE(cmp8, uint64_t)
COMPARE(const_cmp1, uint8_t)
COMPARE(const_cmp2, uint16_t)
COMPARE(const_cmp4, uint32_t)
COMPARE(const_cmp8, uint64_t)

#define COMPARE_FLOAT(name, T, B)                                                      \
    void __sanitizer_cov_trace_##name(T a, T b);                                       \
    void __sanitizer_cov_trace_##name(T a, T b)                                        \
    {                                                                                  \
        if (WEIRI_UNLIKELY(weiri_self.watch != NULL)) {                                \
            B bits[2];                                                                 \
            memcpy(&bits[0], &a, sizeof(B));                                           \
            memcpy(&bits[1], &b, sizeof(B));                                           \
            weiri_access_compare(bits[0], bits[1], PC);                                \
        }                                                                              \
    }
COMPARE_FLOAT(cmpf, float, uint32_t)
COMPARE_FLOAT(cmpd, double, uint64_t)

/* @cases: their number, their width in bits, and their values. These are constants, so
 * that @value alone determines the case. */
void __sanitizer_cov_trace_switch(uint64_t value, void *cases);
void __sanitizer_cov_trace_switch(uint64_t value, void *cases)
{
    if (WEIRI_UNLIKELY(weiri_self.watch != NULL)) {
        weiri_access_compare(((const uint64_t *)cases)[0], value, PC);
    }
}

/* ---- C11 atomics ---------------------------------------------------------
 * The compilers pass orders as the values of __ATOMIC_*, which equal memory_order's.
 * Read-modify-writes are carried out as seq_cst, the strongest order; loads and stores
 * in the order given. In a watched launch the machine is called before and after. */

static inline __attribute__((always_inline)) struct weiri_atomic_op describe(
    enum weiri_atomic kind, const volatile void *address, uint32_t bytes,
    uint64_t operand, uint64_t expected, int order, int failure, bool weak)
{
    return (struct weiri_atomic_op){
        .address = address,
        .pc = PC,
        .kind = kind,
        .type = bytes <= sizeof(uint32_t) ? WEIRI_TYPE_u32 : WEIRI_TYPE_u64,
        .operand = operand,
        .expected = expected,
        .bytes = bytes,
        .order = (memory_order)order,
        .failure = (memory_order)failure,
        .scope = memory_scope_system,
        .legal = true,
        .weak = weak,
    };
}

#define BEGIN_WEAK(kind, p, bytes, operand, expected, order, failure, weak)            \
    const bool watched = weiri_self.watch != NULL;                                     \
    struct weiri_atomic_op op;                                                         \
    if (WEIRI_UNLIKELY(watched)) {                                                     \
        op = describe(WEIRI_ATOMIC_##kind, (p), (bytes), (uint64_t)(operand),          \
                      (uint64_t)(expected), (order), (failure), (weak));               \
        weiri_atomic_begin(&op);                                                       \
    }
#define BEGIN(kind, p, bytes, operand, expected, order, failure)                       \
    BEGIN_WEAK(kind, p, bytes, operand, expected, order, failure, false)

/* @fruitless: it may be an iteration of a spin */
#define DONE(stored, changed, fruitless)                                               \
    if (WEIRI_UNLIKELY(watched)) {                                                     \
        weiri_atomic_done(&op, (stored), (changed));                                   \
    } else if (fruitless) {                                                            \
        weiri_fruitless();                                                             \
    }

#define FETCH(T, bits, op_, KIND, NEW)                                                 \
    T __tsan_atomic##bits##_##op_(volatile T *p, T value, int order);                  \
    T __tsan_atomic##bits##_##op_(volatile T *p, T value, int order)                   \
    {                                                                                  \
        BEGIN(KIND, p, sizeof(T), value, 0, order, order)                              \
        T old = __atomic_##op_(p, value, __ATOMIC_SEQ_CST);                            \
        DONE(true, (T)(NEW) != old, false)                                             \
        return old;                                                                    \
    }                                                                                  \
    NAMED(atomic##bits##_##op_)

#define COMPARE_EXCHANGE(T, bits, strength, weak)                                      \
    int __tsan_atomic##bits##_compare_exchange_##strength(                             \
        volatile T *p, T *expected, T desired, int order, int failure);                \
    int __tsan_atomic##bits##_compare_exchange_##strength(                             \
        volatile T *p, T *expected, T desired, int order, int failure)                 \
    {                                                                                  \
        bool done;                                                                     \
        T seen = compare_exchange_##bits(p, *expected, desired, order, failure, weak,  \
                                         &done);                                       \
        if (!done) {                                                                   \
            *expected = seen;                                                          \
        }                                                                              \
        return done;                                                                   \
    }                                                                                  \
    NAMED(atomic##bits##_compare_exchange_##strength)

#define ATOMICS(T, bits)                                                               \
    T __tsan_atomic##bits##_load(const volatile T *p, int order);                      \
    T __tsan_atomic##bits##_load(const volatile T *p, int order)                       \
    {                                                                                  \
        BEGIN(LOAD, p, sizeof(T), 0, 0, order, order)                                  \
        if (!watched) {                                                                \
            weiri_fruitless();                                                         \
        }                                                                              \
        T old = order == __ATOMIC_RELAXED ? __atomic_load_n(p, __ATOMIC_RELAXED)       \
                                          : __atomic_load_n(p, __ATOMIC_SEQ_CST);      \
        DONE(false, false, false)                                                      \
        return old;                                                                    \
    }                                                                                  \
    NAMED(atomic##bits##_load)                                                         \
    void __tsan_atomic##bits##_store(volatile T *p, T value, int order);               \
    void __tsan_atomic##bits##_store(volatile T *p, T value, int order)                \
    {                                                                                  \
        BEGIN(STORE, p, sizeof(T), value, 0, order, order)                             \
        T before = watched ? *p : value;                                               \
        if (order == __ATOMIC_RELAXED) {                                               \
            __atomic_store_n(p, value, __ATOMIC_RELAXED);                              \
        } else if (order == __ATOMIC_RELEASE) {                                        \
            __atomic_store_n(p, value, __ATOMIC_RELEASE);                              \
        } else {                                                                       \
            __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                              \
        }                                                                              \
        DONE(true, before != value, false)                                             \
    }                                                                                  \
    NAMED(atomic##bits##_store)                                                        \
    T __tsan_atomic##bits##_exchange(volatile T *p, T value, int order);               \
    T __tsan_atomic##bits##_exchange(volatile T *p, T value, int order)                \
    {                                                                                  \
        BEGIN(EXCHANGE, p, sizeof(T), value, 0, order, order)                          \
        T old = __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                       \
        DONE(true, old != value, old == value)                                         \
        return old;                                                                    \
    }                                                                                  \
    NAMED(atomic##bits##_exchange)                                                     \
    FETCH(T, bits, fetch_add, FETCH_ADD, old + value)                                  \
    FETCH(T, bits, fetch_sub, FETCH_SUB, old - value)                                  \
    FETCH(T, bits, fetch_and, FETCH_AND, old &value)                                   \
    FETCH(T, bits, fetch_or, FETCH_OR, old | value)                                    \
    FETCH(T, bits, fetch_xor, FETCH_XOR, old ^ value)                                  \
    FETCH(T, bits, fetch_nand, FETCH_NAND, ~(old & value))                             \
    static inline __attribute__((always_inline))                                       \
    T compare_exchange_##bits(volatile T *p, T expected, T desired, int order,         \
                              int failure, bool weak, bool *done)                      \
    {                                                                                  \
        BEGIN_WEAK(COMPARE_EXCHANGE, p, sizeof(T), desired, expected, order, failure,  \
                   weak)                                                               \
        bool fails = weak && watched && weiri_atomic_fails();                          \
        T seen = fails ? (T)~expected : expected;                                      \
        *done = __atomic_compare_exchange_n(p, &seen, desired, 0, __ATOMIC_SEQ_CST,    \
                                            __ATOMIC_SEQ_CST);                         \
        DONE(*done, *done &&desired != expected, !*done)                               \
        return seen;                                                                   \
    }                                                                                  \
    COMPARE_EXCHANGE(T, bits, strong, false)                                           \
    COMPARE_EXCHANGE(T, bits, weak, true)                                              \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *p, T expected, T desired, \
                                                 int order, int failure);              \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *p, T expected, T desired, \
                                                 int order, int failure)               \
    {                                                                                  \
        bool done;                                                                     \
        return compare_exchange_##bits(p, expected, desired, order, failure, false,    \
                                       &done);                                         \
    }                                                                                  \
    NAMED(atomic##bits##_compare_exchange_val)

ATOMICS(uint8_t, 8)
ATOMICS(uint16_t, 16)
ATOMICS(uint32_t, 32)
ATOMICS(uint64_t, 64)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    BEGIN(FENCE, NULL, 0, 0, 0, order, order)
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
NAMED(atomic_thread_fence)

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
NAMED(atomic_signal_fence)

/* ---- 128 bits: by compare-exchange, the one operation that processors have --- */

typedef unsigned __int128 u128;

#if defined(__x86_64__)
/* In assembly: without -mcx16 clang calls a library for the builtin, though every
 * x86-64 since 2006 has cmpxchg16b. */
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

/* The machine gets the low halves of the operands. */
#define UPDATE_128(op_, KIND, NEW)                                                     \
    u128 __tsan_atomic128_##op_(volatile u128 *p, u128 value, int order);              \
    u128 __tsan_atomic128_##op_(volatile u128 *p, u128 value, int order)               \
    {                                                                                  \
        BEGIN(KIND, p, sizeof(u128), value, 0, order, order)                           \
        u128 old = swap_if(p, 0, 0), seen;                                             \
        while ((seen = swap_if(p, old, (NEW))) != old) {                               \
            old = seen;                                                                \
        }                                                                              \
        DONE(true, (NEW) != old, false)                                                \
        return old;                                                                    \
    }                                                                                  \
    NAMED(atomic128_##op_)

UPDATE_128(exchange, EXCHANGE, value)
UPDATE_128(fetch_add, FETCH_ADD, old + value)
UPDATE_128(fetch_sub, FETCH_SUB, old - value)
UPDATE_128(fetch_and, FETCH_AND, old &value)
UPDATE_128(fetch_or, FETCH_OR, old | value)
UPDATE_128(fetch_xor, FETCH_XOR, old ^ value)
UPDATE_128(fetch_nand, FETCH_NAND, ~(old &value))

u128 __tsan_atomic128_load(const volatile u128 *p, int order);
u128 __tsan_atomic128_load(const volatile u128 *p, int order)
{
    BEGIN(LOAD, p, sizeof(u128), 0, 0, order, order)
    if (!watched) {
        weiri_fruitless();
    }
    u128 old = swap_if((volatile u128 *)p, 0, 0);
    DONE(false, false, false)
    return old;
}
NAMED(atomic128_load)

void __tsan_atomic128_store(volatile u128 *p, u128 value, int order);
void __tsan_atomic128_store(volatile u128 *p, u128 value, int order)
{
    BEGIN(STORE, p, sizeof(u128), value, 0, order, order)
    u128 old = swap_if(p, 0, 0), seen;
    while ((seen = swap_if(p, old, value)) != old) {
        old = seen;
    }
    DONE(true, value != old, false)
}
NAMED(atomic128_store)

/* The explorer has no operations of this size, so a weak one never fails here. */
static inline __attribute__((always_inline)) u128 compare_exchange_128(
    volatile u128 *p, u128 expected, u128 desired, int order, int failure, bool weak,
    bool *done)
{
    BEGIN_WEAK(COMPARE_EXCHANGE, p, sizeof(u128), desired, expected, order, failure,
               weak)
    u128 seen = swap_if(p, expected, desired);
    *done = seen == expected;
    DONE(*done, *done && desired != expected, !*done)
    return seen;
}

u128 __tsan_atomic128_compare_exchange_val(volatile u128 *p, u128 expected,
                                           u128 desired, int order, int failure);
u128 __tsan_atomic128_compare_exchange_val(volatile u128 *p, u128 expected,
                                           u128 desired, int order, int failure)
{
    bool done;
    return compare_exchange_128(p, expected, desired, order, failure, false, &done);
}
NAMED(atomic128_compare_exchange_val)
COMPARE_EXCHANGE(u128, 128, strong, false)
COMPARE_EXCHANGE(u128, 128, weak, true)
