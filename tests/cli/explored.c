/* SPDX-License-Identifier: MIT
 *
 * explored.c: kernels for the test of `weir explore --record`. In order each of them is
 * right: what is wrong with it needs other turns, or values that no turns give. The
 * arguments name kernels. They are launched one after the other, each from zeros, after
 * a launch of `first` and before one of `last`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weir-kernel.h>
#include <weir.h>

enum { CELLS = 8 };

typedef struct {
    uint32_t *cells;
} cell_args;

#define LOAD(i, order)                                                                 \
    weir_atomic_load_explicit(&args->cells[i], memory_order_##order,                   \
                              memory_scope_device)
#define STORE(i, value, order)                                                         \
    weir_atomic_store_explicit(&args->cells[i], (value), memory_order_##order,         \
                               memory_scope_device)

/* Takes a lock, in one line: of a call of several lines the compiler chooses one. */
#define TAKE(i, free)                                                                  \
    weir_atomic_compare_exchange_strong_explicit(                                      \
        &args->cells[i], (free), 1u, memory_order_acquire, memory_order_relaxed,       \
        memory_scope_device)

WEIR_KERNEL(first, cell_args)
{
    args->cells[6 + weir_global_id(item, 0)] = 1;
}

WEIR_KERNEL(last, cell_args)
{
    args->cells[6 + weir_global_id(item, 0)] = 2;
}

/* Two additions of 1 make 1, if both items load before one stores. */
WEIR_KERNEL(adds, cell_args)
{
    uint32_t before = LOAD(0, relaxed);
    STORE(0, before + 1, relaxed);
}

static bool is_two(const void *of_launch, void *user)
{
    const cell_args *args = of_launch;
    (void)user;
    return args->cells[0] == 2;
}

/* The same as one operation. */
WEIR_KERNEL(adds_at_once, cell_args)
{
    weir_atomic_fetch_add_explicit(&args->cells[0], 1u, memory_order_relaxed,
                                   memory_scope_device);
}

/* The second item reads the data only if it has seen the flag, which is stored without
 * a release. In order it comes after the first item, and races. Item 0 has the second
 * part. */
WEIR_KERNEL(message, cell_args)
{
    if (weir_global_id(item, 0) == 1) {
        args->cells[0] = 5; /* mark: written */
        STORE(1, 1, relaxed);
    } else if (LOAD(1, acquire) == 1) {
        args->cells[2] = args->cells[0]; /* mark: read */
    }
}

WEIR_KERNEL(message_released, cell_args)
{
    if (weir_global_id(item, 0) == 1) {
        args->cells[0] = 5;
        STORE(1, 1, release);
    } else if (LOAD(1, acquire) == 1) {
        args->cells[2] = args->cells[0];
    }
}

/* A race with the first write, which the second one follows soon. */
WEIR_KERNEL(writes_twice, cell_args)
{
    if (weir_global_id(item, 0) == 0) {
        args->cells[0] = 1; /* mark: first write */
        __asm__ volatile("" : : : "memory");
        uint32_t own = args->cells[0];
        __asm__ volatile("" : : : "memory");
        args->cells[0] = own + 1; /* mark: second write */
    } else {
        args->cells[1] = args->cells[0];
    }
}

/* A store of both halves, which is one stop of its item. To the memory model it is two
 * writes. */
WEIR_KERNEL(tears, cell_args)
{
    if (weir_global_id(item, 0) == 1) {
        *(uint64_t *)(void *)args->cells = 0x100000001;
    } else {
        uint32_t low = args->cells[0];
        __asm__ volatile("" : : : "memory");
        uint32_t high = args->cells[1];
        weir_assert(item, low == 0 || high == 1);
    }
}

/* A plain addition. */
WEIR_KERNEL(adds_plainly, cell_args)
{
    uint32_t before = args->cells[0];
    args->cells[0] = before + 1; /* mark: plain */
}

/* Many atomic operations before one addition is lost. */
WEIR_KERNEL(adds_late, cell_args)
{
    for (int i = 0; i < 150; i++) {
        weir_atomic_fetch_add_explicit(&args->cells[1], 1u, memory_order_relaxed,
                                       memory_scope_device);
    }
    uint32_t before = LOAD(0, relaxed);
    STORE(0, before + 1, relaxed);
}

/* Each item takes one lock, and waits for the other one. */
WEIR_KERNEL(locks, cell_args)
{
    uint32_t own = (uint32_t)weir_global_id(item, 0);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t free = 0;
        while (!TAKE(own ^ i, &free)) { /* mark: waits */
            free = 0;
        }
    }
    STORE(0, 0, release);
    STORE(1, 0, release);
}

/* Both take them in one order. */
WEIR_KERNEL(locks_in_order, cell_args)
{
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t free = 0;
        while (!TAKE(i, &free)) {
            free = 0;
        }
    }
    STORE(1, 0, release);
    STORE(0, 0, release);
}

