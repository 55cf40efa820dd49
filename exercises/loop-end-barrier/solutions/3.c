/* No tile: each item reads from global memory. */
#include "loop-end-barrier.h"

WEIR_KERNEL(fold_tiles, fold_args)
{
    size_t local = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    int32_t sum = 0;
    for (size_t first = 0; first < args->n; first += local) {
        sum += args->in[first + local - 1 - lid];
    }
    args->out[weir_global_id(item, 0)] = sum;
}
