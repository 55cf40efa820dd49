/* Adds up the even numbers of each group. */
#include "collective-in-branch.h"

WEIR_KERNEL(add_even, sum_args)
{
    int32_t number = args->in[weir_global_id(item, 0)];
    if (number % 2 == 0) {
        int32_t sum = weir_group_reduce_add(item, number);
        args->out[weir_group_id(item, 0)] = sum;
    }
}
