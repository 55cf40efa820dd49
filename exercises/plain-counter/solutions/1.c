/* One atomic operation for each number that counts. */
#include "plain-counter.h"

WEIR_KERNEL(count_large, count_args)
{
    if (args->in[weir_global_id(item, 0)] > args->limit) {
        weir_atomic_fetch_add_explicit(args->count, 1, memory_order_relaxed,
                                       memory_scope_device);
    }
}
