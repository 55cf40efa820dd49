/* One sum, to which each sub-group adds its own. */
#include "sub-group-size.h"

WEIR_KERNEL(add_up, sum_args)
{
    size_t lid = weir_local_id(item, 0);
    int32_t *total = weir_local_array(item, int32_t, 1);
    int32_t sum = weir_sub_group_reduce_add(item, args->in[weir_global_id(item, 0)]);
    if (lid == 0) {
        *total = 0;
    }
    weir_barrier(item, WEIR_LOCAL);
    if (weir_sub_group_local_id(item) == 0) {
        weir_atomic_fetch_add_explicit(total, sum, memory_order_relaxed,
                                       memory_scope_work_group);
    }
    weir_barrier(item, WEIR_LOCAL);
    if (lid == 0) {
        args->out[weir_group_id(item, 0)] = *total;
    }
}
