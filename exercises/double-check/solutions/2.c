/* A fence in front of the store, and one after the first look. */
#include "double-check.h"

WEIR_KERNEL(use_table, table_args)
{
    size_t group = weir_group_id(item, 0);
    if (weir_atomic_load_explicit(args->ready, memory_order_relaxed,
                                  memory_scope_device)
        == 0) {
        while (weir_atomic_exchange_explicit(args->lock, 1, memory_order_acquire,
                                             memory_scope_device)
               == 1) {}
        if (weir_atomic_load_explicit(args->ready, memory_order_relaxed,
                                      memory_scope_device)
            == 0) {
            args->table[0] = args->seed * 3;
            args->table[1] = args->seed + 7;
            args->made[0] += 1;
            weir_atomic_fence(memory_order_release, memory_scope_device);
            weir_atomic_store_explicit(args->ready, 1, memory_order_relaxed,
                                       memory_scope_device);
        }
        weir_atomic_store_explicit(args->lock, 0, memory_order_release,
                                   memory_scope_device);
    }
    weir_atomic_fence(memory_order_acquire, memory_scope_device);
    args->out[group] = args->table[group % 2];
}
