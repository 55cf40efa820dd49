/* check: only the words of items that are there are written, and more are read */
#include "local-garbage.h"

WEIR_KERNEL(greatest, greatest_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    int32_t *numbers = weir_local_array(item, int32_t, MOST_ITEMS);
    numbers[lid] = args->in[i];
    weir_barrier(item, WEIR_LOCAL);
    if (lid == 0) {
        int32_t most = numbers[0];
        for (size_t k = 1; k < MOST_ITEMS; k++) {
            most = numbers[k] > most ? numbers[k] : most;
        }
        args->out[weir_group_id(item, 0)] = most;
    }
}
