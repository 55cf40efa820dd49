/* SPDX-License-Identifier: MIT
 *
 * weir-machinery-atomic.h: the code to which the macros of weir-atomic.h expand. Not
 * for users: weir-kernel.h includes it, names begin with weiri_, and anything here may
 * change.
 *
 * One inline function a type and operation, all of one shape: report to the
 * machine where it watches, then do the operation as weakly as is correct. A
 * group never leaves its worker and its items take turns, so among them plain
 * memory operations are atomic: scopes up to work-group need no lock prefix,
 * and device scope needs none while there is one worker. Scope and order are
 * constants at nearly every call, and the branches vanish.
 *
 * An operation that leaves memory as it was (a load, a failed compare-exchange,
 * an exchange of equals, adding 0) may be one turn of a spin. Each costs an
 * item one unit of patience; an item without patience gives way. So does an item that
 * goes on changing memory at device or system scope for very long: a semaphore's
 * wait may take and put back. Narrower changes are not counted, for counting would
 * cost as much as they do.
 *
 * A few shapes define the functions of every type, and the _Generic lists at the end
 * choose among the names that those have made, so neither half can be read or changed
 * without the other. */
#ifndef WEIR_MACHINERY_ATOMIC_H
#define WEIR_MACHINERY_ATOMIC_H

#ifndef WEIR_KERNEL_H
#error "include weir-kernel.h"
#endif

/* One operation, as it is reported to the machine before it happens. Values are given
 * as their bits. */
struct weiri_atomic_op {
    const volatile void *address; /* NULL for a fence */
    const struct weir_site *site; /* NULL where @pc is the place */
    const void *pc;
    enum weiri_atomic kind;
    uint32_t type;        /* of enum weiri_type */
    uint64_t operand;     /* stored, added, or what a compare-exchange desires */
    uint64_t expected;    /* by a compare-exchange */
    uint32_t bytes;       /* of the operand; 0 for a fence */
    memory_order order;   /* on success */
    memory_order failure; /* of a compare-exchange; else the same as @order */
    memory_scope scope;
    uint32_t space; /* WEIR_LOCAL, WEIR_GLOBAL, both, or 0 where it is not stated */
    bool legal;     /* the order is one that the operation may have */
    bool weak;      /* of a compare-exchange */
};

enum { WEIRI_TYPE_ptr = WEIRI_TYPE_u64 };

/* ---- Orders -------------------------------------------------------------- */

WEIRI_INLINE bool weiri_load_order_ok(memory_order o)
{
    return o == memory_order_relaxed || o == memory_order_acquire
        || o == memory_order_seq_cst || o == memory_order_consume;
}

WEIRI_INLINE bool weiri_store_order_ok(memory_order o)
{
    return o == memory_order_relaxed || o == memory_order_release
        || o == memory_order_seq_cst;
}

WEIRI_INLINE bool weiri_ref_order_ok(memory_order o)
{
    return o == memory_order_relaxed || o == memory_order_acq_rel
        || o == memory_order_seq_cst;
}

/* A reference's default order that it may not have travels with this bit set:
 * no operation takes it for legal, and the order's name is not lost. */
enum { WEIRI_ILLEGAL_ORDER = 16 };

WEIRI_INLINE memory_order weiri_ref_order(memory_order o)
{
    return weiri_ref_order_ok(o) ? o
                                 : (memory_order)((unsigned)o | WEIRI_ILLEGAL_ORDER);
}

WEIRI_INLINE bool weiri_any_order_ok(memory_order o)
{
    return (unsigned)o <= (unsigned)memory_order_seq_cst;
}

/* The half of a reference's default order that a load or a store can have. */
WEIRI_INLINE memory_order weiri_load_half(memory_order o)
{
    return o == memory_order_acq_rel ? memory_order_acquire : o;
}

WEIRI_INLINE memory_order weiri_store_half(memory_order o)
{
    return o == memory_order_acq_rel ? memory_order_release : o;
}

/* True only for an integer constant expression: then the pointer below is a null
 * pointer constant, and the other operand's type is the result's. For clang a const
 * variable is __builtin_constant_p(), but not a valid operand of _Static_assert. */
#define WEIRI_IS_CONSTANT(x)                                                           \
    (sizeof(int) == sizeof(*(1 ? (void *)((long)(x)*0L) : (int *)1)))
#define WEIRI_IS(order, o)                                                             \
    __builtin_choose_expr(WEIRI_IS_CONSTANT(order), (order) == (o), 0)
#define WEIRI_REFUSE(condition, message) _Static_assert(!(condition), message)
#define WEIRI_REFUSE_LOAD_ORDER(order)                                                 \
    WEIRI_REFUSE(WEIRI_IS(order, memory_order_release)                                 \
                     || WEIRI_IS(order, memory_order_acq_rel),                         \
                 "an atomic load cannot have order release or acq_rel")
#define WEIRI_REFUSE_STORE_ORDER(order)                                                \
    WEIRI_REFUSE(WEIRI_IS(order, memory_order_acquire)                                 \
                     || WEIRI_IS(order, memory_order_acq_rel)                          \
                     || WEIRI_IS(order, memory_order_consume),                         \
                 "an atomic store cannot have order acquire, consume or acq_rel")
