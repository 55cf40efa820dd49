/* SPDX-License-Identifier: MIT
 *
 * waits.h: kernels whose items wait by atomics, and how long that may take. */
#ifndef WEIR_TESTS_WAITS_H
#define WEIR_TESTS_WAITS_H

#include "schedules.h"

#define LOAD(word)                                                                     \
    weir_atomic_load_explicit((word), memory_order_acquire, memory_scope_device)
#define STORE(word, value)                                                             \
    weir_atomic_store_explicit((word), (value), memory_order_release,                  \
                               memory_scope_device)
#define ADD(word, value)                                                               \
    weir_atomic_fetch_add_explicit((word), (value), memory_order_acq_rel,              \
                                   memory_scope_device)

TEST_HELPER double seconds_since(int64_t start_us)
{
    return (double)(g_get_monotonic_time() - start_us) / 1e6;
}

/* Slow machines and checkers get more time; a hang is far beyond either. */
TEST_HELPER double allowed(double seconds)
{
    return under_valgrind() ? 30 * seconds : UNDER_ASAN ? 5 * seconds : seconds;
}

typedef struct {
    uint32_t *flag;
    uint32_t *out;
    uint32_t rounds;
} wait_args;

TEST_HELPER wait_args wait_args_new(struct weir_device *device, size_t n,
                                    uint32_t rounds)
{
    wait_args args = { weir_new(device, uint32_t, n, "flag"),
                       weir_new(device, uint32_t, n, "out"), rounds };
    memset(args.flag, 0, n * sizeof(*args.flag));
    memset(args.out, 0, n * sizeof(*args.out));
    return args;
}

/* Items of a group, where a test goes through sizes. */
static const size_t few[] __attribute__((unused)) = { 2, 3, 8, 33 };

/* Item 0 waits for the last one, the last for the one before it, and so on. */
WEIR_KERNEL(lower_waits_for_higher, wait_args)
{
    size_t lid = weir_local_id(item, 0), i = weir_global_id(item, 0);
    if (lid + 1 < weir_local_size(item, 0)) {
        while (LOAD(&args->flag[i + 1]) == 0) {}
        args->out[i] = args->out[i + 1] + 1;
    }
    STORE(&args->flag[i], 1u);
}

#endif
