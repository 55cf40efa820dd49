/* rule: item 0 adds all numbers of the group */
#include "implicit-lockstep.h"

WEIR_KERNEL(add_up, sum_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    size_t local = weir_local_size(item, 0);
    int32_t *part = weir_local_array(item, int32_t, MOST_ITEMS);
    size_t together = weir_sub_group_size(item);
    part[lid] = args->in[i];
    weir_barrier(item, WEIR_LOCAL);
    if (lid == 0) {
        int32_t sum = 0;
        for (size_t k = 0; k < local; k++) {
            sum += part[k];
        }
        args->out[weir_group_id(item, 0)] = sum;
    }
}
