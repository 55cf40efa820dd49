/* The last group that arrives divides for all. */
#include "device-barrier.h"

WEIR_KERNEL(shares, share_args)
{
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    int32_t last = 0;
    int32_t sum = weir_group_reduce_add(item, args->in[weir_global_id(item, 0)]);
    if (lid == 0) {
        weir_atomic_fetch_add_explicit(args->total, sum, memory_order_relaxed,
                                       memory_scope_device);
        last = weir_atomic_fetch_add_explicit(args->arrived, 1, memory_order_acq_rel,
                                              memory_scope_device)
            == (int32_t)weir_num_groups(item, 0) - 1;
    }
    if (weir_group_broadcast(item, last, 0)) {
        for (size_t k = lid; k < weir_global_size(item, 0); k += local) {
            args->out[k] = args->in[k] * 100 / *args->total;
        }
    }
}

WEIR_KERNEL(finish, share_args)
{
}
