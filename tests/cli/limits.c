/* SPDX-License-Identifier: MIT
 *
 * limits.c: kernels for the test of what ends an exploration, or an item of one. The
 * first argument names what is done. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <weir-kernel.h>
#include <weir.h>

typedef struct {
    uint32_t *x, *out;
    const char *what;
    int zero;
    volatile int *nowhere;
} end_args;

#define ADD(to, value)                                                                 \
    weir_atomic_fetch_add_explicit((to), (value), memory_order_relaxed,                \
                                   memory_scope_device)

static __attribute__((noinline)) void end(const end_args *args)
{
    const char *what = args->what;
    int left = 1;
    if (strcmp(what, "exit") == 0) {
        exit(0); /* mark: exit */
    } else if (strcmp(what, "_exit") == 0) {
        _exit(0); /* mark: _exit */
    } else if (strcmp(what, "_Exit") == 0) {
        _Exit(3); /* mark: _Exit */
    } else if (strcmp(what, "quick_exit") == 0) {
        quick_exit(3); /* mark: quick_exit */
    } else if (strcmp(what, "abort") == 0) {
        abort(); /* mark: abort */
    } else if (strcmp(what, "divide") == 0) {
        left = 5 / args->zero; /* mark: divide */
    } else if (strcmp(what, "null") == 0) {
        *args->nowhere = 1; /* mark: null */
    } else if (strcmp(what, "killed") == 0) {
        raise(SIGKILL);
    }
    __asm__ volatile("" : : "r"(left));
}

/* Ends in one of the two orders of the additions. */
WEIR_KERNEL(ends, end_args)
{
    if (ADD(args->x, 1u) == 1 && weir_global_id(item, 0) == 0) {
        end(args);
    }
    args->out[weir_global_id(item, 0)] = 1;
}

/* Ends in no order. */
WEIR_KERNEL(ends_never, end_args)
{
    if (ADD(args->x, 1u) == 2) {
        end(args);
    }
    args->out[weir_global_id(item, 0)] = 1;
}

/* Each item ends in its own way, in executions of its own. */
WEIR_KERNEL(end_both, end_args)
{
    if (ADD(args->x, 1u) == 1) {
        if (weir_global_id(item, 0) == 0) {
            exit(0); /* mark: first exits */
        }
        abort(); /* mark: second aborts */
    }
}

/* 18! / 3!^6 orders. Items fail where one of them is after the others. */
WEIR_KERNEL(adds, end_args)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 3; i++) {
        sum += ADD(args->x, 1u);
    }
    args->out[weir_global_id(item, 0)] = sum;
    weir_assert(item, args->zero == 0 || sum != 3); /* mark: first of all */
}

/* The items read many different values, so that most histories are met once. */
WEIR_KERNEL(reads, end_args)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 6; i++) {
        sum = sum * 7 + ADD(args->x, 1 + (uint32_t)weir_global_id(item, 0));
    }
    args->out[weir_global_id(item, 0)] = sum;
}

/* An item whose first step takes longer than any test. */
WEIR_KERNEL(computes, end_args)
{
    uint32_t sum = (uint32_t)weir_global_id(item, 0);
    for (uint64_t i = 0; i < UINT64_C(1) << 40; i++) { /* mark: computes */
        sum = sum * 1664525 + 1013904223;
        __asm__ volatile("" : "+r"(sum));
    }
    args->out[weir_global_id(item, 0)] = sum;
}

/* The same inside the C library, where an item is not interrupted. */
WEIR_KERNEL(sleeps, end_args)
{
    while (args->zero == 0) {
        sleep(1000);
    }
    args->out[weir_global_id(item, 0)] = ADD(args->x, 1u);
}

/* A write that no hook announces, as of the C library or of an asm statement. */
__attribute__((noinline, no_sanitize("thread"))) static void put(uint32_t *to,
                                                                 uint32_t value)
{
    *(volatile uint32_t *)to = value;
}

/* The other item reads the word, and nothing orders the two. */
WEIR_KERNEL(unseen, end_args)
{
    if (weir_global_id(item, 0) == 0) {
        put(args->x, 7);
    } else {
        args->out[0] = args->x[0];
    }
}

/* No hook accesses the word at all. */
WEIR_KERNEL(unseen_alone, end_args)
{
    weir_atomic_fetch_add_explicit(args->x, 1u, memory_order_relaxed,
                                   memory_scope_device);
    put(&args->out[weir_global_id(item, 0)], 7);
}

/* In local memory, between two words that hooks access. */
#define CHANGE_LOCAL(CHANGE)                                                           \
    uint32_t *own = weir_local_array(item, uint32_t, 4);                               \
    size_t id = weir_global_id(item, 0);                                               \
    for (uint32_t i = 0; i < 3; i++) {                                                 \
        own[i] = i;                                                                    \
    }                                                                                  \
    CHANGE;                                                                            \
    args->out[id] = own[0] + own[2]

WEIR_KERNEL(unseen_local, end_args)
{
    CHANGE_LOCAL(put(&own[1], 7));
}

WEIR_KERNEL(seen_local, end_args)
{
    CHANGE_LOCAL(own[1] = 7);
}

#ifdef __x86_64__
#define PUT_BY_ASM(to, value)                                                          \
    __asm__ volatile("movl %1, %0" : "=m"(*(to)) : "r"((uint32_t)(value)))
#else
#define PUT_BY_ASM(to, value)                                                          \
    __asm__ volatile("str %w1, %0" : "=m"(*(to)) : "r"((uint32_t)(value)))
#endif

