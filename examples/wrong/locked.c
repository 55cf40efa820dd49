/* SPDX-License-Identifier: MIT: items of one group wait for a lock that one of them
 * holds; see docs/tutorial/10-progress.md. */
#include <stdio.h>
#include <weir-kernel.h>
#include <weir.h>

enum { ITEMS = 8 };

typedef struct {
    int32_t *taken;  /* 0: the lock is free */
    int32_t *number; /* what it guards */
} locked_args;

WEIR_KERNEL(locked, locked_args)
{
    (void)item;
    while (weir_atomic_exchange_explicit(args->taken, 1, memory_order_acquire,
                                         memory_scope_work_group)
           == 1) {}
    *args->number += 1;
    weir_atomic_store_explicit(args->taken, 0, memory_order_release,
                               memory_scope_work_group);
}

int main(void)
{
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    locked_args args = { weir_new(device, int32_t, 1, "taken"),
                         weir_new(device, int32_t, 1, "number") };
    *args.taken = *args.number = 0;
    if (!weir_launch(device, &locked, weir_nd_range_1d(ITEMS, ITEMS), &args, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    printf("%d of %d items have had the lock\n", *args.number, ITEMS);
    weir_device_free(device);
    return 0;
}
