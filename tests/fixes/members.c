/* SPDX-License-Identifier: MIT
 *
 * Each group sums up its items' numbers, and sets its own member of a structure. */
#include "program.h"

enum { LOCAL = 8 };

struct members {
    uint8_t even, odd;
};

typedef struct {
    struct members *sums;
} members_args;

WEIR_KERNEL(add_up, members_args)
{
    uint32_t *part = weir_local_array(item, uint32_t, LOCAL + 1);
    size_t l = weir_local_id(item, 0);
    part[l] = (uint32_t)l;
    weir_barrier(item, WEIR_LOCAL);
    uint32_t sum = 0;
    for (size_t i = 0; i < LOCAL; i++) {
        sum += part[i];
    }
    if (l == 0 && weir_group_id(item, 0) == 0) {
        args->sums->even = sum;
    } else if (l == 0) {
        args->sums->odd = sum;
    }
}

int main(void)
{
    struct weir_device *device = open_device();
    struct members *sums = weir_new(device, struct members, 1, "sums");
    *sums = (struct members){ 0 };
    LAUNCH(device, add_up, weir_nd_range_1d(2 * LOCAL, LOCAL), &(members_args){ sums });
    return sums->even != 28 || sums->odd != 28;
}
