/* The first item of each sub-group leaves its number for the sub-group before it. */
#include "shuffle-edge.h"

WEIR_KERNEL(differences, difference_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    size_t local = weir_local_size(item, 0);
    uint32_t lane = weir_sub_group_local_id(item), lanes = weir_sub_group_size(item);
    int32_t mine = args->data[i];
    int32_t *first = weir_local_array(item, int32_t, MOST_ITEMS);
    if (lane == 0) {
        first[weir_sub_group_id(item)] = mine;
    }
    weir_barrier(item, WEIR_LOCAL);
    int32_t next = weir_sub_group_shift_left(item, mine, 1);
    if (lane + 1 == lanes && lid + 1 < local) {
        next = first[weir_sub_group_id(item) + 1];
    }
    if (lid + 1 < local) {
        args->data[i] = next - mine;
    }
}
