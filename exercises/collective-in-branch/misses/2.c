/* check: an item with an odd number returns */
#include "collective-in-branch.h"

WEIR_KERNEL(add_even, sum_args)
{
    int32_t number = args->in[weir_global_id(item, 0)];
    if (number % 2 != 0) {
        return;
    }
    weir_barrier(item, WEIR_LOCAL);
    args->out[weir_group_id(item, 0)] = weir_group_reduce_add(item, number);
}
