/* check: a reduction in each arm: these are two meetings */
#include "collective-in-branch.h"

WEIR_KERNEL(add_even, sum_args)
{
    int32_t number = args->in[weir_global_id(item, 0)], sum;
    if (number % 2 == 0) {
        sum = weir_group_reduce_add(item, number);
    } else {
        sum = weir_group_reduce_add(item, 0);
    }
    if (weir_local_id(item, 0) == 0) {
        args->out[weir_group_id(item, 0)] = sum;
    }
}
