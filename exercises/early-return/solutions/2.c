/* Items after the end have a number of their own, and return after the barrier. */
#include "early-return.h"

WEIR_KERNEL(add_left, left_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    int32_t *shared = weir_local_array(item, int32_t, MOST_ITEMS);
    shared[lid] = i < args->n ? args->in[i] : 0;
    weir_barrier(item, WEIR_LOCAL);
    if (i >= args->n) {
        return;
    }
    args->out[i] = shared[lid] + (lid > 0 ? shared[lid - 1] : 0);
}
