/* check: fences around a volatile access do not make it atomic */
#include "volatile-flag.h"

WEIR_KERNEL(stop_early, search_args)
{
    volatile int32_t *stop = args->stop;
    for (size_t i = weir_global_id(item, 0); i < args->n && *stop == 0;
         i += weir_global_size(item, 0)) {
        weir_atomic_fence(memory_order_acquire, memory_scope_device);
        if (args->in[i] == args->wanted) {
            *args->place = (int32_t)i;
            weir_atomic_fence(memory_order_release, memory_scope_device);
            *stop = 1;
        }
    }
}