/* The item that comes second must find the other one's mark. */
WEIR_KERNEL(asserts, cell_args)
{
    uint32_t own = (uint32_t)weir_global_id(item, 0);
    if (own == 0) {
        uint32_t one = LOAD(0, relaxed), two = LOAD(0, relaxed);
        weir_assert(item, one == two); /* mark: asserted */
    } else {
        STORE(0, 1, relaxed);
    }
}

WEIR_KERNEL(asserts_less, cell_args)
{
    uint32_t own = (uint32_t)weir_global_id(item, 0);
    if (own == 0) {
        uint32_t one = LOAD(0, relaxed), two = LOAD(0, relaxed);
        weir_assert(item, one <= two);
    } else {
        STORE(0, 1, relaxed);
    }
}

/* Store buffering: no turns let both items read 0. */
WEIR_KERNEL(buffers, cell_args)
{
    uint32_t own = (uint32_t)weir_global_id(item, 0);
    STORE(own, 1, relaxed);
    STORE(2 + own, 1 + LOAD(1 - own, relaxed), relaxed);
}

static bool has_read_one(const void *of_launch, void *user)
{
    const cell_args *args = of_launch;
    (void)user;
    return args->cells[2] + args->cells[3] > 2;
}

/* The first group waits for the second one. */
WEIR_KERNEL(waits, cell_args)
{
    if (weir_global_id(item, 0) == 1) {
        STORE(0, 1, release);
    } else {
        while (LOAD(0, acquire) == 0) {}
    }
}

/* A compare-exchange that may fail without a reason, tried once. */
WEIR_KERNEL(tries, cell_args)
{
    uint32_t free = 0;
    bool taken = weir_global_id(item, 0) == 1
        || weir_atomic_compare_exchange_weak_explicit(
                     &args->cells[0], &free, 1u, memory_order_relaxed,
                     memory_order_relaxed, memory_scope_device);
    STORE(1, 1, relaxed);
    weir_assert(item, taken);
}

/* One of the two items of a group waits at a barrier for ever if the other one is the
 * first to count. */
WEIR_KERNEL(leaves, cell_args)
{
    uint32_t before = weir_atomic_fetch_add_explicit(
        &args->cells[0], 1u, memory_order_relaxed, memory_scope_device);
    if (before == 0 && weir_local_id(item, 0) == 1) {
        return;
    }
    weir_barrier(item, WEIR_GLOBAL); /* mark: barrier */
}

/* Behind a barrier the turns count on. */
WEIR_KERNEL(adds_behind, cell_args)
{
    weir_barrier(item, WEIR_GLOBAL);
    uint32_t before = LOAD(0, relaxed);
    STORE(0, before + 1, relaxed);
    weir_barrier(item, WEIR_GLOBAL);
    weir_assert(item, LOAD(0, relaxed) == 2); /* mark: both added */
}

static const struct {
    const char *name;
    const struct weir_kernel *kernel;
    bool (*is_right)(const void *args, void *user);
    size_t local;
} cases[] = {
    { "adds", &adds, is_two, 1 },
    { "adds-at-once", &adds_at_once, is_two, 1 },
    { "message", &message, NULL, 1 },
    { "message-released", &message_released, NULL, 1 },
    { "writes-twice", &writes_twice, NULL, 1 },
    { "tears", &tears, NULL, 1 },
    { "adds-plainly", &adds_plainly, is_two, 1 },
    { "adds-late", &adds_late, is_two, 1 },
    { "locks", &locks, NULL, 1 },
    { "locks-in-order", &locks_in_order, NULL, 1 },
    { "asserts", &asserts, NULL, 1 },
    { "asserts-less", &asserts_less, NULL, 1 },
    { "buffers", &buffers, has_read_one, 1 },
    { "waits", &waits, NULL, 1 },
    { "tries", &tries, NULL, 1 },
    { "leaves", &leaves, NULL, 2 },
    { "adds-behind", &adds_behind, NULL, 2 },
};

static void run(struct weir_device *device, const struct weir_kernel *kernel,
                size_t local, bool (*is_right)(const void *args, void *user),
                uint32_t *cells)
{
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    GError *error = NULL;
    options.post_condition = is_right;
    if (!weir_launch_with(device, kernel, weir_nd_range_1d(2, local),
                          &(cell_args){ cells }, &options, NULL, &error)) {
        fprintf(stderr, "%s\n", error->message);
        g_error_free(error);
    }
}

int main(int argc, char **argv)
{
    struct weir_device *device = weir_device_new("default", NULL);
    uint32_t *cells = weir_new(device, uint32_t, CELLS, "cells");
    memset(cells, 0, CELLS * sizeof(*cells));
    run(device, &first, 2, NULL, cells);
    for (int arg = 1; arg < argc; arg++) {
        for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
            if (strcmp(cases[i].name, argv[arg]) == 0) {
                memset(cells, 0, CELLS * sizeof(*cells));
                run(device, cases[i].kernel, cases[i].local, cases[i].is_right, cells);
            }
        }
    }
    run(device, &last, 2, NULL, cells);
    weir_free(device, cells);
    weir_device_free(device);
    return 0;
}
