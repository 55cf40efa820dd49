/* explore: only group 0 waits, which is too many where one group runs at a time */
#include "waiting-groups.h"

WEIR_KERNEL(sum_of_others, others_args)
{
    size_t group = weir_group_id(item, 0), groups = weir_num_groups(item, 0);
    weir_atomic_fetch_add_explicit(args->sum, args->in[group], memory_order_relaxed,
                                   memory_scope_device);
    weir_atomic_fetch_add_explicit(args->arrived, 1, memory_order_acq_rel,
                                   memory_scope_device);
    if (group == 0) {
        while (weir_atomic_load_explicit(args->arrived, memory_order_acquire,
                                         memory_scope_device)
               < (int32_t)groups) {}
        int32_t sum = weir_atomic_load_explicit(args->sum, memory_order_relaxed,
                                                memory_scope_device);
        for (size_t k = 0; k < groups; k++) {
            args->out[k] = sum - args->in[k];
        }
    }
}
