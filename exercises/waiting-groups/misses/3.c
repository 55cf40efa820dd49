/* answer: a barrier of device scope orders more, but it waits for one group only */
#include "waiting-groups.h"

WEIR_KERNEL(sum_of_others, others_args)
{
    size_t group = weir_group_id(item, 0), groups = weir_num_groups(item, 0);
    weir_atomic_fetch_add_explicit(args->sum, args->in[group], memory_order_relaxed,
                                   memory_scope_device);
    weir_group_barrier_scope(item, memory_scope_device);
    args->out[group] = weir_atomic_load_explicit(args->sum, memory_order_relaxed,
                                                 memory_scope_device)
        - args->in[group];
}
