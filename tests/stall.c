/* SPDX-License-Identifier: MIT
 *
 * stall.c: launches in fast mode for stall.sh: some wait for ever, others only compute,
 * or wait for an item that does. */
#include <weir-kernel.h>
#include <weir.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#define LOAD(word)                                                                     \
    weir_atomic_load_explicit(word, memory_order_acquire, memory_scope_device)

typedef struct {
    int32_t *flag, *out;
    int seconds;
} stall_args;

static __attribute__((noinline)) uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec;
}

/* Computes in registers for so many seconds, in steps of some milliseconds. */
static int32_t compute(int seconds)
{
    uint64_t end = now() + (uint64_t)seconds;
    uint32_t value = 1;
    while (now() < end) {
        for (uint32_t i = 0; i < 20000000; i++) {
            value = value * 1664525 + (i ^ value >> 3);
        }
    }
    return (int32_t)value;
}

WEIR_KERNEL(waits_by_atomics, stall_args)
{
    if (weir_global_id(item, 0) == 2) {
        while (LOAD(args->flag) == 0) { /* here: atomic */
        }
    }
}

WEIR_KERNEL(waits_plainly, stall_args)
{
    if (weir_global_id(item, 0) == 0) {
        while (*(volatile int32_t *)args->flag == 0) { /* here: plain */
        }
    }
}

WEIR_KERNEL(computes, stall_args)
{
    args->out[weir_global_id(item, 0)] = compute(args->seconds);
}

WEIR_KERNEL(waits_for_one_that_computes, stall_args)
{
    if (weir_group_id(item, 0) == 1) {
        args->out[0] = compute(args->seconds);
        weir_atomic_store_explicit(args->flag, 1, memory_order_release,
                                   memory_scope_device);
    } else {
        while (LOAD(args->flag) == 0) {}
    }
}

/* Two items whose turns end as they change memory for long: neither returns before the
 * time is over. */
WEIR_KERNEL(changes_memory, stall_args)
{
    uint64_t end = now() + (uint64_t)args->seconds;
    while (now() < end) {
        for (int i = 0; i < 200000; i++) {
            weir_atomic_fetch_xor_explicit(&args->out[weir_global_id(item, 0)], 1,
                                           memory_order_relaxed, memory_scope_device);
        }
    }
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    struct weir_device *device = weir_device_new("default", NULL);
    stall_args args = { .flag = weir_new(device, int32_t, 1, "flag"),
                        .out = weir_new(device, int32_t, 4, "out"),
                        .seconds = 4 };
    *args.flag = 0;
    bool done = strcmp(mode, "atomic") == 0
        ? weir_launch(device, &waits_by_atomics, weir_nd_range_1d(4, 2), &args, NULL)
        : strcmp(mode, "plain") == 0
        ? weir_launch(device, &waits_plainly, weir_nd_range_1d(4, 4), &args, NULL)
        : strcmp(mode, "computes") == 0
        ? weir_launch(device, &computes, weir_nd_range_1d(1, 1), &args, NULL)
        : strcmp(mode, "changes") == 0
        ? weir_launch(device, &changes_memory, weir_nd_range_1d(2, 2), &args, NULL)
        : weir_launch(device, &waits_for_one_that_computes, weir_nd_range_1d(2, 1),
                      &args, NULL);
    printf("%s\n", done ? "done" : "failed");
    return 0;
}
