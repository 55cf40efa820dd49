/* SPDX-License-Identifier: MIT
 *
 * Groups add to a word that a lock guards. */
#include "program.h"

enum { GROUPS = 3 };

typedef struct {
    uint32_t *lock, *total;
} lock_args;

WEIR_KERNEL(lock, lock_args)
{
    uint32_t expected = 0;
    while (!weir_atomic_compare_exchange_weak_explicit(
        args->lock, &expected, 1, memory_order_acquire, memory_order_relaxed,
        memory_scope_device)) {
        expected = 0;
    }
    *args->total = *args->total * 2 + 1;
    weir_atomic_store_explicit(args->lock, 0, memory_order_release,
                               memory_scope_device);
}

int main(void)
{
    struct weir_device *device = open_device();
    uint32_t *lock_word = weir_new(device, uint32_t, 1, "lock");
    uint32_t *total = weir_new(device, uint32_t, 1, "total");
    *lock_word = *total = 0;
    LAUNCH(device, lock, weir_nd_range_1d(GROUPS, 1), &(lock_args){ lock_word, total });
    return *total != 7;
}
