/* A loop over all numbers, in steps of the number of items, for any number of them. */
#include "rounded-range.h"

WEIR_KERNEL(clip, clip_args)
{
    for (size_t i = weir_global_id(item, 0); i < args->n;
         i += weir_global_size(item, 0)) {
        args->out[i] = args->in[i] > 0 ? args->in[i] : 0;
    }
}
