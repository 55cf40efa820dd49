/* check: volatile is not atomic */
#include "plain-counter.h"

WEIR_KERNEL(count_large, count_args)
{
    volatile int32_t *count = args->count;
    if (args->in[weir_global_id(item, 0)] > args->limit) {
        *count += 1;
    }
}
