/* rule: item 0 adds all numbers of the group */
#include "odd-tree.h"

WEIR_KERNEL(add_up, sum_args)
{
    size_t i = weir_global_id(item, 0), local = weir_local_size(item, 0);
    if (weir_local_id(item, 0) == 0) {
        int32_t sum = 0;
        for (size_t k = 0; k < local; k++) {
            sum += args->in[i + k];
        }
        args->out[weir_group_id(item, 0)] = sum;
    }
}
