/* check: the halo is loaded by the last item, and read in front of the barrier */
#include "group-edge.h"

WEIR_KERNEL(smooth, smooth_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    size_t local = weir_local_size(item, 0);
    int32_t *tile = weir_local_array(item, int32_t, MOST_ITEMS + 1);
    tile[lid] = 2 * args->data[i];
    if (lid + 1 == local) {
        tile[local] = i + 1 < args->n ? 2 * args->data[i + 1] : 0;
    }
    args->out[i] = tile[lid] + tile[lid + 1];
    weir_barrier(item, WEIR_LOCAL);
}