/* An asm statement of a function that has hooks, in the place of another item. */
WEIR_KERNEL(asm_global, end_args)
{
    size_t id = weir_global_id(item, 0);
    args->out[id] = 1;
    PUT_BY_ASM(&args->out[2 + id], 7);
}

/* In the item's own place, after which others of its accesses come. */
WEIR_KERNEL(asm_own, end_args)
{
    size_t id = weir_global_id(item, 0);
    args->out[id] = 1;
    args->out[2 + id] = 1;
    PUT_BY_ASM(&args->out[id], 7);
    args->out[2 + id] += args->out[id];
}

WEIR_KERNEL(asm_local, end_args)
{
    CHANGE_LOCAL(PUT_BY_ASM(&own[1], 7); weir_barrier(item, WEIR_LOCAL));
}

/* Hooked code reads the word, and never writes it. */
WEIR_KERNEL(asm_handed, end_args)
{
    uint32_t *handed = weir_local_array(item, uint32_t, 2);
    size_t id = weir_local_id(item, 0);
    if (id == 0) {
        PUT_BY_ASM(&handed[1], 7);
    }
    weir_barrier(item, WEIR_LOCAL);
    args->out[id] = handed[1];
}

WEIR_KERNEL(handed, end_args)
{
    uint32_t *handed = weir_local_array(item, uint32_t, 2);
    size_t id = weir_local_id(item, 0);
    if (id == 0) {
        handed[1] = 7;
    }
    weir_barrier(item, WEIR_LOCAL);
    args->out[id] = handed[1];
}

/* In one of two orders. */
WEIR_KERNEL(asm_rarely, end_args)
{
    size_t id = weir_global_id(item, 0);
    if (ADD(args->x, 1u) == 0 && id == 1) {
        PUT_BY_ASM(&args->out[2], 7);
    }
}

/* Writes that have hooks or need none; a structure is copied, too. */
WEIR_KERNEL(asm_none, end_args)
{
    struct three {
        uint32_t at[3];
    } *three = (struct three *)(void *)args->out;
    size_t id = weir_global_id(item, 0);
    uint32_t own;
    __asm__ volatile("" ::: "memory");
    PUT_BY_ASM(&own, 7);
    if (id == 0) {
        args->out[0] = own;
        __asm__ volatile("" : "+m"(args->out[0]));
        three[1] = three[0];
    }
}

/* The host counts what is added: by a load and a store an addition may be lost. */
WEIR_KERNEL(loses, end_args)
{
    uint32_t before
        = weir_atomic_load_explicit(args->x, memory_order_relaxed, memory_scope_device);
    weir_atomic_store_explicit(args->x, before + 1, memory_order_relaxed,
                               memory_scope_device);
}

WEIR_KERNEL(keeps, end_args)
{
    weir_atomic_fetch_add_explicit(args->x, 1u, memory_order_relaxed,
                                   memory_scope_device);
}

/* The same with hooks. */
WEIR_KERNEL(seen, end_args)
{
    weir_atomic_fetch_add_explicit(args->x, 1u, memory_order_relaxed,
                                   memory_scope_device);
    args->out[weir_global_id(item, 0)] = 7;
}

static const struct {
    const char *name;
    const struct weir_kernel *kernel;
    size_t items;
    bool joined; /* they are one group */
} kernels[] = { { "never", &ends_never, 2 },
                { "both", &end_both, 2 },
                { "adds", &adds, 6 },
                { "adds-wrong", &adds, 6 },
                { "reads", &reads, 6 },
                { "computes", &computes, 2 },
                { "sleeps", &sleeps, 2 },
                { "unseen", &unseen, 2 },
                { "unseen-alone", &unseen_alone, 2 },
                { "unseen-local", &unseen_local, 2 },
                { "seen-local", &seen_local, 2 },
                { "asm-global", &asm_global, 2 },
                { "asm-own", &asm_own, 2 },
                { "asm-local", &asm_local, 2 },
                { "asm-rarely", &asm_rarely, 2 },
                { "asm-handed", &asm_handed, 2, .joined = true },
                { "handed", &handed, 2, .joined = true },
                { "asm-none", &asm_none, 2 },
                { "seen", &seen, 2 },
                { "loses", &loses, 2 },
                { "keeps", &keeps, 2 },
                { "far", &keeps, (size_t)1 << 40 },
                { "fails", &keeps, 2 } };

int main(int argc, char **argv)
{
    struct weir_device *device = weir_device_new("default", NULL);
    char *what = weir_new(device, char, 16, "what"); /* a device sees no host memory */
    end_args args = { weir_new(device, uint32_t, 1, "x"),
                      weir_new(device, uint32_t, 8, "out"), what, 0, NULL };
    g_strlcpy(what, argv[argc - 1], 16);
    const struct weir_kernel *kernel = &ends;
    size_t items = 2, local = 1;
    for (size_t i = 0; i < sizeof(kernels) / sizeof(*kernels); i++) {
        if (strcmp(kernels[i].name, argv[1]) == 0) {
            kernel = kernels[i].kernel;
            items = kernels[i].items;
            local = kernels[i].joined ? items : 1;
        }
    }
    args.zero = strcmp(argv[1], "adds-wrong") == 0;
    memset(args.x, 0, sizeof(*args.x));
    memset(args.out, 0, 8 * sizeof(*args.out));
    bool done
        = weir_launch(device, kernel, weir_nd_range_1d(items, local), &args, NULL);
    if (kernel == &loses || kernel == &keeps) {
        done = done && args.x[0] == (strcmp(argv[1], "fails") == 0 ? 3 : 2);
    }
    weir_free(device, args.x);
    weir_free(device, args.out);
    weir_free(device, what);
    weir_device_free(device);
    return !done;
}
