/* check: a fence of device scope after the barrier: no item waits for the group */
#include "group-edge.h"

WEIR_KERNEL(smooth, smooth_args)
{
    size_t i = weir_global_id(item, 0);
    args->data[i] *= 2;
    weir_barrier(item, WEIR_GLOBAL);
    weir_atomic_fence(memory_order_seq_cst, memory_scope_device);
    args->out[i] = args->data[i] + (i + 1 < args->n ? args->data[i + 1] : 0);
}
