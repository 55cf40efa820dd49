/* check: atomic, but the other groups do not see this flag */
#include "volatile-flag.h"

WEIR_KERNEL(stop_early, search_args)
{
    for (size_t i = weir_global_id(item, 0); i < args->n
         && weir_atomic_load_explicit(args->stop, memory_order_relaxed,
                                      memory_scope_work_group)
             == 0;
         i += weir_global_size(item, 0)) {
        if (args->in[i] == args->wanted) {
            *args->place = (int32_t)i;
            weir_atomic_store_explicit(args->stop, 1, memory_order_relaxed,
                                       memory_scope_work_group);
        }
    }
}