#define WEIRI_REFUSE_REF_ORDER(order)                                                  \
    WEIRI_REFUSE(WEIRI_IS(order, memory_order_acquire)                                 \
                     || WEIRI_IS(order, memory_order_release)                          \
                     || WEIRI_IS(order, memory_order_consume),                         \
                 "the default order of a reference is relaxed, acq_rel or seq_cst")
#define WEIRI_REFUSE_FAILURE_ORDER(order)                                              \
    WEIRI_REFUSE(WEIRI_IS(order, memory_order_release)                                 \
                     || WEIRI_IS(order, memory_order_acq_rel),                         \
                 "a failed compare-exchange cannot have order release or acq_rel")

#if defined(__OPTIMIZE__)
void weiri_illegal_ref_order(void) __attribute__((
    error("the default order of this reference is not relaxed, acq_rel or seq_cst")));
#define WEIRI_REFUSE_FOLDED(ok)                                                        \
    do {                                                                               \
        bool weiri_ok_ = (ok);                                                         \
        if (__builtin_constant_p(weiri_ok_) && !weiri_ok_) {                           \
            weiri_illegal_ref_order();                                                 \
        }                                                                              \
    } while (0)
#else
#define WEIRI_REFUSE_FOLDED(ok) ((void)0)
#endif

/* ---- The shape every operation has --------------------------------------- */

/* Whether items take turns at this scope, so that plain memory will do. */
WEIRI_INLINE bool weiri_taken_in_turns(memory_scope scope)
{
    return scope <= memory_scope_work_group
        || (scope == memory_scope_device && weiri_self.solo != NULL);
}

WEIRI_INLINE void weiri_fruitless(void)
{
    if (WEIRI_UNLIKELY(--weiri_self.patience <= 0)) {
        weiri_give_way();
    }
}

WEIRI_INLINE void weiri_tire(memory_scope scope)
{
    if (scope > memory_scope_work_group && WEIRI_UNLIKELY(--weiri_self.stamina <= 0)) {
        weiri_give_way();
    }
}

/* Whether the operation is the machine's: it watches, or has something to say. If all
 * code is compiled for checked entries, it is not asked. Stackless launches are not
 * watched, and with a call in each of its loops an entry would load what it has in
 * frames again after it. */
#if WEIRI_FAT == 2
#define WEIRI_WATCHED(ok) ((void)(ok), 1)
#elif WEIRI_SPLIT
#define WEIRI_WATCHED(ok) WEIRI_UNLIKELY(!(ok))
#else
#define WEIRI_WATCHED(ok) WEIRI_UNLIKELY(weiri_self.asks != NULL || !(ok))
#endif
#define WEIRI_WHAT(kind_, s, ref, order_, failure_, ok_)                               \
    WEIRI_ATOMIC_WHAT(kind_, WEIRI_TYPE_##s, sizeof(*(ref).ptr), order_, failure_,     \
                      (ref).scope, (ref).space, ok_)
#define WEIRI_DO(kind_, s, ref, operand_, expected_, order_, failure_, ok_)            \
    weiri_atomic_do((ref).ptr, WEIRI_WHAT(kind_, s, ref, order_, failure_, ok_),       \
                    (operand_), (expected_), site)

