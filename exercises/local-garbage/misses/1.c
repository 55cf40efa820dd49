/* check: the initial value is written, but the others do not wait for it */
#include "local-garbage.h"

WEIR_KERNEL(greatest, greatest_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    int32_t *most = weir_local_array(item, int32_t, 1);
    if (lid == 0) {
        *most = INT32_MIN;
    }
    weir_atomic_fetch_max_explicit(most, args->in[i], memory_order_relaxed,
                                   memory_scope_work_group);
    weir_barrier(item, WEIR_LOCAL);
    if (lid == 0) {
        args->out[weir_group_id(item, 0)] = *most;
    }
}
