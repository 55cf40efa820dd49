/* check: each group waits for the one after it only */
#include "waiting-groups.h"

WEIR_KERNEL(sum_of_others, others_args)
{
    size_t group = weir_group_id(item, 0), groups = weir_num_groups(item, 0);
    int32_t turn = (int32_t)(groups - 1 - group);
    while (weir_atomic_load_explicit(args->arrived, memory_order_acquire,
                                     memory_scope_device)
           < turn) {}
    weir_atomic_fetch_add_explicit(args->sum, args->in[group], memory_order_relaxed,
                                   memory_scope_device);
    int32_t behind = weir_atomic_load_explicit(args->sum, memory_order_relaxed,
                                               memory_scope_device)
        - args->in[group];
    weir_atomic_fetch_add_explicit(&args->out[group], behind, memory_order_relaxed,
                                   memory_scope_device);
    for (size_t k = group + 1; k < groups; k++) {
        weir_atomic_fetch_add_explicit(&args->out[k], args->in[group],
                                       memory_order_relaxed, memory_scope_device);
    }
    weir_atomic_fetch_add_explicit(args->arrived, 1, memory_order_acq_rel,
                                   memory_scope_device);
}
