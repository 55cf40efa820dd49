/* check: the loop is uniform, and the last load is after the end */
#include "trip-count.h"

WEIR_KERNEL(sum_next, next_args)
{
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    int32_t *shared = weir_local_array(item, int32_t, MOST_ITEMS);
    int32_t sum = 0;
    for (size_t first = 0; first < args->n; first += local) {
        shared[lid] = args->in[first + lid];
        weir_barrier(item, WEIR_LOCAL);
        sum += shared[(lid + 1) % local];
        weir_barrier(item, WEIR_LOCAL);
    }
    args->out[weir_global_id(item, 0)] = sum;
}
