/* One item takes places for its whole group. */
#include "bounded-counter.h"

WEIR_KERNEL(take_place, place_args)
{
    size_t i = weir_global_id(item, 0);
    int32_t lid = (int32_t)weir_local_id(item, 0), first = 0;
    if (lid == 0) {
        int32_t want = (int32_t)weir_local_size(item, 0), next;
        first = weir_atomic_load_explicit(args->taken, memory_order_relaxed,
                                          memory_scope_device);
        do {
            next = first + want < args->places ? first + want : args->places;
        } while (!weir_atomic_compare_exchange_weak_explicit(
            args->taken, &first, next, memory_order_relaxed, memory_order_relaxed,
            memory_scope_device));
    }
    first = weir_group_broadcast(item, first, 0);
    args->place[i] = first + lid < args->places ? first + lid : -1;
}
