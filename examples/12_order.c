/* SPDX-License-Identifier: MIT
 *
 * 12_order.c: items run in no order that a kernel may rely on.
 *
 * Each item draws a ticket, as at a counter, and writes down its number. The device
 * decides who is first: it may run groups one after the other or many at once, from
 * the first to the last or not. This program prints the tickets under four of Weir's
 * schedules. Each of them is deterministic, so that the output is always the same.
 *
 * The ticket is an atomic read-modify-write: no two items get the same one. */
#include <weir-kernel.h>
#include <weir.h>

#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 8, GROUP = 4 };

typedef struct {
    int32_t *drawn;  /* tickets; 0 before the launch */
    int32_t *ticket; /* one an item */
} order_args;

WEIR_KERNEL(order, order_args)
{
    args->ticket[weir_global_id(item, 0)] = weir_atomic_fetch_add(
        weir_atomic_ref(args->drawn, memory_order_relaxed, memory_scope_device), 1);
}

int main(void)
{
    static const struct {
        const char *name;
        uint64_t seed;
    } schedules[]
        = { { "in-order", 0 }, { "reverse", 0 }, { "random", 1 }, { "random", 2 } };
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    if (device == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return EXIT_FAILURE;
    }
    order_args args = { weir_new(device, int32_t, 1, "drawn"),
                        weir_new(device, int32_t, ITEMS, "ticket") };
    for (size_t s = 0; s < G_N_ELEMENTS(schedules); s++) {
        struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
        options.schedule = schedules[s].name;
        options.seed = schedules[s].seed;
        *args.drawn = 0;
        if (!weir_launch_with(device, &order, weir_nd_range_1d(ITEMS, GROUP), &args,
                              &options, NULL, &error)) {
            fprintf(stderr, "%s\n", error->message);
            return EXIT_FAILURE;
        }
        printf("%-8s", schedules[s].name);
        for (int i = 0; i < ITEMS; i++) {
            printf(" %d", args.ticket[i]);
        }
        printf("\n");
    }
    weir_device_free(device);
    return EXIT_SUCCESS;
}
