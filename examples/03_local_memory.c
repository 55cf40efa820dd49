/* SPDX-License-Identifier: MIT
 *
 * 03_local_memory.c: a scratch pad for each group.
 *
 * Local memory belongs to one work-group and lives as long as the group does. It
 * is small and fast, so groups do their detailed work there and write only the
 * result to global memory. Each step of this kernel follows one of three rules:
 *
 *   1. Local memory holds garbage at first: zero it before you count in it.
 *   2. The items of the group share it: a barrier must separate the zeroing from
 *      the counting, and the counting from the reading.
 *   3. No other group sees it: the group's counts must be added to global memory,
 *      which all groups share.
 *
 * The kernel counts how often each of the digits 0 to 9 occurs in 4096 of them. */
#include <weir-kernel.h>
#include <weir.h>

#include <stdio.h>
#include <stdlib.h>

enum { N = 4096, GROUP = 64, BINS = 10 };

typedef struct {
    const int32_t *digits; /* N of them */
    int32_t *counts;       /* BINS of them, zero before the launch */
} count_args;

WEIR_KERNEL(count, count_args)
{
    size_t lid = weir_local_id(item, 0);
    int32_t *bins = weir_local_array(item, int32_t, BINS);

    for (size_t b = lid; b < BINS; b += weir_local_size(item, 0)) {
        bins[b] = 0; /* each item zeroes some of them */
    }
    weir_barrier(item, WEIR_LOCAL);

    /* Two items may count the same digit at once, so the addition is atomic. Only
     * items of this group do, so its scope is work-group, which is cheaper. */
    int32_t digit = args->digits[weir_global_id(item, 0)];
    weir_atomic_fetch_add(
        weir_atomic_ref(&bins[digit], memory_order_relaxed, memory_scope_work_group),
        1);
    weir_barrier(item, WEIR_LOCAL);

    for (size_t b = lid; b < BINS; b += weir_local_size(item, 0)) {
        weir_atomic_fetch_add(weir_atomic_ref(&args->counts[b], memory_order_relaxed,
                                              memory_scope_device),
                              bins[b]);
    }
}

int main(void)
{
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    if (device == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return EXIT_FAILURE;
    }
    int32_t *digits = weir_new(device, int32_t, N, "digits");
    int32_t *counts = weir_new(device, int32_t, BINS, "counts");
    for (int i = 0; i < N; i++) {
        digits[i] = (i * i + i / 7) % 10;
    }
    for (int b = 0; b < BINS; b++) {
        counts[b] = 0;
    }
    if (!weir_launch(device, &count, weir_nd_range_1d(N, GROUP),
                     &(count_args){ digits, counts }, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return EXIT_FAILURE;
    }
    for (int b = 0; b < BINS; b++) {
        printf("digit %d: %d times\n", b, counts[b]);
    }
    weir_device_free(device);
    return EXIT_SUCCESS;
}
