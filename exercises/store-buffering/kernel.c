/* Groups of one item: a group enters if the other one of its pair does not want to. */
#include "store-buffering.h"

WEIR_KERNEL(enter, enter_args)
{
    size_t group = weir_group_id(item, 0);
    int32_t *mine = &args->flag[group], *other = &args->flag[group ^ 1];
    if (!args->wants[group]) {
        return;
    }
    weir_atomic_store_explicit(mine, 1, memory_order_release, memory_scope_device);
    if (weir_atomic_load_explicit(other, memory_order_acquire, memory_scope_device)
        == 0) {
        args->entered[group] = 1;
    }
}
