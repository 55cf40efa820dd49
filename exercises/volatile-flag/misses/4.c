/* check: the place is the flag, and volatile */
#include "volatile-flag.h"

WEIR_KERNEL(stop_early, search_args)
{
    volatile int32_t *place = args->place;
    for (size_t i = weir_global_id(item, 0); i < args->n && *place < 0;
         i += weir_global_size(item, 0)) {
        if (args->in[i] == args->wanted) {
            *place = (int32_t)i;
        }
    }
}
