/* A second barrier, after the reads. */
#include "loop-end-barrier.h"

WEIR_KERNEL(fold_tiles, fold_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    size_t local = weir_local_size(item, 0);
    int32_t *tile = weir_local_array(item, int32_t, MOST_ITEMS);
    int32_t sum = 0;
    for (size_t first = 0; first < args->n; first += local) {
        tile[lid] = args->in[first + lid];
        weir_barrier(item, WEIR_LOCAL);
        sum += tile[local - 1 - lid];
        weir_barrier(item, WEIR_LOCAL);
    }
    args->out[i] = sum;
}
