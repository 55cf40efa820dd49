/* SPDX-License-Identifier: MIT: each number's share of the sum of its group, wrong on
 * purpose; see docs/tutorial/04-races.md. */
#include "shares.h"

WEIR_KERNEL(shares, shares_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    int32_t *part = weir_local_array(item, int32_t, GROUP);
    part[lid] = args->in[i];
    for (size_t stride = GROUP / 2; stride > 0; stride /= 2) {
        weir_barrier(item, WEIR_LOCAL);
        if (lid < stride) {
            part[lid] += part[lid + stride];
        }
    }
    args->out[i] = 1000 * args->in[i] / part[0];
}
