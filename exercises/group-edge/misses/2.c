/* check: the barrier fences at device scope, but still waits for one group */
#include "group-edge.h"

WEIR_KERNEL(smooth, smooth_args)
{
    size_t i = weir_global_id(item, 0);
    args->data[i] *= 2;
    weir_group_barrier_scope(item, memory_scope_device);
    args->out[i] = args->data[i] + (i + 1 < args->n ? args->data[i + 1] : 0);
}
