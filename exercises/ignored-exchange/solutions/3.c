/* A group makes a list of its items, and puts it in front as a whole. */
#include "ignored-exchange.h"

WEIR_KERNEL(push, list_args)
{
    size_t i = weir_global_id(item, 0);
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    if (lid + 1 < local) {
        args->next[i] = (int32_t)i + 1;
    } else {
        args->next[i] = weir_atomic_exchange_explicit(
            args->head, (int32_t)(i - lid), memory_order_relaxed, memory_scope_device);
    }
}
