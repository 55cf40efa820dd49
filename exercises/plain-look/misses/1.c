/* check: volatile does not make the look atomic */
#include "plain-look.h"

WEIR_KERNEL(greatest, greatest_args)
{
    int32_t mine = args->in[weir_global_id(item, 0)];
    if (mine > *(volatile int32_t *)args->most) {
        weir_atomic_fetch_max_explicit(args->most, mine, memory_order_relaxed,
                                       memory_scope_device);
    }
}
