/* The place itself is the flag. */
#include "volatile-flag.h"

WEIR_KERNEL(stop_early, search_args)
{
    for (size_t i = weir_global_id(item, 0); i < args->n
         && weir_atomic_load_explicit(args->place, memory_order_relaxed,
                                      memory_scope_device)
             < 0;
         i += weir_global_size(item, 0)) {
        if (args->in[i] == args->wanted) {
            weir_atomic_store_explicit(args->place, (int32_t)i, memory_order_relaxed,
                                       memory_scope_device);
        }
    }
}
