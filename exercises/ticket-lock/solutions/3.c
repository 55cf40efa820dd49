/* No lock: the addition returns what was there before. */
#include "ticket-lock.h"

WEIR_KERNEL(running_sum, sum_args)
{
    size_t group = weir_group_id(item, 0);
    args->so_far[group] = args->in[group]
        + weir_atomic_fetch_add_explicit(args->sum, args->in[group],
                                         memory_order_relaxed, memory_scope_device);
}
