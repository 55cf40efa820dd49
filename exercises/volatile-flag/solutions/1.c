/* Relaxed accesses: nothing is read because the flag is set. */
#include "volatile-flag.h"

WEIR_KERNEL(stop_early, search_args)
{
    for (size_t i = weir_global_id(item, 0); i < args->n;
         i += weir_global_size(item, 0)) {
        if (weir_atomic_load_explicit(args->stop, memory_order_relaxed,
                                      memory_scope_device)
            != 0) {
            return;
        }
        if (args->in[i] == args->wanted) {
            *args->place = (int32_t)i;
            weir_atomic_store_explicit(args->stop, 1, memory_order_relaxed,
                                       memory_scope_device);
        }
    }
}
