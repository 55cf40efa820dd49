/* check: the barrier comes after the read */
#include "missing-barrier.h"

WEIR_KERNEL(reverse, reverse_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    size_t local = weir_local_size(item, 0);
    int32_t *shared = weir_local_array(item, int32_t, MOST_ITEMS);
    shared[lid] = args->in[i];
    args->out[i] = shared[local - 1 - lid];
    weir_barrier(item, WEIR_LOCAL);
}
