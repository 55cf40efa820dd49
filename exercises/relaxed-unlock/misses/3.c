/* check: the fence comes after the unlock */
#include "relaxed-unlock.h"

WEIR_KERNEL(add_both, lock_args)
{
    int32_t value = args->in[weir_group_id(item, 0)];
    while (weir_atomic_exchange_explicit(args->lock, 1, memory_order_acquire,
                                         memory_scope_device)
           == 1) {}
    args->total[0] += value;
    args->total[1] += value * value;
    weir_atomic_store_explicit(args->lock, 0, memory_order_relaxed,
                               memory_scope_device);
    weir_atomic_fence(memory_order_release, memory_scope_device);
}
