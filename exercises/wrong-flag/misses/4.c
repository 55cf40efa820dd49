/* check: the right flag in a fence, which does not wait */
#include "wrong-flag.h"

WEIR_KERNEL(swap_pairs, swap_args)
{
    size_t i = weir_global_id(item, 0);
    args->spare[i] = 2 * args->in[i];
    weir_work_item_fence(WEIR_GLOBAL, memory_order_acq_rel, memory_scope_work_group);
    args->out[i] = args->spare[i ^ 1];
}
