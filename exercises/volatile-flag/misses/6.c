/* answer: while one item holds the flag, the others pass over their numbers */
#include "volatile-flag.h"

WEIR_KERNEL(stop_early, search_args)
{
    for (size_t i = weir_global_id(item, 0); i < args->n;
         i += weir_global_size(item, 0)) {
        if (weir_atomic_exchange_explicit(args->stop, 1, memory_order_relaxed,
                                          memory_scope_device)
            == 0) {
            if (args->in[i] == args->wanted) {
                *args->place = (int32_t)i;
                return;
            }
            weir_atomic_store_explicit(args->stop, 0, memory_order_relaxed,
                                       memory_scope_device);
        }
    }
}
