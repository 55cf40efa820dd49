/* A barrier of the sub-group in each of the last rounds. */
#include "implicit-lockstep.h"

WEIR_KERNEL(add_up, sum_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    size_t local = weir_local_size(item, 0);
    int32_t *part = weir_local_array(item, int32_t, MOST_ITEMS);
    size_t together = weir_sub_group_size(item);
    part[lid] = args->in[i];
    weir_barrier(item, WEIR_LOCAL);
    size_t half = local / 2;
    for (; half >= together; half /= 2) {
        if (lid < half) {
            part[lid] += part[lid + half];
        }
        weir_barrier(item, WEIR_LOCAL);
    }
    for (; half > 0; half /= 2) {
        if (lid < half) {
            part[lid] += part[lid + half];
        }
        weir_sub_group_barrier(item);
    }
    if (lid == 0) {
        args->out[weir_group_id(item, 0)] = part[0];
    }
}
