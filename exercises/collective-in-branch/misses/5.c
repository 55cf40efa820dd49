/* answer: all call it, but an item writes the sum only if its number is even */
#include "collective-in-branch.h"

WEIR_KERNEL(add_even, sum_args)
{
    int32_t number = args->in[weir_global_id(item, 0)];
    int32_t sum = weir_group_reduce_add(item, number % 2 == 0 ? number : 0);
    if (weir_local_id(item, 0) == 0 && number % 2 == 0) {
        args->out[weir_group_id(item, 0)] = sum;
    }
}
