/* check: two barriers, one for the items with a number and one for the others */
#include "early-return.h"

WEIR_KERNEL(add_left, left_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    int32_t *shared = weir_local_array(item, int32_t, MOST_ITEMS);
    if (i >= args->n) {
        weir_barrier(item, WEIR_LOCAL);
        return;
    }
    shared[lid] = args->in[i];
    weir_barrier(item, WEIR_LOCAL);
    args->out[i] = shared[lid] + (lid > 0 ? shared[lid - 1] : 0);
}
