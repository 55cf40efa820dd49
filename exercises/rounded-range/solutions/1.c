/* Only an item that has a number does anything. */
#include "rounded-range.h"

WEIR_KERNEL(clip, clip_args)
{
    size_t i = weir_global_id(item, 0);
    if (i < args->n) {
        args->out[i] = args->in[i] > 0 ? args->in[i] : 0;
    }
}
