/* check: items after the end write the last number, all at the same time */
#include "rounded-range.h"

WEIR_KERNEL(clip, clip_args)
{
    size_t i = weir_global_id(item, 0);
    i = i < args->n ? i : args->n - 1;
    args->out[i] = args->in[i] > 0 ? args->in[i] : 0;
}
