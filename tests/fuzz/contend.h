/* SPDX-License-Identifier: MIT
 *
 * contend.h: the language of the kernels that contend-draw.c prints, and what is shared
 * with contend-run.c, which judges them.
 *
 * A drawn kernel is compiled twice: as a kernel of Weir, in SYCL with CONTEND_SYCL
 * defined, and, with CONTEND_REFERENCE defined, as a plain function whose items
 * contend-run.c runs one after the other. The results of atomics depend on the order of
 * items; there are two ways to judge them:
 *
 *   LOGGED  the kernel writes each result to its log. The reference takes the result
 *           from the log and computes all else from it, so all else must be equal; and
 *           the log of one word must be a sequence that starts at its first value.
 *   SAME    all items apply one function to the word. Which item gets which value is
 *           open, and the values are not: those that all items write to the bag are
 *           compared sorted.
 *
 * Additions and the like whose results are not used need neither. */
#ifndef FUZZ_CONTEND_H
#define FUZZ_CONTEND_H

#ifdef __OPENCL_C_VERSION__
#include "contend-opencl.h"
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

/* Sizes of what a kernel's arguments point to, in elements. */
enum {
    C_IN = 64,
    C_OUT = 4,           /* of an item */
    C_LOG = 320,         /* of an item */
    C_BAG = 24,          /* of an item; a row has one of each item */
    C_BAG_OF_RANGE = 20, /* the first row about words of the range */
    C_LIST = 6,          /* of an item */
    C_CELLS = 8,         /* of a group */
    C_SHARED = 8         /* of the range */
};
enum { C_ITEMS = 256, /* the most of a group */ C_SHAPES = 3 };

struct contend_pair {
    uint32_t a;
    int32_t i;
    float f;
    uint32_t u;
    int64_t l;
};

#ifndef __OPENCL_C_VERSION__
typedef uint32_t contend_four __attribute__((vector_size(16)));

#define VECTOR(a, b, c, d)                                                             \
    ((contend_four){ (uint32_t)(a), (uint32_t)(b), (uint32_t)(c), (uint32_t)(d) })
#define INLINE static inline __attribute__((unused))
#define FAR static __attribute__((noinline, unused))
#define LOCAL
#define GLOBAL
#define GENERIC
#endif
#define OP_add(a, b) ((a) + (b))
#define OP_sub(a, b) ((a) - (b))
#define OP_and(a, b) ((a) & (b))
#define OP_or(a, b) ((a) | (b))
#define OP_xor(a, b) ((a) ^ (b))
#define OP_min(a, b) ((a) < (b) ? (a) : (b))
#define OP_max(a, b) ((a) > (b) ? (a) : (b))
#define OP_exchange(a, b) (b)

/* A value of any type as a uint32_t. */
#define W(t) ((uint32_t)(int64_t)(t))

FAR uint32_t far(uint32_t a, uint32_t b)
{
    return a * 31 ^ (b >> 3);
}

#ifndef __OPENCL_C_VERSION__

struct contend_args {
    const uint32_t *in;
    int64_t *out, *log, *bag, *list;
    int32_t *ci; /* C_CELLS for each group, then C_SHARED, then one for each item */
    uint32_t *cu;
    int64_t *cl;
    float *cf;
};

struct contend_shape {
    uint32_t local, groups, workers;
};

struct weir_kernel;

/* CONTEND_NO_C: the program has no kernels in C. */
#ifdef CONTEND_NO_C
#define CONTEND_DECLARE(name)
#define CONTEND_KERNEL(name) NULL
#else
#define CONTEND_DECLARE(name) extern const struct weir_kernel name;
#define CONTEND_KERNEL(name) &name
#endif

struct contend_item;

struct contend_case {
    const char *name;
    const struct weir_kernel *kernel;
    void (*reference)(struct contend_item *item, const struct contend_args *args);
    struct contend_shape shapes[C_SHAPES];
};

#define PROLOGUE                                                                       \
    const uint32_t *in = args->in;                                                     \
    int64_t *out = args->out, *log = args->log, *bag = args->bag, *list = args->list;  \
    int32_t *ci = args->ci + group * C_CELLS, *di = args->ci + groups * C_CELLS;       \
    uint32_t *cu = args->cu + group * C_CELLS, *du = args->cu + groups * C_CELLS;      \
    int64_t *cl = args->cl + group * C_CELLS, *dl = args->cl + groups * C_CELLS;       \
    float *cf = args->cf + group * C_CELLS, *df = args->cf + groups * C_CELLS;         \
    uint32_t at = 128;                                                                 \
    (void)items, (void)in, (void)out, (void)log, (void)bag, (void)list, (void)at,      \
        (void)n;                                                                       \
    (void)ci, (void)cu, (void)cl, (void)cf, (void)di, (void)du, (void)dl, (void)df

