/* The last item of the group has the sum of all by a scan. */
#include "collective-in-branch.h"

WEIR_KERNEL(add_even, sum_args)
{
    int32_t number = args->in[weir_global_id(item, 0)];
    int32_t sum = 0;
    sum = weir_group_inclusive_scan_add(item, number & -(~number & 1));
    if (weir_local_id(item, 0) + 1 == weir_local_size(item, 0)) {
        args->out[weir_group_id(item, 0)] = sum;
    }
}