#define WEIRI_DEFINE_REF(s, T)                                                         \
    struct weir_atomic_##s {                                                           \
        T *ptr;                                                                        \
        memory_order order;                                                            \
        memory_scope scope;                                                            \
        uint32_t space;                                                                \
    };                                                                                 \
    struct weir_atomic_const_##s {                                                     \
        const T *ptr;                                                                  \
        memory_order order;                                                            \
        memory_scope scope;                                                            \
        uint32_t space;                                                                \
    };                                                                                 \
    WEIRI_INLINE struct weir_atomic_##s weiri_##s##_ref(                               \
        const volatile void *ptr, memory_order order, memory_scope scope,              \
        uint32_t space)                                                                \
    {                                                                                  \
        return (struct weir_atomic_##s){ (T *)ptr, order, scope, space };              \
    }                                                                                  \
    WEIRI_INLINE struct weir_atomic_const_##s weiri_const_##s##_ref(                   \
        const volatile void *ptr, memory_order order, memory_scope scope,              \
        uint32_t space)                                                                \
    {                                                                                  \
        return (struct weir_atomic_const_##s){ (const T *)ptr, order, scope, space };  \
    }                                                                                  \
    WEIRI_INLINE struct weir_atomic_##s weiri_##s##_reref(                             \
        struct weir_atomic_##s ref, memory_order order, memory_scope scope,            \
        uint32_t space)                                                                \
    {                                                                                  \
        (void)space;                                                                   \
        return (struct weir_atomic_##s){ ref.ptr, order, scope, ref.space };           \
    }                                                                                  \
    WEIRI_INLINE struct weir_atomic_const_##s weiri_const_##s##_reref(                 \
        struct weir_atomic_const_##s ref, memory_order order, memory_scope scope,      \
        uint32_t space)                                                                \
    {                                                                                  \
        (void)space;                                                                   \
        return (struct weir_atomic_const_##s){ ref.ptr, order, scope, ref.space };     \
    }

/* Load, store, exchange and compare-exchange of T, whose bits travel as B. */
#define WEIRI_DEFINE_BASIC(s, T, B)                                                    \
    WEIRI_INLINE T weiri_##s##_from_bits(B bits)                                       \
    {                                                                                  \
        union { B bits; T value; } u = { .bits = bits };                               \
        return u.value;                                                                \
    }                                                                                  \
    WEIRI_INLINE B weiri_##s##_to_bits(T value)                                        \
    {                                                                                  \
        union { T value; B bits; } u = { .value = value };                             \
        return u.bits;                                                                 \
    }                                                                                  \
    WEIRI_INLINE T weiri_const_##s##_load(struct weir_atomic_const_##s ref,            \
                                          memory_order o,                              \
                                          const struct weir_site *site)                \
    {                                                                                  \
        typedef B __attribute__((may_alias)) bits_type;                                \
        const bits_type *p = (const bits_type *)ref.ptr;                               \
        if (WEIRI_WATCHED(weiri_load_order_ok(o))) {                                   \
            return weiri_##s##_from_bits(                                              \
                (B)WEIRI_DO(WEIRI_ATOMIC_LOAD, s, ref, 0, 0, o, o,                     \
                            weiri_load_order_ok(o)));                                  \
        }                                                                              \
        weiri_fruitless();                                                             \
        B bits;                                                                        \
        if (o == memory_order_relaxed || weiri_taken_in_turns(ref.scope)) {            \
            bits = __atomic_load_n(p, __ATOMIC_RELAXED);                               \
        } else if (o == memory_order_acquire || o == memory_order_consume) {           \
            bits = __atomic_load_n(p, __ATOMIC_ACQUIRE);                               \
        } else {                                                                       \
            bits = __atomic_load_n(p, __ATOMIC_SEQ_CST);                               \
        }                                                                              \
        return weiri_##s##_from_bits(bits);                                            \
    }                                                                                  \
    WEIRI_INLINE T weiri_##s##_load(struct weir_atomic_##s ref, memory_order o,        \
                                    const struct weir_site *site)                      \
    {                                                                                  \
        return weiri_const_##s##_load(                                                 \
            (struct weir_atomic_const_##s){ ref.ptr, ref.order, ref.scope, ref.space },\
            o, site);                                                                  \
    }                                                                                  \
    WEIRI_INLINE void weiri_##s##_store(struct weir_atomic_##s ref, T value,           \
                                        memory_order o, const struct weir_site *site)  \
    {                                                                                  \
        typedef B __attribute__((may_alias)) bits_type;                                \
        bits_type *p = (bits_type *)ref.ptr;                                           \
        B bits = weiri_##s##_to_bits(value);                                           \
        if (WEIRI_WATCHED(weiri_store_order_ok(o))) {                                  \
            WEIRI_DO(WEIRI_ATOMIC_STORE, s, ref, bits, 0, o, o,                        \
                     weiri_store_order_ok(o));                                         \
            return;                                                                    \
        }                                                                              \
        if (o == memory_order_relaxed || weiri_taken_in_turns(ref.scope)) {            \
            __atomic_store_n(p, bits, __ATOMIC_RELAXED);                               \
        } else if (o == memory_order_release) {                                        \
            __atomic_store_n(p, bits, __ATOMIC_RELEASE);                               \
        } else {                                                                       \
            __atomic_store_n(p, bits, __ATOMIC_SEQ_CST);                               \
        }                                                                              \
    }                                                                                  \
    WEIRI_INLINE T weiri_##s##_exchange(struct weir_atomic_##s ref, T value,           \
                                        memory_order o, const struct weir_site *site)  \
    {                                                                                  \
        typedef B __attribute__((may_alias)) bits_type;                                \
        bits_type *p = (bits_type *)ref.ptr;                                           \
        B bits = weiri_##s##_to_bits(value), old;                                      \
        if (WEIRI_WATCHED(weiri_any_order_ok(o))) {                                    \
            return weiri_##s##_from_bits(                                              \
                (B)WEIRI_DO(WEIRI_ATOMIC_EXCHANGE, s, ref, bits, 0, o, o,              \
                            weiri_any_order_ok(o)));                                   \
        }                                                                              \
        if (weiri_taken_in_turns(ref.scope)) {                                         \
            WEIRI_TAKE(p, &old);                                                       \
            WEIRI_PUT(p, &bits);                                                       \
        } else if (o == memory_order_relaxed) {                                        \
            old = __atomic_exchange_n(p, bits, __ATOMIC_RELAXED);                      \
        } else if (o == memory_order_acquire || o == memory_order_consume) {           \
            old = __atomic_exchange_n(p, bits, __ATOMIC_ACQUIRE);                      \
        } else if (o == memory_order_release) {                                        \
            old = __atomic_exchange_n(p, bits, __ATOMIC_RELEASE);                      \
        } else if (o == memory_order_acq_rel) {                                        \
            old = __atomic_exchange_n(p, bits, __ATOMIC_ACQ_REL);                      \
        } else {                                                                       \
            old = __atomic_exchange_n(p, bits, __ATOMIC_SEQ_CST);                      \
        }                                                                              \
        if (old == bits) {                                                             \
            weiri_fruitless();                                                         \
        } else {                                                                       \
            weiri_tire(ref.scope);                                                     \
        }                                                                              \
        return weiri_##s##_from_bits(old);                                             \
    }                                                                                  \
    /* On success at the weakest order that is one of the builtin's constants and   */ \
    /* not weaker than asked for; the failure order is never the stronger one.      */ \
    WEIRI_INLINE bool weiri_##s##_compare_exchange(                                    \
        struct weir_atomic_##s ref, void *expected_, T desired, memory_order o,        \
        memory_order failure, bool weak, const struct weir_site *site)                 \
    {                                                                                  \
        typedef B __attribute__((may_alias)) bits_type;                                \
        bits_type *p = (bits_type *)ref.ptr;                                           \
        bits_type *expected = (bits_type *)expected_;                                  \
        B want = *expected, bits = weiri_##s##_to_bits(desired), seen = want;          \
        bool done;                                                                     \
        if (WEIRI_WATCHED(weiri_any_order_ok(o) && weiri_load_order_ok(failure))) {    \
            bool ok = weiri_any_order_ok(o) && weiri_load_order_ok(failure);           \
            seen = (B)weiri_atomic_do(                                                 \
                p,                                                                     \
                WEIRI_WHAT(WEIRI_ATOMIC_COMPARE_EXCHANGE, s, ref, o, failure, ok)      \
                    | (weak ? WEIRI_ATOMIC_WEAK : 0),                                  \
                bits, want, site);                                                     \
            if (seen != want) {                                                        \
                *expected = seen;                                                      \
            }                                                                          \
            return seen == want && !(weak && weiri_atomic_fails());                    \
        }                                                                              \
        if (weiri_taken_in_turns(ref.scope)) {                                         \
            WEIRI_TAKE(p, &seen);                                                      \
            done = seen == want;                                                       \
            if (done) {                                                                \
                WEIRI_PUT(p, &bits);                                                   \
            }                                                                          \
        } else if (o == memory_order_relaxed && failure == memory_order_relaxed) {     \
            done = __atomic_compare_exchange_n(p, &seen, bits, false,                  \
                                               __ATOMIC_RELAXED, __ATOMIC_RELAXED);    \
        } else if (o == memory_order_seq_cst || failure == memory_order_seq_cst) {     \
            done = __atomic_compare_exchange_n(p, &seen, bits, false,                  \
                                               __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);    \
        } else {                                                                       \
            done = __atomic_compare_exchange_n(p, &seen, bits, false,                  \
                                               __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);    \
        }                                                                              \
        if (!done) {                                                                   \
            *expected = seen;                                                          \
            weiri_fruitless();                                                         \
        } else if (bits == want) {                                                     \
            weiri_fruitless();                                                         \
        }                                                                              \
        return done;                                                                   \
    }                                                                                  \
    WEIRI_INLINE T weiri_const_##s##_load_default(struct weir_atomic_const_##s ref,    \
                                                  const struct weir_site *site)        \
    {                                                                                  \
        WEIRI_REFUSE_FOLDED(weiri_ref_order_ok(ref.order));                            \
        memory_order o = weiri_load_half(weiri_ref_order(ref.order));                  \
        return weiri_const_##s##_load(ref, o, site);                                   \
    }                                                                                  \
    WEIRI_INLINE T weiri_##s##_load_default(struct weir_atomic_##s ref,                \
                                            const struct weir_site *site)              \
    {                                                                                  \
        WEIRI_REFUSE_FOLDED(weiri_ref_order_ok(ref.order));                            \
        memory_order o = weiri_load_half(weiri_ref_order(ref.order));                  \
        return weiri_##s##_load(ref, o, site);                                         \
    }                                                                                  \
    WEIRI_INLINE void weiri_##s##_store_default(struct weir_atomic_##s ref, T value,   \
                                                const struct weir_site *site)          \
    {                                                                                  \
        WEIRI_REFUSE_FOLDED(weiri_ref_order_ok(ref.order));                            \
        memory_order o = weiri_store_half(weiri_ref_order(ref.order));                 \
        weiri_##s##_store(ref, value, o, site);                                        \
    }                                                                                  \
    WEIRI_DEFINE_DEFAULT(s, T, exchange)                                               \
    WEIRI_INLINE bool weiri_##s##_compare_exchange_default(                            \
        struct weir_atomic_##s ref, void *expected, T desired, bool weak,              \
        const struct weir_site *site)                                                  \
    {                                                                                  \
        WEIRI_REFUSE_FOLDED(weiri_ref_order_ok(ref.order));                            \
        memory_order o = weiri_ref_order(ref.order);                                   \
        return weiri_##s##_compare_exchange(ref, expected, desired, o,                 \
                                            weiri_load_half(o), weak, site);           \
    }