#ifdef CONTEND_SYCL
#include "contend-sycl.h"
#elif !defined(CONTEND_REFERENCE)

#include <weir-kernel.h>

#define ITEM struct weir_item *item
#define ITEM_ARGUMENT item
#define KERNEL(name) WEIR_KERNEL(name, struct contend_args)
#define BEGIN                                                                          \
    const uint32_t lid = (uint32_t)weir_local_id(item, 0);                             \
    const uint32_t n = (uint32_t)weir_local_size(item, 0);                             \
    const uint32_t group = (uint32_t)weir_group_id(item, 0);                           \
    const uint32_t groups = (uint32_t)weir_num_groups(item, 0);                        \
    const size_t gid = weir_global_id(item, 0), items = weir_global_size(item, 0);     \
    PROLOGUE
#define LOCAL_ARRAY(T, name, count) T *name = weir_local_array(item, T, count)
#define BARRIER(how) BARRIER_##how
#define BARRIER_local weir_barrier(item, WEIR_LOCAL)
#define BARRIER_both weir_barrier(item, WEIR_LOCAL | WEIR_GLOBAL)
#define BARRIER_group weir_group_barrier(item)
#define REDUCE(op, T, v) ((T)weir_group_reduce_##op(item, (T)(v)))
#define SCAN(T, v) ((T)weir_group_exclusive_scan_add(item, (T)(v)))
#define BROADCAST(T, v, from) ((T)weir_group_broadcast(item, (T)(v), (from)))
#define ANY(c) weir_group_any(item, (c))

#define NAME_add weir_atomic_fetch_add
#define NAME_sub weir_atomic_fetch_sub
#define NAME_and weir_atomic_fetch_and
#define NAME_or weir_atomic_fetch_or
#define NAME_xor weir_atomic_fetch_xor
#define NAME_min weir_atomic_fetch_min
#define NAME_max weir_atomic_fetch_max
#define NAME_exchange weir_atomic_exchange
#define XNAME_add weir_atomic_fetch_add_explicit
#define XNAME_sub weir_atomic_fetch_sub_explicit
#define XNAME_and weir_atomic_fetch_and_explicit
#define XNAME_or weir_atomic_fetch_or_explicit
#define XNAME_xor weir_atomic_fetch_xor_explicit
#define XNAME_min weir_atomic_fetch_min_explicit
#define XNAME_max weir_atomic_fetch_max_explicit
#define XNAME_exchange weir_atomic_exchange_explicit
#define O(order) memory_order_##order
#define S(scope) memory_scope_##scope

/* space: LOCAL, GLOBAL or GENERIC; the order of ref is relaxed, acq_rel or seq_cst */
#define RMW(op, T, space, p, v, order, scope)                                          \
    XNAME_##op((T *)(p), (T)(v), O(order), S(scope))
#define RMW_REF(op, T, space, p, v, order, scope)                                      \
    NAME_##op(weir_atomic_ref((T *)(p), O(order), S(scope)), (T)(v))
#define LOAD(T, space, p, order, scope)                                                \
    weir_atomic_load_explicit((T *)(p), O(order), S(scope))
#define STORE(T, space, p, v, order, scope)                                            \
    weir_atomic_store_explicit((T *)(p), (T)(v), O(order), S(scope))
#define CAS(strength, T, space, p, e, d, order, failure, scope)                        \
    weir_atomic_compare_exchange_##strength##_explicit((T *)(p), (e), (T)(d),          \
                                                       O(order), O(failure), S(scope))
#else

void contend_meet(struct contend_item *item);
int64_t contend_reduce(struct contend_item *item, char op, int64_t v);
int64_t contend_scan(struct contend_item *item, int64_t v);
int64_t contend_broadcast(struct contend_item *item, int64_t v, uint32_t from);
void *contend_local(struct contend_item *item, size_t bytes);
uint32_t contend_lid(struct contend_item *item);
uint32_t contend_n(struct contend_item *item);
uint32_t contend_group(struct contend_item *item);
uint32_t contend_groups(struct contend_item *item);
/* Notes that an item found @from at @p, and left @to there. */
void contend_edge(void *p, char type, int64_t from, int64_t to);
void contend_store(void *p, char type, int64_t to);
void contend_wrong(const char *why);

#define IS_strong 1
#define IS_weak 0
#define TYPE_int32_t 'i'
#define TYPE_uint32_t 'u'
#define TYPE_int64_t 'l'
#define TYPE_float 'f'

