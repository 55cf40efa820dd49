/* explore: a read-modify-write in place of the load alone orders nothing more */
#include "store-buffering.h"

WEIR_KERNEL(enter, enter_args)
{
    size_t group = weir_group_id(item, 0);
    int32_t *mine = &args->flag[group], *other = &args->flag[group ^ 1];
    if (!args->wants[group]) {
        return;
    }
    weir_atomic_store_explicit(mine, 1, memory_order_release, memory_scope_device);
    if (weir_atomic_fetch_add_explicit(other, 0, memory_order_acq_rel,
                                       memory_scope_device)
        == 0) {
        args->entered[group] = 1;
    }
}
