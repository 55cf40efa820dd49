/* Each item reads what its neighbour would load: no barrier, and any loop is right. */
#include "trip-count.h"

WEIR_KERNEL(sum_next, next_args)
{
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    int32_t sum = 0;
    for (size_t k = (lid + 1) % local; k < args->n; k += local) {
        sum += args->in[k];
    }
    args->out[weir_global_id(item, 0)] = sum;
}
