/* A compare-exchange that is repeated while the number there is less. */
#include "plain-look.h"

WEIR_KERNEL(greatest, greatest_args)
{
    int32_t mine = args->in[weir_global_id(item, 0)];
    int32_t seen = weir_atomic_load_explicit(args->most, memory_order_relaxed,
                                             memory_scope_device);
    while (seen < mine
           && !weir_atomic_compare_exchange_weak_explicit(
               args->most, &seen, mine, memory_order_relaxed, memory_order_relaxed,
               memory_scope_device)) {}
}