/* The same operation in the order that the reference has. */
#define WEIRI_DEFINE_DEFAULT(s, T, op)                                                 \
    WEIRI_INLINE T weiri_##s##_##op##_default(struct weir_atomic_##s ref, T value,     \
                                              const struct weir_site *site)            \
    {                                                                                  \
        WEIRI_REFUSE_FOLDED(weiri_ref_order_ok(ref.order));                            \
        return weiri_##s##_##op(ref, value, weiri_ref_order(ref.order), site);         \
    }

/* A read-modify-write. PLAIN computes the new value from `old` and `value`;
 * LOCKED(order) does it atomically and yields the old one. */
#define WEIRI_DEFINE_RMW(s, T, B, op, KIND, PLAIN, LOCKED)                             \
    WEIRI_INLINE T weiri_##s##_##op(struct weir_atomic_##s ref, T value,               \
                                    memory_order o, const struct weir_site *site)      \
    {                                                                                  \
        T *p = ref.ptr;                                                                \
        if (WEIRI_WATCHED(weiri_any_order_ok(o))) {                                    \
            return weiri_##s##_from_bits(                                              \
                (B)WEIRI_DO(WEIRI_ATOMIC_##KIND, s, ref, weiri_##s##_to_bits(value), 0,\
                            o, o, weiri_any_order_ok(o)));                             \
        }                                                                              \
        T old;                                                                         \
        if (weiri_taken_in_turns(ref.scope)) {                                         \
            WEIRI_TAKE(p, &old);                                                       \
            T after = PLAIN;                                                           \
            WEIRI_PUT(p, &after);                                                      \
        } else if (o == memory_order_relaxed) {                                        \
            old = LOCKED(s, T, B, PLAIN, op, __ATOMIC_RELAXED);                        \
        } else if (o == memory_order_acquire || o == memory_order_consume) {           \
            old = LOCKED(s, T, B, PLAIN, op, __ATOMIC_ACQUIRE);                        \
        } else if (o == memory_order_release) {                                        \
            old = LOCKED(s, T, B, PLAIN, op, __ATOMIC_RELEASE);                        \
        } else if (o == memory_order_acq_rel) {                                        \
            old = LOCKED(s, T, B, PLAIN, op, __ATOMIC_ACQ_REL);                        \
        } else {                                                                       \
            old = LOCKED(s, T, B, PLAIN, op, __ATOMIC_SEQ_CST);                        \
        }                                                                              \
        if (PLAIN == old) {                                                            \
            weiri_fruitless();                                                         \
        } else {                                                                       \
            weiri_tire(ref.scope);                                                     \
        }                                                                              \
        return old;                                                                    \
    }                                                                                  \
    WEIRI_DEFINE_DEFAULT(s, T, op)

