/* SPDX-License-Identifier: MIT
 *
 * progress.c: kernels for the test of `weir explore --progress`. The arguments are the
 * name of one, the number of groups, and the number of items in a group. */
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
#define ADD(i, value, order)                                                           \
    weir_atomic_fetch_add_explicit(&args->cells[i], (value), memory_order_##order,     \
                                   memory_scope_device)
#define TAKE(i)                                                                        \
    weir_atomic_exchange_explicit(&args->cells[i], 1u, memory_order_acquire,           \
                                  memory_scope_device)

static bool is_first(const struct weir_item *item)
{
    return weir_global_id(item, 0) == 0;
}

static bool is_last(const struct weir_item *item)
{
    return weir_global_id(item, 0) + 1 == weir_global_size(item, 0);
}

/* Each item takes the lock once. */
WEIR_KERNEL(lock, cell_args)
{
    (void)item;
    while (TAKE(0) != 0) {} /* mark: taken */
    args->cells[1]++;       /* mark: inside */
    STORE(0, 0u, release);
}

/* The first item waits for the last one. */
WEIR_KERNEL(down, cell_args)
{
    if (is_first(item)) {
        while (LOAD(0, acquire) == 0) {} /* mark: waits */
    } else if (is_last(item)) {
        STORE(0, 1u, release); /* mark: sends */
    }
}

/* The last item waits for the first one. */
WEIR_KERNEL(up, cell_args)
{
    if (is_first(item)) {
        STORE(0, 1u, release);
    } else if (is_last(item)) {
        while (LOAD(0, acquire) == 0) {}
    }
}

/* The first items of all groups meet. */
WEIR_KERNEL(meet, cell_args)
{
    if (weir_local_id(item, 0) == 0) {
        ADD(0, 1u, relaxed);
        while (LOAD(0, relaxed) < weir_num_groups(item, 0)) {}
    }
}

/* The same, by operations whose scope excludes the other groups. */
WEIR_KERNEL(narrow, cell_args)
{
    if (weir_local_id(item, 0) == 0) {
        weir_atomic_fetch_add_explicit(&args->cells[0], 1u, memory_order_relaxed,
                                       memory_scope_work_group);
        while (weir_atomic_load_explicit(&args->cells[0], memory_order_relaxed,
                                         memory_scope_work_group)
               < weir_num_groups(item, 0)) {} /* mark: alone */
    }
}

/* The first item writes 1, the second one 2 after a message of the first one, and the
 * third one waits for the 2. @SEND and @RECEIVE are the message. */
#define RELAY(NAME, SEND, RECEIVE)                                                     \
    WEIR_KERNEL(NAME, cell_args)                                                       \
    {                                                                                  \
        size_t id = weir_global_id(item, 0);                                           \
        volatile uint32_t *cells = args->cells;                                        \
        if (id == 0) {                                                                 \
            args->cells[0] = 1;                                                        \
            SEND;                                                                      \
        } else if (id == 1) {                                                          \
            RECEIVE;                                                                   \
            args->cells[0] = 2;                                                        \
        } else {                                                                       \
            while (cells[0] != 2) {}                                                   \
        }                                                                              \
    }

#define AWAIT(order)                                                                   \
    do {                                                                               \
    } while (LOAD(1, order) == 0)

