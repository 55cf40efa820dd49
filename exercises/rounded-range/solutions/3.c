/* The numbers are shared out among groups, and the last groups get less. */
#include "rounded-range.h"

WEIR_KERNEL(clip, clip_args)
{
    size_t groups = weir_num_groups(item, 0), group = weir_group_id(item, 0);
    size_t first = args->n * group / groups, end = args->n * (group + 1) / groups;
    size_t i = first + weir_local_id(item, 0);
    if (i >= end) {
        return;
    }
    args->out[i] = args->in[i] > 0 ? args->in[i] : 0;
}
