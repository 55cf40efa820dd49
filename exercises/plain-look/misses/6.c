/* check: one item of each group looks, and still races with the other groups */
#include "plain-look.h"

WEIR_KERNEL(greatest, greatest_args)
{
    int32_t most = weir_group_reduce_max(item, args->in[weir_global_id(item, 0)]);
    if (weir_local_id(item, 0) == 0 && most > *args->most) {
        weir_atomic_fetch_max_explicit(args->most, most, memory_order_relaxed,
                                       memory_scope_device);
    }
}
