/* check: a fence after the call does not bring the write forward */
#include "ticket-lock.h"

WEIR_KERNEL(running_sum, sum_args)
{
    size_t group = weir_group_id(item, 0);
    int32_t ticket = weir_atomic_fetch_add_explicit(args->next, 1, memory_order_relaxed,
                                                    memory_scope_device);
    while (weir_atomic_load_explicit(args->serving, memory_order_acquire,
                                     memory_scope_device)
           != ticket) {}
    int32_t sum = *args->sum + args->in[group];
    weir_atomic_store_explicit(args->serving, ticket + 1, memory_order_release,
                               memory_scope_device);
    weir_atomic_fence(memory_order_release, memory_scope_device);
    *args->sum = sum;
    args->so_far[group] = sum;
}
