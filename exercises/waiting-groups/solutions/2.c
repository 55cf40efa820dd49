/* Each group computes the sum for itself. */
#include "waiting-groups.h"

WEIR_KERNEL(sum_of_others, others_args)
{
    size_t group = weir_group_id(item, 0), groups = weir_num_groups(item, 0);
    int32_t sum = 0;
    for (size_t k = 0; k < groups; k++) {
        sum += k != group ? args->in[k] : 0;
    }
    args->out[group] = sum;
}
