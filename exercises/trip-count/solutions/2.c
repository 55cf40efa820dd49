/* The number of rounds is computed once; only the load is under a condition. */
#include "trip-count.h"

WEIR_KERNEL(sum_next, next_args)
{
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    int32_t *shared = weir_local_array(item, int32_t, MOST_ITEMS);
    int32_t sum = 0;
    size_t rounds = (args->n + local - 1) / local;
    for (size_t round = 0; round < rounds; round++) {
        size_t k = round * local + lid;
        shared[lid] = 0;
        if (k < args->n) {
            shared[lid] = args->in[k];
        }
        weir_barrier(item, WEIR_LOCAL);
        sum += shared[(lid + 1) % local];
        weir_barrier(item, WEIR_LOCAL);
    }
    args->out[weir_global_id(item, 0)] = sum;
}
