/* No shuffle: all items share their numbers in local memory. */
#include "shuffle-edge.h"

WEIR_KERNEL(differences, difference_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    int32_t mine = args->data[i];
    int32_t *shared = weir_local_array(item, int32_t, MOST_ITEMS);
    shared[lid] = mine;
    weir_barrier(item, WEIR_LOCAL);
    if (lid + 1 < weir_local_size(item, 0)) {
        args->data[i] = shared[lid + 1] - mine;
    }
}
