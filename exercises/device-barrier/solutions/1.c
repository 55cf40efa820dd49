/* The second kernel divides: a launch begins when the one before it has ended. */
#include "device-barrier.h"

WEIR_KERNEL(shares, share_args)
{
    weir_atomic_fetch_add_explicit(args->total, args->in[weir_global_id(item, 0)],
                                   memory_order_relaxed, memory_scope_device);
}

WEIR_KERNEL(finish, share_args)
{
    size_t i = weir_global_id(item, 0);
    args->out[i] = args->in[i] * 100 / *args->total;
}
