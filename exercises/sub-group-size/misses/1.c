/* check: 16 is right for one of the devices only */
#include "sub-group-size.h"

WEIR_KERNEL(add_up, sum_args)
{
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    int32_t *sums = weir_local_array(item, int32_t, MOST_ITEMS / 16);
    int32_t sum = weir_sub_group_reduce_add(item, args->in[weir_global_id(item, 0)]);
    if (weir_sub_group_local_id(item) == 0) {
        sums[lid / 16] = sum;
    }
    weir_barrier(item, WEIR_LOCAL);
    if (lid == 0) {
        int32_t total = 0;
        for (size_t k = 0; k < (local + 15) / 16; k++) {
            total += sums[k];
        }
        args->out[weir_group_id(item, 0)] = total;
    }
}
