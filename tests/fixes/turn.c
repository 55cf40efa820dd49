/* SPDX-License-Identifier: MIT
 *
 * Groups take turns, in the order of their numbers. */
#include "program.h"

enum { GROUPS = 3 };

typedef struct {
    uint32_t *turn, *total;
} turn_args;

WEIR_KERNEL(turn, turn_args)
{
    uint32_t g = (uint32_t)weir_group_id(item, 0);
    while (
        weir_atomic_load_explicit(args->turn, memory_order_acquire, memory_scope_device)
        != g) {}
    *args->total = *args->total * 3 + g;
    weir_atomic_fetch_add_explicit(args->turn, 1, memory_order_release,
                                   memory_scope_device);
}

int main(void)
{
    struct weir_device *device = open_device();
    uint32_t *turn_word = weir_new(device, uint32_t, 1, "turn");
    uint32_t *total = weir_new(device, uint32_t, 1, "total");
    *turn_word = *total = 0;
    LAUNCH(device, turn, weir_nd_range_1d(GROUPS, 1), &(turn_args){ turn_word, total });
    return *total != 5;
}
