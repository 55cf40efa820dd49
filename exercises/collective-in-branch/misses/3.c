/* check: all call it, and all items write the sum */
#include "collective-in-branch.h"

WEIR_KERNEL(add_even, sum_args)
{
    int32_t number = args->in[weir_global_id(item, 0)];
    args->out[weir_group_id(item, 0)]
        = weir_group_reduce_add(item, number % 2 == 0 ? number : 0);
}
