/* Each item counts the numbers that belong in front of its own. */
#include "sort-edge.h"

WEIR_KERNEL(sort, sort_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    size_t local = weir_local_size(item, 0), before = 0;
    int32_t mine = args->in[i];
    int32_t *numbers = weir_local_array(item, int32_t, MOST_ITEMS);
    numbers[lid] = mine;
    weir_barrier(item, WEIR_LOCAL);
    for (size_t k = 0; k < local; k++) {
        before += numbers[k] < mine || (numbers[k] == mine && k < lid);
    }
    args->out[i - lid + before] = mine;
}
