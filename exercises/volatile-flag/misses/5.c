/* check: all items meet in each round, but a barrier orders one group only */
#include "volatile-flag.h"

WEIR_KERNEL(stop_early, search_args)
{
    size_t size = weir_global_size(item, 0), rounds = (args->n + size - 1) / size;
    for (size_t round = 0; round < rounds; round++) {
        size_t i = round * size + weir_global_id(item, 0);
        weir_barrier(item, WEIR_GLOBAL);
        int32_t stop = *args->stop;
        weir_barrier(item, WEIR_GLOBAL);
        if (stop == 0 && i < args->n && args->in[i] == args->wanted) {
            *args->place = (int32_t)i;
            *args->stop = 1;
        }
    }
}
