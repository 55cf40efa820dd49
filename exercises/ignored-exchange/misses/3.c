/* answer: a store puts the item in front, in front of any other item */
#include "ignored-exchange.h"

WEIR_KERNEL(push, list_args)
{
    size_t i = weir_global_id(item, 0);
    int32_t head = weir_atomic_load_explicit(args->head, memory_order_relaxed,
                                             memory_scope_device);
    args->next[i] = head;
    weir_atomic_store_explicit(args->head, (int32_t)i, memory_order_release,
                               memory_scope_device);
}
