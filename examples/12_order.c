/* SPDX-License-Identifier: MIT
 *
 * 12_order.c: items run in no order that a kernel may rely on.
 *
 * Each item draws a ticket, as at a counter, and writes down its number. The device
 * decides which item is first: it may run groups one after the other or many at once,
 * from the first to the last or not. This program runs them in order. The variable
 * WEIR_OPTIONS selects another schedule, such as schedule=reverse.
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
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    if (device == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return EXIT_FAILURE;
    }
    order_args args = { weir_new(device, int32_t, 1, "drawn"),
                        weir_new(device, int32_t, ITEMS, "ticket") };
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    options.schedule = "in-order";
    *args.drawn = 0;
    if (!weir_launch_with(device, &order, weir_nd_range_1d(ITEMS, GROUP), &args,
                          &options, NULL, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return EXIT_FAILURE;
    }
    for (int i = 0; i < ITEMS; i++) {
        printf("%d%s", args.ticket[i], i < ITEMS - 1 ? " " : "\n");
    }
    weir_device_free(device);
    return EXIT_SUCCESS;
}
