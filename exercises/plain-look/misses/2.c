/* check: the look is atomic now, but the write is plain */
#include "plain-look.h"

WEIR_KERNEL(greatest, greatest_args)
{
    int32_t mine = args->in[weir_global_id(item, 0)];
    if (mine > weir_atomic_load_explicit(args->most, memory_order_relaxed,
                                         memory_scope_device)) {
        *args->most = mine;
    }
}
