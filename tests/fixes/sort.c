/* SPDX-License-Identifier: MIT
 *
 * A group sorts an array: in each round, neighbours are compared. */
#include "program.h"

enum { LOCAL = 16 };

typedef struct {
    uint32_t *a;
} sort_args;

static void compare(uint32_t *a, size_t l, size_t k)
{
    if (l % 2 == k % 2 && l + 1 < LOCAL) {
        uint32_t low = MIN(a[l], a[l + 1]);
        a[l + 1] = MAX(a[l], a[l + 1]);
        a[l] = low;
    }
}

WEIR_KERNEL(sort, sort_args)
{
    size_t l = weir_local_id(item, 0);
    for (size_t k = 0; k < LOCAL; k++) {
        compare(args->a, l, k);
        weir_barrier(item, WEIR_GLOBAL); /* round */
    }                                    /* rounds */
}

int main(void)
{
    struct weir_device *device = open_device();
    uint32_t *a = weir_new(device, uint32_t, LOCAL, "a");
    for (uint32_t i = 0; i < LOCAL; i++) {
        a[i] = i * 5 % LOCAL;
    }
    LAUNCH(device, sort, weir_nd_range_1d(LOCAL, LOCAL), &(sort_args){ a });
    for (uint32_t i = 0; i < LOCAL; i++) {
        if (a[i] != i) {
            return 1;
        }
    }
    return 0;
}
