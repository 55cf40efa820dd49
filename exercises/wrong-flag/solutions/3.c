/* The exchange is in local memory, which the barrier names. */
#include "wrong-flag.h"

WEIR_KERNEL(swap_pairs, swap_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    int32_t *shared = weir_local_array(item, int32_t, MOST_ITEMS);
    shared[lid] = 2 * args->in[i];
    weir_barrier(item, WEIR_LOCAL);
    args->out[i] = shared[lid ^ 1];
}