#define WEIRI_BUILTIN(s, T, B, PLAIN, op, order) __atomic_##op(p, value, order)
#define WEIRI_LOOP(s, T, B, PLAIN, op, order)                                          \
    (__extension__({                                                                   \
        typedef B __attribute__((may_alias)) bits_type;                                \
        B weiri_seen_ = __atomic_load_n((bits_type *)p, __ATOMIC_RELAXED);             \
        do {                                                                           \
            old = weiri_##s##_from_bits(weiri_seen_);                                  \
        } while (!__atomic_compare_exchange_n((bits_type *)p, &weiri_seen_,            \
                                              weiri_##s##_to_bits(PLAIN), true, order, \
                                              __ATOMIC_RELAXED));                      \
        old;                                                                           \
    }))

/* Whether an addition is one that may be put off: see exec/combine.h. */
WEIRI_INLINE bool weiri_is_unordered(memory_order o, memory_scope scope, uint32_t space)
{
    return o == memory_order_relaxed && scope == memory_scope_device
        && space != WEIR_LOCAL;
}

/* Whether this launch puts them off: never where stackless or checked entries run. */
WEIRI_INLINE bool weiri_puts_off(void)
{
    return !WEIRI_SPLIT && WEIRI_FAT != 2
        && !(WEIRI_INSTRUMENTED && weiri_self.watch != NULL) && weiri_self.sums != NULL;
}

/* An addition whose result is not used is not a turn of a spin. */
#define WEIRI_DEFINE_ADD(s, T, PLAIN, PUT_OFF)                                         \
    WEIRI_INLINE void weiri_##s##_add(struct weir_atomic_##s ref, T value,             \
                                      memory_order o, const struct weir_site *site)    \
    {                                                                                  \
        T *p = ref.ptr;                                                                \
        if (weiri_is_unordered(o, ref.scope, ref.space) && !WEIRI_WATCHED(true)        \
            && weiri_taken_in_turns(ref.scope)) {                                      \
            T old;                                                                     \
            WEIRI_TAKE(p, &old);                                                       \
            T after = PLAIN;                                                           \
            WEIRI_PUT(p, &after);                                                      \
        } else if (!PUT_OFF(s, T)) {                                                   \
            weiri_##s##_fetch_add(ref, value, o, site);                                \
        }                                                                              \
    }                                                                                  \
    WEIRI_INLINE void weiri_##s##_add_default(struct weir_atomic_##s ref, T value,     \
                                              const struct weir_site *site)            \
    {                                                                                  \
        WEIRI_REFUSE_FOLDED(weiri_ref_order_ok(ref.order));                            \
        weiri_##s##_add(ref, value, weiri_ref_order(ref.order), site);                 \
    }
