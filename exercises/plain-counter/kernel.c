/* Counts the numbers above a limit. */
#include "plain-counter.h"

WEIR_KERNEL(count_large, count_args)
{
    if (args->in[weir_global_id(item, 0)] > args->limit) {
        *args->count += 1;
    }
}
