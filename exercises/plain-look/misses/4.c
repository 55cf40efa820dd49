/* check: the look is atomic for the items of the own group only */
#include "plain-look.h"

WEIR_KERNEL(greatest, greatest_args)
{
    int32_t mine = args->in[weir_global_id(item, 0)];
    if (mine > weir_atomic_load_explicit(args->most, memory_order_relaxed,
                                         memory_scope_work_group)) {
        weir_atomic_fetch_max_explicit(args->most, mine, memory_order_relaxed,
                                       memory_scope_device);
    }
}
