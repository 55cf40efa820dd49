/* SPDX-License-Identifier: MIT
 *
 * contend-sycl.h: the language of contend.h, which includes it, in SYCL, and launches
 * for contend-run.c. A file of kernels is the program's only one in C++. */
#ifndef FUZZ_CONTEND_SYCL_H
#define FUZZ_CONTEND_SYCL_H

#include <sycl/sycl.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
#include "contend-machine.h"
}

/* The local arrays of a kernel are parts of one accessor. */
enum { LOCAL_BYTES = 32 << 10 };

struct contend_row {
    using launch_function
        = void(sycl::queue &q, const contend_args &args, const contend_shape &shape);
    const char *name;
    launch_function *launch;
    contend_row *next;
    static contend_row *first;

    contend_row(const char *name_, launch_function *launch_)
        : name(name_), launch(launch_), next(first)
    {
        first = this;
    }
};
contend_row *contend_row::first;

#define KERNEL(kernel)                                                                 \
    static void kernel(sycl::nd_item<1> item, const contend_args *args, char *local);  \
    static void kernel##_launch(sycl::queue &q, const contend_args &args,              \
                                const contend_shape &shape)                            \
    {                                                                                  \
        const size_t n = shape.local;                                                  \
        q.submit([&](sycl::handler &h) {                                               \
             sycl::local_accessor<int64_t, 1> memory(LOCAL_BYTES / 8, h);              \
             contend_args here = args;                                                 \
             h.parallel_for(sycl::nd_range<1>(n * shape.groups, n),                    \
                            [=](sycl::nd_item<1> item) {                               \
                                kernel(item, &here, (char *)&memory[0]);               \
                            });                                                        \
         }).wait();                                                                    \
    }                                                                                  \
    static contend_row kernel##_row(#kernel, kernel##_launch);                         \
    static inline __attribute__((always_inline)) void kernel(                          \
        sycl::nd_item<1> item, const contend_args *args, char *local)
#define BEGIN                                                                          \
    const uint32_t lid = item.get_local_id(0), n = item.get_local_range(0);            \
    const uint32_t group = item.get_group(0), groups = item.get_group_range(0);        \
    const size_t gid = item.get_global_id(0), items = item.get_global_range(0);        \
    PROLOGUE
#define LOCAL_ARRAY(T, name, count)                                                    \
    T *name = (T *)local;                                                              \
    local += ((count) * sizeof(T) + 15) & ~15
