/* No flag: every item looks at all of its numbers. */
#include "volatile-flag.h"

WEIR_KERNEL(stop_early, search_args)
{
    for (size_t i = weir_global_id(item, 0); i < args->n;
         i += weir_global_size(item, 0)) {
        if (args->in[i] == args->wanted) {
            *args->place = (int32_t)i;
        }
    }
}
