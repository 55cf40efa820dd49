/* SPDX-License-Identifier: MIT
 *
 * The group that takes the last ticket adds up what all groups have written. */
#include "program.h"

enum { GROUPS = 4 };

typedef struct {
    uint32_t *part, *ticket, *sum;
} ticket_args;

WEIR_KERNEL(ticket, ticket_args)
{
    uint32_t g = (uint32_t)weir_group_id(item, 0);
    args->part[g] = g + 1;
    uint32_t before = weir_atomic_fetch_add_explicit(
        args->ticket, 1, memory_order_acq_rel, memory_scope_device);
    if (before == GROUPS - 1) {
        uint32_t sum = 0;
        for (uint32_t k = 0; k < GROUPS; k++) {
            sum += args->part[k];
        }
        *args->sum = sum;
    }
}

int main(void)
{
    struct weir_device *device = open_device();
    uint32_t *part = weir_new(device, uint32_t, GROUPS, "part");
    uint32_t *ticket_word = weir_new(device, uint32_t, 1, "ticket");
    uint32_t *sum = weir_new(device, uint32_t, 1, "sum");
    *ticket_word = *sum = 0;
    LAUNCH(device, ticket, weir_nd_range_1d(GROUPS, 1),
           &(ticket_args){ part, ticket_word, sum });
    return *sum != 10;
}
