/* check: all items of a sub-group store the sum, at the same place */
#include "sub-group-size.h"

WEIR_KERNEL(add_up, sum_args)
{
    int32_t *sums = weir_local_array(item, int32_t, MOST_ITEMS);
    int32_t sum = weir_sub_group_reduce_add(item, args->in[weir_global_id(item, 0)]);
    sums[weir_sub_group_id(item)] = sum;
    weir_barrier(item, WEIR_LOCAL);
    if (weir_local_id(item, 0) == 0) {
        int32_t total = 0;
        for (size_t k = 0; k < weir_num_sub_groups(item); k++) {
            total += sums[k];
        }
        args->out[weir_group_id(item, 0)] = total;
    }
}
