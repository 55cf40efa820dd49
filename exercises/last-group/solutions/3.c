/* No last group: each group adds its sum to the total. */
#include "last-group.h"

WEIR_KERNEL(add_up, sum_args)
{
    int32_t sum = weir_group_reduce_add(item, args->in[weir_global_id(item, 0)]);
    if (weir_local_id(item, 0) == 0) {
        weir_atomic_fetch_add_explicit(args->total, sum, memory_order_relaxed,
                                       memory_scope_device);
    }
}
