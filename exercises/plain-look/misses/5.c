/* check: a fence in front of the look does not make it atomic */
#include "plain-look.h"

WEIR_KERNEL(greatest, greatest_args)
{
    int32_t mine = args->in[weir_global_id(item, 0)];
    weir_atomic_fence(memory_order_seq_cst, memory_scope_device);
    if (mine > *args->most) {
        weir_atomic_fetch_max_explicit(args->most, mine, memory_order_seq_cst,
                                       memory_scope_device);
    }
}
