/* check: all groups wait for each other, and more than the device holds never end */
#include "device-barrier.h"

WEIR_KERNEL(shares, share_args)
{
    size_t i = weir_global_id(item, 0);
    weir_atomic_fetch_add_explicit(args->total, args->in[i], memory_order_relaxed,
                                   memory_scope_device);
    weir_group_barrier_scope(item, memory_scope_device);
    if (weir_local_id(item, 0) == 0) {
        weir_atomic_fetch_add_explicit(args->arrived, 1, memory_order_acq_rel,
                                       memory_scope_device);
        while (weir_atomic_load_explicit(args->arrived, memory_order_acquire,
                                         memory_scope_device)
               < (int32_t)weir_num_groups(item, 0)) {}
    }
    weir_group_barrier_scope(item, memory_scope_device);
    args->out[i] = args->in[i] * 100 / *args->total;
}

WEIR_KERNEL(finish, share_args)
{
}
