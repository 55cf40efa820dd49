/* explore: the fence comes after the load */
#include "store-buffering.h"

WEIR_KERNEL(enter, enter_args)
{
    size_t group = weir_group_id(item, 0);
    int32_t *mine = &args->flag[group], *other = &args->flag[group ^ 1];
    if (!args->wants[group]) {
        return;
    }
    weir_atomic_store_explicit(mine, 1, memory_order_relaxed, memory_scope_device);
    int32_t raised
        = weir_atomic_load_explicit(other, memory_order_relaxed, memory_scope_device);
    weir_atomic_fence(memory_order_seq_cst, memory_scope_device);
    if (raised == 0) {
        args->entered[group] = 1;
    }
}
