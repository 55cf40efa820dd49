/* answer: all call it, with odd numbers, too */
#include "collective-in-branch.h"

WEIR_KERNEL(add_even, sum_args)
{
    int32_t sum = weir_group_reduce_add(item, args->in[weir_global_id(item, 0)]);
    if (weir_local_id(item, 0) == 0) {
        args->out[weir_group_id(item, 0)] = sum;
    }
}
