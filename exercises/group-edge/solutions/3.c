/* A tile with a halo: the first item loads the number after the group, too. */
#include "group-edge.h"

WEIR_KERNEL(smooth, smooth_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    size_t local = weir_local_size(item, 0);
    int32_t *tile = weir_local_array(item, int32_t, MOST_ITEMS + 1);
    tile[lid] = 2 * args->data[i];
    if (lid == 0) {
        tile[local] = i + local < args->n ? 2 * args->data[i + local] : 0;
    }
    weir_barrier(item, WEIR_LOCAL);
    args->out[i] = tile[lid] + tile[lid + 1];
}