#define ITEM struct contend_item *item
#define ITEM_ARGUMENT item
#define KERNEL(name)                                                                   \
    void name##_reference(struct contend_item *item, const struct contend_args *args); \
    void name##_reference(struct contend_item *item, const struct contend_args *args)
#define BEGIN                                                                          \
    const uint32_t lid = contend_lid(item), n = contend_n(item);                       \
    const uint32_t group = contend_group(item), groups = contend_groups(item);         \
    const size_t gid = group * n + lid, items = groups * n;                            \
    PROLOGUE
#define LOCAL_ARRAY(T, name, count)                                                    \
    T *name = (T *)contend_local(item, (count) * sizeof(T))
#define BARRIER(how) contend_meet(item)
#define REDUCE(op, T, v) ((T)contend_reduce(item, #op[1], (int64_t)(T)(v)))
#define SCAN(T, v) ((T)contend_scan(item, (int64_t)(T)(v)))
#define BROADCAST(T, v, from) ((T)contend_broadcast(item, (int64_t)(T)(v), (from)))
#define ANY(c) (contend_reduce(item, 'a', (c) ? 1 : 0) != 0)

#define RMW(op, T, space, p, v, order, scope)                                          \
    (__extension__({                                                                   \
        T *at_ = (T *)(p), was_ = *at_;                                                \
        *at_ = (T)OP_##op(was_, (T)(v));                                               \
        was_;                                                                          \
    }))
#define RMW_REF RMW
#define LOG_RMW(how, op, T, t, space, p, v, order, scope, slot)                        \
    t = (T)log[slot];                                                                  \
    contend_edge(p, TYPE_##T, (int64_t)t, (int64_t)(T)OP_##op(t, (T)(v)))
#define LOG_CAS(strength, T, t, ok, space, p, e, d, order, failure, scope, slot, next) \
    t = (T)log[slot];                                                                  \
    ok = log[next] != 0;                                                               \
    if (ok ? t != (T)(e) : IS_##strength && t == (T)(e)) {                             \
        contend_wrong("a compare_exchange whose result and value disagree");           \
    }                                                                                  \
    contend_edge(p, TYPE_##T, (int64_t)t, ok ? (int64_t)(T)(d) : (int64_t)t)
#define LOG_LOOP(op, T, t, space, p, v, order, scope, slot)                            \
    LOG_RMW(RMW, op, T, t, space, p, v, order, scope, slot)
#define LOG_LOAD(T, t, space, p, order, scope, slot)                                   \
    t = (T)log[slot];                                                                  \
    contend_edge(p, TYPE_##T, (int64_t)t, (int64_t)t)
#define LOG_STORE(T, space, p, v, order, scope)                                        \
    contend_store(p, TYPE_##T, (int64_t)(T)(v))
#define STORE(T, space, p, v, order, scope) (*(T *)(p) = (T)(v))
#define LOAD(T, space, p, order, scope) (*(T *)(p))
#define SAME_CAS(T, space, p, e, d, order, failure, scope)                             \
    (__extension__({                                                                   \
        T *at_ = (T *)(p), was_ = *at_, *e_ = (e);                                     \
        bool ok_ = was_ == *e_;                                                        \
        if (ok_) {                                                                     \
            *at_ = (T)(d);                                                             \
        } else {                                                                       \
            *e_ = was_;                                                                \
        }                                                                              \
        ok_;                                                                           \
    }))

#endif
#endif

#if !defined(CONTEND_REFERENCE) && !defined(CONTEND_SYCL)
#define LOG_RMW(how, op, T, t, space, p, v, order, scope, slot)                        \
    t = how(op, T, space, p, v, order, scope);                                         \
    log[slot] = (int64_t)t
#define LOG_CAS(strength, T, t, ok, space, p, e, d, order, failure, scope, slot, next) \
    t = (T)(e);                                                                        \
    ok = CAS(strength, T, space, p, &t, d, order, failure, scope);                     \
    log[slot] = (int64_t)t;                                                            \
    log[next] = ok
#define LOG_LOOP(op, T, t, space, p, v, order, scope, slot)                            \
    t = LOAD(T, space, p, relaxed, scope);                                             \
    while (!CAS(weak, T, space, p, &t, OP_##op(t, (T)(v)), order, relaxed, scope)) {}  \
    log[slot] = (int64_t)t
#define LOG_LOAD(T, t, space, p, order, scope, slot)                                   \
    t = LOAD(T, space, p, order, scope);                                               \
    log[slot] = (int64_t)t
#define LOG_STORE(T, space, p, v, order, scope) STORE(T, space, p, v, order, scope)
#define SAME_CAS(T, space, p, e, d, order, failure, scope)                             \
    CAS(strong, T, space, p, e, d, order, failure, scope)
#endif

#endif
