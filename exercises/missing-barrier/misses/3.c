/* check: a fence orders, but it does not wait */
#include "missing-barrier.h"

WEIR_KERNEL(reverse, reverse_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    size_t local = weir_local_size(item, 0);
    int32_t *shared = weir_local_array(item, int32_t, MOST_ITEMS);
    shared[lid] = args->in[i];
    weir_atomic_fence(memory_order_acq_rel, memory_scope_work_group);
    args->out[i] = shared[local - 1 - lid];
}
