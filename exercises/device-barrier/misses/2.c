/* check: a scope that is wider still, and a fence */
#include "device-barrier.h"

WEIR_KERNEL(shares, share_args)
{
    size_t i = weir_global_id(item, 0);
    weir_atomic_fetch_add_explicit(args->total, args->in[i], memory_order_seq_cst,
                                   memory_scope_system);
    weir_group_barrier_scope(item, memory_scope_system);
    weir_atomic_fence(memory_order_seq_cst, memory_scope_system);
    args->out[i] = args->in[i] * 100 / *args->total;
}

WEIR_KERNEL(finish, share_args)
{
}
