/* check: items that have nothing to add do not reach the barrier */
#include "odd-tree.h"

WEIR_KERNEL(add_up, sum_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    size_t local = weir_local_size(item, 0);
    int32_t *part = weir_local_array(item, int32_t, MOST_ITEMS);
    part[lid] = args->in[i];
    weir_barrier(item, WEIR_LOCAL);
    for (size_t left = local, half; left > 1; left = half) {
        half = (left + 1) / 2;
        if (lid + half < left) {
            part[lid] += part[lid + half];
            weir_barrier(item, WEIR_LOCAL);
        }
    }
    if (lid == 0) {
        args->out[weir_group_id(item, 0)] = part[0];
    }
}
