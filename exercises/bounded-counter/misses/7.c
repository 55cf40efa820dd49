/* explore: the weak form may fail without a reason, and is tried twice only */
#include "bounded-counter.h"

WEIR_KERNEL(take_place, place_args)
{
    size_t i = weir_global_id(item, 0);
    int32_t seen = weir_atomic_load_explicit(args->taken, memory_order_relaxed,
                                             memory_scope_device);
    bool got = false;
    for (int32_t tries = 0; tries < 2 && !got && seen < args->places; tries++) {
        got = weir_atomic_compare_exchange_weak_explicit(
            args->taken, &seen, seen + 1, memory_order_relaxed, memory_order_relaxed,
            memory_scope_device);
    }
    args->place[i] = got ? seen : -1;
}
