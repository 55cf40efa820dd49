/* answer: at device scope, but in two operations */
#include "narrow-scope.h"

WEIR_KERNEL(find_largest, largest_args)
{
    int32_t mine = args->in[weir_global_id(item, 0)];
    if (weir_atomic_load_explicit(args->out, memory_order_relaxed, memory_scope_device)
        < mine) {
        weir_atomic_store_explicit(args->out, mine, memory_order_relaxed,
                                   memory_scope_device);
    }
}
