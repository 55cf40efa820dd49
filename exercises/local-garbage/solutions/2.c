/* The group's own maximum needs no memory. */
#include "local-garbage.h"

WEIR_KERNEL(greatest, greatest_args)
{
    int32_t most = weir_group_reduce_max(item, args->in[weir_global_id(item, 0)]);
    if (weir_local_id(item, 0) == 0) {
        args->out[weir_group_id(item, 0)] = most;
    }
}
