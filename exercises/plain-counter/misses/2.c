/* answer: an atomic load and an atomic store, with a gap between them */
#include "plain-counter.h"

WEIR_KERNEL(count_large, count_args)
{
    if (args->in[weir_global_id(item, 0)] > args->limit) {
        int32_t seen = weir_atomic_load_explicit(args->count, memory_order_relaxed,
                                                 memory_scope_device);
        weir_atomic_store_explicit(args->count, seen + 1, memory_order_relaxed,
                                   memory_scope_device);
    }
}
