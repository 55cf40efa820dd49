/* The group counts first, and one item of it adds. */
#include "plain-counter.h"

WEIR_KERNEL(count_large, count_args)
{
    int32_t large = args->in[weir_global_id(item, 0)] > args->limit;
    int32_t of_group = weir_group_reduce_add(item, large);
    if (weir_local_id(item, 0) == 0) {
        weir_atomic_fetch_add_explicit(args->count, of_group, memory_order_relaxed,
                                       memory_scope_device);
    }
}
