/* check: the barrier is in its place and names the other memory */
#include "barrier-in-branch.h"

WEIR_KERNEL(pair_sum, pair_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    size_t local = weir_local_size(item, 0), half = local / 2;
    int32_t *part = weir_local_array(item, int32_t, MOST_ITEMS);
    if (lid < half) {
        part[lid] = args->in[i] + args->in[i + half];
    }
    weir_barrier(item, WEIR_GLOBAL);
    if (lid == 0) {
        int32_t sum = 0;
        for (size_t k = 0; k < half; k++) {
            sum += part[k];
        }
        args->out[weir_group_id(item, 0)] = sum;
    }
}
