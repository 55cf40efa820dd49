/* SPDX-License-Identifier: MIT
 *
 * Each group adds up its elements in a tree. */
#include "program.h"

enum { LOCAL = 64, GROUPS = 2 };

typedef struct {
    const uint32_t *in;
    uint32_t *sums;
} tree_args;

WEIR_KERNEL(tree, tree_args)
{
    uint32_t *part = weir_local_array(item, uint32_t, LOCAL);
    size_t l = weir_local_id(item, 0);
    part[l] = args->in[weir_global_id(item, 0)];
    weir_barrier(item, WEIR_LOCAL); /* filled */
    for (size_t stride = LOCAL / 2; stride > 0; stride /= 2) {
        if (l < stride) {
            part[l] += part[l + stride];
        }
        weir_barrier(item, WEIR_LOCAL); /* round */
    }
    if (l == 0) {
        args->sums[weir_group_id(item, 0)] = part[0];
    }
}

int main(void)
{
    struct weir_device *device = open_device();
    uint32_t *in = weir_new(device, uint32_t, GROUPS * LOCAL, "in");
    uint32_t *sums = weir_new(device, uint32_t, GROUPS, "sums");
    for (uint32_t i = 0; i < GROUPS * LOCAL; i++) {
        in[i] = i;
    }
    LAUNCH(device, tree, weir_nd_range_1d(GROUPS * LOCAL, LOCAL),
           &(tree_args){ in, sums });
    return sums[0] != 2016 || sums[1] != 6112;
}
