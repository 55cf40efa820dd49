/* answer: the places may run out between the test and the addition */
#include "bounded-counter.h"

WEIR_KERNEL(take_place, place_args)
{
    size_t i = weir_global_id(item, 0);
    args->place[i] = -1;
    if (weir_atomic_load_explicit(args->taken, memory_order_relaxed,
                                  memory_scope_device)
        < args->places) {
        args->place[i] = weir_atomic_fetch_add_explicit(
            args->taken, 1, memory_order_relaxed, memory_scope_device);
    }
}
