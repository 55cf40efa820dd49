/* One number more, which is greater than all others and so stays where it is. */
#include "sort-edge.h"

WEIR_KERNEL(sort, sort_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    size_t local = weir_local_size(item, 0);
    int32_t *numbers = weir_local_array(item, int32_t, local + 1);
    numbers[lid] = args->in[i];
    if (lid == 0) {
        numbers[local] = INT32_MAX;
    }
    for (size_t phase = 0; phase < local; phase++) {
        weir_barrier(item, WEIR_LOCAL);
        if (lid % 2 == phase % 2) {
            int32_t mine = numbers[lid], next = numbers[lid + 1];
            numbers[lid] = mine < next ? mine : next;
            numbers[lid + 1] = mine < next ? next : mine;
        }
    }
    weir_barrier(item, WEIR_LOCAL);
    args->out[i] = numbers[lid];
}
