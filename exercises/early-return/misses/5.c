/* answer: a group that is not full returns as a whole, and its numbers are missing */
#include "early-return.h"

WEIR_KERNEL(add_left, left_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    int32_t *shared = weir_local_array(item, int32_t, MOST_ITEMS);
    size_t local = weir_local_size(item, 0);
    if ((weir_group_id(item, 0) + 1) * local > args->n) {
        return;
    }
    shared[lid] = args->in[i];
    weir_barrier(item, WEIR_LOCAL);
    args->out[i] = shared[lid] + (lid > 0 ? shared[lid - 1] : 0);
}
