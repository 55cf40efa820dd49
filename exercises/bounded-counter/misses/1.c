/* answer: the strongest order does not make two operations one */
#include "bounded-counter.h"

WEIR_KERNEL(take_place, place_args)
{
    size_t i = weir_global_id(item, 0);
    int32_t seen = weir_atomic_load_explicit(args->taken, memory_order_seq_cst,
                                             memory_scope_device);
    if (seen < args->places) {
        weir_atomic_store_explicit(args->taken, seen + 1, memory_order_seq_cst,
                                   memory_scope_device);
        args->place[i] = seen;
    } else {
        args->place[i] = -1;
    }
}
