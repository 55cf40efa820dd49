/* explore: one group of the pair is seq_cst, the other one is not */
#include "store-buffering.h"

WEIR_KERNEL(enter, enter_args)
{
    size_t group = weir_group_id(item, 0);
    int32_t *mine = &args->flag[group], *other = &args->flag[group ^ 1];
    if (!args->wants[group]) {
        return;
    }
    int32_t raised;
    if (group % 2 == 0) {
        weir_atomic_store_explicit(mine, 1, memory_order_seq_cst, memory_scope_device);
        raised = weir_atomic_load_explicit(other, memory_order_seq_cst,
                                           memory_scope_device);
    } else {
        weir_atomic_store_explicit(mine, 1, memory_order_release, memory_scope_device);
        raised = weir_atomic_load_explicit(other, memory_order_acquire,
                                           memory_scope_device);
    }
    if (raised == 0) {
        args->entered[group] = 1;
    }
}
