/* answer: an item whose compare-exchange fails gives up, although there are places */
#include "bounded-counter.h"

WEIR_KERNEL(take_place, place_args)
{
    size_t i = weir_global_id(item, 0);
    int32_t seen = weir_atomic_load_explicit(args->taken, memory_order_relaxed,
                                             memory_scope_device);
    bool got = seen < args->places
        && weir_atomic_compare_exchange_strong_explicit(
                   args->taken, &seen, seen + 1, memory_order_relaxed,
                   memory_order_relaxed, memory_scope_device);
    args->place[i] = got ? seen : -1;
}
