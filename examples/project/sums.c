/* SPDX-License-Identifier: MIT: the sum of each group, in a tree. */
#include "sums.h"

#include <weir-kernel.h>

WEIR_KERNEL(sums, sums_args)
{
    size_t lid = weir_local_id(item, 0);
    int32_t *part = weir_local_array(item, int32_t, GROUP);
    part[lid] = args->in[weir_global_id(item, 0)];
    for (size_t stride = GROUP / 2; stride > 0; stride /= 2) {
        weir_barrier(item, WEIR_LOCAL);
        if (lid < stride) {
            part[lid] += part[lid + stride];
        }
    }
    if (lid == 0) {
        args->sums[weir_group_id(item, 0)] = part[0];
    }
}
