/* answer: an atomic read of the total does not race, and may still come too early */
#include "device-barrier.h"

WEIR_KERNEL(shares, share_args)
{
    size_t i = weir_global_id(item, 0);
    weir_atomic_fetch_add_explicit(args->total, args->in[i], memory_order_relaxed,
                                   memory_scope_device);
    weir_group_barrier_scope(item, memory_scope_device);
    args->out[i] = args->in[i] * 100
        / weir_atomic_load_explicit(args->total, memory_order_seq_cst,
                                    memory_scope_device);
}

WEIR_KERNEL(finish, share_args)
{
}
