/* The successor is written after the exchange, as no item reads it before. */
#include "ignored-exchange.h"

WEIR_KERNEL(push, list_args)
{
    size_t i = weir_global_id(item, 0);
    int32_t head = weir_atomic_load_explicit(args->head, memory_order_relaxed,
                                             memory_scope_device);
    while (!weir_atomic_compare_exchange_weak_explicit(
        args->head, &head, (int32_t)i, memory_order_relaxed, memory_order_relaxed,
        memory_scope_device)) {}
    args->next[i] = head;
}