#define WEIRI_PUT_OFF(s, T)                                                            \
    (weiri_is_unordered(o, ref.scope, ref.space) && weiri_puts_off()                   \
     && (weiri_put_off(p, (uint64_t)value, sizeof(T))                                  \
         || (__atomic_fetch_add(p, value, __ATOMIC_RELAXED), true)))
#define WEIRI_NEVER(s, T) false

#define WEIRI_DEFINE_INTEGER(s, T, U)                                                  \
    WEIRI_DEFINE_RMW(s, T, U, fetch_add, FETCH_ADD, ((T)((U)old + (U)value)),          \
                     WEIRI_BUILTIN)                                                    \
    WEIRI_DEFINE_ADD(s, T, ((T)((U)old + (U)value)), WEIRI_PUT_OFF)                    \
    WEIRI_DEFINE_RMW(s, T, U, fetch_sub, FETCH_SUB, ((T)((U)old - (U)value)),          \
                     WEIRI_BUILTIN)                                                    \
    WEIRI_DEFINE_RMW(s, T, U, fetch_and, FETCH_AND, ((T)(old & value)), WEIRI_BUILTIN) \
    WEIRI_DEFINE_RMW(s, T, U, fetch_or, FETCH_OR, ((T)(old | value)), WEIRI_BUILTIN)   \
    WEIRI_DEFINE_RMW(s, T, U, fetch_xor, FETCH_XOR, ((T)(old ^ value)), WEIRI_BUILTIN) \
    WEIRI_DEFINE_RMW(s, T, U, fetch_min, FETCH_MIN, (value < old ? value : old),       \
                     WEIRI_LOOP)                                                       \
    WEIRI_DEFINE_RMW(s, T, U, fetch_max, FETCH_MAX, (value > old ? value : old),       \
                     WEIRI_LOOP)

#define WEIRI_DEFINE_FLOAT(s, T, B)                                                    \
    WEIRI_DEFINE_RMW(s, T, B, fetch_add, FETCH_ADD, (old + value), WEIRI_LOOP)         \
    WEIRI_DEFINE_ADD(s, T, (old + value), WEIRI_NEVER)                                 \
    WEIRI_DEFINE_RMW(s, T, B, fetch_sub, FETCH_SUB, (old - value), WEIRI_LOOP)         \
    WEIRI_DEFINE_RMW(s, T, B, fetch_min, FETCH_MIN, (value < old ? value : old),       \
                     WEIRI_LOOP)                                                       \
    WEIRI_DEFINE_RMW(s, T, B, fetch_max, FETCH_MAX, (value > old ? value : old),       \
                     WEIRI_LOOP)

/* CUDA's: up to a limit, after which 0 follows; and down from it. */
#define WEIRI_DEFINE_WRAPPING(s, T)                                                    \
    WEIRI_DEFINE_RMW(s, T, T, fetch_inc, FETCH_INC, (old >= value ? 0 : old + 1),      \
                     WEIRI_LOOP)                                                       \
    WEIRI_DEFINE_RMW(s, T, T, fetch_dec, FETCH_DEC,                                    \
                     (old == 0 || old > value ? value : old - 1), WEIRI_LOOP)

/* int64_t is long here and long long there; one type that aliases both. */
typedef int64_t __attribute__((may_alias)) weiri_i64;
typedef uint64_t __attribute__((may_alias)) weiri_u64;
typedef void *__attribute__((may_alias)) weiri_ptr;

WEIRI_DEFINE_REF(i32, int32_t)
WEIRI_DEFINE_REF(u32, uint32_t)
WEIRI_DEFINE_REF(i64, weiri_i64)
WEIRI_DEFINE_REF(u64, weiri_u64)
WEIRI_DEFINE_REF(f32, float)
WEIRI_DEFINE_REF(f64, double)
WEIRI_DEFINE_REF(ptr, weiri_ptr)
WEIRI_DEFINE_BASIC(i32, int32_t, uint32_t)
WEIRI_DEFINE_BASIC(u32, uint32_t, uint32_t)
WEIRI_DEFINE_BASIC(i64, weiri_i64, uint64_t)
WEIRI_DEFINE_BASIC(u64, weiri_u64, uint64_t)
WEIRI_DEFINE_BASIC(f32, float, uint32_t)
WEIRI_DEFINE_BASIC(f64, double, uint64_t)
WEIRI_DEFINE_BASIC(ptr, weiri_ptr, uintptr_t)
WEIRI_DEFINE_INTEGER(i32, int32_t, uint32_t)
WEIRI_DEFINE_INTEGER(u32, uint32_t, uint32_t)
WEIRI_DEFINE_WRAPPING(u32, uint32_t)
WEIRI_DEFINE_INTEGER(i64, weiri_i64, uint64_t)
WEIRI_DEFINE_INTEGER(u64, weiri_u64, uint64_t)
WEIRI_DEFINE_FLOAT(f32, float, uint32_t)
WEIRI_DEFINE_FLOAT(f64, double, uint64_t)

