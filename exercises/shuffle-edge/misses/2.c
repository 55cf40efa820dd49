/* answer: a shift is allowed at the edge, but what it returns there is unspecified */
#include "shuffle-edge.h"

WEIR_KERNEL(differences, difference_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    size_t local = weir_local_size(item, 0);
    int32_t mine = args->data[i];
    int32_t next = weir_sub_group_shift_left(item, mine, 1);
    if (lid + 1 < local) {
        args->data[i] = next - mine;
    }
}
