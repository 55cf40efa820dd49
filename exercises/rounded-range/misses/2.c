/* check: the condition is around the read, and every item writes */
#include "rounded-range.h"

WEIR_KERNEL(clip, clip_args)
{
    size_t i = weir_global_id(item, 0);
    args->out[i] = i < args->n && args->in[i] > 0 ? args->in[i] : 0;
}