/* ---- Choosing by type ---------------------------------------------------- */

#define WEIRI_POINTER_CASES(prefix, suffix)                                            \
    int *: prefix##i32##suffix, volatile int *: prefix##i32##suffix,                   \
    unsigned *: prefix##u32##suffix, volatile unsigned *: prefix##u32##suffix,         \
    long *: prefix##i64##suffix, volatile long *: prefix##i64##suffix,                 \
    long long *: prefix##i64##suffix, volatile long long *: prefix##i64##suffix,       \
    unsigned long *: prefix##u64##suffix,                                              \
    volatile unsigned long *: prefix##u64##suffix,                                     \
    unsigned long long *: prefix##u64##suffix,                                         \
    volatile unsigned long long *: prefix##u64##suffix,                                \
    float *: prefix##f32##suffix, volatile float *: prefix##f32##suffix,               \
    double *: prefix##f64##suffix, volatile double *: prefix##f64##suffix
#define WEIRI_CONST_POINTER_CASES(prefix, suffix)                                      \
    const int *: prefix##i32##suffix, const volatile int *: prefix##i32##suffix,       \
    const unsigned *: prefix##u32##suffix,                                             \
    const volatile unsigned *: prefix##u32##suffix,                                    \
    const long *: prefix##i64##suffix, const volatile long *: prefix##i64##suffix,     \
    const long long *: prefix##i64##suffix,                                            \
    const volatile long long *: prefix##i64##suffix,                                   \
    const unsigned long *: prefix##u64##suffix,                                        \
    const volatile unsigned long *: prefix##u64##suffix,                               \
    const unsigned long long *: prefix##u64##suffix,                                   \
    const volatile unsigned long long *: prefix##u64##suffix,                          \
    const float *: prefix##f32##suffix, const volatile float *: prefix##f32##suffix,   \
    const double *: prefix##f64##suffix, const volatile double *: prefix##f64##suffix
#define WEIRI_REF_CASES(prefix, suffix)                                                \
    struct weir_atomic_i32: prefix##i32##suffix,                                       \
    struct weir_atomic_u32: prefix##u32##suffix,                                       \
    struct weir_atomic_i64: prefix##i64##suffix,                                       \
    struct weir_atomic_u64: prefix##u64##suffix,                                       \
    struct weir_atomic_f32: prefix##f32##suffix,                                       \
    struct weir_atomic_f64: prefix##f64##suffix
#define WEIRI_CONST_REF_CASES(prefix, suffix)                                          \
    struct weir_atomic_const_i32: prefix##i32##suffix,                                 \
    struct weir_atomic_const_u32: prefix##u32##suffix,                                 \
    struct weir_atomic_const_i64: prefix##i64##suffix,                                 \
    struct weir_atomic_const_u64: prefix##u64##suffix,                                 \
    struct weir_atomic_const_f32: prefix##f32##suffix,                                 \
    struct weir_atomic_const_f64: prefix##f64##suffix

/* A pointer for `default:` to look at, for any type of x. */
#define WEIRI_POINTEE(x)                                                               \
    (*_Generic((x), WEIRI_REF_CASES(WEIRI_NULL_, ),                                    \
               WEIRI_CONST_REF_CASES(WEIRI_NULL_, ),                                   \
               struct weir_atomic_ptr: (void **)0, default: (x)))
/* One value under the name of each type, for the case lists to paste. */
#define WEIRI_NULL_i32 ((void **)0)
#define WEIRI_NULL_u32 ((void **)0)
#define WEIRI_NULL_i64 ((void **)0)
#define WEIRI_NULL_u64 ((void **)0)
#define WEIRI_NULL_f32 ((void **)0)
#define WEIRI_NULL_f64 ((void **)0)
#define WEIRI_YES_i32 1
#define WEIRI_YES_u32 1
#define WEIRI_YES_i64 1
#define WEIRI_YES_u64 1
#define WEIRI_YES_f32 1
#define WEIRI_YES_f64 1
#define WEIRI_IS_POINTER(x)                                                            \
    (__builtin_classify_type(WEIRI_POINTEE(x)) == __builtin_classify_type((void *)0))

#define WEIRI_REQUIRE_ATOMIC_TYPE(x)                                                   \
    _Static_assert(_Generic((x), WEIRI_POINTER_CASES(WEIRI_YES_, ),           \
                            WEIRI_CONST_POINTER_CASES(WEIRI_YES_, ),          \
                            WEIRI_REF_CASES(WEIRI_YES_, ),                    \
                            WEIRI_CONST_REF_CASES(WEIRI_YES_, ),              \
                            struct weir_atomic_ptr: 1,                                 \
                            default: WEIRI_IS_POINTER(x)),                             \
                   "weir atomics take a pointer to int32, uint32, int64, uint64, "     \
                   "float, double or a pointer; not to narrower or _Atomic types")

