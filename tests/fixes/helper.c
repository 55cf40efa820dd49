/* SPDX-License-Identifier: MIT
 *
 * Each group finds its largest element, by a function of its own. */
#include "program.h"

enum { LOCAL = 16 };

typedef struct {
    const uint32_t *in;
    uint32_t *largest;
} helper_args;

static uint32_t largest_of(struct weir_item *self, uint32_t *a)
{
    size_t l = weir_local_id(self, 0);
    for (size_t n = LOCAL / 2; n > 0; n /= 2) {
        if (l < n) {
            a[l] = MAX(a[l], a[l + n]);
        }
        weir_barrier(self, WEIR_LOCAL); /* round */
    }
    return a[0];
}

WEIR_KERNEL(helper, helper_args)
{
    uint32_t *a = weir_local_array(item, uint32_t, LOCAL);
    a[weir_local_id(item, 0)] = args->in[weir_global_id(item, 0)];
    weir_barrier(item, WEIR_LOCAL); /* filled */
    uint32_t largest = largest_of(item, a);
    if (weir_local_id(item, 0) == 0) {
        args->largest[weir_group_id(item, 0)] = largest;
    }
}

int main(void)
{
    struct weir_device *device = open_device();
    uint32_t *in = weir_new(device, uint32_t, 2 * LOCAL, "in");
    uint32_t *largest = weir_new(device, uint32_t, 2, "largest");
    for (uint32_t i = 0; i < 2 * LOCAL; i++) {
        in[i] = i * 5 % LOCAL + i / LOCAL * 3;
    }
    LAUNCH(device, helper, weir_nd_range_1d(2 * LOCAL, LOCAL),
           &(helper_args){ in, largest });
    return largest[0] != 15 || largest[1] != 18;
}
