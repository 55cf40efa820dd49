/* The group adds up, and sub-groups are left to the implementation. */
#include "sub-group-size.h"

WEIR_KERNEL(add_up, sum_args)
{
    int32_t total = weir_group_reduce_add(item, args->in[weir_global_id(item, 0)]);
    if (weir_local_id(item, 0) == 0) {
        args->out[weir_group_id(item, 0)] = total;
    }
}