/* A reference made of a reference or a plain pointer. */
#define WEIRI_AS_REF(x, order, scope, space)                                           \
    _Generic((x), WEIRI_POINTER_CASES(weiri_, _ref),                                   \
             WEIRI_CONST_POINTER_CASES(weiri_const_, _ref),                            \
             WEIRI_REF_CASES(weiri_, _reref),                                          \
             WEIRI_CONST_REF_CASES(weiri_const_, _reref),                              \
             struct weir_atomic_ptr: weiri_ptr_reref,                                  \
             default: weiri_ptr_ref)((x), (order), (scope), (space))

#define WEIRI_LOADABLE(op, x)                                                          \
    _Generic((x), WEIRI_REF_CASES(weiri_, _##op),                                      \
             WEIRI_CONST_REF_CASES(weiri_const_, _##op),                               \
             struct weir_atomic_ptr: weiri_ptr_##op)
#define WEIRI_ANY_REF(op, x)                                                           \
    _Generic((x), WEIRI_REF_CASES(weiri_, _##op),                                      \
             struct weir_atomic_ptr: weiri_ptr_##op)
#define WEIRI_NUMBER_REF(op, x) _Generic((x), WEIRI_REF_CASES(weiri_, _##op))
#define WEIRI_INTEGER_REF(op, x)                                                       \
    _Generic((x), struct weir_atomic_i32: weiri_i32_##op,                              \
             struct weir_atomic_u32: weiri_u32_##op,                                   \
             struct weir_atomic_i64: weiri_i64_##op,                                   \
             struct weir_atomic_u64: weiri_u64_##op)

#define WEIRI_RMW(CHOOSE, op, ref, value)                                              \
    CHOOSE(op##_default, ref)((ref), (value), WEIRI_SITE())
#define WEIRI_EXPLICIT(CHOOSE, op, x, value, order, scope)                             \
    (__extension__({                                                                   \
        WEIRI_REQUIRE_ATOMIC_TYPE(x);                                                  \
        CHOOSE(op, WEIRI_AS_REF((x), memory_order_relaxed, (scope), 0))                \
        (WEIRI_AS_REF((x), memory_order_relaxed, (scope), 0), (value), (order),        \
         WEIRI_SITE());                                                                \
    }))

/* *expected must have the width that the atomic has. */
#define WEIRI_REFUSE_EXPECTED(ref, expected)                                           \
    WEIRI_REFUSE(sizeof(*(expected)) != sizeof(*(ref).ptr),                            \
                 "expected must point to the type of the atomic")
#define WEIRI_COMPARE_EXCHANGE(ref, expected, desired, weak)                           \
    (__extension__({                                                                   \
        WEIRI_REFUSE_EXPECTED(ref, expected);                                          \
        WEIRI_ANY_REF(compare_exchange_default, ref)                                   \
        ((ref), (expected), (desired), (weak), WEIRI_SITE());                          \
    }))
#define WEIRI_COMPARE_EXCHANGE_EXPLICIT(x, expected, desired, success, failure, scope, \
                                        weak)                                          \
    (__extension__({                                                                   \
        WEIRI_REQUIRE_ATOMIC_TYPE(x);                                                  \
        WEIRI_REFUSE_FAILURE_ORDER(failure);                                           \
        WEIRI_REFUSE_EXPECTED(WEIRI_AS_REF((x), memory_order_relaxed, (scope), 0),     \
                              expected);                                               \
        WEIRI_ANY_REF(compare_exchange,                                                \
                      WEIRI_AS_REF((x), memory_order_relaxed, (scope), 0))             \
        (WEIRI_AS_REF((x), memory_order_relaxed, (scope), 0), (expected), (desired),   \
         (success), (failure), (weak), WEIRI_SITE());                                  \
    }))

/* ---- Fences -------------------------------------------------------------- */

WEIRI_INLINE void weiri_fence(unsigned flags, memory_order o, memory_scope scope,
                              const struct weir_site *site)
{
    if (WEIRI_WATCHED(weiri_any_order_ok(o))) {
        weiri_fence_begin(WEIRI_ATOMIC_WHAT(WEIRI_ATOMIC_FENCE, WEIRI_TYPE_none, 0, o,
                                            o, scope, flags, weiri_any_order_ok(o)),
                          site);
    }
    if (o == memory_order_relaxed || weiri_taken_in_turns(scope)) {
        __asm__ volatile("" ::: "memory");
    } else if (o == memory_order_acquire || o == memory_order_consume) {
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
    } else if (o == memory_order_release) {
        __atomic_thread_fence(__ATOMIC_RELEASE);
    } else if (o == memory_order_acq_rel) {
        __atomic_thread_fence(__ATOMIC_ACQ_REL);
    } else {
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    }
}

#endif
