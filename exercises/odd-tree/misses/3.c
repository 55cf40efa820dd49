/* check: the item without a partner adds to the sum of item 0, which adds, too */
#include "odd-tree.h"

WEIR_KERNEL(add_up, sum_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    size_t local = weir_local_size(item, 0);
    int32_t *part = weir_local_array(item, int32_t, MOST_ITEMS);
    part[lid] = args->in[i];
    weir_barrier(item, WEIR_LOCAL);
    for (size_t left = local; left > 1; left /= 2) {
        size_t half = left / 2;
        if (lid < half) {
            part[lid] += part[lid + half];
        }
        if (lid == left - 1 && left % 2 == 1) {
            part[0] += part[lid];
        }
        weir_barrier(item, WEIR_LOCAL);
    }
    if (lid == 0) {
        args->out[weir_group_id(item, 0)] = part[0];
    }
}
