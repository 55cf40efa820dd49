/* rule: one item counts all numbers */
#include "plain-counter.h"

WEIR_KERNEL(count_large, count_args)
{
    if (weir_global_id(item, 0) == 0) {
        int32_t count = 0;
        for (size_t k = 0; k < weir_global_size(item, 0); k++) {
            count += args->in[k] > args->limit;
        }
        *args->count = count;
    }
}
