/* answer: the last number is added, but only in the first round */
#include "odd-tree.h"

WEIR_KERNEL(add_up, sum_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    size_t local = weir_local_size(item, 0);
    int32_t *part = weir_local_array(item, int32_t, MOST_ITEMS);
    part[lid] = args->in[i];
    weir_barrier(item, WEIR_LOCAL);
    for (size_t half = local / 2; half > 0; half /= 2) {
        if (lid < half) {
            part[lid] += part[lid + half];
        }
        weir_barrier(item, WEIR_LOCAL);
    }
    if (lid == 0) {
        args->out[weir_group_id(item, 0)]
            = part[0] + (local % 2 == 1 && local > 1 ? part[local - 1] : 0);
    }
}
