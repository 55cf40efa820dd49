/* check: the group counts first, but groups meet at a plain increment */
#include "plain-counter.h"

WEIR_KERNEL(count_large, count_args)
{
    int32_t large = args->in[weir_global_id(item, 0)] > args->limit;
    int32_t of_group = weir_group_reduce_add(item, large);
    if (weir_local_id(item, 0) == 0) {
        *args->count += of_group;
    }
}
