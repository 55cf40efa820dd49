/* SPDX-License-Identifier: MIT
 *
 * Groups add to a word that a lock of exchanges guards. */
#include "program.h"

enum { GROUPS = 3 };

typedef struct {
    uint32_t *lock, *total;
} swap_args;

WEIR_KERNEL(swap, swap_args)
{
    while (weir_atomic_exchange_explicit(args->lock, 1, memory_order_acquire,
                                         memory_scope_device)
           != 0) {}
    *args->total = *args->total * 2 + 1;
    weir_atomic_exchange_explicit(args->lock, 0, memory_order_release,
                                  memory_scope_device);
}

int main(void)
{
    struct weir_device *device = open_device();
    uint32_t *lock_word = weir_new(device, uint32_t, 1, "lock");
    uint32_t *total = weir_new(device, uint32_t, 1, "total");
    *lock_word = *total = 0;
    LAUNCH(device, swap, weir_nd_range_1d(GROUPS, 1), &(swap_args){ lock_word, total });
    return *total != 7;
}
