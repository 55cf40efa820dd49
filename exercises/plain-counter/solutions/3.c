/* A compare-exchange that is repeated until no other item came between. */
#include "plain-counter.h"

WEIR_KERNEL(count_large, count_args)
{
    if (args->in[weir_global_id(item, 0)] > args->limit) {
        int32_t seen = weir_atomic_load_explicit(args->count, memory_order_relaxed,
                                                 memory_scope_device);
        while (!weir_atomic_compare_exchange_strong_explicit(
            args->count, &seen, seen + 1, memory_order_relaxed, memory_order_relaxed,
            memory_scope_device)) {}
    }
}
