/* An item that has drawn a number too high gives it back. */
#include "bounded-counter.h"

WEIR_KERNEL(take_place, place_args)
{
    size_t i = weir_global_id(item, 0);
    int32_t drawn = weir_atomic_fetch_add_explicit(args->taken, 1, memory_order_relaxed,
                                                   memory_scope_device);
    if (drawn >= args->places) {
        weir_atomic_fetch_sub_explicit(args->taken, 1, memory_order_relaxed,
                                       memory_scope_device);
        drawn = -1;
    }
    args->place[i] = drawn;
}