#define BARRIER(how) BARRIER_##how
#define BARRIER_local item.barrier(sycl::access::fence_space::local_space)
#define BARRIER_both item.barrier()
#define BARRIER_group sycl::group_barrier(item.get_group())
#define FUNCTION_add sycl::plus
#define FUNCTION_min sycl::minimum
#define FUNCTION_max sycl::maximum
#define REDUCE(op, T, v)                                                               \
    sycl::reduce_over_group(item.get_group(), (T)(v), FUNCTION_##op<T>())
#define SCAN(T, v)                                                                     \
    sycl::exclusive_scan_over_group(item.get_group(), (T)(v), sycl::plus<T>())
#define BROADCAST(T, v, from)                                                          \
    sycl::group_broadcast(item.get_group(), (T)(v), sycl::id<1>(from))
#define ANY(c) sycl::any_of_group(item.get_group(), (c) ? true : false)

#define O(order) sycl::memory_order::order
#define S(scope) sycl::memory_scope::scope
#define SPACE_LOCAL sycl::access::address_space::local_space
#define SPACE_GLOBAL sycl::access::address_space::global_space
#define SPACE_GENERIC sycl::access::address_space::generic_space
#define CALL_add fetch_add
#define CALL_sub fetch_sub
#define CALL_and fetch_and
#define CALL_or fetch_or
#define CALL_xor fetch_xor
#define CALL_min fetch_min
#define CALL_max fetch_max
#define CALL_exchange exchange

/* space: one of SPACE_... The macros of contend.h would lose the word LOCAL, which is
 * nothing here, where they hand it on. */
#define REF(T, order, scope, space, p)                                                 \
    sycl::atomic_ref<T, O(order), S(scope), space>(*(T *)(p))
#define RMW_AT(op, T, space, p, v, order, scope)                                       \
    REF(T, relaxed, system, space, p).CALL_##op((T)(v), O(order), S(scope))
#define RMW_REF_AT(op, T, space, p, v, order, scope)                                   \
    REF(T, order, scope, space, p).CALL_##op((T)(v))
#define LOAD_AT(T, space, p, order, scope)                                             \
    REF(T, relaxed, system, space, p).load(O(order), S(scope))
#define STORE_AT(T, space, p, v, order, scope)                                         \
    REF(T, relaxed, system, space, p).store((T)(v), O(order), S(scope))
#define CAS_AT(strength, T, space, p, e, d, order, failure, scope)                     \
    REF(T, relaxed, system, space, p)                                                  \
        .compare_exchange_##strength(e, (T)(d), O(order), O(failure), S(scope))

#define RMW(op, T, space, p, v, order, scope)                                          \
    RMW_AT(op, T, SPACE_##space, p, v, order, scope)
#define RMW_REF(op, T, space, p, v, order, scope)                                      \
    RMW_REF_AT(op, T, SPACE_##space, p, v, order, scope)
#define LOAD(T, space, p, order, scope) LOAD_AT(T, SPACE_##space, p, order, scope)
#define STORE(T, space, p, v, order, scope)                                            \
    STORE_AT(T, SPACE_##space, p, v, order, scope)
#define LOG_RMW(how, op, T, t, space, p, v, order, scope, slot)                        \
    t = how##_AT(op, T, SPACE_##space, p, v, order, scope);                            \
    log[slot] = (int64_t)t
#define LOG_CAS(strength, T, t, ok, space, p, e, d, order, failure, scope, slot, next) \
    t = (T)(e);                                                                        \
    ok = CAS_AT(strength, T, SPACE_##space, p, t, d, order, failure, scope);           \
    log[slot] = (int64_t)t;                                                            \
    log[next] = ok
#define LOG_LOOP(op, T, t, space, p, v, order, scope, slot)                            \
    t = LOAD_AT(T, SPACE_##space, p, relaxed, scope);                                  \
    while (!CAS_AT(weak, T, SPACE_##space, p, t, OP_##op(t, (T)(v)), order, relaxed,   \
                   scope)) {}                                                          \
    log[slot] = (int64_t)t
#define LOG_LOAD(T, t, space, p, order, scope, slot)                                   \
    t = LOAD_AT(T, SPACE_##space, p, order, scope);                                    \
    log[slot] = (int64_t)t
#define LOG_STORE(T, space, p, v, order, scope)                                        \
    STORE_AT(T, SPACE_##space, p, v, order, scope)
#define SAME_CAS(T, space, p, e, d, order, failure, scope)                             \
    CAS_AT(strong, T, SPACE_##space, p, *(e), d, order, failure, scope)

/* ---- Launches --------------------------------------------------------------- */

void contend_open(const char *source)
{
    (void)source;
}

/* The queue chooses the entry. */
bool contend_is_stackless(const struct contend_case *c)
{
    (void)c;
    return false;
}

bool contend_launch(const struct contend_case *c, const struct contend_shape *shape,
                    bool stackful, const uint32_t *in, struct contend_part *parts)
{
    (void)stackful;
    static sycl::queue q;
    struct contend_part here[C_PARTS];
    uint32_t *in_here = sycl::malloc_shared<uint32_t>(C_IN, q);
    memcpy(in_here, in, C_IN * sizeof(*in));
    for (size_t i = 0; i < C_PARTS; i++) {
        const size_t bytes = parts[i].n * parts[i].element;
        here[i] = parts[i];
        here[i].memory = sycl::malloc_shared(bytes, q);
        memcpy(here[i].memory, parts[i].memory, bytes);
    }
    const contend_row *row = contend_row::first;
    while (row != nullptr && strcmp(row->name, c->name) != 0) {
        row = row->next;
    }
    if (row == nullptr) {
        printf("no kernel %s\n", c->name);
        exit(2);
    }
    row->launch(q, contend_args_of(in_here, here), *shape);
    sycl::free(in_here, q);
    for (size_t i = 0; i < C_PARTS; i++) {
        memcpy(parts[i].memory, here[i].memory, parts[i].n * parts[i].element);
        sycl::free(here[i].memory, q);
    }
    return true;
}

#endif
