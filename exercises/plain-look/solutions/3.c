/* The group finds its greatest number first: one operation for each group. */
#include "plain-look.h"

WEIR_KERNEL(greatest, greatest_args)
{
    int32_t most = weir_group_reduce_max(item, args->in[weir_global_id(item, 0)]);
    if (weir_local_id(item, 0) == 0) {
        weir_atomic_fetch_max_explicit(args->most, most, memory_order_relaxed,
                                       memory_scope_device);
    }
}
