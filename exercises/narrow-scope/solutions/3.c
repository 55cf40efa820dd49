/* A compare-exchange at device scope, as long as the number is larger. */
#include "narrow-scope.h"

WEIR_KERNEL(find_largest, largest_args)
{
    int32_t mine = args->in[weir_global_id(item, 0)];
    int32_t seen = weir_atomic_load_explicit(args->out, memory_order_relaxed,
                                             memory_scope_device);
    while (seen < mine
           && !weir_atomic_compare_exchange_weak_explicit(
               args->out, &seen, mine, memory_order_relaxed, memory_order_relaxed,
               memory_scope_device)) {}
}