/* Fails to replace 7, after which the order is @FAILURE. */
#define GIVE_UP(FAILURE)                                                               \
    do {                                                                               \
        uint32_t seven = 7;                                                            \
        while (!weir_atomic_compare_exchange_strong_explicit(                          \
                   &args->cells[1], &seven, 8u, memory_order_acq_rel,                  \
                   memory_order_##FAILURE, memory_scope_device)                        \
               && seven == 0) {                                                        \
            seven = 7;                                                                 \
        }                                                                              \
    } while (0)

RELAY(relay, STORE(1, 1u, release), AWAIT(acquire))
RELAY(relay_seq_cst, STORE(1, 1u, seq_cst), AWAIT(seq_cst))
RELAY(relay_relaxed, STORE(1, 1u, relaxed), AWAIT(relaxed))
RELAY(relay_failed, STORE(1, 1u, release), GIVE_UP(acquire))
RELAY(relay_failed_relaxed, STORE(1, 1u, release), GIVE_UP(relaxed))

/* The same by fences around relaxed accesses: on both sides, on one, or on both but one
 * of them for the items of a group alone. */
#define FENCE(scope) weir_atomic_fence(memory_order_seq_cst, memory_scope_##scope)
RELAY(relay_fences, FENCE(device); STORE(1, 1u, relaxed), AWAIT(relaxed); FENCE(device))
RELAY(relay_sent, FENCE(device); STORE(1, 1u, relaxed), AWAIT(relaxed))
RELAY(relay_taken, STORE(1, 1u, relaxed), AWAIT(relaxed); FENCE(device))
RELAY(relay_near, FENCE(device); STORE(1, 1u, relaxed), AWAIT(relaxed);
      FENCE(work_group))

/* The same by a barrier of the first group. */
WEIR_KERNEL(relay_barrier, cell_args)
{
    size_t id = weir_global_id(item, 0);
    volatile uint32_t *cells = args->cells;
    if (id == 0) {
        args->cells[0] = 1;
    }
    weir_barrier(item, WEIR_GLOBAL);
    if (id == 1) {
        args->cells[0] = 2;
    } else if (id > 1) {
        while (cells[0] != 2) {}
    }
}

/* The same, but the third item passes the message on, by an operation that orders
 * nothing itself. */
WEIR_KERNEL(relay_through, cell_args)
{
    size_t id = weir_global_id(item, 0);
    if (id == 0) {
        args->cells[0] = 1;
        STORE(1, 1u, release);
    } else if (id == 2) {
        AWAIT(relaxed);
        ADD(1, 1u, relaxed);
    } else {
        while (LOAD(1, acquire) != 2) {}
        args->cells[0] = 2;
        weir_assert(item, *(volatile uint32_t *)&args->cells[0] == 2);
    }
}

/* A group draws a number, meets at a barrier, and waits for the number before. */
WEIR_KERNEL(draw, cell_args)
{
    uint32_t number = weir_local_id(item, 0) == 0 ? ADD(0, 1u, relaxed) : 0;
    weir_barrier(item, WEIR_LOCAL); /* mark: meets */
    if (weir_local_id(item, 0) == 0) {
        while (number > 0 && LOAD(number, acquire) == 0) {}
        STORE(number + 1, 1u, release);
    }
}

/* The last item of a group does not come to the barrier. */
WEIR_KERNEL(leaves, cell_args)
{
    (void)args;
    if (weir_local_id(item, 0) + 1 < weir_local_size(item, 0)) {
        weir_barrier(item, WEIR_LOCAL); /* mark: barrier */
    }
}

/* Both spin if both read 0, for which no turns exist. */
WEIR_KERNEL(buffers, cell_args)
{
    uint32_t own = (uint32_t)weir_global_id(item, 0);
    STORE(own, 1u, relaxed);
    if (LOAD(1 - own, relaxed) == 0) {
        ADD(2, 1u, relaxed);
        while (LOAD(2, relaxed) == 2) {}
    }
}

/* Each round is another state, until the other item writes. */
WEIR_KERNEL(counts, cell_args)
{
    if (is_first(item)) {
        for (uint32_t i = 1; LOAD(0, relaxed) == 0; i++) {
            STORE(1, i, relaxed);
        }
    } else {
        STORE(0, 1u, relaxed);
    }
}

/* A lock that is not one. */
WEIR_KERNEL(races, cell_args)
{
    (void)item;
    args->cells[1]++;
}

static const struct {
    const char *name;
    const struct weir_kernel *kernel;
} cases[] = {
    { "lock", &lock },
    { "down", &down },
    { "up", &up },
    { "meet", &meet },
    { "narrow", &narrow },
    { "relay", &relay },
    { "relay_seq_cst", &relay_seq_cst },
    { "relay_relaxed", &relay_relaxed },
    { "relay_failed", &relay_failed },
    { "relay_failed_relaxed", &relay_failed_relaxed },
    { "relay_fences", &relay_fences },
    { "relay_sent", &relay_sent },
    { "relay_taken", &relay_taken },
    { "relay_near", &relay_near },
    { "relay_barrier", &relay_barrier },
    { "relay_through", &relay_through },
    { "draw", &draw },
    { "leaves", &leaves },
    { "buffers", &buffers },
    { "counts", &counts },
    { "races", &races },
};

int main(int argc, char **argv)
{
    struct weir_device *device = weir_device_new("default", NULL);
    uint32_t *cells = weir_new(device, uint32_t, CELLS, "cells");
    size_t groups = argc == 4 ? strtoul(argv[2], NULL, 10) : 0;
    size_t local = argc == 4 ? strtoul(argv[3], NULL, 10) : 1;
    memset(cells, 0, CELLS * sizeof(*cells));
    for (size_t i = 0; groups > 0 && i < sizeof(cases) / sizeof(*cases); i++) {
        if (strcmp(cases[i].name, argv[1]) == 0) {
            GError *error = NULL;
            if (!weir_launch(device, cases[i].kernel,
                             weir_nd_range_1d(groups * local, local),
                             &(cell_args){ cells }, &error)) {
                fprintf(stderr, "%s\n", error->message);
                g_error_free(error);
            }
        }
    }
    weir_free(device, cells);
    weir_device_free(device);
    return 0;
}
