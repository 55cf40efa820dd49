/* explore: atomic totals do not race, but old ones may be read under the lock */
#include "relaxed-unlock.h"

WEIR_KERNEL(add_both, lock_args)
{
    int32_t value = args->in[weir_group_id(item, 0)];
    while (weir_atomic_exchange_explicit(args->lock, 1, memory_order_acquire,
                                         memory_scope_device)
           == 1) {}
    int32_t sum = weir_atomic_load_explicit(&args->total[0], memory_order_relaxed,
                                            memory_scope_device);
    int32_t squares = weir_atomic_load_explicit(&args->total[1], memory_order_relaxed,
                                                memory_scope_device);
    weir_atomic_store_explicit(&args->total[0], sum + value, memory_order_relaxed,
                               memory_scope_device);
    weir_atomic_store_explicit(&args->total[1], squares + value * value,
                               memory_order_relaxed, memory_scope_device);
    weir_atomic_store_explicit(args->lock, 0, memory_order_relaxed,
                               memory_scope_device);
}
