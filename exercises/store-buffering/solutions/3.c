/* One word for both: a read-modify-write raises a flag and looks at the other one. */
#include "store-buffering.h"

WEIR_KERNEL(enter, enter_args)
{
    size_t group = weir_group_id(item, 0);
    int32_t *first_of_pair = &args->flag[group & ~(size_t)1];
    if (args->wants[group]
        && weir_atomic_fetch_or_explicit(first_of_pair, 1 << (group % 2),
                                         memory_order_relaxed, memory_scope_device)
            == 0) {
        args->entered[group] = 1;
    }
}
