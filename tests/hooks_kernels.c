/* SPDX-License-Identifier: MIT
 *
 * hooks_kernels.c: see hooks_kernels.h. */
#include "hooks_kernels.h"

#include <string.h>

/* Keeps an array where its address is. */
#define ESCAPES(p) __asm__ volatile("" : : "r"(p) : "memory")

WEIR_KERNEL(plain_accesses, plain_args)
{
    size_t i = weir_global_id(item, 0);
    int32_t own[4] = { 0 };
    ESCAPES(own);
    own[i % 4] = args->in[i];
    own[(i + 1) % 4] = args->in[i + 1];
    args->out[i] = own[i % 4] + own[(i + 1) % 4];
}

WEIR_GROUP_KERNEL(group_accesses, plain_args)
{
    int32_t before = args->in[0];
    weir_for_each_item(item, group) {
        size_t i = weir_global_id(item, 0);
        args->out[i] = args->in[i] + args->in[i + 1];
    }
    args->out[args->n] = before;
}

WEIR_KERNEL(access_forms, form_args)
{
    int32_t sum = args->crooked->i + *args->flag;
    ESCAPES(&sum);
    memcpy(args->to, args->from, 100 * sizeof(*args->to));
}

static __attribute__((noinline)) void store(int32_t *p)
{
    *p = 1;
}

static __attribute__((noinline)) void recurse(int32_t *p, int depth)
{
    if (depth > 1) {
        recurse(p, depth - 1);
        ESCAPES(p);
    } else {
        *p = 1;
    }
}

WEIR_KERNEL(make_calls, call_args)
{
    store(args->out);
    ESCAPES(args->out);
    store(args->out);
    int depth = CALL_DEPTH;
    __asm__("" : "+r"(depth)); /* a known one would give three copies of the function */
    recurse(args->out + 1, depth);
    args->out[2] = 1;
}

#define EACH_ATOMIC(T, p)                                                              \
    do {                                                                               \
        T none = 77, some = 0;                                                         \
        (void)atomic_load(p);                                                          \
        atomic_store(p, (T)0);                                                         \
        (void)atomic_exchange(p, (T)0);                                                \
        (void)atomic_compare_exchange_strong(p, &none, (T)1);                          \
        (void)atomic_compare_exchange_strong(p, &some, (T)1);                          \
        (void)atomic_fetch_add(p, (T)-1);                                              \
        (void)atomic_fetch_sub(p, (T)1);                                               \
        (void)atomic_fetch_and(p, (T)6);                                               \
        (void)atomic_fetch_or(p, (T)1);                                                \
        (void)atomic_fetch_xor(p, (T)2);                                               \
        (void)__atomic_fetch_nand((T *)p, (T)4, __ATOMIC_SEQ_CST);                     \
    } while (0)

WEIR_KERNEL(atomic_forms, atomic_args)
{
    EACH_ATOMIC(uint8_t, args->a8);
    EACH_ATOMIC(uint16_t, args->a16);
    EACH_ATOMIC(uint32_t, args->a32);
    EACH_ATOMIC(uint64_t, args->a64);
    int32_t none = 77, some = 0;
    struct weir_atomic_i32 ref
        = weir_atomic_ref(args->weir, memory_order_acq_rel, memory_scope_device);
    (void)weir_atomic_load(ref);
    weir_atomic_store(ref, 0);
    (void)weir_atomic_exchange(ref, 0);
    (void)weir_atomic_compare_exchange_strong(ref, &none, 1);
    (void)weir_atomic_compare_exchange_strong(ref, &some, 1);
    (void)weir_atomic_fetch_max(ref, 5);
}

WEIR_KERNEL(fences, plain_args)
{
    (void)args;
    atomic_thread_fence(memory_order_acq_rel);
    weir_atomic_fence(memory_order_acq_rel, memory_scope_device);
    weir_group_barrier_scope(item, memory_scope_device);
}

WEIR_KERNEL(three_stores, end_args)
{
    size_t i = weir_global_id(item, 0);
    args->out[i] = 1;
    weir_barrier(item, WEIR_GLOBAL);
    args->out[args->n + i] = 2;
    weir_barrier(item, WEIR_GLOBAL);
    args->out[i] = 3;
}

WEIR_GROUP_KERNEL(three_stores_of_groups, end_args)
{
    weir_for_each_item(item, group) {
        args->out[weir_global_id(item, 0)] = 1;
    }
    weir_for_each_item(item, group) {
        args->out[args->n + weir_global_id(item, 0)] = 2;
    }
    weir_for_each_item(item, group) {
        args->out[weir_global_id(item, 0)] = 3;
    }
}

WEIR_KERNEL(comparisons, compare_args)
{
    int32_t n = 0;
    n += args->a == args->out[0];
    ESCAPES(&n);
    n += args->b < args->out[1];
    ESCAPES(&n);
    n += args->c > (float)args->out[2];
    args->out[3] = n;
}
