/* Each item looks at numbers at equal distances, until one item has found it. */
#include "volatile-flag.h"

WEIR_KERNEL(stop_early, search_args)
{
    volatile int32_t *stop = args->stop;
    for (size_t i = weir_global_id(item, 0); i < args->n && *stop == 0;
         i += weir_global_size(item, 0)) {
        if (args->in[i] == args->wanted) {
            *args->place = (int32_t)i;
            *stop = 1;
        }
    }
}
