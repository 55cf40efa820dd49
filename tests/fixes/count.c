/* SPDX-License-Identifier: MIT
 *
 * All items change words that they share. */
#include "program.h"

enum { LOCAL = 8, ITEMS = 16 };

typedef struct {
    uint32_t *n, *left, *seen;
} count_args;

WEIR_KERNEL(count, count_args)
{
    uint32_t i = (uint32_t)weir_global_id(item, 0);
    uint32_t *left = args->left;
    weir_atomic_fetch_add_explicit(args->n, 1, memory_order_relaxed,
                                   memory_scope_device);
    weir_atomic_fetch_sub_explicit(left, i, memory_order_relaxed, memory_scope_device);
    weir_atomic_fetch_or_explicit(args->seen, 1u << i, memory_order_relaxed,
                                  memory_scope_device);
}

int main(void)
{
    struct weir_device *device = open_device();
    uint32_t *n = weir_new(device, uint32_t, 1, "n");
    uint32_t *left = weir_new(device, uint32_t, 1, "left");
    uint32_t *seen = weir_new(device, uint32_t, 1, "seen");
    *n = 0;
    *left = 120;
    *seen = 0;
    LAUNCH(device, count, weir_nd_range_1d(ITEMS, LOCAL),
           &(count_args){ n, left, seen });
    return *n != ITEMS || *left != 0 || *seen != 0xffff;
}
