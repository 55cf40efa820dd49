/* answer: the loop repeats the exchange, but not the computation of the new value */
#include "bounded-counter.h"

WEIR_KERNEL(take_place, place_args)
{
    size_t i = weir_global_id(item, 0);
    int32_t seen = weir_atomic_load_explicit(args->taken, memory_order_relaxed,
                                             memory_scope_device),
            next = seen + 1;
    while (seen < args->places
           && !weir_atomic_compare_exchange_weak_explicit(
               args->taken, &seen, next, memory_order_relaxed, memory_order_relaxed,
               memory_scope_device)) {}
    args->place[i] = seen < args->places ? seen : -1;
}
