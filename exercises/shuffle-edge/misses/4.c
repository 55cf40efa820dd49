/* check: the neighbour may have overwritten the number that is read from memory */
#include "shuffle-edge.h"

WEIR_KERNEL(differences, difference_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    size_t local = weir_local_size(item, 0);
    uint32_t lane = weir_sub_group_local_id(item), lanes = weir_sub_group_size(item);
    int32_t mine = args->data[i];
    int32_t next
        = weir_sub_group_shuffle(item, mine, lane + 1 < lanes ? lane + 1 : lane);
    if (lane + 1 == lanes && lid + 1 < local) {
        next = args->data[i + 1];
    }
    if (lid + 1 < local) {
        args->data[i] = next - mine;
    }
}
